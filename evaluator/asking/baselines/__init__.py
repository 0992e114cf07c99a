"""The built-in answerers, usable wherever a model is: they answer as a provider does, offline."""

from collections.abc import Callable, Sequence
from typing import Any

from evaluator.asking.baselines import noisy, oracle_and_dump, retrieval, silent_spam_random
from evaluator.asking.request_reply import Answerer, Reply, Request, compact

Calls = Sequence[tuple[str, dict[str, Any]]]

BASELINES: dict[str, Callable[[Request], Calls]] = {
    "baseline:oracle": oracle_and_dump.oracle,
    "baseline:dump": oracle_and_dump.dump,
    "baseline:retrieval": retrieval.retrieval,
    "baseline:random": silent_spam_random.random_calls,
    "baseline:spam": silent_spam_random.spam,
    "baseline:silent": silent_spam_random.silent,
}


def baseline(name: str) -> Answerer:
    """The built-in agent of that name, `noisy` ones among them; KeyError where there is none."""
    right = noisy.accuracy(name)
    if right is None:
        return answering(BASELINES[name], name)
    return answering(lambda request: noisy.noisy(request, lambda place: 1 - right, name), name)


def answering(decide: Callable[[Request], Calls], name: str) -> Answerer:
    """An agent that makes the calls that a function decides on."""

    async def answer(request: Request) -> Reply:
        return reply(request, decide(request), name)

    return answer


def reply(request: Request, calls: Calls, model: str) -> Reply:
    """Calls in the form in which a provider sends them."""
    if request.calls == "json":
        listed = [{"name": name, "arguments": arguments} for name, arguments in calls]
        content = compact({"calls": listed})
        return Reply({"role": "assistant", "content": content}, "stop", cost_usd=0.0, model=model)
    first = sum(len(m.get("tool_calls") or ()) for m in request.messages) + 1
    native = [
        {
            "id": f"call{number:05}",
            "type": "function",
            "function": {"name": name, "arguments": compact(arguments)},
        }
        for number, (name, arguments) in enumerate(calls, first)
    ]
    message: dict[str, Any] = {"role": "assistant", "content": None if native else "Done."}
    if native:
        message["tool_calls"] = native
    return Reply(message, "tool_calls" if native else "stop", cost_usd=0.0, model=model)
