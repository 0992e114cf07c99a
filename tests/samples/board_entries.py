"""Runs on the board over the small suite, made without files."""

from pathlib import Path
from typing import Any

from evaluator.comparing.results import Result, template_of
from space.base.tiers import MADE_HERE
from space.board.entry import Entry
from space.submissions.upload_check import read_upload
from tests.samples.submitted_files import SUITE, trace_lines

TEMPLATES = template_of(SUITE)


def about(model: str, submitter: str = "") -> dict[str, str]:
    """What is said of a run, which is little."""
    names = ("provider", "organisation", "link", "regime", "open_weights", "date")
    return {"model": model, "submitter": submitter, **dict.fromkeys(names, "")}


def entry(
    model: str,
    right: int = 3,
    tier: str = MADE_HERE,
    status: str = "",
    usage: dict[str, Any] | None = None,
    said: dict[str, str] | None = None,
    **traces: Any,
) -> Entry:
    """A run that solves the first so many tasks, with fields of its rows and of its description."""
    text = trace_lines(model, right, SUITE, **traces, **(usage or {}))
    (run,) = read_upload(text, SUITE).runs
    result = Result(f"{model}{tier}", run.scores, {}, TEMPLATES)
    return Entry(f"run-{model}", tier, result, about(model) | (said or {}), Path(), status)
