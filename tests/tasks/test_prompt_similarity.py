"""Which prompts are too alike: as the definition has it, however they are found."""

from itertools import combinations

import pytest

from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tasks.prompt_similarity import (
    MOST_ALIKE,
    AlikePrompts,
    PromptLog,
    word_trigrams,
)

LONG = " ".join(f"word{number}" for number in range(30))


@pytest.mark.parametrize(
    ("text", "trigrams"),
    [
        ("", {()}),
        ("Hello", {("hello",)}),
        ("Hello  there", {("hello", "there")}),
        ("One two THREE", {("one", "two", "three")}),
        ("a b c d", {("a", "b", "c"), ("b", "c", "d")}),
        ("a b c a b c", {("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")}),
    ],
)
def test_trigrams_are_runs_of_three_words(text: str, trigrams: set[tuple[str, ...]]) -> None:
    assert word_trigrams(text) == trigrams


def test_alike_prompts_are_those_whose_jaccard_similarity_is_high() -> None:
    texts = [task.prompt for task in CompositionEngine(7).generate_suite().tasks]
    texts += [f"{text} Thanks." for text in texts] + [text.upper() for text in texts[:20]]
    sets = [word_trigrams(text) for text in texts]
    expected = {
        (one, other): len(sets[one] & sets[other]) / len(sets[one] | sets[other])
        for one, other in combinations(range(len(sets)), 2)
        if len(sets[one] & sets[other]) / len(sets[one] | sets[other]) > MOST_ALIKE
    }
    earlier, found = AlikePrompts(), dict[tuple[int, int], float]()
    for place, trigrams in enumerate(sets):
        found |= {(other, place): alike for other, alike in earlier.like(trigrams).items()}
        earlier.add(trigrams)
    assert found == expected
    assert len({alike == 1 for alike in expected.values()}) == 2


@pytest.mark.parametrize("count", range(1, 70))
def test_one_word_more_is_nearly_alike_from_ten_trigrams_on(count: int) -> None:
    text = " ".join(f"word{number}" for number in range(count + 2))
    for more in (f"{text} zoo", f"{text} ah", f"zoo {text}", f"ah {text}"):
        earlier = AlikePrompts()
        earlier.add(word_trigrams("Something else."))
        earlier.add(word_trigrams(text))
        found = earlier.like(word_trigrams(more))
        assert found == ({1: count / (count + 1)} if count >= 10 else {})


def test_a_small_suite_refuses_nearly_the_same_prompt_and_a_large_one_only_the_same() -> None:
    nearly = f"{LONG} more"
    small, large = PromptLog(is_small=True), PromptLog(is_small=False)
    assert [small.take(text) for text in (LONG, LONG, nearly, "Else.")] == [
        True,
        False,
        False,
        True,
    ]
    assert [large.take(text) for text in (LONG, LONG, nearly, "Else.")] == [True, False, True, True]
    assert nearly not in small
    assert nearly in large
