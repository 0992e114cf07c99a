"""Rules about the choice of tools: real neighbours are offered, none of them harms, one answer is right."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import islice, permutations
from typing import Any

from dataset_builder.tasks.task import SUITE_LEVELS, Level, Step, Task
from dataset_builder.tasks.tool_overlaps import overlaps, twins_of
from dataset_builder.tools.replay import Episode
from dataset_builder.tools.tool import Tool
from dataset_builder.tools.world import World
from dataset_builder.values.draw import Draw
from dataset_builder.values.kinds import ArgumentError, Kind
from dataset_builder.values.references import dig, project
from dataset_builder.values.rounding import is_same
from evaluator.audit.rules import Context
from evaluator.audit.values import same_value

# The paper's printed tasks keep the tools that it offers with them (Appendix G).
APPENDIX_G = ("L0_node_0009", "L1_chain_0049", "L2_parallel_0116", "L3_dag_0177")
OFFERED = {Level.NODE: (4, 4), Level.CHAIN: (5, 5), Level.PARALLEL: (4, 6), Level.DAG: (6, 8)}
MOST_ASSIGNMENTS = 120
# So often a drawn value is drawn anew, to tell a twin from a coincidence.
REDRAWS = 4
PUBLISHED_CALLS = 498
_PYTHON_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
}
PUBLISHED_TOOLS = 58
PUBLISHED_OWN_ANSWERS = 12


def counts(context: Context) -> Iterator[tuple[str, str]]:
    """Ids run on, each level offers its number of tools; the published suite has its exact numbers."""
    tasks = context.suite.tasks
    if context.is_legacy:
        return
    for number, task in enumerate(tasks, 1):
        if task.task_id != task.level.task_id(number):
            yield task.task_id, f"should be {task.level.task_id(number)}"
        fewest, most = OFFERED[task.level]
        if not fewest <= len(task.offered) <= most:
            yield task.task_id, f"offers {len(task.offered)} tools, not {fewest} to {most}"
    declared = tuple(tasks[0].metadata.get("generation", {}).get("counts", ()))
    found = tuple(sum(task.level is level for task in tasks) for level in SUITE_LEVELS)
    if declared and declared != found:
        yield "", f"has {found} tasks by level, declares {declared}"
    if context.is_published:
        yield from _published(context)


def _published(context: Context) -> Iterator[tuple[str, str]]:
    tasks = context.suite.tasks
    calls = sum(len(task.steps) for task in tasks)
    if calls != PUBLISHED_CALLS:
        yield "", f"expects {calls} calls, not {PUBLISHED_CALLS}"
    expected = {step.tool for task in tasks for step in task.steps}
    if len(expected) != PUBLISHED_TOOLS:
        yield "", f"expects {len(expected)} different tools, not {PUBLISHED_TOOLS}"
    missing = {tool.category for tool in context.tools.values()} - {
        context.tools[name].category for name in expected if name in context.tools
    }
    if missing:
        yield "", f"expects no tool of {', '.join(sorted(missing))}"
    uses: dict[str, int] = {}
    for task in tasks:
        uses[task.metadata["template"]] = uses.get(task.metadata["template"], 0) + 1
    for template, used in uses.items():
        if used > 4:
            yield "", f"uses the template {template} {used} times"
    own = sum(
        task.level is Level.PARALLEL and not any(s.edges for s in task.steps) for task in tasks
    )
    if own > PUBLISHED_OWN_ANSWERS:
        yield "", f"leaves {own} aggregations to the model, more than {PUBLISHED_OWN_ANSWERS}"


def near_distractor(context: Context, task: Task) -> Iterator[str]:
    """At least one offered tool that is not needed is of a needed one's category, or its near-synonym."""
    if task.task_id in APPENDIX_G and context.is_published:
        return
    needed = set(task.expected_tools)
    categories = {context.tools[name].category for name in needed if name in context.tools}
    twins = {twin for name in needed for twin in twins_of(name)}
    distractors = [name for name in task.offered if name not in needed]
    if not any(
        name in twins or (name in context.tools and context.tools[name].category in categories)
        for name in distractors
    ):
        yield "no distractor is near to a needed tool"


def distractor_harmless(context: Context, task: Task) -> Iterator[str]:
    """Calling every distractor first, with the task's own values, changes no expected output."""
    if context.is_legacy:
        return
    episode = Episode(context.tools)
    values = _values(task.steps)
    for name in task.offered:
        tool = context.tools.get(name)
        if tool is None or name in task.expected_tools or World not in tool.injected.values():
            continue
        for arguments in islice(assignments(tool, values), MOST_ASSIGNMENTS):
            episode.execute(name, arguments)
    for step in task.steps:
        if episode.execute(step.tool, dict(step.arguments)).output != step.output:
            yield f"{step.step_id}: a distractor changes what {step.tool} gives"
            return


