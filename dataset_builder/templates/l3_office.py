"""Level 3, office and communication: invoices, deadlines, calls and translations, announced."""

from dataset_builder.slot import Day, Decimal, Moment, Pool, Whole, pick
from dataset_builder.template import Template, call, mentions

_GOODS = pick(
    "folding chairs", "oak shelves", "guided tours", "desk lamps", "printed banners",
    "wine crates", "safety helmets", "training hours", "stage lights", "canvas bags",
)  # fmt: skip
_CONTRACT = pick(
    "the lease", "the maintenance contract", "the licence agreement", "the cleaning contract",
    "the supply agreement", "the insurance policy", "the service contract", "the rental agreement",
    "the loan agreement", "the catering contract", "the partnership deed",
    "the framework contract",
)  # fmt: skip
_UNIT = pick(
    ("business days", "business_days"), ("working days", "business_days"), ("weeks", "weeks"),
    ("months", "months"), ("days", "days"),
)  # fmt: skip
_SHORTER = pick(
    "parking permit", "trial licence", "storage lease", "phone contract", "fire insurance",
    "software subscription",
)  # fmt: skip
_LONGER = pick(
    "office lease", "leasing contract", "liability insurance", "building permit",
    "supply agreement", "maintenance plan",
)  # fmt: skip
_EVENT = pick(
    "the budget review", "the supplier call", "the design critique", "the job interview",
    "the quarterly check-in", "the launch rehearsal", "the lab meeting", "the guest lecture",
    "the audit opening", "the virtual site visit",
)  # fmt: skip
_SUBJECT = pick(
    "For the train ride", "Read before Monday", "In short", "Weekend reading", "Note to self",
    "Before the meeting", "Homework", "The gist", "Catching up", "To be discussed", "Memory aid",
    "Short version", "Reading list", "Do not forget", "Morning coffee", "For my files",
    "Background", "One minute read",
)  # fmt: skip

