"""Level 0: replace, split, join, cut, restyle and search strings."""

from dataset_builder.slot import Pattern, Pool, Whole, pick
from dataset_builder.template import Template, call

_PAPER = pick(
    "the flyer", "the brochure", "our website", "the handout", "the memo", "the programme",
    "the house guide", "the newsletter",
)  # fmt: skip
_LETTER = Pattern(
    "Dear [NAME], your {thing} {state}. {ask} Yours, {sender}. PS for [NAME]: {extra}.",
    {
        "thing": pick(
            "library card", "bicycle", "season ticket", "passport photo", "repaired violin",
            "sports badge", "guest key", "visitor pass", "order", "loan book",
        ),
        "state": pick("is ready", "has been found", "has arrived", "can be collected"),
        "ask": pick("Please bring this letter.", "Please call us first.", "No need to hurry."),
        "sender": pick("Reception", "the service desk", "your front office", "Town Hall"),
        "extra": pick("we close at six", "parking is free", "use the side door", "bring an ID"),
    },
)  # fmt: skip
_SYSTEM = pick(
    "our old till", "the booking system", "the label printer", "the scanner", "the depot",
    "the weather buoy", "the ticket machine", "the archive",
)  # fmt: skip
_TITLE = Pattern(
    "{what} {where}: {how}",
    {
        "what": pick(
            "Summer concert", "Guided night walk", "Open rehearsal", "Lantern parade", "Book fair",
            "Harvest supper", "Poetry reading", "Flea market", "Boat tour", "Chess marathon",
        ),
        "where": pick(
            "in the old harbour warehouse", "at the lighthouse on the north pier",
            "under the railway bridge", "in the botanical garden", "at the observatory",
            "on the market square", "in the courtyard of the mill",
        ),
        "how": pick(
            "bring a blanket and a friend", "tickets at the door from seven o'clock",
            "free admission for children and students", "only if the weather holds until evening",
            "with soup, bread and live music until midnight", "please register before Friday noon",
        ),
    },
)  # fmt: skip
_DISPLAY = pick(
    "the ticket display", "a text message", "the bus stop screen", "the banner", "our app",
    "the name badge", "the subject line", "the shop window sign",
)  # fmt: skip
_POST = Pattern(
    "{a} {b} {c}",
    {
        "a": pick(
            "Crème Brûlée", "Ten Café Tricks", "What's New", "Sauna & Snow", "Jürgen's Guide",
            "A Señora's Secrets", "Naïve Questions", "Smörgåsbord", "Über-Light Tents", "Old Maps",
        ),
        "b": pick("for Beginners", "(Part 2)", "in São Paulo", "& More", "from Zürich", "& Co."),
        "c": pick("in 2026", "at Half Price", "without Stress", "on Rainy Days", "Today", "at Dawn"),
    },
)  # fmt: skip
_SITE = pick(
    "my blog", "the shop", "our help centre", "the town's website", "the podcast page", "the wiki"
)
_HEADLINE = Pattern(
    "{a} {b} {c}",
    {
        "a": pick(
            "last call for", "new hope for", "goodbye to", "a warm welcome to", "ten facts about",
            "the secret life of", "high praise for", "second chance for",
        ),
        "b": pick(
            "the night ferry", "our village bakery", "the old cinema", "the red squirrel",
            "the paper mill", "the corner shop", "the brass band", "the town orchard",
        ),
        "c": pick("after the storm", "before winter", "in the north", "at last", "this weekend"),
    },
)  # fmt: skip
_VARIABLE = Pattern(
    "{a} {b} {c}",
    {
        "a": pick("order", "room", "ticket", "invoice", "guest", "parcel", "booking", "rental"),
        "b": pick("arrival", "return", "payment", "update", "check", "delivery", "closing"),
        "c": pick("date", "time", "status", "note", "code"),
    },
)
_LOG = Pattern(
    "{who} checked crates {a}-{n}, {b}-{m} and {a}-{k} at {place} on {day}.",
    {
        "who": pick("Ngozi", "Marit", "Paulo", "Elif", "Bram", "Tova", "Rashid", "Sunniva"),
        "a": pick("KT", "LM", "BW", "HX", "RS"),
        "b": pick("QA", "ZD", "NP", "VC", "TW"),
        "n": Whole(1012, 4987),
        "m": Whole(5031, 9876),
        "k": Whole(2003, 8765),
        "place": pick("dock 4", "gate 7", "hall 12", "bay 31", "ramp 2"),
        "day": pick("Monday", "Tuesday", "Wednesday", "Thursday", "Friday"),
    },
)  # fmt: skip

