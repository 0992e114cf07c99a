"""Level 1, messages: what is found, written, fixed or recorded first and then sent on."""

from dataset_builder.slot import Moment, Pattern, Pool, Whole, pick
from dataset_builder.template import Template, call, mentions

_TYPO = Pattern(
    "{first} {second} {third}",
    {
        "first": pick(
            "The delevery is finaly here.", "The meeeting room is availible again.",
            "Our resturant guests love the new calender.", "The secretery is writting the minutes.",
            "The new equiptment has arived.", "We beleive the leak has happend at night.",
            "The libary opens untill nine from now on.", "My neice has found your umbrella.",
        ),
        "second": pick(
            "Please send me your adress seperately.", "I will definately need the reciept.",
            "Can you recomend a good vehical for it?", "It was a wierd but wonderfull surprise.",
            "Nobody has noticed a diffrence so far.", "Lunch was excelent, by the way.",
            "The goverment inspector was freindly.", "Your knowlege would be usefull here.",
        ),
        "third": pick(
            "See you tommorow.", "Sincerly, the front desk.", "Thanks from the whole comittee.",
            "That's realy all.", "More next Wendesday.", "Greetings from your collegue.",
        ),
    },
)  # fmt: skip
_FINDING = Pattern(
    "{what} {moved} by {n} percent in {when}, mostly because {cause}.",
    {
        "what": pick(
            "Bookings", "Fuel costs", "Late returns", "Night shifts", "Visitor numbers", "Complaints",
            "Water use", "Ticket sales", "Sick days",
        ),
        "moved": pick("rose", "fell", "went up", "dropped"),
        "n": Whole(4, 47),
        "when": pick("June 2026", "the second quarter", "spring 2026", "the first half of 2026"),
        "cause": pick(
            "the bridge was closed", "the weather was mild", "two suppliers changed",
            "the opening hours were extended", "prices were adjusted", "a rival shut down",
        ),
    },
)  # fmt: skip
_SCENE = Pattern(
    "{what} {where}, {style}",
    {
        "what": pick(
            "a badger with a lantern", "two old sailing boats", "a tiny tea house", "a flying bicycle",
            "an owl at a typewriter", "a market stall full of pumpkins", "three dancing foxes",
            "a steam train",
        ),
        "where": pick(
            "on a frozen lake", "under northern lights", "in a bamboo forest", "at low tide",
            "between skyscrapers", "in a foggy valley", "on a rooftop",
        ),
        "style": pick(
            "as a linocut", "in watercolour", "as a mosaic", "in the style of a school poster",
            "as a pencil sketch", "in soft pastel colours", "as a paper cut-out",
        ),
    },
)  # fmt: skip
_LISTENER = pick(
    "I was on leave that day", "I have no headphones with me", "It's too long to listen to",
    "I need it for the minutes", "The sound is awful on my phone", "We discuss it in an hour",
    "A deaf colleague asked for it", "I'm in a quiet carriage", "I want to file it as text",
    "My boss was not there", "I'm writing the newsletter", "It's for our archive",
    "I forgot to take notes", "I have to answer by tonight", "The editor is waiting",
    "I'd like to quote from it", "It has been lying there since Monday", "My hearing isn't good",
    "I can't play that format", "It goes into the case file",
)  # fmt: skip
_LENGTH = pick(("45 minutes", 45), ("90 minutes", 90), ("20 minutes", 20), ("75 minutes", 75))

