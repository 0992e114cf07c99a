"""Whether the results that a conversation shows are those that its calls give in the benchmark's world."""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from dataset_builder.tools.replay import Episode
from dataset_builder.tools.tool import Tool
from evaluator.asking.parse.json_calls import read_arguments
from evaluator.converting.conversation import Conversation, Reply, Result, WrittenCall, text_of


def results_differ(
    conversation: Conversation, tools: Mapping[str, Tool], offered: Collection[str]
) -> bool | None:
    """Whether some result is another than replay gives; None where the log shows none.

    Of a call that replay does not execute nothing is expected.
    """
    episode = Episode(tools, offered)
    shown = [*_shown(conversation)]
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
    text = content if isinstance(content, str) else text_of(content)
    try:
        value = json.loads(text) if not isinstance(content, dict) else content
    except (ValueError, RecursionError):
        value = text
    if value == output:
        return True
    # Frameworks word an error in their own way around ours.
    said = output.get("error")
    return said is not None and str(said) in text
