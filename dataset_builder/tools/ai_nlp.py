"""AI & NLP: tokens, counts, numbers and likeness of texts, and speech to text (paper, Table 3)."""

import math
import re
from collections import Counter

from dataset_builder.tools.define_tool import tool
from dataset_builder.tools.text.words import WORD, plain, plain_words, sentences
from dataset_builder.tools.tool import Output, ToolError
from dataset_builder.values.canonical import fold
from dataset_builder.values.facts import load
from dataset_builder.values.parameter_types import Name, Verbatim

_TOKEN = re.compile(rf"{WORD.pattern}|[^\w\s]|_+")
# A minus belongs to a number only where no letter, digit or other sign stands before it.
_NUMBER = re.compile(
    r"(?:(?<![\w.)\]-])[-−])?(?<![\w.])(?:(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+)"
)
MAX_DIGITS = 300


@tool("AI & NLP")
def tokenize_text(text: Verbatim) -> Output:
    """Split a text into tokens: words and, each on its own, punctuation marks.

    Args:
        text: Text to split.

    Returns:
        tokens (array of string): in order, as they stand
        token_count (integer): how many
        unique_tokens (integer): different ones, ignoring case
    """
    tokens = _TOKEN.findall(text)
    return {
        "tokens": tokens,
        "token_count": len(tokens),
        "unique_tokens": len({plain(token) for token in tokens}),
    }


@tool("AI & NLP", symmetric=("text_a", "text_b"))
def text_similarity(text_a: Verbatim, text_b: Verbatim) -> Output:
    """Score from 0 to 1 how alike two texts are by the words they share, in any order.

    Args:
        text_a: First text.
        text_b: Second text.

    Returns:
        similarity (number, 0 to 1): cosine of the word counts
        shared_words (integer): different words found in both
    """
    first, second = (Counter(plain_words(text)) for text in (text_a, text_b))
    if not first or not second:
        raise ToolError("both texts must hold at least one word")
    shared = first.keys() & second.keys()
    product = sum(first[word] * second[word] for word in shared)
    norms = math.prod(sum(n * n for n in counts.values()) for counts in (first, second))
    return {"similarity": round(product / math.sqrt(norms), 4), "shared_words": len(shared)}


@tool("AI & NLP")
def word_count(text: Verbatim) -> Output:
    """Count the words, characters and sentences of a text; punctuation marks are no words.

    Args:
        text: Text to count.

    Returns:
        word_count (integer): separated by white space
        character_count (integer): spaces included
        sentence_count (integer): a line break ends a sentence
    """
    return {
        "word_count": sum(p.isalpha() or WORD.search(p) is not None for p in text.split()),
        "character_count": len(text),
        "sentence_count": len(sentences(text)),
    }


@tool("AI & NLP")
def extract_numbers(text: Verbatim) -> Output:
    """Pull all numbers written in digits out of a text.

    Args:
        text: Text to search, such as "12 of 1,400 orders".

    Returns:
        numbers (array of number): in order
        number_count (integer): how many
    """
    numbers = [_value(digits) for digits in _NUMBER.findall(text)]
    return {"numbers": numbers, "number_count": len(numbers)}


def _value(digits: str) -> int | float:
    if len(digits) > MAX_DIGITS:
        raise ToolError(f"text: a number in it has more than {MAX_DIGITS} digits")
    plain_digits = digits.replace(",", "").replace("−", "-")
    return float(plain_digits) if "." in plain_digits else int(plain_digits)


@tool("AI & NLP")
def transcribe_audio(recording: Name) -> Output:
    """Turn the speech of an audio recording into text.

    Args:
        recording: File name or URL, such as meeting.mp3.

    Returns:
        transcript (string): what is said
        duration_seconds (integer, s): length of the recording
        speaker_count (integer): different voices
    """
    name = fold(recording).rpartition("/")[2]
    entry = load("recordings").get(name)
    if entry is None:
        raise ToolError(f"recording: {recording[:60]!r} cannot be found")
    return {
        "transcript": entry["transcript"],
        "duration_seconds": entry["duration_seconds"],
        "speaker_count": entry["speakers"],
    }
