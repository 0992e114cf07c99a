"""Options that the commands share which ask a model: run, horizon, control, sweep."""

import sys
from pathlib import Path

import click

from evaluator.commands.options import suite_option
from evaluator.traces.protocols import CALLS, CHAT, ENDPOINTS, MAX_SAMPLES, PROTOCOLS, SINGLE_TURN
from evaluator.traces.variations import DEFAULT_SEED, MAX_SEED, SCRAMBLES

MAX_KEY = 10_000


class CatalogueName(click.ParamType[str]):
    """``full``, ``task`` or a number of tools."""

    name = "full|task|N"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """The name, checked."""
        from dataset_builder.tools import catalogue
        from evaluator.traces.protocols import canonical_catalogue

        try:
            return canonical_catalogue(str(value), len(catalogue()))
        except ValueError as error:
            self.fail(str(error), param, ctx)


def _key_from_stdin(context: click.Context, option: click.Parameter, given: bool) -> str | None:
    """The first line of standard input, which a terminal does not show."""
    if not given:
        return None
    if sys.stdin.isatty():
        return str(click.prompt("API key", hide_input=True, err=True)).strip()
    return sys.stdin.readline(MAX_KEY).strip()


protocol_option = click.option(
    "--protocol",
    type=click.Choice(PROTOCOLS),
    default=SINGLE_TURN,
    show_default=True,
    help="How the model is asked.",
)
catalogue_option = click.option(
    "--catalogue",
    type=CatalogueName(),
    default="full",
    show_default=True,
    help="The tools offered: all, the task's own, or N of them.",
)
out_option = click.option(
    "--out", type=click.Path(path_type=Path), help="The run's folder. [default: runs/…]"
)
_SUITE_OPTIONS = (
    suite_option,
    click.option(
        "--samples",
        type=click.IntRange(1, MAX_SAMPLES),
        default=1,
        show_default=True,
        help="Answers a task, for pass^k.",
    ),
    click.option(
        "--limit", type=click.IntRange(1), help="Only so many tasks, stratified by level."
    ),
)
_REQUEST_OPTIONS = (
    click.option(
        "--calls",
        type=click.Choice(CALLS),
        help="How calls are made: natively, or as JSON by models that cannot. "
        "[default: native; json for local:smollm2]",
    ),
    click.option(
        "--endpoint",
        type=click.Choice(ENDPOINTS),
        default=CHAT,
        show_default=True,
        help="Which of a provider's interfaces is asked: Chat Completions, or Responses.",
    ),
    click.option(
        "--concurrency",
        type=click.IntRange(1, 1000),
        help="Requests at once. [default: 8; 1 for local:smollm2]",
    ),
    click.option("--rpm", type=click.IntRange(1), help="At most so many requests a minute."),
    click.option("--tpm", type=click.IntRange(1), help="At most so many tokens a minute."),
    click.option(
        "--max-cost",
        type=click.FloatRange(0, min_open=True),
        help="Stop before the run has cost more than so many US dollars.",
    ),
    click.option(
        "--api-base", help="Address of an OpenAI-compatible endpoint, up to and with /v1."
    ),
    click.option(
        "--key-variable",
        help="Environment variable with the key for --api-base (none is sent otherwise).",
    ),
    click.option(
        "--api-key-stdin",
        "api_key",
        is_flag=True,
        callback=_key_from_stdin,
        help="Read the key from a line of standard input; none of the environment is used.",
    ),
    click.option(
        "--own-temperature",
        is_flag=True,
        help="Send no temperature, for a model that refuses 0.",
    ),
)


_VARIATION_OPTIONS = (
    click.option(
        "--scramble",
        type=click.Choice(SCRAMBLES),
        help="Offer the tools under made-up names, or with descriptions without meaning (names and "
        "parameters stay). Not ranked, as with the next two.",
    ),
    click.option(
        "--faults",
        type=click.IntRange(1, 100),
        metavar="PERCENT",
        help="In multi-turn, let so many in 100 tools fail at their first call of a task, time out "
        "or answer in another format.",
    ),
    click.option(
        "--withhold",
        is_flag=True,
        help="Leave a tool that the task needs out of those offered.",
    ),
    click.option(
        "--variation-seed",
        type=click.IntRange(0, MAX_SEED),
        help=f"What --scramble, --faults and --withhold are drawn by. [default: {DEFAULT_SEED}]",
    ),
)


def variation_options(command: click.Command) -> click.Command:
    """Give a command what a run may vary (specification: Variations)."""
    for option in _VARIATION_OPTIONS:
        option(command)
    return command


def asking_options(command: click.Command) -> click.Command:
    """Give a command what all have that ask a model of a suite: its tasks, limits, address and key."""
    for option in _SUITE_OPTIONS:
        option(command)
    return request_options(command)


def request_options(command: click.Command) -> click.Command:
    """Give a command what every request hangs on: form of the calls, limits, address and key."""
    for option in _REQUEST_OPTIONS:
        option(command)
    return command
