"""Rewards for training: the step score of an answer, the share of its calls that are fully right.

reward = reward_function(stream)                          # as TRL's trainers take it
reward(prompts, completions, task_id=["L0_node_0000.s7"])  # [1.0]
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Task
from dataset_builder.tools import catalogue as benchmark_tools
from evaluator.asking.parse import read_message
from evaluator.asking.request_reply import Message
from evaluator.integrations.environment import Environment
from evaluator.integrations.task_stream import TaskStream
from evaluator.scoring.score import Scorer
from evaluator.traces.protocols import SINGLE_TURN, most_turns
from evaluator.traces.trace import MAX_CALLS, Call, Trace

Completion = str | Sequence[Message]
"""What a model wrote: a text, or messages in OpenAI form, those of tools among them."""
Reward = Callable[..., list[float]]


def reward_function(
    stream: TaskStream, protocol: str = SINGLE_TURN, catalogue: str = "task"
) -> Reward:
    """``reward(prompts, completions, task_id, **columns) -> list[float]`` over tasks of a stream.

    ``protocol`` and ``catalogue``: how the completions were asked for. InputError for ones that there
    are not, and from ``reward`` for an id that is none of the stream's.
    """
    asked = Environment(protocol=protocol, catalogue=catalogue)
    scorer, catalogue = Scorer(asked.tools), asked.catalogue

    def reward(
        prompts: Sequence[Any],
        completions: Sequence[Completion],
        task_id: Sequence[str],
        **columns: Any,
    ) -> list[float]:
        """The step score of each completion of a task, from 0 to 1."""
        if len(completions) != len(task_id):
            raise InputError(f"{len(completions)} completions for {len(task_id)} task ids")
        return [
            step_score(stream.task(each), completion, protocol, catalogue, scorer)
            for completion, each in zip(completions, task_id, strict=True)
        ]

    return reward


def step_score(
    task: Task,
    completion: Completion,
    protocol: str,
    catalogue: str,
    scorer: Scorer | None = None,
) -> float:
    """What the calls in a completion are worth, from 0 to 1.

    ``catalogue``: by its one name (`canonical_catalogue`). Results that a completion claims are
    passed over: all calls are made again. ``scorer``: of answers that may be alike, such as a group's.
    """
    scorer = Scorer(benchmark_tools()) if scorer is None else scorer
    offered = scorer.offered(task, catalogue)
    calls: list[Call] = []
    replies = _replies(completion)
    for turn, message in zip(range(most_turns(task, protocol)), replies, strict=False):
        read = read_message(message, offered)
        if not read.calls:
            break
        calls += [Call(name, arguments, turn) for name, arguments in read.calls]
    made = tuple(calls[:MAX_CALLS])
    trace = Trace(task.task_id, made, protocol=protocol, catalogue=catalogue)
    return scorer.score(task, trace).step or 0.0


def _replies(completion: Completion) -> Iterable[Message]:
    """The messages that the model itself wrote."""
    if isinstance(completion, str):
        return [{"role": "assistant", "content": completion}]
    return [
        message
        for message in completion
        if isinstance(message, Mapping) and message.get("role") == "assistant"
    ]
