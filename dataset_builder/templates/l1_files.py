"""Level 1, files of the workspace: read one, then do something with its text."""

from dataset_builder.slot import Pattern, Pool, Whole, pick
from dataset_builder.template import Template, call

_HURRY = pick(
    "I have two minutes before the call", "My train leaves soon", "The boss will ask me about it",
    "I never got round to reading it", "I'm not at my desk", "It came while I was on leave",
    "I have to mention it in a speech", "We talk about it at noon", "I only need the essentials",
    "My eyes are tired", "I'm catching up after the holidays", "It's for the weekly digest",
    "I want to know whether it's worth printing", "The council wants it in brief",
    "I'm preparing a handover", "I promised to tell my team about it", "I've lost my glasses",
    "There's a queue behind me",
)  # fmt: skip
_FEELING = pick(
    "I don't want to read it if it's nasty", "I'm sorting our feedback", "It's for our mood tracker",
    "I'd like a second opinion", "I found it hard to tell", "My colleague thinks it sounds angry",
    "We discuss our tone of voice today", "I'm choosing texts for the website",
    "I'm training the new support staff", "The director asked how it comes across",
    "I want to decide who answers it", "I may quote it in a talk", "I was too close to it to judge",
    "It's for the quarterly statistics", "We rate every text in that folder",
    "I'd like to know before I forward it", "My gut says one thing, my team another",
    "I'm writing a review of our archive",
)  # fmt: skip
_INDEX = pick(
    "I'm building an index", "I need them for the caption", "Our lawyer wants a list",
    "I'm preparing a fact check", "We have to tag the archive", "I want to send thank-you cards",
    "It's for the press clippings", "I have to check the spelling of the names",
    "We're drawing a network map", "The translator asked for the names", "I'm writing a chronicle",
    "I'm looking for people to interview", "The editor wants to know", "It goes into our wiki",
    "I need to know who should be informed", "I'm making name badges", "We anonymise it later",
    "It's for the register",
)  # fmt: skip
_LENGTH = pick(
    "The layout has little room", "We pay the translator by length", "The form has a limit",
    "I have to estimate the reading time", "It's going on a poster", "I'm comparing drafts",
    "The editor is strict", "I'd like to know what we pay for", "It will be read aloud",
    "I'm planning the printed version", "The subtitle team asks", "My chapter must not be longer",
    "It has to fit on one page", "We have three minutes on the radio", "I bet it's over the limit",
    "The printer charges by length", "I'm filling in the archive card", "The website wants it short",
)  # fmt: skip
_CLASS = pick(
    "It's going to a school class", "Our readers are not all native speakers",
    "It may go on the public website", "We promised plain language", "A ten-year-old wants to read it",
    "I'm choosing texts for a language course", "The board asked for clear writing",
    "Somebody complained about the style", "The council has a rule for that",
    "I'm grading our documents", "It's part of our style audit", "I write too stiffly, they say",
    "The text is for patients", "I'd like to submit it to a newsletter", "We're training new writers",
    "I'm comparing it with the old one", "It will be read on the radio", "I may simplify it",
)  # fmt: skip
_PROOF = pick(
    "I have to prove later that it wasn't changed", "We're moving to another server",
    "The auditor wants it", "I'm comparing two copies", "It goes into the deposit log",
    "Our backup script asks for it",
)  # fmt: skip
_NEEDS = pick(
    "Our new system can't read the old format", "A colleague prefers it that way",
    "It goes into our documentation", "The web team asked for it", "I want to paste it into a ticket",
    "The importer is picky", "I need it for a slide", "The intern should work with it",
    "My script chokes on the original", "It's for the project page", "We're changing tools",
    "I'd like to compare the two versions", "The mail client mangles the original",
    "It has to go through version control", "Our wiki only takes that",
)  # fmt: skip

