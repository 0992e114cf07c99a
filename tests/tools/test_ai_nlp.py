"""AI & NLP: known answers, properties, and the recordings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cosine

from dataset_builder.tools import ai_nlp as n
from dataset_builder.values.facts import load
from tests.samples.tool_call import call

TEXT = st.text(st.sampled_from("aB1 .!?\n'-,é\u200f_$"), max_size=60)


@pytest.mark.parametrize(
    ("text", "tokens", "unique"),
    [
        ("", [], 0),
        (
            "Hello, world! It's 3.50 (well-known).",
            ["Hello", ",", "world", "!", "It's", "3.50", "(", "well-known", ")", "."],
            10,
        ),
        ("The dog saw the DOG.", ["The", "dog", "saw", "the", "DOG", "."], 4),
        ("a__b $5", ["a", "__", "b", "$", "5"], 5),
    ],
)
def test_tokens(text, tokens, unique):
    assert call(n.tokenize_text, text=text) == {
        "tokens": tokens,
        "token_count": len(tokens),
        "unique_tokens": unique,
    }


@given(TEXT)
def test_tokens_hold_every_character_but_white_space(text):
    assert "".join(call(n.tokenize_text, text=text)["tokens"]) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("", (0, 0, 0)),
        ("One two", (2, 7, 1)),
        ("Dr. Who said hi. It cost $3.50 — wow!", (8, 37, 2)),
        ("a well-known fact\nline two", (5, 26, 2)),
        ("... !!", (0, 6, 0)),
    ],
)
def test_counts(text, counts):
    assert tuple(call(n.word_count, text=text).values()) == counts


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("none", []),
        ("From -5 to 12.5, 1,400 units (−3)", [-5, 12.5, 1400, -3]),
        ("10-20 at 14:30", [10, 20, 14, 30]),
        ("v2 of the 3rd draft, COVID-19, A4", [3, 19]),
        ("due 2026-07-15, 1,2,3", [2026, 7, 15, 1, 2, 3]),
        ("$-7 or .5 or 5% or 2.", [-7, 0.5, 5, 2]),
        ("1,234,567.89 and 12,34", [1234567.89, 12, 34]),
    ],
)
def test_numbers(text, numbers):
    assert call(n.extract_numbers, text=text) == {"numbers": numbers, "number_count": len(numbers)}


def test_a_number_without_end_is_refused():
    assert "300 digits" in call(n.extract_numbers, text="1" * 301)["error"]


@given(st.lists(st.integers(-(10**6), 10**6) | st.decimals(-1000, 1000, places=2), max_size=8))
def test_numbers_come_back_from_a_sentence(numbers):
    text = " and ".join(f"{number:,}" for number in numbers)
    assert call(n.extract_numbers, text=text)["numbers"] == [float(number) for number in numbers]


@pytest.mark.parametrize(
    ("first", "second", "similarity", "shared"),
    [
        ("the cat sat", "the cat ran", 0.6667, 2),
        ("The cat", "CAT, the!", 1.0, 2),
        ("cat", "dog", 0.0, 0),
        ("a a b", "a", 0.8944, 1),
    ],
)
def test_similarity(first, second, similarity, shared):
    assert call(n.text_similarity, text_a=first, text_b=second) == {
        "similarity": similarity,
        "shared_words": shared,
    }


@given(st.lists(st.integers(0, 5), min_size=3, max_size=3), st.lists(st.integers(1, 5), min_size=3))
def test_similarity_is_the_cosine_of_the_counts(first, second):
    second = second[:3]
    texts = [
        " ".join(w for w, k in zip("xyz", c, strict=True) for _ in range(k))
        for c in (first, second)
    ]
    there = call(n.text_similarity, text_a=texts[0], text_b=texts[1])
    assert there == call(n.text_similarity, text_a=texts[1], text_b=texts[0])
    if any(first):
        assert there["similarity"] == pytest.approx(1 - cosine(first, second), abs=1e-4)
    else:
        assert "at least one word" in there["error"]


@pytest.mark.parametrize("spelling", ["{}", " {} ", "https://files.example.com/audio/{}"])
@pytest.mark.parametrize("name", sorted(load("recordings")))
def test_recordings_are_transcribed(name, spelling):
    output = call(n.transcribe_audio, recording=spelling.format(name.upper()))
    assert set(output) == set(n.transcribe_audio.returns)
    assert output["transcript"] == load("recordings")[name]["transcript"]


def test_each_recording_says_something_else():
    recordings = load("recordings").values()
    for field in ("transcript", "duration_seconds"):
        assert len({recording[field] for recording in recordings}) == len(recordings)


def test_an_unknown_recording_is_an_error():
    assert "'nope.mp3' cannot be found" in call(n.transcribe_audio, recording="nope.mp3")["error"]
