"""How settings with a variation are called, and that no sweep takes them for plain ones."""

from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tools import catalogue
from evaluator.comparing.answer_digests import answers_of
from evaluator.comparing.results import Result, template_of
from evaluator.report.build import compose
from evaluator.report.settings import stems, words
from evaluator.scoring.score import Scorer
from evaluator.scoring.score_traces import score_traces
from evaluator.traces.trace import Call, Trace
from evaluator.traces.variations import PLAIN, Variation

SUITE = CompositionEngine(7, counts=(4, 4, 4, 4)).generate_suite()
LINE = "ctb:3.0.0+1a2b3c4d|seed:42|n:9|protocol:multi-turn.2|catalogue:task|calls:native|scorer:2"
FAULTS = Variation(faults="40.1")


def test_a_setting_is_called_by_what_it_varies() -> None:
    varied = f"{LINE}|faults:20.1"
    assert words(LINE) == "multi-turn, each task's own tools offered, 9 tasks"
    assert words(varied) == (
        "multi-turn, each task's own tools offered, faults in 20 % of the tools (seed 1), 9 tasks"
    )
    assert stems([LINE, varied]) == {
        LINE: "multi-turn-task-9",
        varied: "multi-turn-task-faults-20.1-9",
    }


def result(catalogue_name: str, variation: Variation) -> Result:
    extra = {"asked": variation.written} if variation.written else {}
    rows = [
        Trace(
            task.task_id,
            tuple(Call(step.tool, dict(step.arguments)) for step in task.steps),
            "openai/gpt-4o",
            protocol="multi-turn",
            catalogue=catalogue_name,
            extra=extra,
        )
        for task in SUITE.tasks
    ]
    (run,) = score_traces(rows, SUITE, Scorer(catalogue()), "rows")
    name = f"{catalogue_name} {variation.written}"
    return Result(name, run.scores, {}, template_of(SUITE), answers_of(rows))


def test_no_sweep_takes_a_varied_run_for_a_plain_one() -> None:
    def titles(*results: Result) -> list[str]:
        return [section.title for section in compose(results).sections]

    plain, other, varied = result("8", PLAIN), result("64", PLAIN), result("64", FAULTS)
    swept = set(titles(plain, other)) - set(titles(plain, varied))
    assert any("tools are offered" in title for title in swept), swept
    about = compose([plain, varied]).sections[-1]
    remarks = about.tables[0].frame["remark"].tolist()
    assert sum("Recovery from faults: solved" in remark for remark in remarks) == 1
