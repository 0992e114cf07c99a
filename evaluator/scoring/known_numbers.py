"""Which numbers a text may hold without having made them up: those of the prompt and of outputs so far."""

from collections.abc import Sequence
from itertools import islice

from dataset_builder.tools.replay import Executed
from dataset_builder.values.surface_forms import numbers_in
from evaluator.scoring.mentions import MadeUp, made_up_beside
from evaluator.scoring.numbers_in_text import Known, numbers_of

# So many numbers of one output count as known to the texts after it.
MAX_NUMBERS = 1_000


class KnownNumbers:
    """The numbers of a prompt and of what a trace's calls gave; each text is looked through once."""

    def __init__(self, prompt: str, executed: Sequence[Executed]) -> None:
        self._prompt = prompt
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
            upto, known = 0, Known()
            known.add([*numbers_of(self._prompt), *numbers_in(self._prompt)])
        # An error may repeat whatever it was given.
        outputs = [done.output for done in self._executed[upto:call] if done.error is None]
        known.add(n for output in outputs for n in islice(numbers_of(output), MAX_NUMBERS))
        self._latest = (call, known)
        return known
