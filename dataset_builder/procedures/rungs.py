"""The published ladder: rungs of procedures twice as long each, the dials balanced within a rung."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from dataset_builder.errors import InputError
from dataset_builder.procedures.dials import MOST_CALLS, Dials
from dataset_builder.procedures.procedure import make_procedure
from dataset_builder.tasks.task import SEED, SUITE_VERSION, Level, Suite, Task
from dataset_builder.values.draw import Draw

RUNGS = (4, 8, 16, 32, 64, 128, 256)
PER_RUNG = 12
MOST_PER_RUNG = 100


def rungs_to(longest: int) -> tuple[int, ...]:
    """The numbers of calls of the rungs up to ``longest``; InputError where there is none."""
    if not RUNGS[0] <= longest <= MOST_CALLS:
        raise InputError(f"a ladder reaches to {RUNGS[0]} to {MOST_CALLS:,} calls, not {longest}")
    doublings = (longest // RUNGS[0]).bit_length()
    return tuple(RUNGS[0] << n for n in range(doublings))


def ladder(
    seed: int | str = SEED, per_rung: int = PER_RUNG, longest: int = RUNGS[-1]
) -> tuple[Task, ...]:
    """The procedures of all rungs in the order of their ids, which say nothing about lengths."""
    lengths = rungs_to(longest)
    _check_size(per_rung)
    numbers = iter(_numbers(seed, len(lengths) * per_rung))
    tasks = [
        replace(task, task_id=Level.PROCEDURE.task_id(next(numbers)))
        for calls in lengths
        for task in rung(calls, seed, per_rung)
    ]
    return tuple(sorted(tasks, key=lambda task: task.task_id))


def horizon_suite(seed: int = SEED, per_rung: int = PER_RUNG, longest: int = RUNGS[-1]) -> Suite:
    """The ladder as a suite of its own, with a digest of its own; never averaged with levels 0 to 3."""
    return _suite_of(seed, per_rung, longest)


@lru_cache(maxsize=4)
def _suite_of(seed: int, per_rung: int, longest: int) -> Suite:
    # Kept by the sizes themselves: a default that is left out and one that is written are the same ladder.
    return Suite(SUITE_VERSION, seed, ladder(seed, per_rung, longest), name="horizon")


def rung(calls: int, seed: int | str = SEED, per_rung: int = PER_RUNG) -> Iterator[Task]:
    """The procedures of one length, half of them listed, half in prose."""
    _check_size(per_rung)
    for number, dials in enumerate(rung_dials(calls, seed, per_rung), 1):
        yield make_procedure(calls, dials, seed=seed, number=number)


def _check_size(per_rung: int) -> None:
    if per_rung < 1:
        raise InputError(f"a rung has at least one procedure, not {per_rung}")
    if per_rung > MOST_PER_RUNG:
        raise InputError(f"a rung has at most {MOST_PER_RUNG} procedures, not {per_rung}")


def _numbers(seed: int | str, count: int) -> list[int]:
    return Draw(f"ladder|{seed}").sample("numbers", range(1, count + 1), count)


def rung_dials(calls: int, seed: int | str, per_rung: int) -> list[Dials]:
    """Dials for each procedure of a rung: of each dial every value equally often, independently."""
    draw = Draw(f"dials|{seed}|{calls}")

    def spread(dial: str, *values: object) -> list[object]:
        times = -(-per_rung // len(values))
        return draw.sample(dial, [*values] * times, len(values) * times)[:per_rung]

    columns = {
        "form": spread("form", "list", "prose"),
        "naming": spread("naming", "number", "description"),
        "order": spread("order", "executed", "executed", "shuffled"),
        "reach": spread("reach", "near", "mixed", "far"),
        "near": spread("near", 2, 6, 12),
        "depth": spread("depth", *depths_of(calls)),
        "fan_in": spread("fan_in", *fan_ins_of(calls)),
    }
    return [
        Dials.read({name: column[i] for name, column in columns.items()}) for i in range(per_rung)
    ]


def depths_of(calls: int) -> Sequence[int]:
    """Three chain lengths for a number of calls: short, middling, long."""
    doublings = calls.bit_length() - 1
    if calls < 4:
        return (calls,)
    return (2 if calls < 32 else 3, (doublings + 4) // 2, doublings + 2)


def fan_ins_of(calls: int) -> Sequence[int]:
    """How many results the widest call takes, for a number of calls."""
    if calls < 4:
        return (min(calls - 1, 1),)
    return (1, 2) if calls < 8 else (2, 3, 4) if calls < 16 else (2, 3, 4, 5)