TEMPLATES = (
    Template(
        "invoice_and_cover_mail",
        prompts=(
            "Bill {client} for {quantity} {goods} at ${price} each plus {tax} percent tax, "
            "payable within {days} days. Then email {person.email} the invoice number, the "
            "invoice total spelled out in words, and the day of the week on which the due date "
            "falls.",
            "Please issue an invoice to {client}: {quantity} {goods}, net unit price ${price}, "
            "tax {tax} percent, due in {days} days. Our accountant ({person.email}) needs an "
            "email with its number, its total in English words and the weekday of the due date.",
            "Invoice time. Customer {client}, {quantity} {goods}, ${price} apiece before {tax} "
            "percent tax, {days} days to pay. Spell out the total in words, look up what weekday "
            "the due date is, and mail both, together with the invoice number, to {person.email}.",
            "I sold {quantity} {goods} to {client} for ${price} each, {tax} percent tax to be "
            "added, with a payment term of {days} days. Make the invoice, write its total in "
            "words, find the day of the week it is due, and email invoice number, words and "
            "weekday to {person.email}.",
        ),
        slots={
            "client": Pool("companies"),
            "person": Pool("people"),
            "quantity": Whole(3, 60),
            "goods": _GOODS,
            "price": Decimal(11.5, 189.9, 2),
            "tax": pick(6, 7, 8, 10, 19, 20, 21, 25),
            "days": pick(14, 15, 28, 45, 60),
        },
        steps=(
            call(
                "create_invoice",
                customer="{client}",
                unit_price="{price}",
                quantity="{quantity}",
                tax_percent="{tax}",
                payment_days="{days}",
            ),
            call("number_to_text", number="{1.total}"),
            call("get_weekday", date="{1.due_date}"),
            call(
                "send_email",
                to="{person.email}",
                body=mentions("{1.invoice_number}", "{2.text}", "{3.weekday}"),
            ),
        ),
    ),
    Template(
        "deadline_announced",
        prompts=(
            "{matter} was signed on {start} and the notice period is {amount} {unit} from then. "
            "Work out the date on which it ends, find the weekday of that date, write the date in "
            "{style}, and message both to {person.name}.",
            "Which date is {amount} {unit} after {start}? That's the deadline for {matter}. Send "
            "{person.name} a chat message that has the deadline's day of the week and the "
            "deadline itself written in {style}.",
            "Please calculate the last day for {matter}: {amount} {unit}, counted from {start}. "
            "I'd like a chat message to go to {person.name} with two things: what weekday that "
            "day is, and the date in {style}.",
            "{start} plus {amount} {unit} gives the due date for {matter}. Look up its weekday, "
            "format it in {style}, and ping {person.name} with the weekday and the formatted "
            "date.",
        ),
        slots={
            "matter": _CONTRACT,
            "start": Day("2026-08-03", "2027-05-28"),
            "amount": Whole(5, 40),
            "unit": _UNIT,
            "style": pick(
                ("US style (MM/DD/YYYY)", "us"), ("European style (DD.MM.YYYY)", "european")
            ),
            "person": Pool("people"),
        },
        steps=(
            call("add_duration", date="{start}", amount="{amount}", unit="{unit}"),
            call("get_weekday", date="{1.date}"),
            call("format_date", date="{1.date}", style="{style}"),
            call(
                "send_message", recipient="{person.name}", text=mentions("{2.weekday}", "{3.text}")
            ),
        ),
    ),
    Template(
        "gap_between_two_deadlines",
        prompts=(
            "Our {first} runs for {few} {months} from {early}, our {second} for {many} {months} "
            "from {late}. Find both end dates, count the days from the first end date to the "
            "second, and message {person.name} that number of days.",
            "Contract check: the {first} began on {early} and lasts {few} {months}; the {second} "
            "begins on {late} and lasts {many} {months}. How many days lie between the two end "
            "dates? Send the number to {person.name} as a chat message.",
            "When is {early} plus {few} {months}, and when is {late} plus {many} {months}? Those "
            "are the ends of our {first} and our {second}. Please count the days from the former "
            "to the latter and tell {person.name} the count in a chat message.",
            "Tell {person.name} by chat how many days our {second} will outlast our {first}. The {first} "
            "ends {few} {months} after {early}, the {second} {many} {months} after {late}.",
        ),
        slots={
            "first": _SHORTER,
            "second": _LONGER,
            "early": Day("2026-02-02", "2026-07-31"),
            "late": Day("2026-08-03", "2027-02-26"),
            "few": Whole(4, 12),
            "months": pick(("months", "months")),
            "many": Whole(13, 30),
            "person": Pool("people"),
        },
        steps=(
            call("add_duration", date="{early}", amount="{few}", unit="{months}"),
            call("add_duration", date="{late}", amount="{many}", unit="{months}"),
            call("calculate_date_diff", start_date="{1.date}", end_date="{2.date}"),
            call("send_message", recipient="{person.name}", text=mentions("{3.days}")),
        ),
    ),
    Template(
        "call_time_for_colleague",
        prompts=(
            "{event} starts on {start}, {there} time, and {person.name} will dial in from {here}. "
            "Look up the time zone of {there} and the time zone of {here}, convert the start from "
            "the one to the other, and message {person.name} the time of day in {here} (24-hour "
            "clock).",
            "Please tell {person.name} by chat message what time of day {event} begins on the "
            "clocks of {here}, in 24-hour format. It begins on {start} local time in {there}. "
            "Take the time zone of each of the two cities from its location facts for the "
            "conversion.",
            "{person.name} is in {here}; {event} is hosted in {there} on {start} by the host's "
            "clocks. Find out the time zone of each city, convert the date and time, and send "
            "{person.name} a chat message with the resulting time, written HH:MM on the 24-hour "
            "clock.",
            "Get the time zone that the location details list for {there}, and the one that they "
            "list for {here}. Then convert: when {event} starts on {start} in {there}, what time "
            "of day is it in {here}? Message that time as HH:MM, 24 hours, to {person.name} on "
            "chat.",
        ),
        slots={
            "there": Pool("side_cities"),
            "here": Pool("side_cities"),
            "start": Moment("2026-08-03", "2027-04-30"),
            "person": Pool("people"),
            "event": _EVENT,
        },
        steps=(
            call("get_location_info", city="{there}"),
            call("get_location_info", city="{here}"),
            call("convert_timezone", datetime="{start}", from_="{1.timezone}", to="{2.timezone}"),
            call("send_message", recipient="{person.name}", text=mentions("{3.time}")),
        ),
    ),
    Template(
        "summary_to_myself",
        prompts=(
            "Read {file.path}, summarize it, and email the summary to me at the address I'm "
            "signed in with. The subject should be “{subject}”.",
            "Please send an email with the subject “{subject}” to my own address (look it up in "
            "my account). The body is a summary of the file {file.path}.",
            "I haven't got time for {file.about}. Summarize the file {file.path} for me and mail "
            "the summary, subject “{subject}”, to the email address of my account.",
            "Find out my e-mail address from the session I'm signed in to, make a summary of what "
            "{file.path} says, and email that summary to the address under the subject "
            "“{subject}”.",
        ),
        slots={
            "file": Pool("prose_files"),
            "subject": _SUBJECT,
        },
        steps=(
            call("get_session_context"),
            call("read_file", path="{file.path}"),
            call("summarize_text", text="{2.content}"),
            call("send_email", to="{1.email}", body="{3.summary}", subject="{subject}"),
        ),
    ),
    Template(
        "recording_report_by_email",
        prompts=(
            "Transcribe the recording {talk.file}. From the transcript make a summary and a list "
            "of keywords, write both up in a report, and email the report itself to "
            "{person.email}.",
            "I missed {talk.about}. Please transcribe {talk.file}, summarize the transcript, "
            "extract its keywords, put summary and keywords into a report and send that report to "
            "{person.email} as the text of an email.",
            "{person.name} needs a report on the audio {talk.file}: get the transcript, then its "
            "summary and its keywords, and lay these two out as a report. Email it to "
            "{person.email} with the report as the body.",
            "Audio file {talk.file} into text, text into a summary and keywords, those two into a "
            "report, and the report as the body of an email to {person.email}. Thanks!",
        ),
        slots={"talk": Pool("talk_recordings"), "person": Pool("people")},
        steps=(
            call("transcribe_audio", recording="{talk.file}"),
            call("summarize_text", text="{1.transcript}"),
            call("keyword_extract", text="{1.transcript}"),
            call("generate_report", content=mentions("{2.summary}", "{3.keywords}")),
            call("send_email", to="{person.email}", body="{4.report}"),
        ),
    ),
    Template(
        "length_of_two_translations",
        prompts=(
            "For the sign we need “{sentence}” in {one} and in {two}. Translate it into both, "
            "count the characters of each translation, and tell me by how many percent the "
            "character count changes from the {one} to the {two} version.",
            "Layout question: how much longer or shorter, in percent of characters, is the {two} "
            "translation of “{sentence}” than the {one} one? Please translate it both ways and "
            "count the characters of both translations.",
            "Translate “{sentence}” into {one}, then the same sentence into {two}. Count the "
            "characters of both translations and work out the percentage change from the {one} "
            "count to the {two} count.",
            "“{sentence}”: I want the number of characters of the {one} translation, the number "
            "of characters of the {two} translation, and the percentage change from the former to "
            "the latter.",
        ),
        slots={
            "sentence": Pool("notice_sentences"),
            "one": Pool("target_languages"),
            "two": Pool("target_languages"),
        },
        steps=(
            call("translate_text", text="{sentence}", target_language="{one}"),
            call("translate_text", text="{sentence}", target_language="{two}"),
            call("word_count", text="{1.translation}"),
            call("word_count", text="{2.translation}"),
            call(
                "percentage_change",
                old_value="{3.character_count}",
                new_value="{4.character_count}",
            ),
        ),
    ),
)
