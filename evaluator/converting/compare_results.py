"""Whether the results that a conversation shows are those that its calls give in the benchmark's world."""

import json
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import Any

from dataset_builder.tools.replay import Episode
from dataset_builder.tools.tool import Tool
from evaluator.asking.parse.json_calls import read_arguments
from evaluator.converting.conversation import Conversation, Reply, Result, WrittenCall, text_of
from evaluator.traces.trace import MAX_CALLS


def results_differ(
    conversation: Conversation, tools: Mapping[str, Tool], offered: Collection[str]
) -> bool | None:
    """Whether some result is another than replay gives; None where the log shows none.

    Of a call that replay does not execute nothing is expected.
    """
    episode = Episode(tools, offered)
    shown = [*islice(_shown(conversation), MAX_CALLS)]
    executed = [
        episode.execute(str(call.name), read_arguments(call.arguments)).output for call, _ in shown
    ]
    pairs = [
        (result.content, output)
        for (_, result), output in zip(shown, executed, strict=True)
        if result is not None and output is not None
    ]
    return any(not _is_same(*pair) for pair in pairs) if pairs else None


def _shown(conversation: Conversation) -> Iterator[tuple[WrittenCall, Result | None]]:
    """Each native call with its result, by its id or else in order."""
    last: Reply | None = None
    results: list[Result] = []
    for event in (*conversation.events, Reply()):
        if isinstance(event, Result):
            results.append(event)
        elif isinstance(event, Reply):
            yield from _pairs(last, results) if last is not None else ()
            last, results = event, []


def _pairs(reply: Reply, results: list[Result]) -> Iterator[tuple[WrittenCall, Result | None]]:
    by_id = {str(result.id): result for result in results if result.id is not None}
    in_order = iter([result for result in results if result.id is None])
    for call in reply.calls:
        known = by_id.get(str(call.id)) if call.id is not None else None
        yield call, known or next(in_order, None)


def _is_same(content: Any, output: Mapping[str, Any]) -> bool:
    if isinstance(content, dict):
        # Gemini wants an object: what was none to its library stands under one key.
        wrapped = [content[key] for key in ("result", "output") if [*content] == [key]]
        return content == output or any(_is_text_of(text_of(inner), output) for inner in wrapped)
    return _is_text_of(text_of(content), output)


def _is_text_of(text: str, output: Mapping[str, Any]) -> bool:
    try:
        is_output = json.loads(text) == output
    except (ValueError, RecursionError):
        is_output = False
    # Frameworks word an error in their own way around ours.
    said = output.get("error")
    return is_output or (said is not None and str(said) in text)
