"""Rules about the tools offered beside the needed ones: some are near, none of them harms."""

from collections.abc import Iterator
from itertools import islice

from dataset_builder.tasks.task import Task
from dataset_builder.tasks.tool_overlaps import twins_of
from dataset_builder.tools.replay import Episode
from dataset_builder.tools.world import World
from evaluator.audit.assignments import Values
from evaluator.audit.rules import Context
from evaluator.audit.single_answer import MOST_ASSIGNMENTS, argument_values

# The paper's printed tasks keep the tools that it offers with them (Appendix G).
APPENDIX_G = ("L0_node_0009", "L1_chain_0049", "L2_parallel_0116", "L3_dag_0177")


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
    values = Values(argument_values(step.arguments for step in task.steps))
    for name in task.offered:
        tool = context.tools.get(name)
        if tool is None or name in task.expected_tools or World not in tool.injected.values():
            continue
        for arguments in islice(values.assignments(tool), MOST_ASSIGNMENTS):
            episode.execute(name, arguments)
    for step in task.steps:
        if episode.execute(step.tool, dict(step.arguments)).output != step.output:
            yield f"{step.step_id}: a distractor changes what {step.tool} gives"
            return
