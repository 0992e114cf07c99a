"""How dimensions combine into the weighted score: the paper's weights, and those of its ablation (§5.5)."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum
from typing import NamedTuple


class Weights(NamedTuple):
    """What each dimension counts; they are scaled to sum to 1 over the dimensions that a task has."""

    sequence: float
    arguments: float
    data_flow: float
    completeness: float


@dataclass(frozen=True)
class Configuration:
    """Weights of levels 1 to 3; with a threshold a score becomes 1 from there on and 0 below."""

    weights: Mapping[int, Weights]
    threshold: float | None = None


DEFAULT: Mapping[int, Weights] = {
    1: Weights(0.40, 0.35, 0.00, 0.25),
    2: Weights(0.35, 0.35, 0.15, 0.15),
    3: Weights(0.30, 0.30, 0.25, 0.15),
}


def weights_of(level: int) -> Weights:
    """The default weights of a level from 1 on; a procedure (level 4) is weighed as a graph."""
    return DEFAULT[min(level, 3)]


def _alike(chain: Weights, others: Weights) -> Configuration:
    return Configuration({1: chain, 2: others, 3: others})


ABLATION: Mapping[str, Configuration] = {
    "default": Configuration(DEFAULT),
    "uniform": _alike(Weights(1, 1, 0, 1), Weights(1, 1, 1, 1)),
    "sequence-heavy": _alike(Weights(0.60, 0.20, 0.00, 0.20), Weights(0.50, 0.20, 0.15, 0.15)),
    "args-heavy": _alike(Weights(0.20, 0.60, 0.00, 0.20), Weights(0.15, 0.55, 0.15, 0.15)),
    "completeness-heavy": _alike(Weights(0.20, 0.20, 0.00, 0.60), Weights(0.15, 0.15, 0.15, 0.55)),
    "data-flow-heavy": _alike(Weights(0.25, 0.25, 0.00, 0.50), Weights(0.15, 0.15, 0.55, 0.15)),
    "binary-0.50": Configuration(DEFAULT, 0.50),
    "binary-0.70": Configuration(DEFAULT, 0.70),
}


def combine(
    weights: Weights,
    sequence: float,
    arguments: float,
    data_flow: float | None,
    completeness: float,
    economy: float,
) -> float:
    """The weighted score of a task of level 1, 2 or 3.

    All in [0, 1]; ``data_flow`` is None for a task without edges.
    """
    parts = [
        (weights.sequence, sequence),
        (weights.arguments, arguments),
        (weights.completeness, completeness),
    ]
    if data_flow is not None:
        parts.append((weights.data_flow, data_flow))
    return economy * (fsum(w * value for w, value in parts) / fsum(w for w, _ in parts))
