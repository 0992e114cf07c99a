"""The prompt of a procedure: its sentences in a list or in prose, each result called by one name."""

import re
from collections.abc import Sequence
from itertools import product

from dataset_builder.procedures import grammar
from dataset_builder.procedures.dials import Dials
from dataset_builder.procedures.drafts import Draft, Result
from dataset_builder.procedures.grammar import Scenario
from dataset_builder.procedures.ledger import Ledger
from dataset_builder.tasks.template import pieces
from dataset_builder.values.draw import Draw

_INTRODUCTIONS = {
    "executed": "Please do all of the following, each thing once.",
    "shuffled": (
        "Please do all of the following, each thing once. The steps do not stand in the order in "
        "which they can be done: some need results of steps that come only further on."
    ),
}
_NUMBERED = "The steps are numbered in brackets."
_CONNECTORS = {
    "executed": ("Then", "Next,", "After that,", "Also", "In addition,"),
    "shuffled": ("Also", "In addition,", "Besides,"),
}
# Sentences of a paragraph, fewest and most.
_PARAGRAPH = (3, 6)


def frame(scenario: Scenario) -> str:
    """All that a prompt may say beside its steps, and the words that results are called by."""
    called = [text for c in grammar().clauses for g in c.gives for text in (g.noun, g.phrase)]
    return "\n".join(
        [*scenario.openings, *_INTRODUCTIONS.values(), _NUMBERED, *dict.fromkeys(called)]
    )


def _names(result: Result) -> bool:
    """Whether the sentence of its step has a result's noun in it."""
    return re.search(rf"\b{re.escape(result.given.noun)}\b", result.step.wording) is not None


class Wording:
    """Says the steps of one procedure."""

    def __init__(
        self,
        listed: Sequence[Draft],
        dials: Dials,
        names: Sequence[str],
        ledger: Ledger,
        draw: Draw,
    ) -> None:
        """``listed``: the steps in the order of the prompt. ``names``: to be given to results."""
        self._listed = listed
        self._dials = dials
        self._draw = draw
        self._place = {draft.step_id: place for place, draft in enumerate(listed, 1)}
        self._names = self._names_of_steps(names, ledger)
        self._connector = ""

    def prompt(self, scenario: Scenario) -> str:
        """The whole prompt."""
        opening = f"{self._draw.choice('opening', scenario.openings)} "
        introduction = _INTRODUCTIONS[self._dials.order]
        if self._dials.form == "list":
            lines = [f"{place}. {self._sentence(d)}" for place, d in enumerate(self._listed, 1)]
            return "\n".join([f"{opening}{introduction}\n", *lines])
        if self._dials.naming == "number":
            introduction = f"{introduction} {_NUMBERED}"
        return "\n\n".join([f"{opening}{introduction}", *self._paragraphs()])

    def _paragraphs(self) -> list[str]:
        paragraphs: list[list[str]] = []
        room = 0
        for place, draft in enumerate(self._listed, 1):
            if not room:
                paragraphs.append([])
                room = self._draw.integer(f"paragraph {place}", *_PARAGRAPH)
            paragraphs[-1].append(self._in_prose(place, draft, is_first=not paragraphs[-1]))
            room -= 1
        return [" ".join(sentences) for sentences in paragraphs]

    def _in_prose(self, place: int, draft: Draft, *, is_first: bool) -> str:
        if self._dials.naming == "number":
            return f"({place}) {self._sentence(draft)}"
        if self._dials.order == "executed" and place == len(self._listed) > 1:
            return self._sentence(draft, "Finally,")
        if is_first or self._draw.fraction(f"connects {place}") < 0.6:
            return self._sentence(draft)
        connectors = [c for c in _CONNECTORS[self._dials.order] if c != self._connector]
        self._connector = self._draw.choice(f"connector {place}", connectors)
        return self._sentence(draft, self._connector)

    def _sentence(self, draft: Draft, connector: str = "") -> str:
        parts = list(pieces(draft.wording))
        parts[1::2] = [self._hole(draft, hole) for hole in parts[1::2]]
        text = "".join(parts)
        if name := self._names.get(draft.step_id):
            text = f"{text} (call this step {name})"
        elif text.endswith((".”", "!”", "?”")):
            return f"{connector} {text}" if connector else f"{text[0].upper()}{text[1:]}"
        return f"{connector} {text}." if connector else f"{text[0].upper()}{text[1:]}."

    def _hole(self, draft: Draft, hole: str) -> str:
        if hole not in draft.flows:
            return draft.literal(hole)
        phrases = [self._refer(result, draft) for result in draft.flows[hole]]
        *others, last = phrases
        return f"{', '.join(others)} and {last}" if others else last

    # What results are called

    def _names_of_steps(self, names: Sequence[str], ledger: Ledger) -> dict[str, str]:
        """A name for each step of which a result is used that nothing else can name."""
        if self._dials.naming == "number":
            return {}
        nameless = dict.fromkeys(
            result.step.step_id
            for taker in self._listed
            for result in taker.sources
            if not result.phrase and not self._points(result, taker)
        )
        free = [name for name in names if not ledger.holds(name)]
        shuffled = self._draw.sample("names", free, len(free))
        if len(nameless) > len(shuffled):
            middle = len(shuffled) // 2
            pairs = product(shuffled[:middle], shuffled[middle:])
            shuffled = [f"{first} {second}" for first, second in pairs]
        return dict(zip(nameless, shuffled, strict=False))

    def _refer(self, result: Result, taker: Draft) -> str:
        noun = result.given.noun
        if self._dials.naming == "number":
            return f"the {noun} from step {self._place[result.step.step_id]}"
        if self._points(result, taker):
            return f"{'those' if result.given.is_plural else 'that'} {noun}"
        return result.phrase or f"the {noun} from step {self._names[result.step.step_id]}"

    def _points(self, result: Result, taker: Draft) -> bool:
        """Whether "that" says which one: the sentence before names it, and speaks of no other.

        Of two results that a call takes, or of a source that takes results itself, a reader might
        think of the wrong one.
        """
        if self._dials.order != "executed" or len(taker.sources) != 1:
            return False
        follows = self._place[taker.step_id] == self._place[result.step.step_id] + 1
        if not follows or result.step.sources or not _names(result):
            return False
        return self._draw.fraction(f"that {taker.number}") < 0.6
