"""The functions that programs call through the Gradio client: score, submit, leaderboard, task."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import gradio as gr

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Task
from evaluator.scoring.metrics import BY_OPTION, SOLVED
from evaluator.traces.trace import TraceProblems
from space.base.login import visitor
from space.base.tiers import VIEWS
from space.board.board_table import ranking_of, records
from space.html.upload_check_page import SHOWN_PROBLEMS
from space.services import Services
from space.submissions.about import About
from space.submissions.problem_groups import grouped
from space.submissions.upload_check import read_upload

_Json = dict[str, Any]


def api(services: Services) -> None:
    """Add the endpoints to the page that is being built."""
    endpoints = _Endpoints(services)
    limited = (
        (endpoints.score, 2),
        (endpoints.submit, 4),
        (endpoints.leaderboard, 8),
        (endpoints.task, 8),
    )
    for function, limit in limited:
        gr.api(function, api_name=function.__name__, concurrency_limit=limit)


@dataclass(frozen=True)
class _Endpoints:
    """The functions; their docstrings and the types of their arguments are published."""

    services: Services

    def score(
        self,
        traces: str,
        protocol: str = "",
        catalogue: str = "",
        request: gr.Request = None,
        profile: gr.OAuthProfile | None = None,
    ) -> list[_Json]:
        """Score the text of a trace file; keeps nothing."""
        with _sentences():
            _check_texts(traces=traces, protocol=protocol, catalogue=catalogue)
            self.services.scorings.take(visitor(self.services.settings, request, profile))
            draft = read_upload(traces, self.services.settings.suite, protocol, catalogue)
        return [dict(run.scores) for run in draft.runs]

    def submit(
        self,
        traces: str,
        model: str = "",
        organisation: str = "",
        link: str = "",
        protocol: str = "",
        catalogue: str = "",
        provider: str = "",
        regime: str = "",
        open_weights: str = "",
        accept_secrets: bool = False,
        request: gr.Request = None,
        profile: gr.OAuthProfile | None = None,
    ) -> _Json:
        """Publish the text of a trace file as a self-reported run."""
        services = self.services
        about = About(model, organisation, link, provider, regime, open_weights)
        with _sentences():
            _check_texts(traces=traces, protocol=protocol, catalogue=catalogue, **asdict(about))
            if not isinstance(accept_secrets, bool):
                raise InputError("accept_secrets: expected true or false")
            who = visitor(services.settings, request, profile)
            services.publications.take(who)
            draft = read_upload(traces, services.settings.suite, protocol, catalogue)
            submission, is_new = services.publish(draft, about, who, accept_secrets)
        name = submission.id
        entries = [
            entry
            for entry in services.board.current().entries
            if entry.id == name or entry.id.startswith(f"{name}.")
        ]
        runs = [entry.id for entry in entries]
        same_as = {entry.id: entry.same_as for entry in entries if entry.same_as}
        return {"id": name, "is_new": is_new, "runs": runs, "same_as": same_as}

    def leaderboard(self, view: str = VIEWS[0], rank_by: str = SOLVED.option) -> list[_Json]:
        """The rows of a view, or of all, with every column, ranked within each tier and signature."""
        with _sentences():
            _check_texts(view=view, rank_by=rank_by)
            if view not in ("", *VIEWS):
                raise InputError(f"view: expected one of {', '.join(VIEWS)}, or nothing for all")
            if rank_by not in BY_OPTION:
                raise InputError(f"rank_by: expected one of {', '.join(BY_OPTION)}")
        board = self.services.board.current()
        return records([ranking_of(board, *table, rank_by=rank_by) for table in board.tables(view)])

    def task(self, task_id: str) -> _Json:
        """A task of the suite: prompt, offered tools, expected calls."""
        with _sentences():
            _check_texts(task_id=task_id)
            task = self.services.settings.suite.by_id.get(task_id)
            if task is None:
                raise InputError(f"the suite has no task {task_id[:60]!r}")
        return task_json(task)


def task_json(task: Task) -> _Json:
    """A task with its columns of JSON text opened."""
    row = task.to_row()
    return row | {
        key: json.loads(row[key]) for key in ("available_tools", "expected_trace", "metadata")
    }


def _check_texts(**arguments: object) -> None:
    """InputError that names the first argument that is no text: a client may send any JSON."""
    for name, value in arguments.items():
        if not isinstance(value, str):
            raise InputError(f"{name}: expected text")


@contextmanager
def _sentences() -> Iterator[None]:
    """Turns what a caller did wrong into an error that the client shows as it is."""
    try:
        yield
    except TraceProblems as error:
        kinds = grouped(error.problems)
        shown = kinds[:SHOWN_PROBLEMS]
        more = len(kinds) - len(shown)
        text = "\n".join([*shown, *([f"... and {more} more"] if more else [])])
        raise gr.Error(text, print_exception=False) from None
    except InputError as error:
        raise gr.Error(str(error), print_exception=False) from None
