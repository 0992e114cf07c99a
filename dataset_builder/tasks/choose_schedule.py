"""How seed 42's schedule was chosen.

`python -m dataset_builder.tasks.choose_schedule` writes schedule.json again. The published suite has
exact numbers that no seed would meet by chance (specification: Audit rules): 498 calls, 58 different
tools, all categories, no template more than four times. The choice is a search with a fixed order, so
it can be repeated; generating the suite only reads its result.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path

from dataset_builder.tasks.engine import COUNTS, MOST_USES, CompositionEngine
from dataset_builder.tasks.ground_truth import Degenerate
from dataset_builder.tasks.prompt_similarity import PromptLog
from dataset_builder.tasks.task import SEED, SUITE_LEVELS, Level
from dataset_builder.tasks.template import Template
from dataset_builder.tools.tool import Tool
from dataset_builder.values.draw import Draw

CALLS = 498
TOOLS = 58
FAN_OUT_TASKS = 12
# Without the printed task; what is left to 498 gives level 3 about 4.3 calls a task.
PARALLEL_CALLS = 113
PRINTED = {
    9: "appendix_g_subtraction",
    49: "appendix_g_weather",
    116: "appendix_g_stocks",
    177: "appendix_g_report",
}
_DRAW = Draw("schedule of seed 42")


def choose_tools(templates: Sequence[Template], tools: Mapping[str, Tool]) -> set[str]:
    """The 58 tools that are expected: first the printed tasks', then what opens most templates.

    Composed templates come first, those that need fewest new tools before others; at the end every
    category has a tool.
    """
    chosen = {
        t for template in templates if template.name in PRINTED.values() for t in template.tools
    }
    missing = {tool.category for tool in tools.values()} - {tools[t].category for t in chosen}
    single = {t.tools[0] for t in templates if t.level is Level.NODE}
    composed = [t for t in templates if t.level is not Level.NODE]
    while True:
        room = TOOLS - len(chosen) - len(missing - {tools[t].category for t in chosen})
        affordable = [t for t in composed if 0 < len(set(t.tools) - chosen) <= room]
        if not affordable:
            break
        best = min(affordable, key=lambda t: (_price(t, chosen, composed), _DRAW.fraction(t.name)))
        chosen |= set(best.tools)
    for category in sorted(missing - {tools[t].category for t in chosen}):
        chosen.add(
            next(name for name in tools if name in single and tools[name].category == category)
        )
    for name in sorted(single - chosen, key=lambda name: _DRAW.fraction(f"fill {name}")):
        if len(chosen) < TOOLS:
            chosen.add(name)
    return chosen


def _price(template: Template, chosen: set[str], composed: Iterable[Template]) -> float:
    """New tools for each template that they would open; level 3 counts double."""
    after = chosen | set(template.tools)
    opened = sum(
        1 + (other.level is Level.DAG)
        for other in composed
        if set(other.tools) <= after and not set(other.tools) <= chosen
    )
    return len(after - chosen) / opened


def spread(
    templates: Sequence[Template], count: int, label: str, covered: Collection[str] = ()
) -> list[Template]:
    """``count`` uses, each template as often as any other (give or take one), at most four times.

    Templates whose first tool is not ``covered`` elsewhere come first.
    """
    order = sorted(
        templates, key=lambda t: (t.tools[0] in covered, _DRAW.fraction(f"{label} {t.name}"))
    )
    uses = (order * MOST_USES)[:count]
    if len(uses) < count:
        raise SystemExit(f"{label}: {len(templates)} templates are too few for {count} tasks")
    return uses


def choose_uses(eligible: Mapping[Level, Sequence[Template]]) -> dict[Level, list[Template]]:
    """The templates of each level's tasks, with the exact number of calls over all levels."""
    free = {
        level: count - sum(1 for t in eligible[level] if t.name in PRINTED.values())
        for level, count in zip(SUITE_LEVELS, COUNTS, strict=True)
    }
    others = {
        level: [t for t in eligible[level] if t.name not in PRINTED.values()]
        for level in SUITE_LEVELS
    }
    fan_outs = [t for t in others[Level.PARALLEL] if t.pattern.startswith("fan_out")]
    fork_joins = [t for t in others[Level.PARALLEL] if t not in fan_outs]
    fan_out_count = min(FAN_OUT_TASKS - 1, 2 * len(fan_outs))
    covered = {
        tool
        for level in SUITE_LEVELS
        if level is not Level.NODE
        for t in eligible[level]
        for tool in t.tools
    }
    uses = {
        Level.NODE: spread(others[Level.NODE], free[Level.NODE], "L0", covered),
        Level.CHAIN: spread(others[Level.CHAIN], free[Level.CHAIN], "L1"),
        Level.PARALLEL: spread(fan_outs, fan_out_count, "L2 own")
        + spread(fork_joins, free[Level.PARALLEL] - fan_out_count, "L2"),
        Level.DAG: spread(others[Level.DAG], free[Level.DAG], "L3"),
    }
    fixed = sum(
        len(t.steps)
        for level in SUITE_LEVELS
        for t in eligible[level]
        if t.name in PRINTED.values()
    )
    _fit(uses[Level.PARALLEL], fork_joins, PARALLEL_CALLS)
    rest = sum(
        len(t.steps) for level in SUITE_LEVELS for t in uses[level] if level is not Level.DAG
    )
    _fit(uses[Level.DAG], others[Level.DAG], CALLS - fixed - rest)
    return uses


