"""comptoolbench export: print a run's scores in another format."""

from pathlib import Path

import click

from dataset_builder.errors import InputError
from dataset_builder.published.croissant_metadata import REPO
from dataset_builder.published.load_suite import load_suite

FORMATS = ("eval-results", "every-eval-ever")


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--to", "form", type=click.Choice(FORMATS), required=True, help="The format to write."
)
@click.option(
    "--dataset",
    default=REPO,
    show_default=True,
    metavar="ORG/NAME",
    help="Where the dataset stands on the Hub.",
)
def export(run: Path, form: str, dataset: str) -> None:
    """Print the scores of RUN, a run folder, in another format.

    eval-results: YAML for .eval_results/comptoolbench.yaml in the model's repository on the Hub.
    every-eval-ever: a JSON record of that collection. Only a complete, ranked run is exported.
    """
    from evaluator.comparing.load_results import load_result
    from evaluator.integrations.eval_results import eval_results_yaml
    from evaluator.integrations.every_eval_ever import every_eval_ever_json

    result = load_result(run, load_suite())
    if result.is_control:
        raise InputError(f"{run}: a run in another wording is no result of the benchmark")
    if not result.scores["ranked"]:
        reasons = "; ".join(result.scores["diagnostics"]["not_ranked"])
        raise InputError(f"{run}: only ranked runs are exported ({reasons})")
    write = eval_results_yaml if form == "eval-results" else every_eval_ever_json
    click.echo(write(result, dataset), nl=False)
