"""Work shared out to processes: the results are the same as of one, and a killed worker is replaced."""

import signal
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import wait
from typing import Any, TypeVar

from dataset_builder.errors import InputError
from dataset_builder.rare_cycles import rare_looks_for_cycles

TRIES = 3
"""How many workers a unit may cost: what kills three of them would kill every one."""
Unit = TypeVar("Unit")
Result = TypeVar("Result")


def check_workers(workers: int | None) -> None:
    """InputError for what is no number of workers; None leaves it to the engine."""
    if workers is not None and workers < 1:
        raise InputError(f"--workers: expected 1 or more, got {workers}")


def lost(unit: object) -> InputError:
    """What is said of a unit that kills its workers."""
    return InputError(
        f"{unit}: {TRIES} workers were killed over it, perhaps for want of memory; take fewer workers"
    )


def shared_out(
    task: Callable[[Unit], Result], units: Sequence[Unit], workers: int
) -> Iterator[tuple[int, Result]]:
    """The number of each unit and its result, as they are done; with one worker in this process.

    ``task``, units and results have to be picklable. What ``task`` raises is raised here; InputError for
    a unit that kills its workers.
    """
    check_workers(workers)
    if workers == 1 or len(units) < 2:
        return ((number, task(unit)) for number, unit in enumerate(units))
    return _in_processes(task, units, workers)


def in_order(done: Iterator[tuple[int, Result]]) -> Iterator[Result]:
    """Results in the order of their units, each as soon as those before it are done."""
    early: dict[int, Result] = {}
    wanted = 0
    for number, result in done:
        early[number] = result
        while wanted in early:
            yield early.pop(wanted)
            wanted += 1


def _in_processes(
    task: Callable[[Unit], Result], units: Sequence[Unit], workers: int
) -> Iterator[tuple[int, Result]]:
    waiting = iter(range(len(units)))
    killed: Counter[int] = Counter()
    crew: dict[Any, _Worker] = {}

    def start(number: int) -> None:
        worker = _Worker(task)
        crew[worker.connection] = worker
        worker.give(number, units[number])

    try:
        for _, number in zip(range(workers), waiting, strict=False):
            start(number)
        while crew:
            ready: list[Any] = wait(list(crew))
            for connection in ready:
                worker = crew[connection]
                number = worker.number
                try:
                    fault, result = connection.recv()
                except (EOFError, OSError):
                    crew.pop(connection).stop()
                    killed[number] += 1
                    if killed[number] == TRIES:
                        raise lost(units[number]) from None
                    start(number)
                    continue
                if fault is not None:
                    raise fault
                if (following := next(waiting, None)) is None:
                    crew.pop(connection).stop()
                else:
                    worker.give(following, units[following])
                yield number, result
    finally:
        for worker in crew.values():
            worker.stop()


class _Worker:
    """A process that does one unit after the other. It is known which one it dies over."""

    def __init__(self, task: Callable[[Any], Any]) -> None:
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        self.connection: Any = ours
        self._process = context.Process(target=_work, args=(theirs, task), daemon=True)
        self.number = -1
        # The first process of all starts one more, which would make it hear again.
        resource_tracker.ensure_running()
        with _deaf_to_interrupts():
            self._process.start()
        theirs.close()

    def give(self, number: int, unit: Any) -> None:
        self.number = number
        # One that was killed while it waited is noticed when its result is.
        with suppress(OSError):
            self.connection.send(unit)

    def stop(self) -> None:
        self.connection.close()
        self._process.terminate()
        self._process.join()


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """What is started meanwhile does not hear Ctrl-C, which a terminal sends to all processes at once."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows: the workers end with the parent's pipe.
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(connection: Any, task: Callable[[Any], Any]) -> None:
    """What a worker does until its parent is gone."""
    # As an exception, so that a file that is being written is removed.
    signal.signal(signal.SIGTERM, lambda *_: _stop())
    with suppress(EOFError, OSError), rare_looks_for_cycles():
        while True:
            unit = connection.recv()
            answer: tuple[Exception | None, Any]
            try:
                answer = None, task(unit)
            except Exception as error:
                error.add_note(f"In a worker:\n{traceback.format_exc()}")
                answer = error, None
            connection.send(answer)


def _stop() -> None:
    raise SystemExit(143)
