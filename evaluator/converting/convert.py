"""Logs to traces: every conversation of the files that is of a task, in order, with what was left out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite
from dataset_builder.tools.tool import Tool
from evaluator.asking.parse import read_text
from evaluator.asking.parse.json_calls import read_arguments
from evaluator.converting.compare_results import results_differ
from evaluator.converting.conversation import Conversation, Reply, Unreadable
from evaluator.converting.find_task import NoTask, Tasks
from evaluator.converting.formats import read_entry
from evaluator.converting.join import Answered, Joined
from evaluator.converting.read_entries import read_entries
from evaluator.traces.model_name import name_problem
from evaluator.traces.protocols import (
    MAX_SAMPLES,
    PROTOCOLS,
    canonical_catalogue,
    most_turns,
    offered_tools,
)
from evaluator.traces.strict_json import parse_json
from evaluator.traces.suite_of import level_apart, mixed
from evaluator.traces.trace import MAX_LINE_BYTES, Call, Trace, TraceProblems
from evaluator.traces.trace_log import trace_line

MAX_NAMED = 20


@dataclass(frozen=True)
class Told:
    """What the user says of a log, which stands above what the log says of itself."""

    form: str | None = None
    task_id_from: str | None = None
    model: str | None = None
    protocol: str | None = None
    catalogue: str | None = None


@dataclass
class Converted:
    """The traces of some logs, and what there is to say about them."""

    traces: list[Trace] = field(default_factory=list)
    forms: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(File, form) → entries."""
    skipped: list[str] = field(default_factory=list)
    """One sentence each, the first `MAX_NAMED` of them."""
    n_skipped: int = 0
    with_results: int = 0
    differing: int = 0
    """Conversations with results, and those whose results are not what replay gives."""
    reworded: int = 0
    """Conversations whose task stands in the log by its id, while the prompt is not the task's."""

    def skip(self, where: str, why: object) -> None:
        """Note a conversation that makes no trace."""
        self.n_skipped += 1
        if self.n_skipped <= MAX_NAMED:
            self.skipped.append(f"{where}: {why}")


def convert(
    files: Iterable[Path], suite: Suite, tools: Mapping[str, Tool], told: Told | None = None
) -> Converted:
    """The traces of log files, in the order in which their conversations began.

    InputError for what cannot be read, with file and line.
    """
    told = told or Told()
    done = Converted()
    joined = Joined(Tasks(suite, told.task_id_from))
    for file in files:
        for where, entry in read_entries(file):
            try:
                form, conversations = read_entry(entry, told.form)
            except Unreadable as error:
                raise InputError(f"{where}: {error}") from None
            done.forms[str(file), form] += 1
            for conversation in conversations:
                try:
                    joined.add(where, conversation)
                except NoTask as reason:
                    done.skip(where, reason)
    _add_traces(done, joined, tools, told)
    return done


def _add_traces(done: Converted, joined: Joined, tools: Mapping[str, Tool], told: Told) -> None:
    samples: Counter[tuple[str, str]] = Counter()
    spelled: dict[str, str] = {}
    for answered in joined:
        labels = _labels(answered.conversation, len(tools), told)
        offered = offered_tools(answered.task, labels.get("catalogue") or "full", tools)
        calls = [*_calls(answered.conversation, frozenset(offered))]
        if problem := _not_under(answered, labels.get("protocol"), calls):
            done.skip(answered.where, problem)
            continue
        model = labels.get("model", "")
        if model and (problem := name_problem(model)):
            raise InputError(f"{answered.where}: model: {problem}; name it with --model")
        if spelled.setdefault(model.casefold(), model) != model:
            other = spelled[model.casefold()]
            raise InputError(f"{answered.where}: {model} was {other} before; name it with --model")
        key = model, answered.task.task_id
        done.traces.append(_trace(answered, labels, calls, samples[key]))
        samples[key] += 1
        _compare(done, answered, tools, frozenset(offered))
    levels = {level_apart(trace.task_id) for trace in done.traces}
    if len(levels) > 1:
        raise InputError(f"the log {mixed(levels)}")


def _not_under(answered: Answered, protocol: str | None, calls: list[Call]) -> str:
    """Why a conversation was not held under the protocol that it is said to be of, or nothing."""
    replies = len({call.turn for call in calls})
    if protocol is None or replies <= (most := most_turns(answered.task, protocol)):
        return ""
    return f"has calls in {replies} replies; {protocol} has {most} at most"


def _labels(conversation: Conversation, tools: int, told: Told) -> dict[str, Any]:
    """Model, protocol and catalogue, as far as the user or the log says."""
    protocol = conversation.protocol if conversation.protocol in PROTOCOLS else None
    catalogue = None
    with suppress(ValueError):
        catalogue = canonical_catalogue(conversation.catalogue or "", tools)
    said = {
        "model": told.model or conversation.model,
        "protocol": told.protocol or protocol,
        "catalogue": told.catalogue or catalogue,
    }
    return {name: value for name, value in said.items() if value}


def _calls(conversation: Conversation, offered: frozenset[str]) -> Iterator[Call]:
    """The calls with their turns; a reply without native ones is searched for calls in its text."""
    for turn, reply in enumerate(conversation.replies):
        for name, arguments in _written(reply, offered):
            yield Call(name if isinstance(name, str) else "", arguments, turn)


def _written(reply: Reply, offered: frozenset[str]) -> Iterable[tuple[Any, Any]]:
    if reply.calls:
        return [(call.name, read_arguments(call.arguments)) for call in reply.calls]
    return read_text(reply.text, offered).calls


def _trace(answered: Answered, labels: Mapping[str, Any], calls: list[Call], sample: int) -> Trace:
    conversation = answered.conversation
    if sample >= MAX_SAMPLES:
        raise InputError(
            f"{answered.where}: more than {MAX_SAMPLES} answers to {answered.task.task_id}"
        )
    extra: dict[str, Any] = {}
    if conversation.is_cut:
        others: list[str | None] = [None] * (len(conversation.replies) - 1)
        extra["finish_reasons"] = [*others, "length"]
    trace = Trace(
        task_id=answered.task.task_id,
        calls=tuple(calls),
        sample=sample,
        usage=conversation.usage,
        latency_ms=conversation.latency_ms,
        error=conversation.error,
        extra=extra,
        **labels,
    )
    return _as_read(trace, answered.where)


def _as_read(trace: Trace, where: str) -> Trace:
    """The trace as a reader of its line has it; InputError where no reader would take it."""
    line = trace_line(trace)
    if len(line) > MAX_LINE_BYTES:
        raise InputError(f"{where}: its calls take more than {MAX_LINE_BYTES // 2**20} MB")
    try:
        return Trace.from_row(parse_json(line.decode()))
    except TraceProblems as error:
        raise InputError(f"{where}: {error.problems[0]}") from None


def _compare(
    done: Converted, answered: Answered, tools: Mapping[str, Tool], offered: frozenset[str]
) -> None:
    differ = results_differ(answered.conversation, tools, offered)
    done.with_results += differ is not None
    done.differing += differ is True
    texts = answered.conversation.prompts
    done.reworded += bool(texts) and not any(answered.task.prompt.strip() in t for t in texts)
