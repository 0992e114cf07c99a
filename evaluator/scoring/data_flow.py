"""Whether a value flowed along an edge: from what the model's own call gave into an argument.

Tolerantly for the data flow of the weighted score, exactly for the step score (specification: Edges).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from dataset_builder.tasks.task import Edge, Step
from dataset_builder.values.references import Unresolved
from evaluator.scoring.arguments import Expected
from evaluator.scoring.exact_match import contained_exactly, same_given
from evaluator.scoring.mentions import carries, is_too_long
from evaluator.scoring.tolerant_match import FedValues, at_path, contained, equal


class Flow(NamedTuple):
    """How a value flowed: in the tolerant reading, in the exact one, and why it did not."""

    satisfied: bool
    is_exact: bool
    reason: str = ""


class EdgeVerdict(NamedTuple):
    """Whether one value flowed; ``reason`` says why not, or not exactly, in words."""

    step_id: str
    argument: str
    source: str
    path: str
    satisfied: bool
    is_exact: bool
    reason: str = ""


FLOWED = Flow(True, True)


def stopped(reason: str) -> Flow:
    """A value that did not flow."""
    return Flow(False, False, reason)


def edge_verdicts(step: Step, flows: Iterable[Flow]) -> tuple[EdgeVerdict, ...]:
    """A verdict for each incoming edge of a step."""
    return tuple(
        EdgeVerdict(
            step.step_id,
            edge.argument,
            edge.source,
            edge.path,
            flow.satisfied,
            flow.is_exact,
            flow.reason,
        )
        for edge, flow in zip(step.edges, flows, strict=True)
    )


def flows(
    expected: Expected,
    arguments: Mapping[str, Any],
    edges: Sequence[Edge],
    values: Sequence[Any],
    fed_values: Mapping[str, FedValues],
) -> list[Flow]:
    """For each edge how the model's own value (`Unresolved` where there is none) came into a call.

    ``fed_values``: all of these values by argument and place.
    """
    by_edge = [
        _flow(expected, arguments, edge, value, fed_values)
        for edge, value in zip(edges, values, strict=True)
    ]
    for name, places in _edges_into_sets(expected, edges).items():
        # The set must hold each value, one to one.
        usable = [i for i in places if not isinstance(values[i], Unresolved)]
        kind = expected.kind(name)
        item = None if kind is None else kind.item
        wanted, given = [values[i] for i in usable], expected.given(name, arguments)
        nearly, exactly = contained(item, wanted, given), contained_exactly(item, wanted, given)
        for i, is_near, is_exact in zip(usable, nearly, exactly, strict=True):
            flow = _reading(is_near, is_exact, f"{name} does not hold that value")
            # Two pairings: what is held exactly in the one may have to share its item in the other.
            by_edge[i] = flow._replace(satisfied=is_near)
    return by_edge


def _reading(is_near: bool, is_exact: bool, otherwise: str) -> Flow:
    if is_exact:
        return FLOWED
    return Flow(True, False, "the value is only near it") if is_near else stopped(otherwise)


def _edges_into_sets(expected: Expected, edges: Sequence[Edge]) -> dict[str, list[int]]:
    """Positions of the edges into items of a set, by its name."""
    groups: dict[str, list[int]] = {}
    for i, edge in enumerate(edges):
        name, dot, item = edge.argument.partition(".")
        kind = expected.kind(name) if dot and "." not in item else None
        if kind is not None and kind.name == "set":
            groups.setdefault(name, []).append(i)
    return groups


def _flow(
    expected: Expected,
    arguments: Mapping[str, Any],
    edge: Edge,
    value: Any,
    fed_values: Mapping[str, FedValues],
) -> Flow:
    if isinstance(value, Unresolved):
        return stopped(value.reference)
    name, *path = edge.argument.split(".")
    given = expected.given(name, arguments)
    if given is None:
        return stopped(f"{name} is missing")
    if expected.rule(name) == "mentions":
        listed = {int(place[0]): each for place, each in fed_values.get(name, {}).items()}
        fault = _mention_fault(expected, name, given, value, listed)
        return stopped(fault) if fault else FLOWED
    kind, part = at_path(expected.kind(name), given, path)
    is_exact = same_given(kind, value, part)
    return _reading(
        is_exact or equal(kind, value, part), is_exact, f"{edge.argument} is another value"
    )


def _mention_fault(
    expected: Expected, name: str, given: Any, value: Any, fed: Mapping[int, Any]
) -> str:
    text, rule = expected.text(name, given), expected.rules[name]
    if text is None:
        return f"{name} is no text"
    if is_too_long(text, rule["values"], fed):
        return f"{name} is too long"
    is_carried = carries(text, value, unrounded=bool(rule.get("unrounded", False)))
    return "" if is_carried else f"{name} does not carry that value"
