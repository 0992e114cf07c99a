"""The command that opens the page."""

from pathlib import Path

import click

from dataset_builder.errors import InputError


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), default=7860, show_default=True)
@click.option("--suite", help="Dataset folder, file or Hub id. [default: seed 42]")
@click.option("--runs", type=click.Path(path_type=Path), default=Path("runs"), show_default=True)
@click.option(
    "--submissions", type=click.Path(path_type=Path), default=Path("submissions"), show_default=True
)
@click.option(
    "--jobs",
    type=click.Path(path_type=Path),
    default=Path("jobs"),
    show_default=True,
    help="Folder of the runs that are started from the page.",
)
def space(port: int, suite: str | None, runs: Path, submissions: Path, jobs: Path) -> None:
    """Open the leaderboard page over the runs and submissions on disk.

    On a Hugging Face Space it is open to everybody; anywhere else only to this machine.
    """
    import os
    import signal

    from dataset_builder.published.load_suite import load_suite
    from space.base.settings import read_settings

    settings = read_settings(load_suite(suite), runs, submissions, os.environ, jobs)
    # A folder of our own: what is old in it is deleted.
    os.environ["GRADIO_TEMP_DIR"] = str(settings.uploads.absolute())
    try:
        from space.page.app import launch
        from space.page.upload_folder import keep_swept
        from space.services import open_services
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] in ("space", "evaluator", "dataset_builder"):
            raise
        raise InputError(
            f"the page needs {error.name}: pip install 'comptoolbench[space]'"
        ) from None
    # So the runs that were started here end with the page, as they do at Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        page = launch(
            open_services(settings), port, "0.0.0.0" if settings.is_hosted else "127.0.0.1"
        )
    except OSError:
        raise InputError(f"port {port} is taken: choose another with --port") from None
    keep_swept(settings.uploads)
    click.echo(f"CompToolBench on http://127.0.0.1:{port} (Ctrl-C ends it)")
    page.block_thread()
