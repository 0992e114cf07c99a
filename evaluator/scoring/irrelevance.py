"""How often a model calls a tool where none serves: the section ``irrelevance`` of a score JSON, in text."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from evaluator.scoring.attempts import Attempt
from evaluator.scoring.robustness import share_of, share_text
from evaluator.scoring.text_tables import columns, percent
from evaluator.traces.trace import Trace


def irrelevance_section(attempts: Sequence[Attempt], traces: Sequence[Trace]) -> dict[str, Any]:
    """Shares of the requests that were answered, a request with several samples by their mean.

    ``false_calls``: any call was made; ``silent``: no call, and not a word either (of the answers whose
    text is known); ``by_kind``: the false calls of each kind of request. A share is ``{"share", "low",
    "high", "n"}``, null where there is nothing to take it of.
    """
    texts = {(trace.task_id, trace.sample): _has_text(trace) for trace in traces}
    called: dict[str, list[float]] = {}
    silent: list[float] = []
    answered = [each for each in attempts if each.score is not None and not each.is_failed]
    for _, group in groupby(answered, key=lambda each: each.task.task_id):
        answers = list(group)
        made = [1 - (each.value("strict") or 0) for each in answers]
        kind = str(answers[0].task.metadata.get("template"))
        called.setdefault(kind, []).append(sum(made) / len(made))
        told = [texts[each.task.task_id, each.sample] for each in answers]
        mute = [
            float(not call and not text)
            for call, text in zip(made, told, strict=True)
            if text is not None
        ]
        silent += [sum(mute) / len(mute)] if mute else []
    return {
        "false_calls": share_of(value for values in called.values() for value in values),
        "silent": share_of(silent),
        "by_kind": {kind: share_of(values) for kind, values in called.items()},
    }


def _has_text(trace: Trace) -> bool | None:
    """Whether the model wrote anything for the user to read; None where the row does not hold it."""
    response = trace.response if trace.response is not None else trace.extra.get("messages")
    if response is None:
        # An answer that broke off has no text.
        return None if trace.error is None else False
    messages = response if isinstance(response, list) else [response]
    return any(map(_is_text, messages))


def _is_text(message: Any) -> bool:
    if isinstance(message, dict):
        if message.get("role", "assistant") != "assistant":
            return False
        message = message.get("content")
    if isinstance(message, list):
        parts = (part.get("text") for part in message if isinstance(part, dict))
        return any(isinstance(text, str) and text.strip() for text in parts)
    return isinstance(message, str) and bool(message.strip())


def irrelevance_text(scores: Mapping[str, Any]) -> str:
    """A run over the requests as the terminal shows it."""
    section = scores["irrelevance"]
    rows = [("called a tool in", share_text(section["false_calls"], "requests"))]
    rows += [
        (f"  {kind}", share_text(value, "requests")) for kind, value in section["by_kind"].items()
    ]
    rows.append(("wrote nothing at all in", share_text(section["silent"], "requests")))
    failed, missing = scores["n_infrastructure"], scores["n_missing"]
    lines = [columns(rows)]
    left_out = f"{missing} have no answer and are left out: a rate of picked requests says nothing."
    lines += [left_out] if missing else []
    lines += [f"{failed} failed by infrastructure and are left out."] if failed else []
    lines.append(
        "A model that never calls a tool has no false calls: read the rate beside how often it makes no "
        "call on the tasks (`leaderboard` shows both)."
    )
    return "\n".join(lines)


def answered_text(scores: Mapping[str, Any]) -> str:
    """How many of the requests have an answer that counts: "38 of 40"."""
    asked = {row["task_id"] for row in scores["tasks"]} | {*scores["diagnostics"]["missing"]}
    rate = scores["irrelevance"]["false_calls"]
    return f"{rate['n'] if rate else 0} of {len(asked)}"


def irrelevance_rows(scores: Sequence[Mapping[str, Any]], on_tasks: Sequence[float | None]) -> str:
    """Runs over the requests as a table, in their own order, since they are not ranked.

    ``on_tasks``: for each the share of the suite's tasks in which its model made no call, where known.
    """
    rows = [("model", "answered", "false calls", "95 %", "silent", "no call on the tasks")]
    for each, missed in zip(scores, on_tasks, strict=True):
        section = each["irrelevance"]
        calls, silent = section["false_calls"], section["silent"]
        ends = f"{percent(calls['low'])}–{percent(calls['high'])}" if calls else "–"
        rows.append(
            (
                each["model"] or "unnamed model",
                answered_text(each),
                percent(calls and calls["share"]),
                ends,
                percent(silent and silent["share"]),
                percent(missed),
            )
        )
    return columns(rows, right=range(1, 6))
