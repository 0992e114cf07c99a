"""comptoolbench mcp: serve tasks to any client of the Model Context Protocol."""

from pathlib import Path

import click

from evaluator.commands.asking_options import catalogue_option
from evaluator.commands.options import suite_option
from evaluator.traces.protocols import MAX_SAMPLES

HOST, PORT = "127.0.0.1", 8765


@click.command()
@suite_option
@click.option("--task", "task_id", metavar="ID", help="The task, over standard input and output.")
@click.option(
    "--sample", type=click.IntRange(0, MAX_SAMPLES - 1), help="Which attempt at it this is."
)
@catalogue_option
@click.option(
    "--http", is_flag=True, help="Serve all tasks over HTTP instead: /mcp?task=ID&sample=0."
)
@click.option("--host", help=f"The address with --http.  [default: {HOST}]")
@click.option("--port", type=click.IntRange(0, 65535), help=f"Its port.  [default: {PORT}]")
@click.option("--model", required=True, help="Whom the traces name: the agent and its model.")
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="The trace file, which grows."
)
def mcp(
    suite: str | None,
    task_id: str | None,
    sample: int | None,
    catalogue: str,
    http: bool,
    host: str | None,
    port: int | None,
    model: str,
    out: Path,
) -> None:
    """Serve tasks to an agent that speaks the Model Context Protocol, and record its calls.

    A session is an episode. Over standard input and output the process serves --task; over HTTP the
    address of each session names its task. `comptoolbench score` takes the trace file at any time.
    """
    from dataset_builder.errors import InputError
    from dataset_builder.published.load_suite import load_suite
    from evaluator.traces.model_name import name_problem

    _check(http, task_id, sample, host, port)
    if problem := name_problem(model):
        raise InputError(f"--model: {problem}")
    from evaluator.integrations.episode_log import EpisodeLog
    from evaluator.integrations.mcp_episode import Served
    from evaluator.integrations.mcp_server import serve_stdio

    served = Served(load_suite(suite), catalogue, model, EpisodeLog(out))
    if task_id is not None:
        serve_stdio(served.episode(task_id, sample or 0))
        return
    from evaluator.integrations.mcp_http import serve_http

    serve_http(
        served,
        HOST if host is None else host,
        PORT if port is None else port,
        lambda address: click.echo(f"{address}  (Ctrl-C ends it)", err=True),
    )


def _check(
    http: bool, task_id: str | None, sample: int | None, host: str | None, port: int | None
) -> None:
    from dataset_builder.errors import InputError

    if http and (task_id is not None or sample is not None):
        raise InputError(
            "over HTTP the address names task and sample: leave --task and --sample out"
        )
    if not http and (host is not None or port is not None):
        raise InputError("--host and --port are for --http")
    if not http and task_id is None:
        raise InputError("expected --task ID, or --http for all tasks")
