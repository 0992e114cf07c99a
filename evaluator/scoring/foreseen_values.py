"""Literals that nobody can know who sees no output: a sign that a single-turn trace was made up.

In a single-turn run a model has not seen what its calls give, and a simulated output (drawn, not
computed) cannot be worked out. A trace that states one all the same has it from the published
answers, by luck, or from an output that was fed back.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dataset_builder.tasks.task import Suite, Task
from dataset_builder.tools.tool import Tool
from dataset_builder.values.canonical import fold
from dataset_builder.values.draw import Draw
from dataset_builder.values.references import dig, render
from evaluator.traces.protocols import MULTI_TURN
from evaluator.traces.trace import Trace

# A single character is hit by chance, and stands for much else.
FEWEST_CHARACTERS = 2


def foreseen(suite: Suite, traces: Iterable[Trace], tools: Mapping[str, Tool]) -> int:
    """How many of the values that flow from simulated outputs the traces state as literals.

    Counts each value once a trace. Multi-turn traces have seen their outputs and count nothing.
    """
    secrets = {task.task_id: _unseen(task, tools) for task in suite.tasks}
    count = 0
    for trace in traces:
        wanted = secrets.get(trace.task_id)
        if wanted and trace.protocol != MULTI_TURN:
            stated = {_form(leaf) for call in trace.calls for leaf in _leaves(call.arguments)}
            count += len(wanted & stated)
    return count


def _unseen(task: Task, tools: Mapping[str, Tool]) -> frozenset[str]:
    """The values, in comparable form, that flow from simulated outputs.

    None of them stands in the prompt: the audit's rule ``edges_real``.
    """
    by_id = {step.step_id: step for step in task.steps}
    forms = set()
    for step in task.steps:
        for edge in step.edges:
            source = by_id[edge.source]
            tool = tools.get(source.tool)
            if tool is None or Draw not in tool.injected.values():
                continue
            value = dig(source.output, edge.path)
            if not isinstance(value, str | int | float) or isinstance(value, bool):
                continue
            form = _form(value)
            if len(form) >= FEWEST_CHARACTERS:
                forms.add(form)
    return frozenset(forms)


def _form(value: Any) -> str:
    return fold(render(value))


def _leaves(value: Any) -> Iterator[Any]:
    """The texts and numbers anywhere in the arguments of a call."""
    pending = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            pending.extend(node.values())
        elif isinstance(node, list):
            pending.extend(node)
        elif isinstance(node, str | int | float) and not isinstance(node, bool):
            yield node
