"""An episode that a stranger's agent plays: any names and arguments, in any turns, end in a score."""

import json
from collections.abc import Iterator
from typing import Any

from evaluator.integrations.environment import Environment
from evaluator.traces.protocols import PROTOCOLS
from evaluator.traces.trace import Trace
from tests.fuzz.answers import tasks, traces
from tests.fuzz.checks import is_read_back, settled

_NEXT_TURN = "next turn"


def seeds() -> Iterator[bytes]:
    """Episodes of right answers and mutants: task, protocol, and calls with ends of turns between."""
    for number, trace in enumerate(traces()):
        moves: list[Any] = [[call.name, call.arguments] for call in trace.calls]
        moves.insert(number % (len(moves) + 1), _NEXT_TURN)
        yield json.dumps([trace.task_id, PROTOCOLS[number % 2], moves]).encode()


def check(data: bytes) -> None:
    """The trace of an episode, as a file gives it back, and its score."""
    match _python_value(data):
        case [str(task_id), str(protocol), list(moves)]:
            if task_id in tasks() and protocol in PROTOCOLS:
                trace, shares = settled(lambda: _played(task_id, protocol, moves))
                assert is_read_back(trace)
                assert all(0 <= share <= 1 for share in shares)


def _python_value(data: bytes) -> Any:
    """What an agent in the same process may hand over: more than a file can hold."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _played(task_id: str, protocol: str, moves: list[Any]) -> tuple[Trace, tuple[float, float]]:
    environment = Environment(protocol=protocol)
    environment.reset(tasks()[task_id])
    for move in moves[:40]:
        match move:
            case [str(name), arguments]:
                shown = environment.call(name, arguments)
                assert shown is None or shown.text
            case _:
                environment.end_turn()
    score = environment.score()
    return environment.trace(), (score.score, score.step or 0.0)
