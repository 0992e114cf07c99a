"""comptoolbench audit: check a suite against every rule."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from dataset_builder.errors import InputError
from dataset_builder.published.columns import HORIZON, SUITE_CONFIGS
from dataset_builder.published.load_suite import load_suite
from dataset_builder.seeds import Seeds
from dataset_builder.tasks.irrelevance import IRRELEVANCE
from dataset_builder.tasks.task import Suite
from dataset_builder.tools import catalogue
from dataset_builder.visible_text import inert
from evaluator.commands.options import workers_option

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
@click.option("--seeds", type=Seeds(), help="Make and check these seeds instead, such as 1-100.")
@workers_option
@click.option("--json", "as_json", is_flag=True, help="Print the defects as JSON.")
@click.pass_context
def audit(
    context: click.Context,
    suite: str | None,
    config: str,
    seeds: tuple[int, ...] | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Check SUITE (a dataset folder, file or Hub id; seed 42 by default) against every rule.

    Exits with 1 where there is a defect.
    """
    if suite is not None and seeds is not None:
        raise InputError("--seeds makes its own suites: leave out SUITE")
    if workers is not None and seeds is None:
        raise InputError("--workers goes with --seeds")
    if seeds is not None:
        context.exit(
            1 if _audit_seeds(seeds, config, 1 if workers is None else workers, as_json) else 0
        )
    from evaluator.audit import audit as find_defects

    loaded = load_suite(suite, config=config)
    defects = list(find_defects(loaded, catalogue()))
    if as_json:
        click.echo(json.dumps([vars(defect) for defect in defects], ensure_ascii=False, indent=1))
    else:
        _show(loaded, defects)
    context.exit(1 if defects else 0)


def _audit_seeds(seeds: Sequence[int], config: str, workers: int, as_json: bool) -> int:
    """Audit what is made of each seed, and say what is wrong in the order of seeds; how many defects."""
    from dataset_builder.workers import in_order, shared_out
    from evaluator.audit.seeds import AuditSeed

    found, tasks = [], 0
    audited = in_order(shared_out(AuditSeed(config), seeds, workers))
    for seed, (count, defects) in zip(seeds, audited, strict=True):
        tasks += count
        for defect in defects:
            found.append({"seed": seed, **vars(defect)})
            if not as_json:
                task = defect.task_id or "the suite"
                click.echo(inert(f"seed {seed:<6} {defect.rule:20} {task:18} {defect.detail}"))
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False, indent=1))
    else:
        what = _HELD.get(config, "tasks")
        click.echo(f"{tasks} {what} of {len(seeds)} seeds: {len(found) or 'no'} defects")
    return len(found)


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
