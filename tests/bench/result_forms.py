"""In which form do results let a model end that writes its calls as JSON (``--calls json``)?

    python -m tests.bench.result_forms points.jsonl --api-base http://127.0.0.1:8089/v1 --model NAME
    python -m tests.bench.result_forms episodes.jsonl --episodes --api-base … --model NAME
    python -m tests.bench.result_forms points.jsonl

The first asks for one decision after each turn of the right conversation: does the model go on, and
does it end where nothing is left? It needs a few tokens. The second runs whole episodes, in which a
model meets its own mistakes. Both ask stratified tasks in multi-turn with catalogue ``task``, task by
task in all forms, and add to their file what it does not hold yet; the last only prints. Any
OpenAI-compatible server will do; llama.cpp is faster with its prompt cache, and with one slot.
"""

import argparse
import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.stratified_sample import limited
from dataset_builder.tasks.task import Step, Task
from dataset_builder.tools import catalogue
from dataset_builder.tools.replay import Executed
from dataset_builder.values.draw import Draw
from evaluator.asking import prompts
from evaluator.asking.client import Client
from evaluator.asking.episode import Setting, answer_task, timed
from evaluator.asking.request_reply import Message, Reply, Request
from evaluator.asking.target import Target
from evaluator.models import ENDPOINT
from evaluator.scoring.score import score_task
from evaluator.traces.protocols import MULTI_TURN
from evaluator.traces.trace import Trace

EPISODE_TOKENS, POINT_TOKENS, TIMEOUT_S = 256, 12, 900.0
OFFER = "task"
FORMS = {
    "bare": "",
    "sentence": 'If the task still needs calls, make them now. If it does not, reply {"calls": []}.',
    "restated": "The task was: PROMPT\nReply with the calls that it still needs; reply "
    '{"calls": []} only if every part of it is done.',
    "go on": prompts.GO_ON["json"],
    "next": "Reply with the calls that the task needs next, or with an empty list of calls if every "
    "part of the task is done.",
}
"""What stands below the results (PROMPT is the task's); ``go on`` is the form in use."""


def rewritten(messages: Iterable[Message], form: str) -> list[Message]:
    """The conversation in that form; results stand in the first line of their message."""
    system, prompt, *rest = messages
    words = FORMS[form].replace("PROMPT", prompt["content"])
    return [system, prompt, *(_rewritten(message, words) for message in rest)]


def _rewritten(message: Message, words: str) -> Message:
    if message["role"] != "user":
        return message
    return {**message, "content": "\n".join([message["content"].partition("\n")[0], words]).strip()}


# One decision after each turn --------------------------------------------------------------------


def turns_of(task: Task) -> list[list[Step]]:
    """The expected steps by turn: each as soon as all that it needs is known."""
    turn: dict[str, int] = {}
    for step in task.steps:
        needed = (*step.depends_on, *(edge.source for edge in step.edges))
        turn[step.step_id] = 1 + max((turn[name] for name in needed), default=-1)
    last = max(turn.values())
    return [[s for s in task.steps if turn[s.step_id] == number] for number in range(last + 1)]


def conversations(task: Task) -> list[Request]:
    """The requests after each turn of the right conversation."""
    tools = prompts.schemas(task, task.offered, MULTI_TURN, catalogue())
    messages = prompts.opening(task, MULTI_TURN, "json", tools)
    made, requests = 0, []
    for turn in turns_of(task):
        calls = [{"name": step.tool, "arguments": step.arguments} for step in turn]
        reply = {"role": "assistant", "content": json.dumps({"calls": calls}, ensure_ascii=False)}
        executed = [Executed(step.tool, step.arguments, dict(step.output)) for step in turn]
        messages = [*messages, *prompts.feed_back(reply, executed, made + 1, "json")]
        made += len(turn)
        constraint = prompts.response_format(tools)
        requests.append(Request(task, 0, MULTI_TURN, messages, tools, "json", constraint))
    return requests


async def points(
    task: Task, form: str, client: Client, known: dict[str, Any]
) -> AsyncIterator[dict[str, Any]]:
    """What the model decides after each turn."""
    requests = conversations(task)
    for turn, request in enumerate(requests, 1):
        messages = rewritten(request.messages, form)
        reply = await client(replace(request, messages=messages))
        text = "".join(str(reply.message and reply.message["content"]).split())
        is_last = turn == len(requests)
        yield {
            "turn": turn,
            "is_last": is_last,
            "ends": text.startswith('{"calls":[]'),
            "text": text,
        }


def points_table(rows: Iterable[dict[str, Any]]) -> list[str]:
    """A line for each model and form: endings where calls were left, and where none was."""
    lines = ["model        form       tasks  ended too early  ended when done  right"]
    for (model, form), found in grouped(rows):
        done = [row["ends"] for row in found if row["is_last"]]
        left = [row["ends"] for row in found if not row["is_last"]]
        right = sum(done) + len(left) - sum(left)
        lines.append(
            f"{model:12} {form:10} {len(done):5}  {sum(left):7} of {len(left):3}  "
            f"{sum(done):10} of {len(done):3}  {100 * right / len(found):4.0f} %"
        )
    return lines


