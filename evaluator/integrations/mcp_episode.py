"""One task while a client of the Model Context Protocol answers it; its row is in the log at any time."""

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite
from evaluator.asking.request_reply import compact
from evaluator.integrations.environment import Environment, Shown
from evaluator.integrations.episode_log import EpisodeLog
from evaluator.traces.protocols import MAX_SAMPLES, MULTI_TURN
from evaluator.traces.suite_of import suite_of
from evaluator.traces.trace import MAX_LINE_BYTES
from evaluator.traces.trace_log import trace_line


class Served:
    """What every episode of a server has in common."""

    def __init__(self, suite: Suite, catalogue: str, model: str, log: EpisodeLog) -> None:
        self.suite, self.catalogue, self.model, self.log = suite, catalogue, model, log

    def episode(self, task_id: str, sample: int) -> "Episode":
        """A task, opened; InputError for one that there is not."""
        if not 0 <= sample < MAX_SAMPLES:
            raise InputError(f"sample {sample}: expected 0 to {MAX_SAMPLES - 1}")
        suite = suite_of([task_id], self.suite, task_id)
        # The protocol tells calls and not the replies that held them.
        environment = Environment(suite, MULTI_TURN, self.catalogue, self.model, turns_known=False)
        return Episode(environment, task_id, sample, self.log)


class Episode:
    """A task, the calls made so far, and the line that stands for it in the log."""

    def __init__(
        self, environment: Environment, task_id: str, sample: int, log: EpisodeLog
    ) -> None:
        self.opening = environment.reset(task_id, sample)
        self._environment = environment
        self._log = log
        self._line: bytes | None = None
        self._is_full = False

    def begin(self) -> None:
        """Give the episode its row, without calls, if it has none yet.

        InputError where another session has answered the task; OSError where the log cannot be written.
        """
        if self._line is None:
            self._line = self._log.put(self._environment.trace(), None)

    def call(self, name: str, arguments: object) -> Shown:
        """Make a call, which is in the log when this returns; InputError and OSError as in `begin`."""
        self.begin()
        if self._is_full:
            return _refused("the episode is over: this call was not made")
        shown = self._environment.call(name, arguments)
        trace = self._environment.trace()
        if len(trace_line(trace)) > MAX_LINE_BYTES:
            self._is_full = True
            return _refused("the calls are longer than a trace may be: the episode is over")
        self._line = self._log.put(trace, self._line)
        # Only a last turn shows nothing, and no turn is counted here.
        return shown or Shown("", False, None)


def _refused(why: str) -> Shown:
    return Shown(compact({"error": why}), True, None)
