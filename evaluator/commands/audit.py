"""comptoolbench audit: check a suite against every rule."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from dataset_builder.published.columns import HORIZON, SUITE_CONFIGS
from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.irrelevance import IRRELEVANCE
from dataset_builder.tasks.task import Suite
from dataset_builder.tools import catalogue
from dataset_builder.visible_text import inert

if TYPE_CHECKING:
    from evaluator.audit.rules import Defect

_HELD = {HORIZON: "procedures", IRRELEVANCE: "requests without a call"}


@click.command()
@click.argument("suite", required=False)
@click.option(
    "--config",
    type=click.Choice(SUITE_CONFIGS),
    default="default",
    show_default=True,
    help="horizon: the procedures, which take half a minute; irrelevance: the requests that no tool serves.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the defects as JSON.")
@click.pass_context
def audit(context: click.Context, suite: str | None, config: str, as_json: bool) -> None:
    """Check SUITE (a dataset folder, file or Hub id; seed 42 by default) against every rule.

    Exits with 1 where there is a defect.
    """
    from evaluator.audit import audit as find_defects

    loaded = load_suite(suite, config=config)
    defects = list(find_defects(loaded, catalogue()))
    if as_json:
        click.echo(json.dumps([vars(defect) for defect in defects], ensure_ascii=False, indent=1))
    else:
        _show(loaded, defects)
    context.exit(1 if defects else 0)


def _show(suite: Suite, defects: "Sequence[Defect]") -> None:
    """A line for each defect, and one that sums up."""
    from evaluator.audit import rules_of

    for defect in defects:
        task = defect.task_id or "the suite"
        click.echo(inert(f"{defect.rule:20} {task:18} {defect.detail}"))
    counts = Counter(defect.rule for defect in defects)
    by_rule = ", ".join(f"{rule} {count}" for rule, count in counts.most_common())
    verdict = f"{len(defects)} defects ({by_rule})" if defects else "no defect"
    what = _HELD.get(suite.name, "tasks")
    click.echo(
        f"{len(suite.tasks)} {what} of suite {suite.version}, digest {suite.digest[:8]}: "
        f"{verdict} under {len(rules_of(suite))} rules"
    )
