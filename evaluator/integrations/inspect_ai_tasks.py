"""The tasks of Inspect AI, found through the entry point group ``inspect_ai``.

inspect eval comptoolbench/suite --model openai/gpt-4o -T protocol=single-turn -T catalogue=full
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal

from dataset_builder.errors import InputError
from dataset_builder.tasks.stratified_sample import limited
from dataset_builder.tasks.task import Suite
from dataset_builder.tasks.task import Task as BenchmarkTask

try:
    from inspect_ai import Epochs, Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser
except ImportError:
    raise InputError(
        "the tasks of Inspect AI need inspect-ai: pip install 'comptoolbench[inspect]'"
    ) from None

from evaluator.integrations.environment import Environment
from evaluator.integrations.inspect_ai_sample import (
    chosen,
    expected,
    metadata_of,
    registered,
    suite_at,
)
from evaluator.integrations.inspect_ai_scorer import every_epoch, right_calls
from evaluator.integrations.inspect_ai_solver import answer, offer_tools
from evaluator.traces.protocols import MULTI_TURN, PROMPT_VERSIONS
from evaluator.traces.signature import signature

Several = str | int | list[str | int] | None
"""What ``-T name=1`` and ``-T name=1,2`` come as."""


@task
@registered
def suite(
    protocol: str = MULTI_TURN,
    catalogue: str | int = "task",
    levels: Several = None,
    limit: int | None = None,
    suite: str | None = None,
) -> Task:
    """The suite of 200 tasks: one tool call, chains, parallel calls and graphs.

    Args:
      protocol: ``multi-turn`` (results are shown) or ``single-turn`` (all calls in one reply).
      catalogue: The tools offered: ``task`` (its own few), ``full`` (all 106) or a number.
      levels: Only tasks of these levels, such as ``0`` or ``1,3``.
      limit: At most so many tasks, each level in proportion.
      suite: A dataset folder, a file or a Hub id, in place of the published suite.
    """
    return _task("default", suite, protocol, catalogue, limit, "levels", levels, _level)


@task
@registered
def horizon(
    protocol: str = MULTI_TURN,
    catalogue: str | int = "task",
    calls: Several = None,
    limit: int | None = None,
    suite: str | None = None,
) -> Task:
    """Procedures of 4 to 256 calls, twelve of each length.

    Args:
      protocol: ``multi-turn`` (results are shown) or ``single-turn`` (all calls in one reply).
      catalogue: The tools offered: ``task`` (its own few), ``full`` (all 106) or a number.
      calls: Only procedures of these lengths, such as ``8`` or ``4,8,16``.
      limit: At most so many of them.
      suite: A dataset folder, a file or a Hub id, in place of the published procedures.
    """
    return _task("horizon", suite, protocol, catalogue, limit, "calls", calls, _calls)


def _level(each: BenchmarkTask) -> str:
    return str(each.level.value)


def _calls(each: BenchmarkTask) -> str:
    return str(len(each.steps))


def _task(
    config: Literal["default", "horizon"],
    source: str | None,
    protocol: str,
    catalogue: str | int,
    limit: int | None,
    option: str,
    wanted: Several,
    value: Callable[[BenchmarkTask], str],
) -> Task:
    """The tasks of a suite whose value is wanted, as a task of Inspect's."""
    try:
        if limit is not None and limit < 1:
            raise InputError(f"limit={limit}: expected a number from 1")
        of = suite_at(source, config)
        tasks = limited(chosen(of.tasks, wanted, value, option), limit)
        environment = Environment(of, protocol, str(catalogue))
    except InputError as error:
        from inspect_ai._util.error import PrerequisiteError

        raise PrerequisiteError(str(error)) from None
    line = signature(
        of, len(tasks), protocol, environment.catalogue, "native", dict(PROMPT_VERSIONS)
    )
    return Task(
        dataset=MemoryDataset(
            _samples(environment, of, tasks, source), name=f"{of.name} {of.version}"
        ),
        setup=offer_tools(),
        solver=answer(),
        scorer=right_calls(),
        epochs=Epochs(1, every_epoch()),
        version=of.version,
        metadata={"signature": line},
        headline_metric="right_calls.solved",
    )


def _samples(
    environment: Environment, of: Suite, tasks: Sequence[BenchmarkTask], source: str | None
) -> list[Sample]:
    samples = []
    for each in tasks:
        opening = environment.reset(each)
        messages: list[Any] = [
            ChatMessageSystem(content=opening.system),
            ChatMessageUser(content=opening.prompt),
        ]
        about = metadata_of(each, of, source, environment.protocol, environment.catalogue)
        samples.append(Sample(messages, target=expected(each), id=each.task_id, metadata=about))
    return samples
