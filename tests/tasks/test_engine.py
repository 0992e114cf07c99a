"""The engine: deterministic everywhere, any seed, and the paper's printed tasks."""

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from dataset_builder.tasks.engine import COUNTS, CompositionEngine, EngineError
from dataset_builder.tasks.output_cache import KEPT, output_of
from dataset_builder.tasks.slot import Pattern, Whole
from dataset_builder.tasks.task import CANARY, SUITE_LEVELS, Level, Step, Task
from dataset_builder.tasks.template import Template
from dataset_builder.tasks.template_error import TemplateError
from dataset_builder.tasks.templates import templates
from dataset_builder.tools import catalogue
from dataset_builder.tools.world import World
from tests.samples.template_parts import call, pick

GOLDEN = Path(__file__).parents[1] / "golden"
SUITE = CompositionEngine(42).generate_suite()
PRINTED = json.loads((GOLDEN / "appendix_g.json").read_text("utf-8"))


def test_the_published_suite_is_the_one_that_was_released() -> None:
    assert SUITE.digest == (GOLDEN / "digest.txt").read_text("utf-8").strip()


@pytest.mark.parametrize("task_id", PRINTED)
def test_the_paper_s_printed_tasks_stand_as_printed(task_id: str) -> None:
    task, printed = SUITE.by_id[task_id], PRINTED[task_id]
    assert list(task.offered) == printed["offered"]
    assert len(task.steps) == len(printed["steps"])
    for step, expected in zip(task.steps, printed["steps"], strict=True):
        assert step.tool == expected["tool"]
        assert list(step.depends_on) == expected["depends_on"]
        for name, value in expected["arguments"].items():
            assert step.arguments[name] == value
        for name, value in expected["output"].items():
            assert (step.output[name], type(step.output[name])) == (value, type(value))


def test_rows_carry_the_canary_and_survive_the_round_trip() -> None:
    for task in SUITE.tasks:
        row = task.to_row()
        assert json.loads(row["metadata"])["canary"] == CANARY
        assert Task.from_row(row).to_row() == row


SCRIPT = """
import sys
from pathlib import Path
from dataset_builder.published.dataset_folder import write_folder
from dataset_builder.tasks.engine import CompositionEngine
engine = CompositionEngine(int(sys.argv[1]))
write_folder(engine.generate_suite(), engine.catalogue, Path(sys.argv[2]))
"""
SURROUNDINGS = (
    {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "1234", "TZ": "Pacific/Apia", "LC_ALL": "C.UTF-8", "LANG": "tr_TR.UTF-8"},
)


@pytest.mark.parametrize("seed", [42, 7])
def test_other_surroundings_give_the_same_bytes(seed: int, tmp_path: Path) -> None:
    contents = []
    for number, surroundings in enumerate(SURROUNDINGS):
        folder = tmp_path / str(number) / "comptoolbench"
        subprocess.run(
            [sys.executable, "-c", SCRIPT, str(seed), str(folder)],
            env=os.environ | surroundings,
            cwd=Path(__file__).parents[2],
            check=True,
        )
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        contents.append({str(f.relative_to(folder)): f.read_bytes() for f in files})
    assert contents[0] == contents[1]
    assert "data/default.parquet" in contents[0]


def test_a_new_template_changes_only_the_tasks_that_take_it() -> None:
    more = Template(
        "new_sum",
        prompts=("What is {sum}?", "Add up {sum}.", "How much is {sum}?"),
        slots={"sum": Pattern("{a} + {b}", {"a": Whole(100, 900), "b": Whole(100, 900)})},
        steps=(call("calculator", expression="{sum}"),),
        rich="Evaluate {sum}.",
    )
    counts = (400, 0, 0, 0)
    before = CompositionEngine(5, counts=counts).generate_suite()
    after = CompositionEngine(5, templates=(*templates(), more), counts=counts).generate_suite()
    took = [task for task in after.tasks if task.metadata["template"] == "new_sum"]
    assert took
    for old, new in zip(before.tasks, after.tasks, strict=True):
        assert new.metadata["template"] == "new_sum" or new.to_row() == old.to_row()


@pytest.mark.parametrize("seed", range(100, 110))
def test_any_seed_gives_a_full_suite(seed: int) -> None:
    suite = CompositionEngine(seed).generate_suite()
    by_level = [sum(task.level is level for task in suite.tasks) for level in SUITE_LEVELS]
    assert by_level == list(COUNTS)
    uses = [task.metadata["template"] for task in suite.tasks]
    assert max(uses.count(name) for name in uses) <= 4


def test_a_secret_seed_is_not_published_with_the_tasks() -> None:
    secret = "correct horse battery staple"
    suite = CompositionEngine(secret, counts=(4, 4, 4, 4)).generate_suite()
    assert suite.seed is None
    assert secret not in "".join(suite.lines())


def test_a_large_suite_is_streamed_and_repeats_no_prompt() -> None:
    engine = CompositionEngine(9, counts=(600, 600, 400, 400))
    prompts = {task.prompt for task in engine.generate()}
    assert len(prompts) == 2_000