# Whole episodes ----------------------------------------------------------------------------------


async def episode(
    task: Task, form: str, client: Client, known: dict[str, tuple[Reply, float]]
) -> AsyncIterator[dict[str, Any]]:
    """One episode; what was asked before in another form is not asked again."""

    async def ask(request: Request) -> tuple[Reply, float]:
        request = replace(request, messages=rewritten(request.messages, form))
        key = json.dumps(request.messages)
        if key not in known:
            known[key] = await timed(client(request))
        return known[key]

    setting = Setting("model", ENDPOINT, "suite", MULTI_TURN, OFFER, "json")
    trace = await answer_task(task, 0, setting, catalogue(), ask)
    yield {"trace": trace.to_row()}


def figures(task: Task, trace: Trace) -> Mapping[str, float]:
    """What came of one episode."""
    score = score_task(task, trace, catalogue())
    calls = [json.dumps([call.name, call.arguments], sort_keys=True) for call in trace.calls]
    missed = sum(step.call is None for step in score.steps)
    has_ended = trace.extra["shapes"][-1:] == ["none"]
    return {
        "ended": has_ended,
        "early": has_ended and missed > 0,
        "missed": missed,
        "steps": len(task.steps),
        "repeated": len(calls) - len(set(calls)),
        "calls": len(calls),
        "turns": len(trace.response),
        "step": 100 * (score.step or 0.0),
        "strict": bool(score.strict),
    }


def episodes_table(rows: Iterable[dict[str, Any]]) -> list[str]:
    """A line for each model and form: sums over the tasks, and the mean step score."""
    by_id = load_suite().by_id
    lines = [
        "model        form       tasks  ended  early  missed   repeated   calls  turns  step  strict"
    ]
    for (model, form), found in grouped(rows):
        traces = [Trace.from_row(row["trace"]) for row in found]
        single = [figures(by_id[trace.task_id], trace) for trace in traces]
        total = {name: sum(item[name] for item in single) for name in single[0]}
        lines.append(
            f"{model:12} {form:10} {len(found):5}  {total['ended']:5}  {total['early']:5}  "
            f"{total['missed']:3} of {total['steps']:3}  {total['repeated']:5}  {total['calls']:6}  "
            f"{total['turns']:5}  {total['step'] / len(found):4.0f}  {total['strict']:6}"
        )
    return lines


# The file ----------------------------------------------------------------------------------------


def grouped(
    rows: Iterable[dict[str, Any]],
) -> list[tuple[tuple[str, str], list[dict[str, Any]]]]:
    """The rows of each model and form."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["model"], row["form"]), []).append(row)
    return sorted(groups.items())


def rows_of(file: Path) -> list[dict[str, Any]]:
    """What was asked so far."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return [json.loads(line) for line in lines]


async def measure(options: argparse.Namespace, client: Client) -> None:
    """Ask what the file does not hold yet, and add it."""
    draw = Draw("stratified")
    suite = load_suite()
    named = [suite.by_id[name] for name in options.tasks.split(",") if name]
    chosen = named or limited(suite.tasks, options.limit)
    tasks = sorted(chosen, key=lambda task: draw.fraction(task.task_id))
    done = {(row["model"], row["form"], row["task_id"]) for row in rows_of(options.file)}
    ask = episode if options.episodes else points
    with options.file.open("a", encoding="utf-8") as out:
        for task in tasks:
            known: dict[str, Any] = {}
            for form in options.forms.split(","):
                head = {"model": options.model, "form": form, "task_id": task.task_id}
                if tuple(head.values()) in done:
                    continue
                found = [head | row async for row in ask(task, form, client, known)]
                out.writelines(f"{json.dumps(row)}\n" for row in found)
                out.flush()


def main() -> None:
    """Ask, where an address is given, and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--episodes", action="store_true")
    parser.add_argument("--api-base")
    parser.add_argument("--model", default="model")
    parser.add_argument("--limit", type=int, default=40)
    parser.add_argument("--tasks", default="", help="these, in place of a stratified sample")
    parser.add_argument("--forms", default=",".join(FORMS))
    parser.add_argument("--repeat-penalty", type=float, default=1.0, help="llama.cpp takes it")
    options = parser.parse_args()
    if options.api_base:
        target = Target(
            id=f"openai/{options.model}",
            label=options.model,
            provider=ENDPOINT,
            api_base=options.api_base,
            api_key="none",
            is_free=True,
            timeout_s=TIMEOUT_S,
            parameters={
                "max_tokens": EPISODE_TOKENS if options.episodes else POINT_TOKENS,
                "extra_body": {"repeat_penalty": options.repeat_penalty},
            },
        )
        asyncio.run(measure(options, Client(target)))
    rows = rows_of(options.file)
    print("\n".join(episodes_table(rows) if options.episodes else points_table(rows)))


if __name__ == "__main__":
    main()
