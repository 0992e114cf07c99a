"""How a task's weighted score adds up, term by term, for whoever wants to check it by hand."""

from dataclasses import dataclass
from math import fsum

from evaluator.scoring.verdict import TaskScore
from evaluator.scoring.weights import weights_of


@dataclass(frozen=True)
class Term:
    """One dimension: what it was worth, what it counts, and the share of the score it gives."""

    dimension: str
    value: float
    weight: float
    """Scaled so that the weights of the dimensions that a task has sum to 1."""

    @property
    def share(self) -> float:
        """What it adds to the score before the economy factor."""
        return self.weight * self.value


def terms(score: TaskScore) -> list[Term]:
    """The dimensions of a task of level 1, 2 or 3 (specification: Dimensions); none at level 0.

    The weighted score is the sum of their shares times ``score.economy``.
    """
    if score.level == 0:
        return []
    weights = weights_of(score.level)
    dimensions = [
        ("sequence", score.sequence, weights.sequence),
        ("arguments", score.arguments, weights.arguments),
        ("data flow", score.data_flow, weights.data_flow),
        ("completeness", score.completeness, weights.completeness),
    ]
    counted = [
        (name, value, weight) for name, value, weight in dimensions if value is not None and weight
    ]
    whole = fsum(weight for _, _, weight in counted)
    return [Term(name, value, weight / whole) for name, value, weight in counted]


@dataclass(frozen=True)
class Counts:
    """What a score's fractions are made of."""

    expected: int
    """n, the expected steps."""
    made: int
    """m, the calls that count as made."""
    aligned: int
    """Expected steps that a call stands for."""
    right: int
    """Expected steps whose call is exact and has all its values from where they belong."""
    edges: int
    satisfied: int
    """Edges along which the value flowed."""


def counts(score: TaskScore) -> Counts:
    """The counts behind a score."""
    edges = [edge for step in score.steps for edge in step.edges]
    return Counts(
        expected=len(score.steps),
        made=score.counted,
        aligned=sum(step.call is not None for step in score.steps),
        right=sum(step.is_right for step in score.steps),
        edges=len(edges),
        satisfied=sum(edge.satisfied for edge in edges),
    )