TEMPLATES = (
    Template(
        "link_of_meeting",
        prompts=(
            "Set up a video meeting with {a.email} and {b.email} on {start} for {length}, then send "
            "{c.name} a chat message with the link to join.",
            "Please invite {a.email} and {b.email} to a meeting, {start}, {length}. {c.name} should get "
            "the join link from you by chat message.",
            "Schedule a meeting of {length} with {a.first} ({a.email}) and {b.first} ({b.email}) that "
            "starts on {start}. Once it's set up, message the video link to {c.name} on chat.",
            "I need a video call with {a.email} and {b.email}: {start}, {length}, with invitations. "
            "Pass the link on to {c.name} in a chat message.",
        ),
        slots={
            "a": Pool("people"),
            "b": Pool("people"),
            "c": Pool("people"),
            "start": Moment("2026-07-20", "2027-03-31"),
            "length": _LENGTH,
        },
        steps=(
            call(
                "schedule_meeting",
                attendees=["{a.email}", "{b.email}"],
                start="{start}",
                duration_minutes="{length}",
            ),
            call("send_message", recipient="{c.name}", text=mentions("{1.join_url}")),
        ),
    ),
    Template(
        "spelling_then_chat",
        prompts=(
            "Correct the spelling in “{text}” and send the corrected text to {person.name} as a chat "
            "message.",
            "I typed this on the bus: “{text}” Please run a spell check over it and message the "
            "corrected version to {person.name} on chat.",
            "Before it goes to {person.name} on chat, fix the spelling mistakes: “{text}” Then send the "
            "corrected text as the message.",
            "Spell-check “{text}” for me. The corrected text should go to {person.name} as a chat "
            "message, with nothing added.",
        ),
        slots={"text": _TYPO, "person": Pool("people")},
        steps=(
            call("spell_check", text="{text}"),
            call("send_message", recipient="{person.name}", text="{1.corrected_text}"),
        ),
    ),
    Template(
        "translation_by_mail",
        prompts=(
            "Translate “{text}” into {language} and e-mail the translation to {person.email}, just the "
            "translated sentence.",
            "{person.name} reads {language} only. Please translate “{text}” and mail the translated "
            "text, nothing else, to {person.email}",
            "How do you say “{text}” in {language}? Send the translation by e-mail to {person.email} "
            "and put nothing but that sentence in the body.",
            "Please e-mail {person.email} the {language} translation of “{text}” as the whole body.",
        ),
        slots={
            "text": Pool("notice_sentences"),
            "language": Pool("target_languages"),
            "person": Pool("people"),
        },
        steps=(
            call("translate_text", text="{text}", target_language="{language}"),
            call("send_email", to="{person.email}", body="{1.translation}"),
        ),
    ),
    Template(
        "answer_in_their_language",
        prompts=(
            "A customer wrote: “{message}” Detect which language that is and translate my answer into "
            "it: “{answer}”",
            "I'd like to reply to “{message}” in the language it is written in. Find out which one that "
            "is, then translate “{answer}” into that language.",
            "This came in: “{message}” I can't even tell the language. Please detect it and give me "
            "“{answer}” in the same language.",
            "Which language is this? “{message}” Whichever it is, translate my reply into it: “{answer}”",
        ),
        slots={"message": Pool("guest_messages"), "answer": Pool("service_replies")},
        steps=(
            call("detect_language", text="{message}"),
            call("translate_text", text="{answer}", target_language="{1.language}"),
        ),
    ),
    Template(
        "finding_as_mailed_report",
        prompts=(
            "Make a report of this finding: “{content}” Then e-mail the report itself to "
            "{person.email}",
            "“{content}” Please lay that out as a report and mail the finished report to "
            "{person.email}, unchanged.",
            "{person.name} needs a formal report that says “{content}” Generate it and send it as the "
            "body of an e-mail to {person.email}",
            "Generate a report from “{content}” and send exactly that report by e-mail to "
            "{person.email}",
        ),
        slots={"content": _FINDING, "person": Pool("people")},
        steps=(
            call("generate_report", content="{content}"),
            call("send_email", to="{person.email}", body="{1.report}"),
        ),
    ),
    Template(
        "picture_by_chat",
        prompts=(
            "Create a picture: “{scene}”. Then send {person.name} a chat message with the link to it.",
            "Please generate an image of “{scene}” and message its link to {person.name} on chat.",
            "{person.name} asked for an image of “{scene}”. Make one and share the link in a chat "
            "message to {person.first}.",
            "Draw “{scene}” and let {person.name} have the link to the picture by chat message.",
        ),
        slots={"scene": _SCENE, "person": Pool("people")},
        steps=(
            call("generate_image", prompt="{scene}"),
            call("send_message", recipient="{person.name}", text=mentions("{1.image_url}")),
        ),
    ),
    Template(
        "recording_in_brief",
        prompts=(
            "Transcribe the recording {talk.file} and summarise what is said. {why}.",
            "{why}. Could you transcribe {talk.file} and give me a short summary of it?",
            "{why}, so please transcribe {talk.about} ({talk.file}) and summarise the transcript.",
            "What are the key sentences in the recording {talk.file}? Transcribe it, then give me a "
            "summary. {why}.",
        ),
        slots={"talk": Pool("talk_recordings"), "why": _LISTENER},
        steps=(
            call("transcribe_audio", recording="{talk.file}"),
            call("summarize_text", text="{1.transcript}"),
        ),
    ),
    Template(
        "names_in_recording",
        prompts=(
            "Who and what is named in the recording {talk.file}? Transcribe it and list the people, "
            "places and organisations. {why}.",
            "{why}. Please make a transcript of {talk.file} and extract the named entities from it.",
            "{why}, so transcribe {talk.about} ({talk.file}) and pull out all names of persons, places "
            "and organisations.",
            "Turn the recording {talk.file} into text, then tell me which persons, places and "
            "organisations are mentioned in that text. {why}.",
        ),
        slots={"talk": Pool("recordings_with_names"), "why": _LISTENER},
        steps=(
            call("transcribe_audio", recording="{talk.file}"),
            call("extract_entities", text="{1.transcript}"),
        ),
    ),
    Template(
        "recording_by_mail",
        prompts=(
            "Transcribe the recording {talk.file} and e-mail the transcript to {person.email}, word for "
            "word.",
            "{person.name} missed {talk.about}. Please transcribe {talk.file} and mail the full "
            "transcript to {person.email}",
            "Send {person.email} the text of the recording {talk.file} by e-mail. You'll have to "
            "transcribe it first; don't change or add anything.",
            "I need {talk.file} as text, and {person.first} needs it too: transcribe the recording and "
            "e-mail the transcript as it is to {person.email}",
        ),
        slots={"talk": Pool("talk_recordings"), "person": Pool("people")},
        steps=(
            call("transcribe_audio", recording="{talk.file}"),
            call("send_email", to="{person.email}", body="{1.transcript}"),
        ),
    ),
    Template(
        "handbook_article_by_mail",
        prompts=(
            "Look up “{topic}” in the company handbook and e-mail the article's text as it stands to "
            "{person.email}",
            "{person.name} asked about our rules on “{topic}”. Find the answer in the handbook and mail "
            "it, word for word, to {person.email}",
            "What does our handbook say about “{topic}”? Please send exactly that text by e-mail to "
            "{person.email}",
            "E-mail {person.email} the handbook's text on “{topic}”. Just the text, please, without an "
            "introduction of your own.",
        ),
        slots={"topic": Pool("handbook_titles"), "person": Pool("people")},
        steps=(
            call("knowledge_base_query", query="{topic}"),
            call("send_email", to="{person.email}", body="{1.answer}"),
        ),
    ),
    Template(
        "handbook_article_in_brief",
        prompts=(
            "What does the company handbook say about “{topic}”? {why}, so summarise the article.",
            "{why}. Please find the handbook article on “{topic}” and give me a summary of its text.",
            "Search our handbook for “{topic}” and summarise what you find. {why}.",
            "I'd like a short summary of our internal rules on “{topic}”. They're in the handbook. "
            "{why}.",
        ),
        slots={
            "topic": Pool("handbook_titles"),
            "why": pick(
                "I have no time to read it all",
                "A new colleague asks",
                "I'm on the phone",
                "It's for a slide",
                "I have to explain it in two sentences",
                "My manager wants it brief",
                "We're in the middle of a meeting",
                "It's for the onboarding leaflet",
            ),
        },
        steps=(
            call("knowledge_base_query", query="{topic}"),
            call("summarize_text", text="{1.answer}"),
        ),
    ),
    Template(
        "mail_to_corrected_address",
        prompts=(
            "The address {address} bounces; the provider must be misspelt. Check the address and e-mail "
            "this text to the corrected one: “{body}”",
            "Somebody left {address} on our form, with a typo in the provider. Validate it, take the "
            "suggested address and mail it “{body}”",
            "Please validate {address}, there's a slip in it. Then send an e-mail to the address that is "
            "suggested instead. The text: “{body}”",
            "This can't be right: {address}. Validate it to find the address that was meant, and e-mail "
            "“{body}” to that one.",
        ),
        slots={
            "address": Pattern(
                "{first}{mark}{last}@{domain}",
                {
                    "first": pick("helen", "ola", "samir", "rosa", "mika", "tariq", "bea", "ivo"),
                    "mark": pick(".", "_", "-"),
                    "last": pick(
                        "marsh", "brandt", "laine", "oyelaran", "prieto", "vance", "costa"
                    ),
                    "domain": pick(
                        "gmial.com",
                        "outlok.com",
                        "yahooo.com",
                        "hotmial.com",
                        "gmal.com",
                        "outllook.com",
                        "iclod.com",
                        "fastmial.com",
                        "hotmal.com",
                        "protonmial.com",
                    ),
                },
            ),
            "body": Pool("service_replies"),
        },
        steps=(
            call("validate_email", email="{address}"),
            call("send_email", to="{1.suggestion}", body="{body}"),
        ),
    ),
)
