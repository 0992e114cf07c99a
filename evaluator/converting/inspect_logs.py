"""Inspect's logs: the samples of an evaluation with their messages, calls and errors."""

from collections.abc import Iterator, Mapping
from typing import Any

from evaluator.converting.conversation import (
    Conversation,
    Event,
    Prompt,
    Reply,
    Result,
    Unreadable,
    WrittenCall,
    an_object,
    milliseconds,
    named,
    objects,
    text_of,
    token_counts,
)
from evaluator.converting.exchange import Exchange
from evaluator.converting.failures import failure

_ATTACHED = "attachment://"
_CUT = ("max_tokens", "model_length")


def fits(exchange: Exchange) -> bool:
    """Whether an entry is a log with its evaluation and samples."""
    entry = exchange.entry
    return isinstance(entry.get("eval"), dict) and "status" in entry


def read(exchange: Exchange) -> list[Conversation]:
    """A conversation for each sample, in the order of the log."""
    evaluation = an_object(exchange.entry.get("eval"), "eval")
    samples = objects(exchange.entry.get("samples"), "samples")
    if not samples:
        raise Unreadable("samples: expected at least one, got none")
    return [
        _conversation(sample, evaluation, f"samples[{number}]")
        for number, sample in enumerate(samples)
    ]


def _conversation(
    sample: Mapping[str, Any], evaluation: Mapping[str, Any], where: str
) -> Conversation:
    attached = an_object(sample.get("attachments"), f"{where}.attachments")
    messages = objects(sample.get("messages"), f"{where}.messages")
    output = an_object(sample.get("output"), f"{where}.output")
    choices = objects(output.get("choices"), f"{where}.output.choices")
    reason = choices[0].get("stop_reason") if choices else None
    error = failure("content_filter") if reason == "content_filter" else None
    if sample.get("error"):
        error = failure(sample["error"])
    how = an_object(evaluation.get("task_args"), "eval.task_args")
    return Conversation(
        tuple(
            event
            for number, message in enumerate(messages)
            for event in _events(message, attached, f"{where}.messages[{number}]")
        ),
        labels=(sample, an_object(sample.get("metadata"), f"{where}.metadata")),
        model=named(evaluation.get("model")),
        usage=_usage(sample, evaluation, where),
        latency_ms=_latency(sample, where),
        error=error,
        is_cut=reason in _CUT,
        protocol=named(how.get("protocol")),
        catalogue=None if how.get("catalogue") is None else str(how["catalogue"]),
    )


def _usage(
    sample: Mapping[str, Any], evaluation: Mapping[str, Any], where: str
) -> dict[str, int] | None:
    """The tokens of the model that is evaluated, whatever others had a part in the sample."""
    models = an_object(sample.get("model_usage"), f"{where}.model_usage")
    used = an_object(models.get(str(evaluation.get("model"))), f"{where}.model_usage")
    return token_counts(used.get("input_tokens"), used.get("output_tokens"))


def _latency(sample: Mapping[str, Any], where: str) -> float | None:
    """The time of all answers, where the log has the events that tell it."""
    outputs = [
        an_object(event.get("output"), f"{where}.events")
        for event in objects(sample.get("events"), f"{where}.events")
        if event.get("event") == "model"
    ]
    times = [milliseconds(output.get("time"), 1000) for output in outputs]
    known = [time for time in times if time is not None]
    return round(sum(known), 1) if known and len(known) == len(times) else None


def _events(message: Mapping[str, Any], attached: Mapping[str, Any], where: str) -> Iterator[Event]:
    role, text = message.get("role"), _text(message.get("content"), attached)
    if role == "user":
        yield Prompt(text)
    elif role == "assistant":
        calls = objects(message.get("tool_calls"), f"{where}.tool_calls")
        yield Reply(tuple(_call(call, attached) for call in calls), text)
    elif role == "tool":
        error = an_object(message.get("error"), f"{where}.error")
        content = {"error": error.get("message")} if error else text
        yield Result(content, message.get("tool_call_id"))


def _call(call: Mapping[str, Any], attached: Mapping[str, Any]) -> WrittenCall:
    """A call; one that did not parse has what is left of its text in the message about it."""
    arguments = call.get("parse_error") or call.get("arguments")
    if isinstance(arguments, dict):
        arguments = {name: _resolved(value, attached) for name, value in arguments.items()}
    elif isinstance(arguments, str):
        arguments = f"{arguments} (no JSON object)"
    return WrittenCall(call.get("function"), arguments, call.get("id"))


def _text(content: Any, attached: Mapping[str, Any]) -> str:
    if isinstance(content, str):
        return str(_resolved(content, attached))
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return text_of([_resolved(text, attached) for text in texts])


def _resolved(value: Any, attached: Mapping[str, Any]) -> Any:
    """A text that stands in the sample's attachments, for the address in its place."""
    if isinstance(value, str) and value.startswith(_ATTACHED):
        return attached.get(value.removeprefix(_ATTACHED), value)
    return value