def test_a_large_suite_uses_its_templates_about_equally_often() -> None:
    count = 4_000
    engine = CompositionEngine(9, counts=(0, 0, 0, count))
    uses = Counter(task.metadata["template"] for task in engine.generate())
    mean = count / sum(template.level is Level.DAG for template in templates())
    # Six standard deviations; templates of few values, the paper's own, make fewer tasks.
    assert max(uses.values()) < mean + 6 * mean**0.5
    few = [name for name, times in uses.items() if times < mean - 6 * mean**0.5]
    assert all(name.startswith("appendix_g") for name in few)


MOST_WORDS = 120


@pytest.mark.parametrize("seed", [42, 7, 1001])
def test_no_prompt_is_longer_than_a_person_would_type(seed: int) -> None:
    suite = SUITE if seed == 42 else CompositionEngine(seed).generate_suite()
    long = [task.task_id for task in suite.tasks if words_around_texts(task) > MOST_WORDS]
    assert not long


def words_around_texts(task: Task) -> int:
    """The words of a prompt outside the texts to work on that it carries."""
    rest = task.prompt
    for step in task.steps:
        parameters = catalogue()[step.tool].parameters
        for name, value in step.arguments.items():
            if parameters[name].kind.name in ("verbatim", "prose") and isinstance(value, str):
                rest = rest.replace(value, " ")
    return len(rest.split())


def test_the_words_of_a_carried_text_do_not_count() -> None:
    text = "one two three " * 100
    step = Step("step_1", "hash_text", {"text": text})
    task = Task("L0_node_0001", Level.NODE, f'Hash "{text}" please.', (), (), (step,))
    assert words_around_texts(task) == 4
    assert words_around_texts(replace(task, steps=())) > MOST_WORDS


def test_the_same_call_is_executed_once_and_gives_what_the_tool_gives() -> None:
    tools = catalogue()
    for task in SUITE.tasks:
        world = World()
        for step in task.steps:
            output = output_of(tools[step.tool], step.arguments, world)
            assert output == step.output
            if not tools[step.tool].is_stateful:
                assert output == tools[step.tool](step.arguments, World())
    weather = tools["get_weather"]
    assert output_of(weather, {"city": "Oslo"}, World()) is output_of(
        weather, {"city": "Oslo"}, World()
    )


def test_the_call_that_waited_longest_makes_room() -> None:
    weather, count = catalogue()["get_weather"], catalogue()["word_count"]
    oslo, rome = (output_of(weather, {"city": city}, World()) for city in ("Oslo", "Rome"))
    assert output_of(weather, {"city": "Oslo"}, World()) is oslo
    for number in range(KEPT - 1):
        output_of(count, {"text": f"{number}"}, World())
    assert output_of(weather, {"city": "Oslo"}, World()) is oslo
    assert output_of(weather, {"city": "Rome"}, World()) is not rome


def test_what_a_world_remembers_is_never_kept() -> None:
    store, recall = catalogue()["store_memory"], catalogue()["retrieve_memory"]
    for value in ("one", "two"):
        world = World()
        output_of(store, {"key": "gate", "value": value}, world)
        assert output_of(recall, {"key": "gate"}, world)["value"] == value


def test_a_level_without_templates_is_refused() -> None:
    only = Template(
        "one",
        prompts=("{city}?", "{city}!", "{city}."),
        slots={"city": pick("Oslo")},
        steps=(call("get_weather", city="{city}"),),
        rich="{city}",
    )
    with pytest.raises(EngineError, match="level 1"):
        CompositionEngine(1, templates=[only])
    with pytest.raises(EngineError, match="four whole numbers"):
        CompositionEngine(1, templates=[only], counts=(1, 2))
    with pytest.raises(EngineError, match="at most 100,000 tasks"):
        CompositionEngine(1, templates=[only], counts=(100_001, 0, 0, 0))
    with pytest.raises(EngineError, match="no template gives a new task"):
        CompositionEngine(1, templates=[only], counts=(9, 0, 0, 0)).generate_suite()


def test_templates_that_are_brought_along_are_checked_and_so_is_a_catalogue() -> None:
    prompts = ("{city}?", "{city}!", "{city}.")
    steps = (call("forecast", city="{city}"),)
    unknown = Template("one", prompts, {"city": pick("Oslo")}, steps, rich="{city}")
    with pytest.raises(TemplateError, match="there is no tool forecast"):
        CompositionEngine(1, templates=[unknown])
    fewer = {name: tool for name, tool in catalogue().items() if name != "get_weather"}
    with pytest.raises(TemplateError, match="there is no tool get_weather"):
        CompositionEngine(1, catalogue=fewer)


def test_a_catalogue_of_its_own_offers_its_own_tools_alone() -> None:
    CompositionEngine(6).generate_suite()
    needed = ("get_weather", "calculator", "word_count", "send_email", "hash_text")
    fewer = {name: catalogue()[name] for name in needed}
    only = [each for each in templates() if set(each.tools) == {"calculator"} and each.rich]
    suite = CompositionEngine(6, fewer, only, (3, 0, 0, 0)).generate_suite()
    assert {name for task in suite.tasks for name in task.offered} <= set(needed)


def test_templates_together_expect_the_whole_catalogue() -> None:
    assert len(templates()) >= 120
    assert {tool for template in templates() for tool in template.tools} == set(catalogue())
