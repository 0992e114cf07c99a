"""What the prompt states so far and what has flowed: neither may ever be the same value."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from dataset_builder.procedures.drafts import Draft, Result
from dataset_builder.values.canonical import canonical_json, fold
from dataset_builder.values.facts import load
from dataset_builder.values.surface_forms import date_forms, leaves, numbers_in

# A date, alone or in front of a time of day.
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}(?:T|$)")
_ZONE = re.compile(r"[A-Z][A-Za-z]+/[A-Za-z_/+-]+")


class Ledger:
    """Kept while a procedure is made, so that no value has two sources."""

    def __init__(
        self,
        frame: str = "",
        numbers: Iterable[int] = (),
        stateful: frozenset[str] = frozenset(),
    ) -> None:
        """Nothing given yet, and nothing stated but the prompt's frame and the numbers of its steps.

        ``stateful``: tools that act on the episode. Each of their files and memories is used by one
        call, so that the order of calls changes nothing.
        """
        self._stateful = stateful
        self._text = f"{fold(frame)}\n"
        self._numbers = numbers_in(frame) | set(map(float, numbers))
        self._given: Counter[str] = Counter()
        self._calls: set[str] = set()
        self._phrases: set[str] = set()
        self._flowed: set[str] = set()
        self._flowed_numbers: set[float] = set()
        self._flowed_texts: list[str] = []
        self._flowed_lists: list[Any] = []

    def fresh(self, draft: Draft) -> list[Result]:
        """Those of a new step's results that neither it nor the prompt states, and no step gave."""
        sentence = Ledger()
        sentence._note_statement(draft)
        keys = Counter(map(_key, draft.output.values()))
        return [
            result
            for result in draft.results
            if keys[_key(result.value)] == 1
            and not self._given[_key(result.value)]
            and not self._states(result.value)
            and not sentence._states(result.value)
        ]

    def can_flow(self, result: Result) -> bool:
        """Whether a result's value stands nowhere in the prompt and is no other result's."""
        return self._given[_key(result.value)] == 1 and not self._states(result.value)

    def _states(self, value: Any) -> bool:
        return all(self._is_stated(leaf) for leaf in leaves(value))

    def _is_stated(self, leaf: Any) -> bool:
        if isinstance(leaf, str):
            # The "14" of a list of texts stands in "step 14".
            is_number = leaf.isdecimal() and float(leaf) in self._numbers
            return is_number or any(form in self._text for form in _texts_of(leaf))
        return abs(leaf) in self._numbers or leaf in self._numbers

    def admits(self, draft: Draft) -> bool:
        """Whether a step is new, and states or gives nothing that flowed before or flows into it."""
        if self._call_key(draft) in self._calls:
            return False
        stated = draft.stated
        flowed = [*self._flowed_texts]
        numbers = set(self._flowed_numbers)
        for result in draft.sources:
            flowed += _flowing_texts(result)
            numbers |= _flowing_numbers(result)
        if not numbers.isdisjoint(numbers_in(stated)):
            return False
        folded = fold(stated)
        if any(text in folded for text in flowed) or self._completes_a_list(draft):
            return False
        keys = [_key(result.value) for result in draft.results]
        taken = self._flowed | {_key(result.value) for result in draft.sources}
        phrases = [result.phrase for result in draft.results if result.phrase]
        return taken.isdisjoint(keys) and self._phrases.isdisjoint(phrases)

    def _completes_a_list(self, draft: Draft) -> bool:
        """Whether with this step the prompt states all items of a list that flowed or flows into it."""
        lists = [*self._flowed_lists]
        lists += [result.value for result in draft.sources if isinstance(result.value, list | dict)]
        if not lists:
            return False
        sentence = Ledger()
        sentence._note_statement(draft)
        return any(
            all(self._is_stated(leaf) or sentence._is_stated(leaf) for leaf in leaves(value))
            for value in lists
        )

    def enter(self, draft: Draft) -> None:
        """Note what an admitted step states, gives and takes."""
        self._calls.add(self._call_key(draft))
        self._note_statement(draft)
        self._given.update(map(_key, draft.output.values()))
        self._phrases.update(result.phrase for result in draft.results if result.phrase)
        for result in draft.sources:
            self._flowed.add(_key(result.value))
            self._flowed_numbers |= _flowing_numbers(result)
            self._flowed_texts += _flowing_texts(result)
            if isinstance(result.value, list | dict):
                self._flowed_lists.append(result.value)

    def _note_statement(self, draft: Draft) -> None:
        stated = draft.stated
        self._text += f"{fold(stated)}\n"
        self._numbers |= numbers_in(stated)

    def _call_key(self, draft: Draft) -> str:
        if draft.clause.tool in self._stateful:
            return f"state|{next(iter(draft.arguments.values()))}"
        return f"{draft.clause.tool}|{canonical_json(draft.arguments)}"

    def holds(self, word: str) -> bool:
        """Whether a word stands in the prompt or in a value that flowed."""
        folded = fold(word)
        return folded in self._text or any(folded in text for text in self._flowed_texts)


def _key(value: Any) -> str:
    if isinstance(value, str):
        return fold(value)
    return canonical_json(float(value) if isinstance(value, int) else value)


def _texts_of(value: str) -> Iterator[str]:
    """A text and, of a date, a moment, a zone, an address or a currency, the ways to say it; folded."""
    yield fold(value)
    if _DAY.match(value):
        yield from map(fold, date_forms(value))
    elif _ZONE.fullmatch(value):
        yield fold(value.rpartition("/")[2].replace("_", " "))
    elif "://" in value:
        yield fold(value.partition("://")[2])
    elif currency := load("currencies").get(value):
        yield from map(fold, (currency["name"], *currency["spellings"]))


def _flowing_texts(result: Result) -> list[str]:
    return list(_texts_of(result.value)) if isinstance(result.value, str) else []


def _flowing_numbers(result: Result) -> set[float]:
    value = result.value
    return {float(value), abs(float(value))} if isinstance(value, int | float) else set()
