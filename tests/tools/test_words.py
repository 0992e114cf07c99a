"""Words and sentences, as every text tool finds them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_builder.tools.text.words import MAX_CHARACTERS, plain, plain_words, sentences, words
from dataset_builder.tools.tool import ToolError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("— ... !", []),
        ("Don't panic", ["Don't", "panic"]),
        ("a well-known fact", ["a", "well-known", "fact"]),
        ("1,250.50 euros, 3 of 4.", ["1,250.50", "euros", "3", "of", "4"]),
        ("snake_case and/or", ["snake", "case", "and", "or"]),
        ("Crème brûlée in Łódź", ["Crème", "brûlée", "in", "Łódź"]),
    ],
)
def test_words(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("No end", ["No end"]),
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Wait... what?! Yes", ["Wait...", "what?!", "Yes"]),
        ('She said "Stop." He did.', ['She said "Stop."', "He did."]),
        (
            "Dr. Keller met Mr. J. Smith. They spoke.",
            ["Dr. Keller met Mr. J. Smith.", "They spoke."],
        ),
        ("Acme Inc. grew, e.g. in Oslo.", ["Acme Inc. grew, e.g. in Oslo."]),
        ("He works at Acme Inc. She does not.", ["He works at Acme Inc.", "She does not."]),
        ("It cost 3.50 in 1998. Then 4.", ["It cost 3.50 in 1998.", "Then 4."]),
        ("1. Bread\n2. Milk", ["1. Bread", "2. Milk"]),
        ("One line\nanother\n\n...", ["One line", "another"]),
    ],
)
def test_sentences(text, expected):
    assert sentences(text) == expected


@given(st.text(st.sampled_from("aB1 .!?…\n\"'”)-,é_"), max_size=80))
def test_sentences_share_out_the_words_in_order(text):
    assert [word for sentence in sentences(text) for word in words(sentence)] == words(text)


@given(st.text(alphabet="aÉé’'İß-. 1,", max_size=60))
def test_the_words_of_a_text_are_plain_all_at_once(text):
    assert plain_words(text) == [plain(word) for word in words(text)]


def test_plain_words_have_one_apostrophe_and_no_case():
    assert plain("DON’T") == plain("don't")
    assert plain("E\u0301") == plain("É")


@pytest.mark.parametrize("read", [words, sentences])
def test_long_texts_are_refused(read):
    read("a" * MAX_CHARACTERS)
    with pytest.raises(ToolError, match="30,000"):
        read("a" * (MAX_CHARACTERS + 1))
