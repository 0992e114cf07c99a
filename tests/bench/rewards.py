"""How many rewards a second a core gives, and what junk earns: python -m tests.bench.rewards"""

import json
import time
from collections.abc import Callable
from itertools import islice
from statistics import fmean
from typing import Any

from dataset_builder.tasks.task import Task
from evaluator.integrations.rewards import reward_function
from evaluator.integrations.task_stream import TaskStream
from evaluator.traces.protocols import MULTI_TURN
from tests.integrations import test_rewards as answers

GROUP = 8


def fresh(stream: TaskStream, tasks: int) -> float:
    """Tasks that a core makes in a second of its time."""
    list(islice(stream.tasks(10**6), 20))
    began = time.process_time()
    list(islice(stream.tasks(), tasks))
    return tasks / (time.process_time() - began)


def rate(stream: TaskStream, answer: Callable[[Task], Any], tasks: int = 250) -> float:
    """Rewards that a core gives in a second of its time, in groups of answers to one task."""
    made = list(islice(stream.tasks(), tasks))
    completions = [answer(task) for task in made for _ in range(GROUP)]
    ids = [task.task_id for task in made for _ in range(GROUP)]
    reward = reward_function(stream)
    reward(None, completions[:GROUP], ids[:GROUP])
    began = time.process_time()
    reward(None, completions, ids)
    return len(ids) / (time.process_time() - began)


def half(task: Task) -> Any:
    """An answer with the first half of the calls, written as text."""
    calls = answers.right(task)
    return json.dumps([{"name": n, "arguments": a} for n, a in calls[: (len(calls) + 1) // 2]])


def main() -> None:
    """Measure and print."""
    for name, mix in (
        ("levels 0 to 3", {"L0": 1, "L1": 1, "L2": 1, "L3": 1}),
        ("procedures of 8 calls", {"P8": 1}),
    ):
        stream = TaskStream(7, mix)
        print(f"{name:24} {fresh(stream, 250):6.0f} tasks a second made")
        right = rate(stream, lambda task: answers.native(answers.right(task)))
        print(f"{'':24} {right:6.0f} rewards a second of right answers")
        print(f"{'':24} {rate(stream, half):6.0f} rewards a second of halves")
    for junk in answers.JUNK:
        earned = [answers.worth(t, junk(t), MULTI_TURN, "full") for t in answers.TASKS]
        print(f"{junk.__name__:24} {fmean(earned):6.3f} earned on average")


if __name__ == "__main__":
    main()
