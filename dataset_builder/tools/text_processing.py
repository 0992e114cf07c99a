"""Text Processing: what a text says, how it reads, and how it differs (paper, Table 3)."""

import math
import re
from collections import Counter
from functools import lru_cache
from typing import Annotated

from dataset_builder.tools.define_tool import tool
from dataset_builder.tools.text.entities import find_entities
from dataset_builder.tools.text.keywords import content_words, most_central
from dataset_builder.tools.text.sentiment import valence_of
from dataset_builder.tools.text.word_diff import word_diff
from dataset_builder.tools.text.words import (
    WORD,
    check_length,
    plain,
    plain_words,
    sentences,
    words,
)
from dataset_builder.tools.tool import Output, ToolError
from dataset_builder.values.facts import load
from dataset_builder.values.parameter_types import FREE, UNORDERED, Integer, Name, Prose, Verbatim

_VOWELS = re.compile("[aeiouy]+")
_SILENT_E = re.compile("(?:[^aeiouyl]|[aeiouy]l)e$")

# Texts that are read for their meaning are prose; where each character counts they are verbatim.


@tool("Text Processing")
def summarize_text(text: Prose, max_sentences: Annotated[Integer, FREE] = 2) -> Output:
    """Shorten a text to its most central sentences, leaving out at least one.

    Args:
        text: Text of two or more sentences.
        max_sentences: Sentences to keep at most. Default 2.

    Returns:
        summary (string): the kept sentences
        kept_percent (number, %): share of the text's words that the summary keeps
    """
    all_sentences = sentences(text)
    if len(all_sentences) < 2:
        raise ToolError("text: at least two sentences are needed")
    if max_sentences < 1:
        raise ToolError("max_sentences: must be at least 1")
    chosen = most_central(all_sentences, min(max_sentences, len(all_sentences) - 1))
    share = 100 * sum(len(words(sentence)) for sentence in chosen) / len(words(text))
    return {"summary": " ".join(chosen), "kept_percent": round(share, 1)}


@tool("Text Processing")
def extract_entities(text: Prose) -> Output:
    """Find the people, places and organizations that a text names.

    Args:
        text: Text to search.

    Returns:
        entities (string, comma-separated): all names in order of appearance, or none
        people (array of string): names of persons
        places (array of string): names of places
        organizations (array of string): names of companies and institutions
        entity_count (integer): different names found
    """
    entities = find_entities(text)
    groups = {
        kind: [name for name, its_kind in entities.items() if its_kind == kind]
        for kind in ("person", "place", "organization")
    }
    return {
        "entities": ", ".join(entities) or "none",
        "people": groups["person"],
        "places": groups["place"],
        "organizations": groups["organization"],
        "entity_count": len(entities),
    }


@tool("Text Processing")
def sentiment_analysis(text: Prose) -> Output:
    """Judge whether a text sounds positive, negative or neutral.

    Args:
        text: Text to judge.

    Returns:
        sentiment (string): the word positive, negative or neutral
        score (number, -1 to 1): strength
    """
    total = valence_of(plain_words(text))
    score = round(total / math.sqrt(total * total + 15), 4) + 0.0
    sentiment = "positive" if score > 0.05 else "negative" if score < -0.05 else "neutral"
    return {"sentiment": sentiment, "score": score}


@tool("Text Processing")
def classify_text(text: Prose, labels: Annotated[list[Name] | None, UNORDERED] = None) -> Output:
    """Assign a text to one topic, such as sports, finance or health.

    Args:
        text: Text to classify.
        labels: Topics to choose from. Default all known topics.

    Returns:
        label (string): the topic
        confidence (number, 0 to 1): share of the topic words that are the label's
    """
    topics = load("topics")
    chosen = sorted({plain(label) for label in labels}) if labels else sorted(topics)
    unknown = [label for label in chosen if label not in topics]
    if unknown:
        raise ToolError(f"labels: {unknown[0][:40]!r} is none of {', '.join(sorted(topics))}")
    by_word = _topics_by_word()
    hits = Counter(topic for word in plain_words(text) for topic in by_word.get(word, ()))
    # Of two topics with as many words, the one earlier in the alphabet.
    label = max(chosen, key=lambda label: hits[label])
    if not hits[label]:
        raise ToolError("text: none of the labels fits it")
    share = hits[label] / sum(hits[topic] for topic in chosen)
    return {"label": label, "confidence": round(share, 4)}


@lru_cache(maxsize=1)
def _topics_by_word() -> dict[str, list[str]]:
    """By word the topics that it speaks for; each topic's own words and their plurals."""
    by_word: dict[str, list[str]] = {}
    for topic, listed in load("topics").items():
        for word in set(listed.split()):
            by_word.setdefault(word, []).append(topic)
            by_word.setdefault(f"{word}s", []).append(topic)
    return by_word


@tool("Text Processing")
def compare_texts(text_a: Verbatim, text_b: Verbatim) -> Output:
    """Show word by word what changed from one version of a text to another.

    Args:
        text_a: Original text.
        text_b: Changed text.

    Returns:
        added_words (integer): words only in the second text
        removed_words (integer): words only in the first text
        diff (string): runs of changed words, marked + or -, separated by commas, or none
        longer (string, first, second or neither): the text with more words
    """
    before, after = text_a.split(), text_b.split()
    removed, added, changes = word_diff(before, after)
    longer = ("neither", "first", "second")[(len(before) > len(after)) - (len(before) < len(after))]
    return {
        "added_words": added,
        "removed_words": removed,
        "diff": ", ".join(changes) or "none",
        "longer": longer,
    }


