"""A call taken as an alternative of a step: a twin tool, or other arguments, that is right as well.

Its references are resolved against the model's own upstream outputs. It satisfies the step's edges if
it is then exact; the value of an edge that no reference of it takes has to be the expected one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from dataset_builder.tasks.task import Alternative, Edge, Step
from dataset_builder.tools.replay import Executed
from dataset_builder.tools.tool import Tool
from dataset_builder.values.references import Unresolved, references, resolve, unresolved
from dataset_builder.values.surface_forms import leaves
from evaluator.scoring.arguments import Expected, Surroundings, call_similarity, compare
from evaluator.scoring.data_flow import FLOWED, Flow, edge_verdicts, stopped
from evaluator.scoring.exact_match import same_given
from evaluator.scoring.mentions import MadeUp
from evaluator.scoring.tolerant_match import FedValues
from evaluator.scoring.upstream_values import Upstream
from evaluator.scoring.verdict import Pair, is_exact_call, pair_of


def as_alternative(
    step: Step,
    alternative: Alternative,
    call: Executed,
    tool: Tool | None,
    upstream: Upstream,
    made_up: Callable[[str], MadeUp],
) -> Pair:
    """What a call to the alternative's tool is worth; ``made_up`` as in `Surroundings`."""
    outputs, expected_outputs = upstream.outputs(), upstream.expected_outputs()
    fed = frozenset(n for n, value in alternative.arguments.items() if _referred([value]))
    resolved = {name: resolve(alternative.arguments[name], outputs) for name in fed}
    fed_values: dict[str, FedValues] = {
        name: {(): value} for name, value in resolved.items() if unresolved(value) is None
    }
    expected = Expected(
        tool,
        {n: resolve(v, expected_outputs) for n, v in alternative.arguments.items()},
        {n: _with_inputs(rule, outputs, expected_outputs) for n, rule in alternative.match.items()},
        fed,
    )
    arguments = compare(expected, call.arguments or {}, Surroundings(fed_values, made_up))
    has_failed = call.error is not None
    is_exact = is_exact_call(arguments, has_failed)
    referred = _referred(alternative.arguments.values())
    flow = [_flow(edge, referred, upstream, is_exact=is_exact) for edge in step.edges]
    edges, similarity = edge_verdicts(step, flow), call_similarity(arguments)
    return pair_of(alternative.tool, similarity, arguments, edges, has_failed=has_failed)


def _flow(
    edge: Edge, referred: Iterable[tuple[int, str]], upstream: Upstream, *, is_exact: bool
) -> Flow:
    value = upstream.value(edge)
    if isinstance(value, Unresolved):
        return stopped(value.reference)
    if not is_exact:
        return stopped("the call is not right as the alternative that it is")
    number = upstream.positions[edge.source] + 1
    is_taken = any(
        step == number and f"{path}.".startswith(f"{edge.path}.") for step, path in referred
    )
    if is_taken or same_given(None, upstream.expected_value(edge), value):
        return FLOWED
    return stopped(f"the call for {edge.source} gave another {edge.path}")


def _with_inputs(
    rule: Mapping[str, Any], outputs: Sequence[Any], expected_outputs: Sequence[Any]
) -> Mapping[str, Any]:
    """A rule with its references resolved: to the model's own values where there are any."""
    if "inputs" not in rule:
        return rule
    inputs = resolve(rule["inputs"], outputs)
    if unresolved(inputs) is not None:
        inputs = resolve(rule["inputs"], expected_outputs)
    return {**rule, "inputs": inputs}


def _referred(values: Iterable[Any]) -> set[tuple[int, str]]:
    """The step numbers and paths that references in JSON values point at."""
    return {
        (number, ".".join(path))
        for text in leaves(list(values))
        if isinstance(text, str)
        for _, number, path in references(text)
    }
