"""The page: a leaderboard, the reasons behind every score, and a place to upload traces."""

import os
from pathlib import Path
from typing import Any

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

import gradio as gr
import pandas as pd

from dataset_builder.errors import InputError
from dataset_builder.task import Suite
from dataset_builder.tools import catalogue
from evaluator.offline import ScoredRun, score_traces
from evaluator.signature import suite_label
from evaluator.tables import score_table
from evaluator.trace import TraceProblems, read_trace_text
from space.board import HERE, SELF_REPORTED, Board, level_table, load_board, table, task_table
from space.store import Store

MAX_UPLOAD_BYTES = 64 * 2**20
SHOWN_PROBLEMS = 50
CSS = """
.gradio-container { max-width: 1500px !important; margin: auto; }
.wrap-cells td { white-space: pre-wrap; }
"""
INTRODUCTION = """# CompToolBench
Can a language model *compose* tools? Each score is computed from the calls themselves: traces are
stored, never scores. Runs are ranked only against runs with the same signature; a run takes a lower
rank only where it is significantly worse (95 %, clustered by template)."""


def build(suite: Suite, runs: Path, submissions: Path) -> gr.Blocks:
    """The page over a folder of runs and a folder of submissions."""
    store = Store(submissions)

    def board() -> Board:
        return load_board(suite, runs, store)

    with gr.Blocks(title="CompToolBench") as page:
        gr.Markdown(INTRODUCTION)
        gr.Markdown(f"Suite `{suite_label(suite)}`, {len(suite.tasks)} tasks.")
        with gr.Tab("Leaderboard"):
            notes = gr.Markdown()
            here = _board_table("Runs on this machine")
            uploaded = _board_table(
                "Self-reported: uploaded traces, which prove nothing by themselves"
            )
        with gr.Tab("Why"):
            choice = gr.Dropdown(label="Run", choices=[], interactive=True)
            card = gr.Code(label="Scores", language=None, interactive=False)
            why = _task_table()
        with gr.Tab("Score a trace file"):
            _submit_tab(suite, store, board, (notes, here, uploaded, choice))
        page.load(lambda: _views(board()), outputs=[notes, here, uploaded, choice])
        choice.change(lambda name: _explained(board(), name), inputs=choice, outputs=[card, why])
    return page


def _board_table(label: str) -> gr.Dataframe:
    return gr.Dataframe(
        label=label,
        interactive=False,
        show_search="filter",
        pinned_columns=2,
        wrap=False,
        elem_id=label.split(":", maxsplit=1)[0].lower().replace(" ", "-"),
    )


def _task_table() -> gr.Dataframe:
    return gr.Dataframe(
        label="Tasks, the worst first",
        interactive=False,
        show_search="filter",
        wrap=True,
        column_widths=[150, 90, 80, 170, 480, 380],
        max_height=700,
        elem_classes="wrap-cells",
    )


def _views(board: Board) -> tuple[Any, ...]:
    """What the leaderboard tab shows, and the choices of the second tab."""
    here = table(listed for listed in board.runs if listed.tier == HERE)
    uploaded = table(listed for listed in board.runs if listed.tier == SELF_REPORTED)
    note = ""
    if not board.runs:
        note = (
            "No runs yet: `make demo` makes the first ones, "
            "`comptoolbench run MODEL` any other; or upload a trace file."
        )
    if board.problems:
        note += f"\n\n{len(board.problems)} runs could not be read and are left out."
    choices = [
        (f"{listed.run.scores['model'] or 'unnamed'} · {listed.id}", listed.id)
        for listed in board.runs
    ]
    first = choices[0][1] if choices else None
    return note, here, uploaded, gr.Dropdown(choices=choices, value=first)


def _explained(board: Board, name: str | None) -> tuple[str, pd.DataFrame | None]:
    listed = board.find(name) if name else None
    if listed is None:
        return "", None
    return score_table(listed.run.scores), task_table(listed.run)


def _submit_tab(suite: Suite, store: Store, board: Any, views: tuple[Any, ...]) -> None:
    gr.Markdown(
        "One JSON object a line: `task_id`, `model`, `calls`; `protocol` and `catalogue` for a "
        "comparable score. Outputs in the file are ignored: the calls are executed again."
    )
    file = gr.File(label="Trace file (.jsonl)", file_types=[".jsonl", ".json", ".txt"])
    problems = gr.Code(label="Problems", language=None, interactive=False, visible=False)
    levels = gr.Dataframe(label="Scorecard, in per cent", interactive=False, visible=False)
    card = gr.Code(label="In full", language=None, interactive=False, visible=False)
    why = _task_table()
    why.visible = False
    publish = gr.Button("Add to the board", variant="primary", visible=False)
    said = gr.Markdown()
    content = gr.State()

    def read(path: str | None) -> tuple[Any, ...]:
        try:
            text, scored = _score_upload(path, suite)
        except InputError as error:
            hidden = gr.update(visible=False)
            shown = gr.update(value=_first_problems(error), visible=path is not None)
            return shown, hidden, hidden, hidden, hidden, "", None
        tables = "\n\n\n".join(score_table(run.scores) for run in scored)
        return (
            gr.update(visible=False),
            gr.update(value=level_table(scored[0]), visible=True),
            gr.update(value=tables, visible=True),
            gr.update(value=task_table(scored[0]), visible=True),
            gr.update(visible=True),
            "",
            text,
        )

    def add(text: str | None) -> tuple[Any, ...]:
        if text is None:
            return "Upload a trace file first.", *(gr.update() for _ in views)
        submission, is_new = store.add(text.encode(), {"tier": SELF_REPORTED})
        done = f"On the board as `{submission.id}`."
        if not is_new:
            done = f"These traces are on the board already, as `{submission.id}`."
        return done, *_views(board())

    shown = [problems, levels, card, why, publish, said, content]
    file.change(read, inputs=file, outputs=shown)
    publish.click(add, inputs=content, outputs=[said, *views])


def _score_upload(path: str | None, suite: Suite) -> tuple[str, list[ScoredRun]]:
    """The text of an uploaded file and its runs; InputError with every problem of it."""
    if path is None:
        raise InputError("no file")
    file = Path(path)
    if file.stat().st_size > MAX_UPLOAD_BYTES:
        raise InputError(f"the file is larger than {MAX_UPLOAD_BYTES // 2**20} MB")
    try:
        text = file.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"the file is no UTF-8 text (byte {error.start})") from None
    traces = read_trace_text(text, suite, file.name)
    return text, score_traces(traces, suite, catalogue(), file.name)


def _first_problems(error: InputError) -> str:
    found = error.problems if isinstance(error, TraceProblems) else [str(error)]
    more = [f"… and {len(found) - SHOWN_PROBLEMS} more"] if len(found) > SHOWN_PROBLEMS else []
    return "\n".join([*found[:SHOWN_PROBLEMS], *more])
