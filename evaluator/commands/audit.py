"""comptoolbench audit: check a suite against every rule."""

import json
from collections import Counter

import click

from dataset_builder.published.load_suite import load_suite
from dataset_builder.tools import catalogue
from dataset_builder.visible_text import inert


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

    loaded = load_suite(suite)
    defects = list(find_defects(loaded, catalogue()))
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
            f"{len(loaded.tasks)} tasks of suite {loaded.version}, digest {loaded.digest[:8]}: "
            f"{verdict} under {len(RULES)} rules"
        )
    context.exit(1 if defects else 0)
