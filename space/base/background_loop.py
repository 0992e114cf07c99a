"""Work that goes on: rounds in a thread of their own, which no exception ends."""

import logging
import threading
import time
import traceback
from collections.abc import Callable

from dataset_builder.errors import InputError

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 60.0
"""The pause after a round that failed doubles from the first to the longest."""
_ENDING_PAUSE_S = 0.05
_log = logging.getLogger(__name__)


class Loop:
    """Calls ``work`` in a thread of its own when it is woken, and again when ``work`` says so.

    ``work`` is one round. It gives the seconds until the next one, or None where nothing is left to
    do before the next `wake`. Whatever it raises is logged, and the round is tried again after a
    pause, or when woken.
    """

    def __init__(self, name: str, work: Callable[[], float | None]) -> None:
        """``name`` stands in the log. Nothing is started before the first `wake`."""
        self._name, self._work = name, work
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._woken = threading.Event()
        self._is_ending = self._is_over = False
        self._failures = 0

    @property
    def is_failing(self) -> bool:
        """Whether the last round failed, or the thread could not be started."""
        return self._failures > 0

    def wake(self) -> None:
        """There is something to do."""
        self._woken.set()
        with self._starting:
            if self._thread is not None and self._thread.is_alive():
                return
            thread = threading.Thread(target=self._go_on, name=self._name, daemon=True)
            try:
                thread.start()
            except RuntimeError as error:
                # The machine has no thread left; whoever wakes it next tries again.
                self._failures += 1
                log_failure(self._name, error)
            else:
                self._thread = thread

    def end(self, seconds: float) -> None:
        """Let it do what is left, for so many seconds at most, and then no more."""
        self._is_ending = True
        self._woken.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(seconds)
        self._is_over = True

    def _go_on(self) -> None:
        pause: float | None = 0.0
        while not (self._is_over or (self._is_ending and pause is None)):
            self._woken.wait(pause)
            self._woken.clear()
            pause = self._round()
            if self._is_ending and pause is not None:
                # Nobody wakes it any more, and there is little time.
                time.sleep(min(pause, _ENDING_PAUSE_S))
                pause = 0.0

    def _round(self) -> float | None:
        try:
            pause = self._work()
        # The thread has nobody to pass anything on to, not even a SystemExit.
        except BaseException as error:
            self._failures += 1
            log_failure(self._name, error)
            return min(FIRST_PAUSE_S * 2 ** min(self._failures - 1, 20), LONGEST_PAUSE_S)
        self._failures = 0
        return pause


def survives(what: str, function: Callable[[], object]) -> bool:
    """Do one thing of several; what it raises is logged and keeps nobody from the others."""
    try:
        function()
    except Exception as error:
        log_failure(what, error)
        return False
    return True


def log_failure(what: str, error: BaseException) -> None:
    """Log what went wrong and where. A foreign exception's text may hold a visitor's words."""
    if isinstance(error, InputError):
        _log.warning("%s: %s", what, error)
        return
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    where = " < ".join(f"{frame.filename}:{frame.lineno}" for frame in reversed(frames))
    _log.error("%s: %s at %s", what, type(error).__name__, where or "the start")