TEMPLATES = (
    Template(
        "file_in_brief",
        prompts=(
            "Read {file.path} and summarise it for me. {why}.",
            "{why}. Could you open {file.path} and give me a short summary of its text?",
            "{why}, so please condense {file.about} to the most important sentences. You'll find it in "
            "{file.path}",
            "What are the key sentences of {file.path}? I'd like a summary. {why}.",
        ),
        slots={"file": Pool("prose_files"), "why": _HURRY},
        steps=(
            call("read_file", path="{file.path}"),
            call("summarize_text", text="{1.content}"),
        ),
    ),
    Template(
        "mood_of_file",
        prompts=(
            "Open {file.path} and tell me whether it sounds positive, negative or neutral. {why}.",
            "{why}. What's the sentiment of {file.about} in {file.path}?",
            "Please read {file.path} and judge the sentiment of its text. {why}.",
            "{why}, so have a look at {file.path} and tell me how positive or negative the tone is.",
        ),
        slots={"file": Pool("prose_files"), "why": _FEELING},
        steps=(
            call("read_file", path="{file.path}"),
            call("sentiment_analysis", text="{1.content}"),
        ),
    ),
    Template(
        "names_in_file",
        prompts=(
            "Which people, places and organisations are named in {file.path}? {why}.",
            "{why}. Please read {file.path} and extract all named entities from its text.",
            "Go through {file.about}, {file.path}, and list the persons, places and organisations in "
            "it. {why}.",
            "{why}, so open {file.path} and pull out every person, place and organisation it names.",
        ),
        slots={"file": Pool("prose_files"), "why": _INDEX},
        steps=(
            call("read_file", path="{file.path}"),
            call("extract_entities", text="{1.content}"),
        ),
    ),
    Template(
        "length_of_file",
        prompts=(
            "How many words and characters does the text in {file.path} have? {why}.",
            "{why}. Please open {file.path} and give me its word count.",
            "Read {file.path} and count the words and sentences in it. {why}.",
            "{why}, so I need the word count of {file.about}. The file is {file.path}",
        ),
        slots={"file": Pool("prose_files"), "why": _LENGTH},
        steps=(
            call("read_file", path="{file.path}"),
            call("word_count", text="{1.content}"),
        ),
    ),
    Template(
        "ease_of_file",
        prompts=(
            "How easy is {file.path} to read? Open it and rate its readability. {why}.",
            "{why}. What's the Flesch reading ease of the text in {file.path}?",
            "Please read {file.path} and tell me which school grade {file.about} would suit, going by the "
            "readability of the text. {why}.",
            "{why}, so take the text of {file.path} and work out its readability score.",
        ),
        slots={"file": Pool("prose_files"), "why": _CLASS},
        steps=(
            call("read_file", path="{file.path}"),
            call("readability_score", text="{1.content}"),
        ),
    ),
    Template(
        "checksum_of_file",
        prompts=(
            "Give me the {algorithm} hash of the text in {file.path}. {why}.",
            "{why}. Please read {file.path} and compute the {algorithm} checksum of its content.",
            "What's the {algorithm} fingerprint of {file.about}? It's the text of {file.path}. {why}.",
            "Open {file.path} and hash its text with {algorithm}. {why}.",
        ),
        slots={
            "file": Pool("workspace_files"),
            "algorithm": pick(
                ("SHA-256", "sha256"), ("MD5", "md5"), ("SHA-1", "sha1"), ("SHA-512", "sha512")
            ),
            "why": _PROOF,
        },
        steps=(
            call("read_file", path="{file.path}"),
            call("hash_text", text="{1.content}", algorithm="{algorithm}"),
        ),
    ),
    Template(
        "file_without_contacts",
        prompts=(
            "Read {path} and mask the personal data in it, so that I can show it to {person.name} "
            "{when}.",
            "{person.name} wants to see {path} {when}. Please give me its text with e-mail addresses "
            "and phone numbers masked.",
            "I'd like to talk {path} over with {person.name} {when}. Hide the contact details in its "
            "text with asterisks for me.",
            "Open {path} and anonymise the e-mail addresses and phone numbers in it. It's for my "
            "meeting with {person.name} {when}.",
        ),
        slots={
            "path": pick(
                "/letters/complaint_48213.txt",
                "/docs/contract_acme.txt",
                "/docs/api_guide.md",
                "/docs/travel_policy.txt",
            ),
            "person": Pool("people"),
            "when": pick("tomorrow", "next week", "this afternoon", "on Friday", "at the workshop"),
        },
        steps=(
            call("read_file", path="{path}"),
            call("mask_pii", text="{1.content}"),
        ),
    ),
    Template(
        "file_by_mail",
        prompts=(
            "E-mail the text of {file.path} to {person.email}, word for word.",
            "{person.name} asked for {file.about}. Please read {file.path} and mail its content as it "
            "stands to {person.email}",
            "Open {file.path} and send what's in it to {person.email} by e-mail, without any changes or "
            "comments.",
            "Could you mail {person.first} ({person.email}) the full content of {file.path}? Just the "
            "text itself as the body, please.",
        ),
        slots={"file": Pool("workspace_files"), "person": Pool("people")},
        steps=(
            call("read_file", path="{file.path}"),
            call("send_email", to="{person.email}", body="{1.content}"),
        ),
    ),
    Template(
        "copy_of_file",
        prompts=(
            "Copy {file.path} to a new file, {copy}, without changing its text.",
            "Please read {file.path} and write the same text to the file {copy}",
            "Before I edit {file.about}: save an exact copy of {file.path} in the file {copy}",
            "I need a backup: the content of {file.path}, unchanged, in a file called {copy}",
        ),
        slots={
            "file": Pool("workspace_files"),
            "copy": Pattern(
                "/{folder}/{name}_{n}.bak",
                {
                    "folder": pick("backup", "archive", "old", "safe", "attic"),
                    "name": pick("untouched", "original", "as_received", "before_edit"),
                    "n": Whole(11, 97),
                },
            ),
        },
        steps=(
            call("read_file", path="{file.path}"),
            call("write_file", path="{copy}", content="{1.content}"),
        ),
    ),
    Template(
        "table_in_other_format",
        prompts=(
            "Convert the {table.from} file {table.path} to {to}. {why}.",
            "Please read {table.path}, which is {table.from}, and turn the table into {to}. {why}.",
            "I need {table.about} as {to}. The file is {table.path}, in {table.from} format. {why}.",
            "{why}, so open {table.path} and transform its {table.from} data into {to}.",
        ),
        slots={
            "table": Pool("table_files"),
            "to": pick(("Markdown", "markdown"), ("YAML", "yaml"), ("TSV", "tsv")),
            "why": _NEEDS,
        },
        steps=(
            call("read_file", path="{table.path}"),
            call("transform_format", data="{1.content}", from_="{table.from}", to="{to}"),
        ),
    ),
)
