"""What the model's own calls gave where a step takes values from upstream steps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dataset_builder.tasks.task import Edge, Step
from dataset_builder.tools.replay import Executed
from dataset_builder.values.references import Unresolved, dig, project
from evaluator.scoring.arguments import Expected
from evaluator.scoring.tolerant_match import FedValues


@dataclass(slots=True)
class Upstream:
    """The steps upstream of one, each with the call that stands for it."""

    steps: Sequence[Step]
    """All steps of the task."""
    positions: Mapping[str, int]
    """By step id its 0-based position."""
    executed: Sequence[Executed]
    calls: Mapping[int, int | None]
    """By position of an upstream step the call aligned with it."""

    def value(self, edge: Edge) -> Any:
        """What the call for an edge's source gave at its path; `Unresolved` says why nothing did."""
        position = self.positions.get(edge.source, -1)
        call = self.calls.get(position)
        if call is None:
            return Unresolved(f"{edge.source} has no call")
        if self.executed[call].error is not None:
            return Unresolved(f"the call for {edge.source} gave an error")
        value = dig(_as_output_of(self.steps[position], self.executed[call]), edge.path)
        if isinstance(value, Unresolved):
            return Unresolved(f"the call for {edge.source} gave no {edge.path}")
        return value

    def expected_value(self, edge: Edge) -> Any:
        """What the edge's source was expected to give at its path."""
        return dig(self.steps[self.positions[edge.source]].output, edge.path)

    def outputs(self) -> list[Any]:
        """By step what the call for it gave; None where nothing can be referred to."""
        outputs: list[Any] = [None] * len(self.steps)
        for position, call in self.calls.items():
            if call is not None and self.executed[call].error is None:
                outputs[position] = _as_output_of(self.steps[position], self.executed[call])
        return outputs

    def expected_outputs(self) -> list[Any]:
        """By step what it was expected to give."""
        return [step.output for step in self.steps]

    def by_argument(
        self, expected: Expected, edges: Sequence[Edge], values: Sequence[Any]
    ) -> dict[str, FedValues]:
        """The values of edges by argument and place (under mentions: position in the list)."""
        fed: dict[str, dict[tuple[str, ...], Any]] = {}
        for edge, value in zip(edges, values, strict=True):
            name, *path = edge.argument.split(".")
            if name not in expected.fed or isinstance(value, Unresolved):
                continue
            places = fed.setdefault(name, {})
            if expected.rule(name) == "mentions":
                path = self._listed(edge, expected.rules[name]["values"], places)
            places[tuple(path)] = value
        return dict(fed)

    def _listed(
        self, edge: Edge, listed: Sequence[Any], taken: Mapping[tuple[str, ...], Any]
    ) -> list[str]:
        """The position in a mentions rule of the value that an edge brings."""
        wanted = self.expected_value(edge)
        for position, value in enumerate(listed):
            if value == wanted and (str(position),) not in taken:
                return [str(position)]
        return [str(len(listed))]


def _as_output_of(step: Step, executed: Executed) -> dict[str, Any]:
    """What a call gave, at the paths where the step that it stands for gives it."""
    output = dict(executed.output or {})
    given: dict[str, Any] = output if executed.name == step.tool else {}
    for alternative in step.alternatives:
        if alternative.tool == executed.name:
            for path, twin in alternative.outputs.items():
                if given.get(path) in (None, [], {}, ""):
                    value = project(output, twin)
                    given |= {} if isinstance(value, Unresolved) else {path: value}
    return given