TEMPLATES = (
    Template(
        "name_into_letter",
        prompts=(
            "Replace “{mark}” by “{person.name}” everywhere in “{letter}”",
            "Here's our form letter: “{letter}” Put “{person.name}” wherever it says “{mark}”.",
            "In the letter “{letter}” every “{mark}” has to become “{person.name}”. Please fill it in.",
            "Mail merge for one: swap each “{mark}” for “{person.name}” in “{letter}”",
        ),
        slots={"mark": pick("[NAME]"), "person": Pool("people"), "letter": _LETTER},
        steps=(
            call("string_replace", text="{letter}", find="{mark}", replacement="{person.name}"),
        ),
        rich="The text is “{letter}” Wherever “{mark}” stands in it, put “{person.name}” instead, and "
        "leave all else as it is.",
    ),
    Template(
        "wording_exchanged",
        prompts=(
            "Replace every “{swap.find}” with “{swap.replacement}” in “{swap.text}”",
            "Change each “{swap.find}” to “{swap.replacement}” in this passage from {paper}: "
            "“{swap.text}”",
            "Search and replace for {paper}: “{swap.find}” becomes “{swap.replacement}” in the text "
            "“{swap.text}”",
            "{paper} still says “{swap.find}” where it should say “{swap.replacement}”. Can you fix "
            "that? “{swap.text}”",
        ),
        slots={"swap": Pool("replacements"), "paper": _PAPER},
        steps=(
            call(
                "string_replace",
                text="{swap.text}",
                find="{swap.find}",
                replacement="{swap.replacement}",
            ),
        ),
        rich="The text is “{swap.text}” Wherever the string “{swap.find}” occurs in it, exactly so, put "
        "“{swap.replacement}” in its place.",
    ),
    Template(
        "parts_at_separator",
        prompts=(
            "Split “{item.text}” at every “{item.separator}”.",
            "{system} gave me “{item.text}”. Please split it at each “{item.separator}”.",
            "Break “{item.text}” into its parts. The separator is “{item.separator}”.",
            "How many parts do I get, and which, if I split the line “{item.text}” from {system} "
            "wherever there's a “{item.separator}”?",
        ),
        slots={"item": Pool("separated_texts"), "system": _SYSTEM},
        steps=(call("split_text", text="{item.text}", separator="{item.separator}"),),
        rich="The text is “{item.text}”, without the quotation marks. Its parts are separated by "
        "“{item.separator}”. Split it at each of these separators and list the parts.",
    ),
    Template(
        "pieces_into_label",
        prompts=(
            "Join “{a}”, “{b}” and “{c}” with “{mark}” between them.",
            "Put “{a}”, “{b}” and “{c}” together into one string, in this order, separated by “{mark}”.",
            "I need a {label} made of the parts “{a}”, “{b}” and “{c}”, with “{mark}” in between.",
            "What do the strings “{a}”, “{b}” and “{c}” look like when they're concatenated with "
            "“{mark}” as the separator?",
        ),
        slots={
            "a": pick("HARBOUR", "NORTH", "MILL", "DEPOT", "GALLERY", "ARCHIVE", "CHAPEL", "PIER"),
            "b": pick("autumn", "poster", "crate", "ledger", "print", "frame", "film", "box"),
            "c": Pattern("{n}", {"n": Whole(101, 989)}),
            "mark": pick("-", "/", "_", "::", "|", "+"),
            "label": pick("shelf label", "batch code", "stock code", "reference", "crate tag"),
        },
        steps=(call("join_texts", texts=["{a}", "{b}", "{c}"], separator="{mark}"),),
        rich="There are three texts: “{a}”, “{b}” and “{c}”. Make one text of them in this order, with "
        "the separator “{mark}” between each two.",
    ),
    Template(
        "cut_to_length",
        prompts=(
            "Cut “{title}” to at most {most} characters, the three dots at its end included.",
            "{display} takes no more than {most} characters. Please truncate “{title}” for it, with "
            "dots at the end as usual.",
            "“{title}” is too long for {display}. Trim it to {most} characters at most, dots included.",
            "Truncate the following to a maximum of {most} characters including the closing dots: "
            "“{title}”",
        ),
        slots={"title": _TITLE, "most": Whole(28, 44), "display": _DISPLAY},
        steps=(call("truncate_text", text="{title}", max_length="{most}"),),
        rich="The text is “{title}”, without the quotation marks. Cut it off so that what is left, the "
        "dots that mark the cut included, has {most} characters at most.",
    ),
    Template(
        "cut_with_own_mark",
        prompts=(
            "Truncate “{title}” to {most} characters including “{ending}” at the end.",
            "Please cut “{title}” to at most {most} characters and end it with “{ending}”, which "
            "counts too.",
            "For {display}: trim “{title}” to {most} characters in all, “{ending}” at its end included.",
            "{display} is limited to {most} characters. Cut “{title}” so that it fits, with “{ending}” "
            "as the mark where it breaks off.",
        ),
        slots={
            "title": _TITLE,
            "most": Whole(34, 52),
            "ending": pick("[more]", "(cont.)", ">>", "[…]", "(more)", "~"),
            "display": _DISPLAY,
        },
        steps=(call("truncate_text", text="{title}", max_length="{most}", ending="{ending}"),),
        rich="The text is “{title}”, without the quotation marks. Cut it off and put “{ending}” where it "
        "was cut, so that all together it has {most} characters at most.",
    ),
    Template(
        "slug_of_title",
        prompts=(
            "What's a good URL slug for the title “{title}”?",
            "Turn “{title}” into a slug for {site}.",
            "The next post on {site} is called “{title}”. Which slug does it get?",
            "Slug for “{title}”, please, all lower case with hyphens.",
        ),
        slots={"title": _POST, "site": _SITE},
        steps=(call("slugify", text="{title}"),),
        rich="A page is titled “{title}”. Make the slug of it that can stand at the end of its URL: "
        "lower-case letters without accents and digits, with hyphens between the words.",
    ),
    Template(
        "headline_in_style",
        prompts=(
            "Write “{headline}” in {style}.",
            "Our house style wants headlines in {style}. How does “{headline}” look then?",
            "Please convert “{headline}” to {style}.",
            "“{headline}” in {style}?",
        ),
        slots={
            "headline": _HEADLINE,
            "style": pick(
                ("title case", "title"), ("upper case", "upper"), ("sentence case", "sentence")
            ),
        },
        steps=(call("case_convert", text="{headline}", case="{style}"),),
        rich="The text is “{headline}”. Change nothing but which of its letters are capitals, so that "
        "it stands in {style}.",
    ),
    Template(
        "identifier_in_style",
        prompts=(
            "What is “{name}” as an identifier in {style}?",
            "Our code base uses {style}. How do I have to write “{name}”?",
            "Convert the field name “{name}” to {style}, please.",
            "“{name}” in {style}, so I can paste it into the script?",
        ),
        slots={
            "name": _VARIABLE,
            "style": pick(
                ("camel case", "camel"), ("snake case", "snake"), ("pascal case", "pascal")
            ),
        },
        steps=(call("case_convert", text="{name}", case="{style}"),),
        rich="The words “{name}” are to become the name of a variable. Write them in the naming style "
        "{style}.",
    ),
    Template(
        "matches_of_pattern",
        prompts=(
            "Find all matches of the regular expression “{regex}” in “{line}”",
            "Which parts of “{line}” match the regex “{regex}”?",
            "I wrote the pattern “{regex}”. What does it match in this log line? “{line}”",
            "Apply the regex “{regex}” to the text “{line}” and list every match.",
        ),
        slots={
            "line": _LOG,
            "regex": pick(
                "[A-Z]{2}-[0-9]{4}",
                "[A-Z]+-[0-9]+",
                "[0-9]{4}",
                "[A-Z][a-z]+day",
                "[a-z]+ [0-9]+",
                "[A-Z]{2}",
            ),
        },
        steps=(call("regex_match", text="{line}", pattern="{regex}"),),
        rich="The text is “{line}” Search it with the regular expression “{regex}”, taken without the "
        "quotation marks, and list all that it matches, in order.",
    ),
)
