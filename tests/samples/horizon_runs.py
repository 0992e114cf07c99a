"""Scored runs on the ladder, of agents whose errors are known: what report and page are shown."""

from collections.abc import Mapping, Sequence
from typing import Any

from dataset_builder.values.draw import Draw
from evaluator.comparing.results import Result
from evaluator.horizon.horizon import horizon
from evaluator.horizon.outcome import Dial, Outcome
from tests.horizon.coverage import Rates, doubling, independent_errors, outcomes

AGENTS: Mapping[str, Rates] = {
    "0.9 a call": independent_errors(0.9),
    "0.97 a call": independent_errors(0.97),
    "0.99 a call": independent_errors(0.99),
    "never wrong": independent_errors(1.0),
    "never right": independent_errors(0.0),
    "twice as wrong every 32 calls": doubling(0.003),
}
SIGNATURE = "ctb:3.1.0+0a1b2c3d|seed:42|n:{tasks}|protocol:{protocol}.1|catalogue:full|calls:native|scorer:2"


def horizon_result(
    model: str,
    rates: Rates,
    seed: int = 1,
    protocol: str = "single-turn",
    limited_from: int | None = None,
) -> Result:
    """The scored run of an agent; from ``limited_from`` calls on its context ends before its answer."""
    answered = [_dialled(each, seed, i) for i, each in enumerate(outcomes(rates, seed))]
    if limited_from is not None:
        answered = [
            Outcome(o.right, o.is_solved, o.calls_right, o.calls >= limited_from, o.dials)
            for o in answered
        ]
    return result_of(model, answered, protocol)


def result_of(model: str, answered: Sequence[Outcome], protocol: str = "single-turn") -> Result:
    """A result that has nothing but the horizon and what it is known by."""
    signature = SIGNATURE.format(tasks=len(answered), protocol=protocol)
    scores: dict[str, Any] = {"signature": signature, "model": model, "protocol": protocol}
    scores["n_samples"] = 1
    scores["horizon"] = horizon(answered).to_json(signature, model, protocol)
    return Result(f"runs/{model}", scores, {}, {})


def _dialled(outcome: Outcome, seed: int, number: int) -> Outcome:
    """With dials as procedures have them, which here make no difference."""
    draw = Draw(f"{seed}|{number}")
    dials: dict[str, Dial] = {
        "form": draw.choice("form", ["list", "prose"]),
        "naming": draw.choice("naming", ["number", "description"]),
        "order": draw.choice("order", ["executed", "shuffled"]),
        "depth": draw.integer("depth", 2, 8),
        "reach_mean": draw.integer("reach", 0, 9),
        "fan_in": draw.integer("fan_in", 1, 5),
        "near": draw.choice("near", [2, 6, 12]),
    }
    return Outcome(outcome.right, outcome.is_solved, outcome.calls_right, False, dials)


def agents() -> list[Result]:
    """A run of each of the agents."""
    return [horizon_result(name, rates) for name, rates in AGENTS.items()]
