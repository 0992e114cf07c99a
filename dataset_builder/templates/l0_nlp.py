"""Level 0: tokens, counts, numbers and likeness of texts, and speech to text."""

from dataset_builder.slot import Decimal, Pattern, Pool, Whole, pick
from dataset_builder.template import Template, call

_CALL_OUT = Pattern(
    "{hey}, {who}: {what}, {when}{end}",
    {
        "hey": pick("Well", "Look", "Listen", "Ahoy", "Right then", "Oh no", "Hooray", "Careful"),
        "who": pick("Captain", "Marit", "Grandpa", "all hands", "dear guests", "old friend", "Tova"),
        "what": pick(
            "the soup's ready", "we've lost a wheel", "the tide is coming in", "it isn't over yet",
            "they've found the key", "the lamp won't light", "nobody's rowing",
            "the well-known ferry waits", "I can't hear a thing",
        ),
        "when": pick("at last", "again", "as usual", "believe me", "thank heavens", "of course"),
        "end": pick("!", "?!", "."),
    },
)  # fmt: skip
_TESTER = pick(
    "a language lesson", "a search index", "my corpus", "a spelling game", "a parser test",
    "the linguistics course",
)  # fmt: skip
_CLAIM = Pattern(
    "The {what} {does} {where} {when}",
    {
        "what": pick("new ferry", "night train", "village choir", "flea market", "film club"),
        "does": pick("returns", "starts again", "is back", "will be back", "can be seen again"),
        "where": pick("at the old harbour", "near the mill", "behind the chapel", "on the pier"),
        "when": pick("every second Friday", "from early May on", "this weekend", "at half past six"),
    },
)  # fmt: skip
_OTHER_CLAIM = Pattern(
    "{when} the {what} {does} {where}",
    {
        "what": pick("ferry", "new night train", "choir", "village market", "club for old films"),
        "does": pick("comes back", "begins again", "returns", "is here again", "will be seen"),
        "where": pick("near the old mill", "at the harbour", "on the chapel hill", "by the pier"),
        "when": pick("On Friday", "Every day in May", "Next weekend", "At six", "In early May"),
    },
)  # fmt: skip
_SIGN = Pattern(
    "{first} {second} {third}",
    {
        "first": pick(
            "Please close the gate behind you, because our goats are far too clever.",
            "No swimming beyond the red buoys, not even for champions and mermaids!",
            "Fresh eggs, honey and plum jam: ring the bell twice and wait a moment.",
            "Beware of the dog; he likes cake, sandwiches and very slow postmen.",
            "This path floods at high tide, so turn back when the lamp goes out.",
            "Mind the step when you leave the boat and hold on to the rope.",
            "Return the lantern to its hook after the tour, or the ghost gets lost.",
            "Quiet, please - the owls have worked all night and are fast asleep.",
        ),
        "second": pick(
            "Pay what you like and take the change yourself.",
            "If you need help, ask the warden in the blue hut.",
            "Children are welcome when they bring a grown-up along.",
            "The key hangs behind the door on a rusty nail.",
            "Thank you for your patience during the repairs!",
            "We open at dawn and close when the kettle is empty.",
            "Take your litter home, it misses you already.",
            "Bicycles stay outside, however new and shiny they are.",
        ),
        "third": pick(
            "Yours, the farm team.", "Have a good day.", "Is anything broken? Tell us.",
            "Fines apply.", "See you soon!", "Signed: the harbour office.", "Good luck.",
        ),
    },
)  # fmt: skip
_BOARD = pick(
    "the wooden sign", "our notice board", "a postcard", "the gate", "the kiosk window",
    "the back of the ticket",
)  # fmt: skip
_REPORT = Pattern(
    "{who} counted {a} {things}, {b} of them damaged, and billed {c} euros for {d} hours.",
    {
        "who": pick("Ngozi", "The auditor", "Our roofer", "Marit", "The depot", "Captain Reyes"),
        "a": Whole(214, 9876),
        "things": pick("tiles", "crates", "bottles", "seedlings", "bricks", "life vests", "lamps"),
        "b": Whole(13, 98),
        "c": Decimal(210, 9800, 2),
        "d": Decimal(2.5, 38.5, 1),
    },
)  # fmt: skip
_PURPOSE = pick(
    "I missed it", "I need it for the minutes", "My headphones are broken",
    "I'd rather read than listen", "I have to quote from it", "A deaf colleague asked for it",
    "It's going into the archive", "I'm preparing subtitles", "The sound quality is poor",
    "I was on leave", "I want to search it for a name", "It has to be filed on paper",
    "My train is too noisy", "I have to translate it later", "The lawyer wants it in writing",
    "I'd like to print it", "My hearing aid is at home",
 "We publish everything as text", "I'm checking a translation",
)  # fmt: skip
TEMPLATES = (
    Template(
        "tokens_of_line",
        prompts=(
            "Tokenize “{line}”",
            "Which tokens does the line “{line}” consist of? Punctuation marks count as well.",
            "For {use}: break the sentence “{line}” down into tokens, words and punctuation.",
            "How many tokens are there in “{line}”, and how many different ones? It's for {use}.",
        ),
        slots={"line": _CALL_OUT, "use": _TESTER},
        steps=(call("tokenize_text", text="{line}"),),
        rich="The text is “{line}” Divide it into tokens: every word is one, and so is every "
        "punctuation mark. List them in order and say how many there are.",
    ),
    Template(
        "likeness_of_claims",
        prompts=(
            "On a scale from 0 to 1, how similar are “{one}” and “{other}”?",
            "Similarity score for these two sentences, please: “{one}” and “{other}”",
            "Two reporters sent me “{one}” and “{other}”. How alike are the two by the words they "
            "share?",
            "Are “{one}” and “{other}” duplicates? I need to know how similar the two texts are.",
        ),
        slots={"one": _CLAIM, "other": _OTHER_CLAIM},
        steps=(call("text_similarity", text_a="{one}", text_b="{other}"),),
        rich="There are two texts, “{one}” and “{other}”. Score from 0 to 1 how alike they are, going by "
        "the words that both contain, in whatever order.",
    ),
    Template(
        "length_of_sign",
        prompts=(
            "How many words are there in “{sign}”?",
            "Word and character count of the following, please: “{sign}”",
            "This is to be painted on {board}: “{sign}” How many words and characters is that, spaces "
            "included?",
            "I'm paid by the word for the text on {board}. It reads “{sign}” How many words can I "
            "charge for?",
        ),
        slots={"sign": _SIGN, "board": _BOARD},
        steps=(call("word_count", text="{sign}"),),
        rich="The text is “{sign}” Count its words, its characters with the spaces among them, and its "
        "sentences.",
    ),
    Template(
        "figures_in_report",
        prompts=(
            "Pull all the numbers out of “{report}”",
            "Which numbers occur in this sentence? “{report}”",
            "I have to key in the figures from a note. Please extract every number: “{report}”",
            "“{report}” Just give me the numbers from that, in order.",
        ),
        slots={"report": _REPORT},
        steps=(call("extract_numbers", text="{report}"),),
        rich="The text is “{report}” List all numbers that are written in digits in it, as numbers and "
        "in their order, and say how many there are.",
    ),
    Template(
        "recording_to_text",
        prompts=(
            "Please transcribe {talk.file}. {why}.",
            "{why}. Could you write out {talk.about} for me, word for word, from the recording "
            "{talk.file}?",
            "What is said in the recording {talk.file}? {why}.",
            "{why}, so please turn the audio file {talk.file} into text.",
        ),
        slots={"talk": Pool("talk_recordings"), "why": _PURPOSE},
        steps=(call("transcribe_audio", recording="{talk.file}"),),
        rich="There is an audio recording named {talk.file} in which people speak. Write down as text "
        "what is said in it.",
    ),
)
