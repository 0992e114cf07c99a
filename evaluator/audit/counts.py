"""Rules about numbers: ids, tools offered at each level, and those of the published suite."""

from collections.abc import Iterator

from dataset_builder.tasks.task import SUITE_LEVELS, Level
from evaluator.audit.rules import Context

OFFERED = {Level.NODE: (4, 4), Level.CHAIN: (5, 5), Level.PARALLEL: (4, 6), Level.DAG: (6, 8)}
PUBLISHED_CALLS = 498
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
    by_level = tuple(sum(task.level is level for task in tasks) for level in SUITE_LEVELS)
    if declared and declared != by_level:
        yield "", f"has {by_level} tasks by level, declares {declared}"
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
    own_answers = sum(
        task.level is Level.PARALLEL and not any(s.edges for s in task.steps) for task in tasks
    )
    if own_answers > PUBLISHED_OWN_ANSWERS:
        yield (
            "",
            f"leaves {own_answers} aggregations to the model, more than {PUBLISHED_OWN_ANSWERS}",
        )
