"""Which calls a seeded fault has made necessary: none of them counts against the model."""

from collections.abc import Iterator

from dataset_builder.tools.faults import FORMATS
from evaluator.scoring.align import Alignment
from evaluator.scoring.call_worth import Scene


def forgiven_for_faults(scene: Scene, alignment: Alignment) -> Iterator[int]:
    """The calls, by their number, that stand for no step and are there for a fault.

    A call that met one, where its tool is called again or an alternative takes its place; and the same
    call made again after one whose output came in another format, which had succeeded.
    """
    last = {call.name: number for number, call in enumerate(scene.executed)}
    for step, aligned in zip(scene.task.steps, alignment, strict=True):
        if aligned is not None:
            last[step.tool] = max(aligned, last.get(step.tool, aligned))
    for number, call in enumerate(scene.executed):
        if call.fault is None:
            continue
        if number not in alignment:
            if last[call.name] > number:
                yield number
        elif call.fault in FORMATS:
            yield from _made_again(number, scene, alignment)


def _made_again(number: int, scene: Scene, alignment: Alignment) -> Iterator[int]:
    """The first call after another that is the same and stands for no step."""
    first = scene.executed[number]
    for later, call in enumerate(scene.executed[number + 1 :], number + 1):
        is_same = (call.name, call.arguments) == (first.name, first.arguments)
        if is_same and later not in alignment:
            yield later
            return
