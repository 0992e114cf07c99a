"""Commands that judge what is there: audit, score, leaderboard, annotate."""

import json
from collections import Counter
from pathlib import Path

import click

from dataset_builder.errors import InputError, why
from dataset_builder.published.load_suite import load_suite
from dataset_builder.tools import catalogue
from dataset_builder.visible_text import inert
from evaluator.scoring.metrics import BY_OPTION, SOLVED

_suite = click.option("--suite", help="Dataset folder, file or Hub id. [default: seed 42]")
rank_by_option = click.option(
    "--rank-by",
    type=click.Choice(tuple(BY_OPTION)),
    default=SOLVED.option,
    show_default=True,
    help="Tasks solved, calls right, or the paper's weighted score.",
)


@click.command()
@click.argument("suite", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the defects as JSON.")
@click.pass_context
def audit(context: click.Context, suite: str | None, as_json: bool) -> None:
    """Check SUITE (a dataset folder, file or Hub id; seed 42 by default) against every rule.

    Exits with 1 where there is a defect.
    """
    from evaluator.audit import RULES
    from evaluator.audit import audit as find_defects

    found = load_suite(suite)
    defects = list(find_defects(found, catalogue()))
    if as_json:
        click.echo(json.dumps([vars(defect) for defect in defects], ensure_ascii=False, indent=1))
    else:
        for defect in defects:
            task = defect.task_id or "the suite"
            click.echo(inert(f"{defect.rule:20} {task:18} {defect.detail}"))
        counts = Counter(defect.rule for defect in defects)
        by_rule = ", ".join(f"{rule} {count}" for rule, count in counts.most_common())
        verdict = f"{len(defects)} defects ({by_rule})" if defects else "no defect"
        click.echo(
            f"{len(found.tasks)} tasks of suite {found.version}, digest {found.digest[:8]}: "
            f"{verdict} under {len(RULES)} rules"
        )
    context.exit(1 if defects else 0)


@click.command()
@click.argument("traces", nargs=-1, required=True, type=click.Path(path_type=Path))
@_suite
@click.option("--json", "as_json", is_flag=True, help="Print the scores as JSON.")
@click.option("--allow-partial", is_flag=True, help="Score only the tasks that have a row.")
@click.option(
    "--save", is_flag=True, help="Write scores.json and scores.parquet into the run folder."
)
def score(
    traces: tuple[Path, ...], suite: str | None, as_json: bool, allow_partial: bool, save: bool
) -> None:
    """Score TRACES, files of JSON lines or run folders, without a model or a network.

    Each run folder is scored by itself; trace files are taken together.
    """
    from evaluator.scoring.score_traces import score_paths
    from evaluator.scoring.text_tables import score_table
    from evaluator.scoring.write_scores import write_scores
    from evaluator.traces.trace_reader import is_run

    if save and not all(is_run(path) for path in traces):
        raise InputError("--save writes into run folders: name nothing else")
    runs = score_paths(traces, load_suite(suite), catalogue(), allow_partial)
    if as_json:
        results = [run.scores for run in runs]
        click.echo(
            json.dumps(results[0] if len(results) == 1 else results, ensure_ascii=False, indent=1)
        )
    else:
        click.echo("\n\n".join(score_table(run.scores) for run in runs))
    for path, run in zip(traces, runs, strict=True) if save else ():
        try:
            write_scores(path, run.scores)
        except OSError as error:
            raise InputError(f"{path}: scores cannot be written ({why(error)})") from None


@click.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
@_suite
@rank_by_option
@click.pass_context
def leaderboard(
    context: click.Context, runs: tuple[Path, ...], suite: str | None, rank_by: str
) -> None:
    """Rank RUNS: run folders, folders of them, or trace files.

    Only runs of one signature are ranked against each other. Baselines stand below them without a rank,
    and the runs of a control experiment in a table of their own. Exits with 2 where a run cannot be
    read; the others are shown.
    """
    from evaluator.commands.several_runs import read_runs
    from evaluator.comparing.leaderboard import board_text

    results, code = read_runs(runs, load_suite(suite))
    click.echo(board_text(results, BY_OPTION[rank_by]))
    context.exit(code)


@click.group()
def annotate() -> None:
    """Check tasks by hand after the paper's Appendix I."""


@annotate.command("sample")
@_suite
@click.option("--size", type=click.IntRange(1), default=50, show_default=True, help="Tasks.")
@click.option("--seed", type=int, default=0, show_default=True, help="Which sample.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("annotation.csv"),
    show_default=True,
    help="The sheet to fill in, one for each annotator.",
)
def annotate_sample(suite: str | None, size: int, seed: int, out: Path) -> None:
    """Write a sheet with a sample stratified by level: yes or no under each of four criteria."""
    from evaluator.audit.annotation import CRITERIA, sample, write_sheet

    chosen = sample(load_suite(suite), size, seed)
    try:
        write_sheet(chosen, catalogue(), out)
    except FileExistsError:
        raise InputError(f"{out} exists already: choose another --out") from None
    except OSError as error:
        raise InputError(f"{out}: cannot be written ({why(error)})") from None
    click.echo(f"{out}: {len(chosen)} tasks; answer yes or no under each of:")
    for name, question in CRITERIA.items():
        click.echo(f"  {name:13} {question}")


@annotate.command("kappa")
@click.argument("sheets", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def annotate_kappa(sheets: tuple[Path, ...], as_json: bool) -> None:
    """Show how many tasks pass on filled-in SHEETS, and Cohen's kappa of each pair of annotators.

    A sheet is CSV as spreadsheets write it: commas, semicolons or tabs, yes or no in each column.
    """
    from evaluator.audit.annotation_sheets import read_sheet
    from evaluator.audit.annotator_agreement import agreement, agreement_json, passed
    from evaluator.scoring.text_tables import columns, percent

    found = {path.stem: read_sheet(path) for path in sheets}
    if len(found) != len(sheets):
        raise InputError("two sheets have the same name: it is what tells the annotators apart")
    for sheet in found.values():
        if sheet.remark:
            click.echo(sheet.remark, err=True)
    read = {name: sheet.verdicts for name, sheet in found.items()}
    if as_json:
        click.echo(agreement_json(read))
        return
    shares = {name: passed(verdicts) for name, verdicts in read.items()}
    rows = [("passed, %", *next(iter(shares.values())))]
    rows += [(name, *map(percent, own.values())) for name, own in shares.items()]
    click.echo(columns(rows, right=range(1, 6)))
    if len(read) > 1:
        pairs = [("annotators", "criterion", "tasks", "agreement, %", "kappa")]
        pairs += [
            (
                str(row["annotators"]),
                str(row["criterion"]),
                str(row["tasks"]),
                percent(row["agreement"]),  # type: ignore[arg-type]
                "–" if row["kappa"] is None else f"{row['kappa']:.2f}",
            )
            for row in agreement(read)
        ]
        click.echo(f"\n{columns(pairs, right=(2, 3, 4))}")
