"""Work in processes: as in one, whoever dies over it."""

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from dataset_builder.errors import InputError
from dataset_builder.workers import TRIES, in_order, shared_out
from tests.scale.work import Fatal, die, objects_between_looks, refuse_three, square


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("count", [0, 1, 7])
def test_every_unit_is_done_once(workers: int, count: int) -> None:
    done = list(shared_out(square, range(count), workers))
    assert sorted(done) == [(number, number * number) for number in range(count)]


def test_results_come_in_order_as_soon_as_they_can() -> None:
    early = iter([(2, "c"), (0, "a"), (1, "b"), (3, "d")])
    ordered = in_order(early)
    assert next(ordered) == "a"
    assert next(early) == (1, "b")
    assert list(in_order(iter([(1, "b"), (0, "a")]))) == ["a", "b"]


@pytest.mark.parametrize("workers", [1, 2])
def test_what_the_task_raises_is_raised(workers: int) -> None:
    with pytest.raises(InputError, match="three cannot be used"):
        list(shared_out(refuse_three, range(6), workers))


@pytest.mark.parametrize("workers", [0, -1])
def test_no_workers_are_refused(workers: int) -> None:
    with pytest.raises(InputError, match="--workers: expected 1 or more, got"):
        shared_out(square, range(3), workers)


def test_a_killed_worker_is_replaced(tmp_path: Path) -> None:
    units = [1, Fatal(tmp_path, TRIES - 1), 3, 4]
    assert sorted(shared_out(die, units, 2)) == [(number, "done") for number in range(4)]


def test_workers_look_for_cycles_rarely() -> None:
    usual = gc.get_threshold()[0]
    assert min(dict(shared_out(objects_between_looks, range(4), 2)).values()) > usual


def test_no_worker_hears_ctrl_c_not_even_the_first_of_a_process() -> None:
    # In a process of its own: what the first worker starts besides is there already in this one.
    program = (
        "from dataset_builder.workers import shared_out; from tests.scale.work import interrupted;"
        "print(sorted(shared_out(interrupted, range(4), 2)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == (f"{[(n, 'deaf') for n in range(4)]}\n", "")


def test_a_unit_that_kills_every_worker_is_named(tmp_path: Path) -> None:
    units = [1, Fatal(tmp_path, 99), 3, 4]
    with pytest.raises(InputError, match="the fatal unit: 3 workers were killed over it"):
        list(shared_out(die, units, 2))
    assert len(list(tmp_path.iterdir())) == TRIES