def _fit(uses: list[Template], templates: Sequence[Template], calls: int) -> None:
    """Swap uses until they expect exactly so many calls."""
    while (missing := calls - sum(len(t.steps) for t in uses)) != 0:
        if not _nudge(uses, templates, missing):
            raise SystemExit(f"the templates cannot be mixed to {calls} calls")


def _nudge(uses: list[Template], templates: Sequence[Template], missing: int) -> bool:
    """Swap one use for a template that is one call shorter or longer; the most used give way first."""
    counts = Counter(t.name for t in uses)
    step = 1 if missing > 0 else -1
    leaving = sorted(
        (t for t in uses if t in templates),
        key=lambda t: (-counts[t.name], _DRAW.fraction(f"out {t.name}")),
    )
    entering = sorted(templates, key=lambda t: (counts[t.name], _DRAW.fraction(f"in {t.name}")))
    for old in leaving:
        for new in entering:
            if len(new.steps) - len(old.steps) == step and counts[new.name] < MOST_USES:
                uses[uses.index(old)] = new
                return True
    return False


def variants(
    engine: CompositionEngine, uses: Mapping[Level, Sequence[Template]]
) -> dict[str, tuple[str, int]]:
    """A place in the suite for every use, and the first variant that makes a good task there."""
    schedule: dict[str, tuple[str, int]] = {}
    by_name = {template.name: template for template in engine.templates}
    prompts = PromptLog(is_small=True)
    index = 0
    for level, count in zip(SUITE_LEVELS, COUNTS, strict=True):
        shuffled = sorted(
            enumerate(uses[level]), key=lambda use: _DRAW.fraction(f"{level} {use[0]}")
        )
        waiting = [template for _, template in shuffled]
        for _ in range(count):
            index += 1
            template = by_name[PRINTED[index]] if index in PRINTED else waiting.pop(0)
            schedule[str(index)] = (template.name, _first_good(engine, template, index, prompts))
    return schedule


def _first_good(
    engine: CompositionEngine, template: Template, index: int, prompts: PromptLog
) -> int:
    for variant in range(1_000):
        try:
            task = engine.make(template, template.level.task_id(index), index, variant)
        except Degenerate:
            continue
        if prompts.take(task.prompt):
            return variant
    raise SystemExit(f"{template.name}: no variant makes a good task")


def main() -> None:
    """Choose the schedule anew and write it into the package."""
    engine = CompositionEngine(SEED)
    chosen = choose_tools(engine.templates, engine.catalogue)
    eligible = {
        level: [t for t in engine.templates if t.level is level and set(t.tools) <= chosen]
        for level in SUITE_LEVELS
    }
    schedule = variants(engine, choose_uses(eligible))
    path = Path(str(resources.files("dataset_builder.tasks").joinpath("schedule.json")))
    data = json.loads(path.read_text("utf-8"))
    offered = {k: f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in data["offered"].items()}
    tasks = [f"  {json.dumps(index)}: {json.dumps(entry)}" for index, entry in schedule.items()]
    path.write_text(
        '{\n "offered": {\n'
        + ",\n".join(offered.values())
        + '\n },\n "tasks": {\n'
        + ",\n".join(tasks)
        + "\n }\n}\n",
        "utf-8",
    )
    used = {
        tool
        for name, _ in schedule.values()
        for t in engine.templates
        if t.name == name
        for tool in t.tools
    }
    print(
        f"{len(schedule)} tasks, {len({name for name, _ in schedule.values()})} templates, {len(used)} tools"
    )


if __name__ == "__main__":
    main()
