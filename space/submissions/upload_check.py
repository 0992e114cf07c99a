"""An upload before anything is published: read with every problem, scored, searched for keys."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite
from dataset_builder.tools import catalogue as benchmark_tools
from evaluator.comparing.answer_digests import Answers, answers_of
from evaluator.scoring.foreseen_values import foreseen
from evaluator.scoring.score import Scorer
from evaluator.scoring.score_traces import ScoredRun, score_traces
from evaluator.traces.protocols import PROTOCOLS, canonical_catalogue
from evaluator.traces.trace import Trace, TraceProblems
from evaluator.traces.trace_reader import read_trace_text
from space.base.sanitize import MAX_TEXT, clean, read_limited
from space.submissions.replay_budget import Meter, check_calls, check_models, metered
from space.submissions.secret_scan import Secret, find_secrets
from space.submissions.store import content_id
from space.submissions.taken_calls import Taken, taken

MAX_PREVIEW = 4_000


@dataclass(frozen=True)
class Draft:
    """An upload that was read and scored, and that nobody else has seen."""

    content: bytes
    """Exactly the bytes that came."""
    suite: Suite
    protocol: str
    """Declared for the rows that do not say; empty where nothing was declared."""
    catalogue: str
    runs: tuple[ScoredRun, ...]
    foreseen: tuple[int, ...]
    """For each run, the literals that its model cannot have seen."""
    answers: tuple[Answers, ...]
    """For each run, what it is known by."""
    secrets: tuple[Secret, ...]
    """What is shaped like a key and would become public."""
    taken: Taken
    """What its rows were taken for."""
    raw: str
    """The beginning of the raw messages, as they would become public; empty where there are none."""

    @property
    def id(self) -> str:
        """What the submission will be called."""
        return content_id(self.content)


def read_upload(source: Path | str, suite: Suite, protocol: str = "", catalogue: str = "") -> Draft:
    """Read and score an uploaded file (a path) or a pasted text (a string); nothing is kept.

    ``protocol`` and ``catalogue`` are declared for rows that say nothing themselves. TraceProblems
    with every problem and its line, or InputError where the file exceeds what a page takes.
    """
    name = clean(source.name, MAX_TEXT) if isinstance(source, Path) else "pasted text"
    with _naming(name):
        content = read_limited(source)
    traces = declared(parse(content, suite, name), protocol, catalogue)
    scored = score_stranger(traces, suite, name)
    return Draft(
        content=content,
        suite=suite,
        protocol=protocol,
        catalogue=catalogue,
        # A visitor may leave a draft lying for hours; the bytes are all it needs of the traces.
        runs=tuple(replace(run, traces=()) for run, _ in scored),
        foreseen=tuple(count for _, count in scored),
        answers=tuple(answers_of(run.traces) for run, _ in scored),
        secrets=tuple(find_secrets(content)),
        taken=taken(traces, scored[0][0].suite),
        raw=_raw(traces),
    )


def parse(content: bytes, suite: Suite, name: str) -> list[Trace]:
    """The traces in a file's bytes; TraceProblems with every line that is none."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise TraceProblems([f"{name}:{line}: is no UTF-8 text (byte {error.start + 1})"]) from None
    return read_trace_text(text, suite, name)


def score_stranger(traces: list[Trace], suite: Suite, name: str) -> list[tuple[ScoredRun, int]]:
    """Runs of somebody's traces with their foreseen literals, within a page's budget of work."""
    tools = benchmark_tools()
    with _naming(name):
        check_calls(traces)
        check_models(traces)
        runs = score_traces(traces, suite, Scorer(metered(tools, Meter())), name)
    return [(run, foreseen(run.suite, run.traces, tools)) for run in runs]


def declared(traces: list[Trace], protocol: str, catalogue: str) -> list[Trace]:
    """The traces with protocol and catalogue filled in where they are silent.

    InputError where a value is none, or where a row declares another.
    """
    if protocol and protocol not in PROTOCOLS:
        raise InputError(f"protocol: expected {' or '.join(PROTOCOLS)}")
    if catalogue:
        try:
            catalogue = canonical_catalogue(catalogue, len(benchmark_tools()))
        except ValueError as error:
            raise InputError(f"catalogue: {error}") from None
    for field, value in (("protocol", protocol), ("catalogue", catalogue)):
        others = {getattr(trace, field) for trace in traces} - {None, value}
        if value and others:
            raise InputError(f"{field}: declared as {value}, but the rows say {min(others)}")
    return [
        replace(
            trace,
            protocol=trace.protocol or protocol or None,
            catalogue=trace.catalogue or catalogue or None,
        )
        for trace in traces
    ]


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """Let what is wrong with a file say which."""
    try:
        yield
    except InputError as error:
        if str(error).startswith(f"{name}:"):
            raise
        raise InputError(f"{name}: {error}") from None


def _raw(traces: list[Trace]) -> str:
    """The beginning of what providers said, task by task."""
    shown: list[str] = []
    room = MAX_PREVIEW
    for trace in traces:
        response = trace.response if trace.response is not None else trace.extra.get("messages")
        if response is None:
            continue
        text = response if isinstance(response, str) else json.dumps(response, ensure_ascii=False)
        shown.append(f"{trace.task_id}: {clean(text[:room], room)}")
        room -= len(shown[-1])
        if room <= 0:
            break
    return "\n".join(shown)
