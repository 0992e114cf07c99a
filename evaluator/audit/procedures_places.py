"""Whether a sentence of a procedure asks for its call, and puts each value where the call takes it:
"from 3 May to 9 June" asks for no span from 9 June to 3 May.

All that is known beside the text is the clauses' wordings; which of them the composer took is not
looked at.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dataset_builder.procedures import grammar
from dataset_builder.procedures.grammar import Clause
from dataset_builder.tasks.call_template import SlotArgument
from dataset_builder.tasks.slot import Pick, Pool
from dataset_builder.values.surface_forms import grounded, numbers_in
from evaluator.audit.procedures_referents import Mention, Result
from evaluator.audit.procedures_text import Sentence
from evaluator.audit.rules import Context, is_default, kind_for

_HOLE = re.compile(r"\{([^{}]*)\}")
# What may stand before a request and after it without changing what is asked.
_BEFORE = re.compile(r"(?:Then|Also|Next,|After that,|In addition,|Besides,|Finally,) ")
_AFTER = re.compile(r"(?: \(call this step [^()]+\))?\.?$")
_OPAQUE = re.compile(r"“[^”]*”|\[[^\[\]]*\]|\{[^{}]*\}")

Span = tuple[int, int]
"""Where words begin and end."""


@dataclass(frozen=True)
class Request:
    """A sentence and its words for results; ``places``: by step the place of its sentence."""

    context: Context
    sentence: Sentence
    mentions: Sequence[Mention]
    places: Mapping[str, int]

    def problems(self) -> Iterator[str]:
        """What is wrong with it."""
        step = self.sentence.step
        is_asked = False
        for clause in grammar().clauses:
            if clause.tool != step.tool:
                continue
            for cut in self._cuts(clause):
                is_asked = True
                if all(self._fills(clause, hole, cut) for hole in cut):
                    return
        if is_asked:
            yield f"{step.step_id}: {step.tool} takes its values otherwise than its sentence says"
        else:
            yield f"{step.step_id}: its sentence does not ask for {step.tool}"

    def _cuts(self, clause: Clause) -> Iterator[Mapping[str, Span]]:
        """By hole where it would stand, for each way to read the sentence as one of the wordings."""
        text = self._covered()
        request = text[: _AFTER.search(text).start()]  # type: ignore[union-attr]
        before = _BEFORE.match(request)
        start = before.end() if before else 0
        for wording in clause.wordings:
            first, *others = _HOLE.split(wording)[::2]
            said = request[start : start + len(first)]
            if said not in (first, f"{first[:1].upper()}{first[1:]}"):
                continue
            for spans in _spans(request, start + len(first), others):
                yield dict(zip(_HOLE.findall(wording), spans, strict=True))

    def _covered(self) -> str:
        """The sentence with quotations, records and words for results made unreadable, in their length."""
        text = self.sentence.text
        for mention in self.mentions:
            cover = "…" * (mention.end - mention.start)
            text = f"{text[: mention.start]}{cover}{text[mention.end :]}"
        return _OPAQUE.sub(lambda match: "…" * len(match[0]), text)

    def _fills(self, clause: Clause, hole: str, cut: Mapping[str, Span]) -> bool:
        """Whether the words in a hole are what the step's arguments take there."""
        if hole not in clause.call.slot_names():
            return self._goes_with_it(clause, hole, cut)
        start, end = cut[hole]
        spoken_of = [r for m in self.mentions if start <= m.start < end for r in m.meanings]
        for name in clause.arguments_of(hole):
            is_whole = isinstance(clause.call.arguments[name], SlotArgument)
            flowing = self._flowing(name)
            if Counter(spoken_of) - Counter(flowing) or (is_whole and spoken_of != flowing):
                return False
            if is_whole and not flowing and not self._states(name, self.sentence.text[start:end]):
                return False
        return True

    def _goes_with_it(self, clause: Clause, hole: str, cut: Mapping[str, Span]) -> bool:
        """Whether words that no argument takes may stand there: IBM is no company beside NFLX."""
        slot_name = hole.partition(".")[0]
        slot = clause.slots[slot_name]
        if not isinstance(slot, Pick | Pool):
            return True
        words = {}
        for other, (start, end) in cut.items():
            name, _, field = other.partition(".")
            if name == slot_name and not any(start <= m.start < end for m in self.mentions):
                words[field] = self.sentence.text[start:end]
        return any(words.items() <= row.items() for row in slot.said())

    def _flowing(self, name: str) -> list[Result]:
        """The results that flow into an argument, in the order of its items."""
        edges = [
            edge for edge in self.sentence.step.edges if edge.argument.partition(".")[0] == name
        ]
        edges.sort(key=lambda edge: int(edge.argument.partition(".")[2] or 0))
        return [(self.places.get(edge.source, 0), edge.path) for edge in edges]

    def _states(self, name: str, words: str) -> bool:
        """Whether words state an argument; a default may be said in words of any kind, but for numbers."""
        step, tools = self.sentence.step, self.context.tools
        if name not in step.arguments:
            return False
        kind = kind_for(tools, step, name)
        # A unit is known by the number before it.
        if grounded(kind, step.arguments[name], f"1 {words}" if kind.name == "unit" else words):
            return True
        is_number = kind.name in ("number", "integer")
        return is_default(tools, step, name) and not (is_number and numbers_in(words))


def _spans(text: str, start: int, fixed: Sequence[str]) -> Iterator[tuple[Span, ...]]:
    """Where the holes before each of the fixed parts would stand, the last of which ends the text."""
    if not fixed:
        if start == len(text):
            yield ()
        return
    first, *others = fixed
    if not others:
        end = len(text) - len(first)
        if start < end and text.endswith(first):
            yield ((start, end),)
        return
    end = text.find(first, start + 1)
    while end >= 0:
        for spans in _spans(text, end + len(first), others):
            yield ((start, end), *spans)
        end = text.find(first, end + 1)
