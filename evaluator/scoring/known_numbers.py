"""Which numbers a text may hold without having made them up: those of the prompt and of outputs so far."""

from collections.abc import Sequence

from dataset_builder.tools.replay import Executed
from evaluator.scoring.known_task import KnownTask
from evaluator.scoring.mentions import MadeUp, made_up_beside
from evaluator.scoring.numbers_in_text import Known


class KnownNumbers:
    """The numbers of a prompt and of what a trace's calls gave; each text is looked through once."""

    def __init__(self, known: KnownTask, executed: Sequence[Executed]) -> None:
        self._known = known
        self._executed = executed
        self._made_up: dict[tuple[int, str], MadeUp] = {}
        # The numbers known before the call of that number.
        self._latest: tuple[int, Known] = (-1, Known())

    def made_up(self, call: int, text: str) -> MadeUp:
        """The numbers of a text that stand neither in the prompt nor in the outputs before a call."""
        if (call, text) not in self._made_up:
            self._made_up[call, text] = made_up_beside(text, self._before(call))
        return self._made_up[call, text]

    def _before(self, call: int) -> Known:
        """Calls mostly come in order, so that each adds what the ones since the last time gave."""
        upto, known = self._latest
        if not 0 <= upto <= call:
            upto, known = 0, self._known.prompt_numbers()
        # An error may repeat whatever it was given.
        known.add(
            number
            for done in self._executed[upto:call]
            if done.error is None
            for number in self._known.output_numbers(done)
        )
        self._latest = (call, known)
        return known
