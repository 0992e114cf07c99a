"""Text Processing: known answers, properties, and refusals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq

from dataset_builder.tools import text_processing as t
from dataset_builder.tools.text.word_diff import MAX_WORDS
from dataset_builder.tools.text.words import plain, words
from dataset_builder.values.facts import load
from tests.samples.tool_call import call

REVIEW = (
    "The battery of this laptop is excellent. I bought it in Oslo last week. "
    "The battery charges fast and the laptop is light. Shipping was slow."
)
MEETING = (
    "Siemens and the University of Oslo met in Berlin. Angela Merkel thanked Dr. Amara Okafor's "
    "team, J. Smith and the Bank of England. In March, Solar Foods Ltd. hired Maria de la Cruz."
)
TEXT_TOOLS = [
    t.summarize_text,
    t.extract_entities,
    t.sentiment_analysis,
    t.classify_text,
    t.keyword_extract,
    t.spell_check,
    t.readability_score,
    t.paraphrase_text,
    t.deduplicate_lines,
]
WORDS = st.lists(st.sampled_from("red green blue red, Red".split()), max_size=12)


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        (
            t.summarize_text,
            {"text": REVIEW},
            {
                "summary": "The battery of this laptop is excellent. "
                "The battery charges fast and the laptop is light.",
                "kept_percent": 61.5,
            },
        ),
        (
            t.summarize_text,
            {"text": "Cats sleep. Dogs bark.", "max_sentences": 9},
            {"summary": "Cats sleep.", "kept_percent": 50.0},
        ),
        (
            t.summarize_text,
            {"text": "1. Cats (Pet Weekly)\nCats sleep.\n2. Cats\nDogs bark.", "max_sentences": 2},
            {"summary": "Cats sleep. Dogs bark.", "kept_percent": 40.0},
        ),
        (
            t.extract_entities,
            {"text": MEETING},
            {
                "entities": "Siemens, University of Oslo, Berlin, Angela Merkel, Amara Okafor, "
                "J. Smith, Bank of England, Solar Foods Ltd, Maria de la Cruz",
                "people": ["Angela Merkel", "Amara Okafor", "Maria de la Cruz"],
                "places": ["Berlin"],
                "organizations": [
                    "Siemens",
                    "University of Oslo",
                    "Bank of England",
                    "Solar Foods Ltd",
                ],
                "entity_count": 9,
            },
        ),
        (t.sentiment_analysis, {"text": "good"}, {"sentiment": "positive", "score": 0.4588}),
        (t.sentiment_analysis, {"text": "Very GOOD!"}, {"sentiment": "positive", "score": 0.6124}),
        (
            t.sentiment_analysis,
            {"text": "It's not good"},
            {"sentiment": "negative", "score": -0.3612},
        ),
        (t.sentiment_analysis, {"text": "A table."}, {"sentiment": "neutral", "score": 0.0}),
        (
            t.classify_text,
            {"text": "The striker scored a goal and the bank paid him."},
            {"label": "sports", "confidence": 0.6667},
        ),
        (
            t.classify_text,
            {
                "text": "The striker scored a goal and the bank paid him.",
                "labels": ["Finance", "food"],
            },
            {"label": "finance", "confidence": 1.0},
        ),
        (
            t.compare_texts,
            {"text_a": "The quick brown fox", "text_b": "The slow brown fox jumps high"},
            {
                "added_words": 3,
                "removed_words": 1,
                "diff": "- quick, + slow, + jumps high",
                "longer": "second",
            },
        ),
        (
            t.compare_texts,
            {"text_a": "same text", "text_b": "same  text\n"},
            {"added_words": 0, "removed_words": 0, "diff": "none", "longer": "neither"},
        ),
        (
            t.keyword_extract,
            {"text": REVIEW, "max_keywords": 3},
            {"keywords": ["battery", "laptop", "excellent"], "top_keyword": "battery"},
        ),
        (
            t.spell_check,
            {"text": "I definately recieved teh Adress; DONT worry, alot."},
            {
                "corrected_text": "I definitely received the Address; DON'T worry, a lot.",
                "misspelled_words": ["definately", "recieved", "teh", "Adress", "DONT", "alot"],
                "misspelling_count": 6,
            },
        ),
        # 11 words, 2 sentences, 12 syllables.
        (
            t.readability_score,
            {"text": "The cat sat on the mat. It was a sunny day."},
            {"reading_ease": 108.96, "grade_level": -0.57, "difficulty": "very easy"},
        ),
        (
            t.paraphrase_text,
            {"text": "Bought a large house. An easy job at Quick Foods, too."},
            {
                "paraphrase": "Purchased a big home. A simple position at Quick Foods, too.",
                "replaced_words": 5,
            },
        ),
        (
            t.deduplicate_lines,
            {"text": "a\nb\na\nA\r\nb\n"},
            {"result": "a\nb\nA", "removed_lines": 2},
        ),
    ],
)
def test_known_answers(tool, arguments, expected):
    assert call(tool, **arguments) == expected


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("We flew from Kyoto to Rome.", "places", "Kyoto"),
        ("Talk to Priya about it.", "people", "Priya"),
        ("It was signed by President Kofi Mensah.", "people", "Kofi Mensah"),
        ("A study of the Nordic Food Institute says so.", "organizations", "Nordic Food Institute"),
        ("He is the CEO of Tesla.", "organizations", "Tesla"),
        ("They live in the US now.", "places", "US"),
        ("1. Berlin at a glance", "places", "Berlin"),
    ],
)
def test_kinds_of_names(text, kind, name):
    assert name in call(t.extract_entities, text=text)[kind]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Cats sleep all day.",
        "In March I saw them on Monday.",
        "2. Understanding it",
        "AI-powered ovens",
    ],
)
def test_ordinary_capitals_are_no_names(text):
    output = call(t.extract_entities, text=text)
    assert (output["entities"], output["entity_count"]) == ("none", 0)


def test_a_title_names_only_what_is_known():
    line = "Ten Food Technology Innovations Changing Kitchens In Berlin"
    assert call(t.extract_entities, text=line)["entities"] == "Berlin"


@pytest.mark.parametrize(
    ("word", "syllables"),
    [
        ("cat", 1),
        ("table", 2),
        ("whale", 1),
        ("sunny", 2),
        ("the", 1),
        ("people", 2),
        ("syllable", 3),
        ("rhythm", 1),
        ("tsk", 1),
        ("beautiful", 3),
        ("tree", 1),
        ("2026", 1),
    ],
)
def test_syllables(word, syllables):
    ease = call(t.readability_score, text=word)["reading_ease"]
    assert ease == pytest.approx(206.835 - 1.015 - 84.6 * syllables, abs=0.011)


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        (t.summarize_text, {"text": "Only one sentence."}, "two sentences"),
        (t.summarize_text, {"text": REVIEW, "max_sentences": 0}, "at least 1"),
        (t.classify_text, {"text": "Nothing fits."}, "none of the labels"),
        (
            t.classify_text,
            {"text": REVIEW, "labels": ["positive"]},
            "'positive' is none of business",
        ),
        (t.keyword_extract, {"text": "It was the 5th of 12."}, "no keyword"),
        (t.keyword_extract, {"text": REVIEW, "max_keywords": -1}, "at least 1"),
        (t.readability_score, {"text": "?!"}, "no word"),
        (t.paraphrase_text, {"text": "Zebras graze."}, "no synonym"),
        (t.compare_texts, {"text_a": "a " * (MAX_WORDS + 1), "text_b": "b"}, "5,000 words"),
    ],
)
def test_refusals(tool, arguments, says):
    assert says in call(tool, **arguments)["error"]


@pytest.mark.parametrize("tool", TEXT_TOOLS)
@given(st.text(st.sampled_from("aB1 .!?\n'-,é\u200f_"), max_size=60))
def test_any_text_gives_the_documented_fields_or_an_error(tool, text):
    output = call(tool, text=text)
    assert set(output) in (set(tool.returns), {"error"})


@given(WORDS, WORDS)
def test_a_diff_is_as_short_as_possible_and_turns_around(before, after):
    there = call(t.compare_texts, text_a=" ".join(before), text_b=" ".join(after))
    back = call(t.compare_texts, text_a=" ".join(after), text_b=" ".join(before))
    common = LCSseq.similarity(before, after)
    assert there["removed_words"] == back["added_words"] == len(before) - common
    assert there["added_words"] == back["removed_words"] == len(after) - common


@given(WORDS, WORDS)
def test_a_diff_names_the_changed_words(before, after):
    diff = call(t.compare_texts, text_a=" ".join(before), text_b=" ".join(after))["diff"]
    marked = (
        [] if diff == "none" else diff.replace("- ", "\n-").replace("+ ", "\n+").split("\n")[1:]
    )
    for sign, own, other in (("-", before, after), ("+", after, before)):
        shown = [
            w for run in marked if run[0] == sign for w in run[1:].removesuffix(", ").split(" ")
        ]
        assert len(shown) == len(own) - LCSseq.similarity(own, other)
        assert set(shown) <= set(own)


@given(st.lists(st.sampled_from(["a", "b", " a", "", "A"])))
def test_deduplication_leaves_each_line_once_in_order(lines):
    text = "\n".join(lines)
    output = call(t.deduplicate_lines, text=text)
    again = call(t.deduplicate_lines, text=output["result"])
    kept = list(dict.fromkeys(text.splitlines()))
    assert output["result"] == "\n".join(kept)
    assert again["result"].rstrip("\n") == output["result"].rstrip("\n")


@pytest.mark.parametrize("name", sorted(load("recordings")))
def test_recordings_can_be_read(name):
    transcript = load("recordings")[name]["transcript"]
    summary = call(t.summarize_text, text=transcript)["summary"]
    assert len(summary) < len(transcript)
    assert call(t.spell_check, text=transcript)["misspelling_count"] == 0


def test_tables_map_plain_words_to_other_words():
    for table in (load("misspellings"), load("synonyms")):
        for word, other in table.items():
            assert words(word) == [word] == [plain(word)]
            assert plain(other) != word
    assert not load("misspellings").keys() & {
        word for other in load("misspellings").values() for word in words(plain(other))
    }


def test_each_word_has_one_valence():
    listed = [w for words in load("sentiment")["valence"].values() for w in words.split()]
    assert len(listed) == len(set(listed))


def test_no_topic_lists_a_word_and_its_plural():
    for vocabulary in load("topics").values():
        listed = vocabulary.split()
        assert not {f"{word}s" for word in listed} & set(listed)
