"""One task put to a model: the requests of a protocol, and the trace that comes of them."""

import datetime as dt
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dataset_builder.tasks.task import Task
from dataset_builder.tools.tool import Tool
from evaluator.asking import prompts
from evaluator.asking.parse import read_message, read_text
from evaluator.asking.request_reply import Infrastructure, ModelFault, Reply, Request
from evaluator.asking.rollout import Rollout
from evaluator.asking.scramble import real_name
from evaluator.traces.protocols import CHAT, PROMPT_VERSIONS
from evaluator.traces.trace import Call, Trace
from evaluator.traces.variations import PLAIN, Variation

Ask = Callable[[Request], Awaitable[tuple[Reply, float]]]
"""Sends a request; gives the reply and the seconds that it took."""


@dataclass(frozen=True)
class Setting:
    """How every task of a run is asked, and what its traces are labelled with."""

    model: str
    provider: str
    suite: str
    protocol: str
    catalogue: str
    calls: str
    wording: str | None = None
    """Of the level-0 control (paper, Appendix H); None for the suite's own prompts."""
    variation: Variation = PLAIN
    endpoint: str = CHAT


@dataclass
class _Record:
    """What an episode has given so far."""

    responses: list[Any] = field(default_factory=list)
    shapes: list[str] = field(default_factory=list)
    finish_reasons: list[str | None] = field(default_factory=list)
    served_by: dict[str, None] = field(default_factory=dict)
    fingerprints: dict[str, None] = field(default_factory=dict)
    usage: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    cost_usd: float | None = 0.0
    error: dict[str, Any] | None = None
    schema_refused: bool = False

    def add(self, reply: Reply, seconds: float) -> None:
        self.responses.append(reply.message)
        self.finish_reasons.append(reply.finish_reason)
        self.seconds += seconds
        self.schema_refused = self.schema_refused or reply.schema_refused
        for name, count in reply.usage.items():
            self.usage[name] = self.usage.get(name, 0) + count
        if reply.cost_usd is None or self.cost_usd is None:
            self.cost_usd = None
        else:
            self.cost_usd += reply.cost_usd
        if reply.model:
            self.served_by[reply.model] = None
        if reply.fingerprint:
            self.fingerprints[reply.fingerprint] = None


async def answer_task(
    task: Task, sample: int, setting: Setting, tools: Mapping[str, Tool], ask: Ask
) -> Trace:
    """The trace of a model on a task; failures of either side stand in it as its ``error``.

    Infrastructure of a kind that ends the whole run is raised.
    """
    started = dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds")
    record = _Record()
    rollout = Rollout(task, setting.protocol, setting.catalogue, tools, setting.variation)
    try:
        await _converse(task, sample, setting, rollout, ask, record)
    except Infrastructure as failure:
        if failure.ends_run:
            raise
        record.error = {"kind": failure.kind, "message": failure.message}
    except ModelFault as fault:
        record.error = {"kind": fault.kind, "message": fault.message}
        if fault.kind == "malformed_call":
            rollout.calls.append(_refused(fault, rollout))
    return _trace(task, sample, setting, started, rollout.calls, record)


async def _converse(
    task: Task, sample: int, setting: Setting, rollout: Rollout, ask: Ask, record: _Record
) -> None:
    constraint = prompts.response_format(rollout.schemas) if setting.calls == "json" else None
    messages = prompts.opening(task, setting.protocol, setting.calls, rollout.schemas)
    while True:
        request = Request(
            task,
            sample,
            setting.protocol,
            messages,
            rollout.schemas,
            setting.calls,
            constraint,
            rollout.made_up,
            rollout.withheld,
        )
        reply, seconds = await ask(request)
        record.add(reply, seconds)
        answer = read_message(reply.message, rollout.offered)
        record.shapes.append(answer.shape)
        first = len(rollout.calls) + 1
        executed = rollout.reply(answer.calls)
        if not executed or reply.message is None:
            return
        messages = [*messages, *prompts.feed_back(reply.message, executed, first, setting.calls)]


def _refused(fault: ModelFault, rollout: Rollout) -> Call:
    """A call that the provider refused, as the model wrote it where the provider quotes it."""
    written = fault.generation if fault.generation is not None else fault.message
    calls: Sequence[tuple[str, Any]] = read_text(written, ()).calls
    name = real_name(calls[0][0], rollout.made_up) if calls else ""
    return Call(name, written, rollout.turn)


def _trace(
    task: Task,
    sample: int,
    setting: Setting,
    started: str,
    calls: Sequence[Call],
    record: _Record,
) -> Trace:
    form = asked(
        setting.protocol, setting.calls, setting.wording, setting.variation, setting.endpoint
    )
    extra: dict[str, Any] = {
        # A row that leaves its folder still says what its signature needs.
        "asked": form,
        "shapes": record.shapes,
        "finish_reasons": record.finish_reasons,
        "served_by": list(record.served_by),
        "system_fingerprints": list(record.fingerprints),
        "schema_refused": record.schema_refused,
    }
    return Trace(
        task_id=task.task_id,
        calls=tuple(calls),
        model=setting.model,
        sample=sample,
        protocol=setting.protocol,
        catalogue=setting.catalogue,
        suite=setting.suite,
        provider=setting.provider,
        response=record.responses,
        usage=record.usage or None,
        latency_ms=round(record.seconds * 1000, 1),
        cost_usd=record.cost_usd,
        error=record.error,
        started_at=started,
        extra={name: value for name, value in extra.items() if value},
    )


def asked(
    protocol: str,
    calls: str,
    wording: str | None = None,
    variation: Variation = PLAIN,
    endpoint: str = CHAT,
) -> dict[str, Any]:
    """What a row says under ``asked``: form of the calls, version of the prompt, and what is not plain."""
    form = {
        "calls": calls,
        "prompt_version": PROMPT_VERSIONS[protocol],
        "wording": wording,
        "endpoint": None if endpoint == CHAT else endpoint,
        **variation.written,
    }
    return {name: value for name, value in form.items() if value is not None}


async def timed(answer: Awaitable[Reply]) -> tuple[Reply, float]:
    """A reply and the seconds that it took."""
    began = time.perf_counter()
    reply = await answer
    return reply, time.perf_counter() - began