@tool("Text Processing")
def keyword_extract(text: Prose, max_keywords: Annotated[Integer, FREE] = 5) -> Output:
    """List the most frequent words of a text, stop words and numbers left out.

    Args:
        text: Text to search.
        max_keywords: How many at most. Default 5.

    Returns:
        keywords (array of string): in lower case, most frequent first
        top_keyword (string): the first of them
    """
    if max_keywords < 1:
        raise ToolError("max_keywords: must be at least 1")
    # Equally frequent words stay in the order of the text.
    keywords = [word for word, _ in Counter(content_words(text)).most_common(max_keywords)]
    if not keywords:
        raise ToolError("text: it holds no keyword")
    return {"keywords": keywords, "top_keyword": keywords[0]}


@tool("Text Processing")
def spell_check(text: Verbatim) -> Output:
    """Find and correct common English misspellings.

    Args:
        text: Text to check.

    Returns:
        corrected_text (string): the text with its misspellings corrected
        misspelled_words (array of string): as they stand, in order
        misspelling_count (integer): how many
    """
    table: dict[str, str] = load("misspellings")
    misspelled = [word for word in words(text) if plain(word) in table]
    return {
        "corrected_text": WORD.sub(lambda m: _exchanged(m[0], table), text),
        "misspelled_words": misspelled,
        "misspelling_count": len(misspelled),
    }


def _exchanged(word: str, table: dict[str, str]) -> str:
    """What the table has for a word, capitalised like it."""
    other = table.get(plain(word))
    if other is None:
        return word
    if len(word) > 1 and word.isupper():
        return other.upper()
    return other[0].upper() + other[1:] if word[0].isupper() else other


@tool("Text Processing")
def readability_score(text: Verbatim) -> Output:
    """Rate how easy an English text is to read (Flesch, Flesch-Kincaid).

    Args:
        text: Text to rate.

    Returns:
        reading_ease (number, higher is easier): Flesch reading ease
        grade_level (number, US school grade): Flesch-Kincaid grade level
        difficulty (string): very easy, easy, standard, difficult or very difficult
    """
    all_words = words(text)
    if not all_words:
        raise ToolError("text: it holds no word")
    per_sentence = len(all_words) / len(sentences(text))
    per_word = sum(map(_syllables, all_words)) / len(all_words)
    ease = round(206.835 - 1.015 * per_sentence - 84.6 * per_word, 2) + 0.0
    bands = ((90, "very easy"), (70, "easy"), (50, "standard"), (30, "difficult"))
    return {
        "reading_ease": ease,
        "grade_level": round(0.39 * per_sentence + 11.8 * per_word - 15.59, 2) + 0.0,
        "difficulty": next((name for least, name in bands if ease >= least), "very difficult"),
    }


def _syllables(word: str) -> int:
    """Runs of the letters a, e, i, o, u and y, less a silent final e (that of table is not)."""
    letters = plain(word)
    runs = len(_VOWELS.findall(letters))
    return max(1, runs - bool(_SILENT_E.search(letters)))


@tool("Text Processing")
def paraphrase_text(text: Prose) -> Output:
    """Reword a text by replacing words with synonyms.

    Args:
        text: English text to reword.

    Returns:
        paraphrase (string): the reworded text
        replaced_words (integer): words that were replaced
    """
    check_length(text)
    table: dict[str, str] = load("synonyms")
    pieces: list[str] = []
    end = replaced = 0
    for match in WORD.finditer(text):
        word = match[0] if _is_name(match) else _exchanged(match[0], table)
        if word != match[0]:
            replaced += 1
            if pieces and plain(pieces[-1]) in ("a", "an"):
                pieces[-1] = _article(pieces[-1], word)
        pieces += [text[end : match.start()], word]
        end = match.end()
    if not replaced:
        raise ToolError("text: no synonym is known for any of its words")
    return {"paraphrase": "".join([*pieces, text[end:]]), "replaced_words": replaced}


def _is_name(word: re.Match[str]) -> bool:
    """Whether a word is capitalised though it does not open a sentence."""
    before = word.string[max(0, word.start() - 4) : word.start()].rstrip(" \"'“‘(")
    return word[0][0].isupper() and before != "" and before[-1] not in ".!?:\n"


def _article(article: str, word: str) -> str:
    """The indefinite article before a word, capitalised as it was."""
    return article[0] + ("n" if word[0].lower() in "aeiou" and not word.startswith("use") else "")


@tool("Text Processing")
def deduplicate_lines(text: Verbatim) -> Output:
    """Remove repeated lines from a text, keeping the first of each.

    Args:
        text: Text of several lines.

    Returns:
        result (string): the remaining lines in their order
        removed_lines (integer): how many lines were dropped
    """
    lines = text.splitlines()
    different = list(dict.fromkeys(lines))
    return {"result": "\n".join(different), "removed_lines": len(lines) - len(different)}
