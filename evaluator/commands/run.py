"""comptoolbench run: ask a model and record its traces."""

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dataset_builder.tasks.irrelevance import IRRELEVANCE
from evaluator.commands.asking_options import (
    asking_options,
    catalogue_option,
    out_option,
    protocol_option,
    variation_options,
)

if TYPE_CHECKING:
    from evaluator.traces.variations import Variation

FEWEST_BESIDE_WITHHELD = 8
"""A smaller catalogue may hold nothing but what is withheld."""


@asking_options
@variation_options
@click.command()
@click.argument("model")
@protocol_option
@catalogue_option
@click.option(
    "--config",
    type=click.Choice(("default", IRRELEVANCE)),
    default="default",
    show_default=True,
    help="irrelevance: 40 requests that no tool serves, for the rate of false calls. Not ranked.",
)
@out_option
@click.option(
    "--fresh",
    is_flag=True,
    help="Ask 60 fresh tasks as well, whose seed is made with the secret COMPTOOLBENCH_SECRET.",
)
@click.option(
    "--fresh-suite", help="Ask the tasks of this file as well, which somebody else has made fresh."
)
@click.pass_context
def run(
    context: click.Context,
    /,
    model: str,
    protocol: str,
    catalogue: str,
    config: str,
    out: Path | None,
    fresh: bool,
    fresh_suite: str | None,
    scramble: str | None,
    faults: int | None,
    withhold: bool,
    variation_seed: int | None,
    **more: object,
) -> None:
    """Ask MODEL every task and record its traces; a run that was cut short is resumed.

    MODEL is a LiteLLM id such as openai/gpt-4o-mini, a name that `comptoolbench models` lists, or
    a built-in agent such as baseline:oracle or local:smollm2.
    """
    from evaluator.asking.ask_suite import ask_model
    from evaluator.asking.run_options import RunOptions
    from evaluator.traces.variations import read_variation

    variation = read_variation(scramble, faults, withhold, variation_seed, protocol)
    is_fresh = fresh or fresh_suite is not None
    _refuse_beside(variation, catalogue, is_fresh=is_fresh)
    if config == IRRELEVANCE:
        _refuse_beside_irrelevance(variation, is_fresh=is_fresh)
    options = RunOptions(
        model=model,
        protocol=protocol,
        catalogue=catalogue,
        config=config,
        variation=variation,
        **more,  # type: ignore[arg-type]
    )
    secret = _secret() if fresh else None
    finished = ask_model(options, out, sys.stderr)
    click.echo(finished.summary())
    if secret is not None and finished.state.is_complete:
        from evaluator.experiments.fresh_tasks import ask_fresh

        finished = ask_fresh(options, finished.folder, secret, sys.stderr)
        click.echo(finished.summary())
    if fresh_suite is not None and finished.state.is_complete:
        other = replace(options, suite=fresh_suite, limit=None)
        finished = ask_model(other, finished.folder / "fresh", sys.stderr)
        click.echo(finished.summary())
    context.exit(finished.exit_code)


def _refuse_beside(variation: "Variation", catalogue: str, *, is_fresh: bool) -> None:
    """Refuse what makes no sense together with a variation, in one sentence."""
    from dataset_builder.errors import InputError

    is_small = catalogue.isdigit() and int(catalogue) < FEWEST_BESIDE_WITHHELD
    if variation.withhold is not None and is_small:
        raise InputError(
            f"--withhold: expected full, task or at least {FEWEST_BESIDE_WITHHELD} tools as "
            "--catalogue, since fewer may leave none"
        )
    if variation.written and is_fresh:
        raise InputError(
            "--fresh and --fresh-suite: not with --scramble, --faults or --withhold, since fresh "
            "tasks stand beside a plain run"
        )


def _refuse_beside_irrelevance(variation: "Variation", *, is_fresh: bool) -> None:
    """Refuse what needs tasks with calls, in one sentence."""
    from dataset_builder.errors import InputError

    if variation.faults is not None or variation.withhold is not None:
        raise InputError(
            "--config irrelevance: not with --faults or --withhold, since its requests need no tool"
        )
    if is_fresh:
        raise InputError(
            "--config irrelevance: not with --fresh or --fresh-suite, whose tasks stand beside the suite"
        )


def _secret() -> bytes:
    """The secret of fresh tasks, which nothing that is started from here inherits."""
    from dataset_builder.errors import InputError

    secret = os.environ.pop("COMPTOOLBENCH_SECRET", "")
    if not secret:
        raise InputError("--fresh needs a secret: set COMPTOOLBENCH_SECRET")
    return secret.encode()
