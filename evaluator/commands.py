"""Commands that judge what is there: audit, score, leaderboard, annotate."""

import json
from collections import Counter
from pathlib import Path

import click

from dataset_builder.errors import InputError, why
from dataset_builder.suite import load_suite
from dataset_builder.tools import catalogue
from evaluator.metrics import BY_OPTION, SOLVED

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
            click.echo(f"{defect.rule:20} {defect.task_id or 'the suite':18} {defect.detail}")
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
def score(traces: tuple[Path, ...], suite: str | None, as_json: bool, allow_partial: bool) -> None:
    """Score TRACES, files of JSON lines or run folders, without a model or a network.

    Beside the traces of a run folder the scores are written as scores.json and scores.parquet.
    """
    from evaluator.offline import score_files, score_folder
    from evaluator.tables import score_table, write_scores

    found = load_suite(suite)
    if len(traces) == 1 and (traces[0] / "run.json").is_file() and not allow_partial:
        runs = [score_folder(traces[0], found, catalogue())]
        write_scores(traces[0], runs[0].scores)
    else:
        runs = score_files(traces, found, catalogue(), allow_partial)
    if as_json:
        results = [run.scores for run in runs]
        click.echo(
            json.dumps(results[0] if len(results) == 1 else results, ensure_ascii=False, indent=1)
        )
    else:
        click.echo("\n\n".join(score_table(run.scores) for run in runs))


@click.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
@_suite
@rank_by_option
def leaderboard(runs: tuple[Path, ...], suite: str | None, rank_by: str) -> None:
    """Rank RUNS: run folders, folders of them, or trace files.

    Only runs of one signature are ranked against each other; control runs are left out.
    """
    from evaluator.leaderboard import board_text
    from evaluator.results import load_results

    click.echo(board_text(load_results(runs, load_suite(suite)), BY_OPTION[rank_by]))


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
    from evaluator.annotate import CRITERIA, sample, write_sheet

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
    """Show how many tasks pass on filled-in SHEETS, and Cohen's kappa of each pair of annotators."""
    from evaluator.annotate import agreement, agreement_json, passed, read_sheet
    from evaluator.tables import columns, percent

    read = {path.stem: read_sheet(path) for path in sheets}
    if len(read) != len(sheets):
        raise InputError("two sheets have the same name: it is what tells the annotators apart")
    if as_json:
        click.echo(agreement_json(read))
        return
    shares = {name: passed(sheet) for name, sheet in read.items()}
    rows = [("passed, %", *next(iter(shares.values())))]
    rows += [(name, *map(percent, found.values())) for name, found in shares.items()]
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
