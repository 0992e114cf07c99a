"""comptoolbench explain: show why a run's answers score what they do."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dataset_builder.did_you_mean import did_you_mean
from dataset_builder.errors import InputError
from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.task import Suite
from dataset_builder.tools import catalogue
from evaluator.commands.options import json_option, suite_option

if TYPE_CHECKING:
    from evaluator.explaining.explain_runs import Run

_WORST = 10


class ErrorClass(click.ParamType[str]):
    """An error class, by its name or its number alone (E4)."""

    name = "class"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """The class's full name."""
        from evaluator.scoring.error_classes import MEANING

        text = str(value)
        for known in MEANING:
            if text.casefold() in (known.casefold(), known.partition("_")[0].casefold()):
                return known
        expected = ", ".join(MEANING)
        self.fail(f"{text!r}: expected one of {expected}{did_you_mean(text, MEANING)}", param, ctx)


class LevelName(click.ParamType[int]):
    """A level, L0 to L3 or its number alone."""

    name = "level"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """The level's number."""
        text = str(value).upper().removeprefix("L")
        if text not in ("0", "1", "2", "3"):
            self.fail(f"{value!r}: expected L0, L1, L2 or L3", param, ctx)
        return int(text)


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("task", required=False)
@suite_option
@click.option("--model", help="Which model's run, where a file or folder holds several.")
@click.option("--sample", type=click.IntRange(0), help="Which answer to TASK. [default: the worst]")
@click.option(
    "--most", type=click.IntRange(1), default=_WORST, show_default=True, help="Tasks to list."
)
@click.option("--all", "show_all", is_flag=True, help="List all tasks that are no strict pass.")
@click.option("--error", "errors", type=ErrorClass(), multiple=True, help="Only these, such as E4.")
@click.option(
    "--level",
    "levels",
    type=LevelName(),
    multiple=True,
    help="Only tasks of this level, such as L2.",
)
@json_option
def explain(
    run: Path,
    task: str | None,
    suite: str | None,
    model: str | None,
    sample: int | None,
    most: int,
    show_all: bool,
    errors: tuple[str, ...],
    levels: tuple[int, ...],
    as_json: bool,
) -> None:
    """Show why RUN scores what it does: its outcomes and worst tasks, or everything about one TASK.

    RUN is a run folder or a trace file, or the folder of a control experiment. TASK is an id such as
    L1_chain_0049: then the expected calls stand beside those made, value by value.
    """
    from evaluator.explaining.explain_runs import find_runs

    if task is None and sample is not None:
        raise InputError("--sample is for one task: name it after the run")
    if task is not None and (errors or levels or show_all):
        raise InputError("--error, --level and --all choose among tasks: leave out the task's id")
    loaded = load_suite(suite)
    runs = find_runs(run, loaded, catalogue(), model)
    if task is not None:
        _explain_task(runs, task, loaded, sample, as_json)
    else:
        _explain_runs(runs, errors, levels, None if show_all else most, as_json)


def _explain_runs(
    runs: "Sequence[Run]",
    errors: Sequence[str],
    levels: Sequence[int],
    most: int | None,
    as_json: bool,
) -> None:
    """The worst tasks of a run; of an experiment's runs one after the other, below their table."""
    from evaluator.comparing.control_table import control_table
    from evaluator.explaining.explain_runs import run_data
    from evaluator.explaining.explain_text import run_text

    data = [run_data(run, errors, levels) for run in runs]
    if as_json:
        _print_json(data)
        return
    parts = [run_text(each, most) for each in data]
    if len(runs) > 1:
        arms = [(str(run.wording), run.scored.scores["tasks"]) for run in runs]
        parts.insert(0, control_table(arms))
    click.echo("\n\n".join(parts))


def _explain_task(
    runs: "Sequence[Run]", task: str, suite: Suite, sample: int | None, as_json: bool
) -> None:
    """Everything about the answer to a task: the worst of several samples, of each of several runs."""
    from evaluator.explaining.explain_runs import answer_data, chosen_sample, explanations
    from evaluator.explaining.explain_text import answer_text, samples_text

    data, parts = [], []
    for run in runs:
        answers = explanations(run, task, suite, catalogue())
        chosen = chosen_sample(answers, sample)
        rows = [each.score.to_row() for each in answers]
        about = {"run": run.scored.name, "wording": run.wording, "samples": rows}
        data.append(about | answer_data(chosen))
        if len(runs) > 1:
            parts.append(f"Wording {run.wording}")
        if len(answers) > 1:
            parts.append(samples_text(rows, chosen.trace.sample))
        parts.append(answer_text(data[-1]))
    if as_json:
        _print_json(data)
    else:
        click.echo("\n\n".join(parts))


def _print_json(data: Sequence[object]) -> None:
    # In ASCII, since a trace may hold what a terminal would obey.
    click.echo(json.dumps(data[0] if len(data) == 1 else data, indent=1))
