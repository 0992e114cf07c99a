"""The requests that no tool serves: how many, what they offer, and that nothing moves them."""

from pathlib import Path

from dataset_builder.tasks.irrelevance import OFFERED, irrelevance_suite
from dataset_builder.tasks.task import Level
from dataset_builder.tools import catalogue
from evaluator.traces.protocols import offered_tools

SUITE = irrelevance_suite()
GOLDEN = Path(__file__).parents[1] / "golden" / "irrelevance_digest.txt"


def test_there_are_forty_of_five_kinds() -> None:
    assert [task.task_id for task in SUITE.tasks] == [f"I_{n:04}" for n in range(1, 41)]
    assert {task.level for task in SUITE.tasks} == {Level.IRRELEVANT}
    kinds = [task.metadata["template"] for task in SUITE.tasks]
    assert set(kinds) == {"conversation", "writing", "opinion", "errand", "near miss"}
    assert min(map(kinds.count, kinds)) >= 5


def test_the_rows_are_the_published_ones() -> None:
    assert SUITE.digest == GOLDEN.read_text().strip()


def test_the_nearest_tool_is_offered_with_its_kin() -> None:
    tools = catalogue()
    for task in SUITE.tasks:
        nearest = tools[task.metadata["nearest_tool"]]
        kin = [name for name in task.offered if tools[name].category == nearest.category]
        assert len(set(task.offered)) == OFFERED
        assert nearest.name in kin
        assert len(kin) >= 3


def test_every_catalogue_has_its_size() -> None:
    for task in SUITE.tasks[:3]:
        assert len(offered_tools(task, "full", catalogue())) == len(catalogue())
        assert len(offered_tools(task, "10", catalogue())) == 10
        assert set(offered_tools(task, "10", catalogue())) > set(task.offered)
