"""The horizon of one model: all that its outcomes on the ladder say (specification: Horizon).

horizon(outcomes).h50.value     # calls at which half of the procedures are solved
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evaluator.horizon.curve import Exponent, Length, exponent, length
from evaluator.horizon.effects import Effect, effects
from evaluator.horizon.outcome import Outcome
from evaluator.horizon.rungs import Rung, rungs
from evaluator.horizon.survival import Independent, Survival, independent, survival


@dataclass(frozen=True, slots=True)
class Horizon:
    """Shares are fractions in [0, 1], lengths are in calls; None where something is undefined."""

    rungs: tuple[Rung, ...]
    h50: Length
    h80: Length
    exponent: Exponent
    survival: tuple[Survival, ...]
    independent: Independent
    effects: tuple[Effect, ...]

    def to_json(self, signature: str, model: str, protocol: str) -> dict[str, Any]:
        """What ``comptoolbench horizon --json`` prints."""
        return {
            "signature": signature,
            "model": model,
            "protocol": protocol,
            "rungs": [rung._asdict() for rung in self.rungs],
            "h50": self.h50._asdict(),
            "h80": self.h80._asdict(),
            "exponent": self.exponent._asdict(),
            "survival": [point._asdict() for point in self.survival],
            "independent": self.independent._asdict(),
            "effects": [effect._asdict() for effect in self.effects],
        }


def horizon(outcomes: Sequence[Outcome]) -> Horizon:
    """The horizon that a model's outcomes tell; each procedure counts once, in any order."""
    ladder = rungs(outcomes)
    return Horizon(
        rungs=tuple(ladder),
        h50=length(ladder, 0.5),
        h80=length(ladder, 0.8),
        exponent=exponent(ladder),
        survival=tuple(survival(outcomes)),
        independent=independent(outcomes),
        effects=tuple(effects(outcomes)),
    )
