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
def space(port: int, suite: str | None, runs: Path, submissions: Path) -> None:
    """Open the leaderboard page over the runs and submissions on disk."""
    try:
        import gradio as gr
    except ModuleNotFoundError:
        raise InputError("the page needs gradio: pip install 'comptoolbench[space]'") from None
    from dataset_builder.suite import load_suite
    from space.app import CSS, MAX_UPLOAD_BYTES, build

    page = build(load_suite(suite), runs, submissions)
    try:
        page.launch(
            server_name="127.0.0.1",
            server_port=port,
            css=CSS,
            theme=gr.themes.Default(),
            max_file_size=MAX_UPLOAD_BYTES,
            quiet=True,
            prevent_thread_lock=True,
        )
    except OSError:
        raise InputError(f"port {port} is taken: choose another with --port") from None
    click.echo(f"CompToolBench on http://127.0.0.1:{port} (Ctrl-C ends it)")
    page.block_thread()
