"""comptoolbench annotate: check tasks by hand, and measure agreement."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dataset_builder.errors import InputError, why
from dataset_builder.published.load_suite import load_suite
from dataset_builder.tools import catalogue
from evaluator.commands.options import json_option, suite_option

if TYPE_CHECKING:
    from evaluator.audit.annotation_sheets import Verdicts


@click.group()
def annotate() -> None:
    """Check tasks by hand after the paper's Appendix I."""


@annotate.command("sample")
@suite_option
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
@json_option
def annotate_kappa(sheets: tuple[Path, ...], as_json: bool) -> None:
    """Show how many tasks pass on filled-in SHEETS, and Cohen's kappa of each pair of annotators.

    A sheet is CSV as spreadsheets write it: commas, semicolons or tabs, yes or no in each column.
    """
    from evaluator.audit.annotation_sheets import read_sheet
    from evaluator.audit.annotator_agreement import agreement_json

    read = {path.stem: read_sheet(path) for path in sheets}
    if len(read) != len(sheets):
        raise InputError("two sheets have the same name: it is what tells the annotators apart")
    for sheet in read.values():
        if sheet.remark:
            click.echo(sheet.remark, err=True)
    verdicts = {name: sheet.verdicts for name, sheet in read.items()}
    click.echo(agreement_json(verdicts) if as_json else _agreement_text(verdicts))


def _agreement_text(verdicts: "Mapping[str, Verdicts]") -> str:
    """The shares that pass, an annotator a row; below them the pairs, where there are any."""
    from evaluator.audit.annotator_agreement import agreement, passed
    from evaluator.scoring.text_tables import columns, percent

    shares = {name: passed(sheet) for name, sheet in verdicts.items()}
    rows = [("passed, %", *next(iter(shares.values())))]
    rows += [(name, *map(percent, by_criterion.values())) for name, by_criterion in shares.items()]
    tables = [columns(rows, right=range(1, 6))]
    if len(verdicts) > 1:
        pairs = [("annotators", "criterion", "tasks", "agreement, %", "kappa")]
        pairs += [
            (
                str(row["annotators"]),
                str(row["criterion"]),
                str(row["tasks"]),
                percent(row["agreement"]),  # type: ignore[arg-type]
                "–" if row["kappa"] is None else f"{row['kappa']:.2f}",
            )
            for row in agreement(verdicts)
        ]
        tables.append(columns(pairs, right=(2, 3, 4)))
    return "\n\n".join(tables)