def single_answer(context: Context, task: Task) -> Iterator[str]:
    """No other tool gives the value that is used from the step's values, unless the rows allow for it.

    Of a step that feeds nothing the first output field counts, which is what its tool is for; for the
    others there is the table of overlaps.
    """
    if context.is_legacy:
        return
    for step in task.steps:
        used = {e.path for other in task.steps for e in other.edges if e.source == step.step_id}
        paths = sorted(used) or list(step.output)[:1]
        values = _contents(context, step)
        wanted = [
            value
            for path in paths
            if telling(value := dig(step.output, path))
            and not any(same_value(value, given) for given in values)
        ]
        allowed = {alternative.tool for alternative in step.alternatives}
        excluded = {
            entry.twin for entry in overlaps().get(step.tool, ()) if entry.decided(task.prompt)
        }
        yield from _unlisted_twins(context, step, used, allowed | excluded)
        yield from _undecided(step, excluded)
        if not wanted:
            continue
        for name, tool in context.tools.items():
            if name in allowed or name in excluded or name == step.tool:
                continue
            if _gives(tool, values, wanted):
                yield f"{step.step_id}: {name} gives the answer of {step.tool} too"


def _unlisted_twins(context: Context, step: Step, used: set[str], known: set[str]) -> Iterator[str]:
    for entry in overlaps().get(step.tool, ()):
        if entry.twin in known or entry.twin not in context.tools:
            continue
        if not entry.outputs or not entry.answers(used, len(step.output)):
            continue
        arguments = entry.twin_arguments(step.arguments)
        outputs = entry.twin_outputs(step.arguments)
        if arguments is None or outputs is None:
            continue
        output = context.tools[entry.twin](arguments, World())
        if "error" not in output and all(
            is_same(project(output, outputs[p]), dig(step.output, p)) for p in used or outputs
        ):
            yield f"{step.step_id}: its twin {entry.twin} is neither listed nor excluded by the prompt"


def _undecided(step: Step, excluded: set[str]) -> Iterator[str]:
    """Twins that meet the same need with values of their own: only the prompt can decide."""
    rows = [row for row in overlaps().get(step.tool, ()) if not row.outputs]
    for twin in dict.fromkeys(row.twin for row in rows if row.twin not in excluded):
        yield f"{step.step_id}: no word of the prompt decides between {step.tool} and {twin}"


def telling(value: Any) -> bool:
    """Whether a value is one that two tools would hardly both give by chance."""
    if value is None or isinstance(value, bool) or value in ("", [], {}):
        return False
    if isinstance(value, int | float):
        # 200 is what every page that answers gives as its status.
        return abs(value) > 12 and value not in (100, 200, 1000)
    return not isinstance(value, str) or len(value) > 4


def _gives(tool: Tool, values: list[Any], wanted: list[Any]) -> bool:
    if _types_given(tool).isdisjoint(map(type, wanted)):
        return False
    if not any(parameter.required for parameter in tool.parameters.values()):
        # It would be asked without any of the values: that it gives the same is chance.
        return False
    for arguments in islice(assignments(tool, values), MOST_ASSIGNMENTS):
        fields = _agreeing(tool, arguments, wanted)
        for number in range(REDRAWS if fields and Draw in tool.injected.values() else 0):
            # Under another name the tool draws other values: what it computes stays the same.
            fields &= _agreeing(replace(tool, name=f"{tool.name} {number}"), arguments, wanted)
        if fields:
            return True
    return False


@cache
def _types_given(tool: Tool) -> frozenset[type]:
    """The types of the fields that it returns."""
    return frozenset(
        python_type
        for field in tool.returns.values()
        for python_type in _PYTHON_TYPES[field.type.partition(" of ")[0]]
    )


def _agreeing(tool: Tool, arguments: Mapping[str, Any], wanted: list[Any]) -> set[str]:
    output = tool(arguments, World())
    if "error" in output:
        return set()
    return {
        field
        for field, found in output.items()
        if any(same_value(found, value) and type(found) is type(value) for value in wanted)
    }


def _values(steps: Any) -> list[Any]:
    """The different argument values of some steps, items of lists included."""
    found: list[Any] = []
    for step in steps:
        for value in step.arguments.values():
            if value not in found:
                found.append(value)
    return found


def _contents(context: Context, step: Step) -> list[Any]:
    """The different argument values of a step, without choices such as "up", which are no content."""
    tool = context.tools.get(step.tool)
    kinds = {} if tool is None else {p.name: p.kind.name for p in tool.parameters.values()}
    contents = {n: v for n, v in step.arguments.items() if kinds.get(n) not in ("enum", "boolean")}
    return _values([replace(step, arguments=contents)])


def assignments(tool: Tool, values: list[Any]) -> Iterator[Mapping[str, Any]]:
    """Every way to give some of the values to the tool's required parameters (and to no other)."""
    required = [p for p in tool.parameters.values() if p.required]
    if len(required) > len(values):
        return
    for chosen in permutations(values, len(required)):
        if all(_fits(p.kind, value) for p, value in zip(required, chosen, strict=True)):
            yield {p.name: value for p, value in zip(required, chosen, strict=True)}


def _fits(kind: Kind, value: Any) -> bool:
    json_types = {"string": str, "array": list, "object": dict, "boolean": bool}
    wanted = json_types.get(kind.json_type, (int, float))
    if not isinstance(value, wanted) or (isinstance(value, bool) and kind.name != "boolean"):
        return False
    try:
        kind.read(value)
    except ArgumentError:
        return False
    return True
