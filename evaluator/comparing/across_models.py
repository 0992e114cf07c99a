"""Over models: mean gaps, regimes, and what names the same weights (paper, section 5)."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from evaluator.comparing.results import Result
from evaluator.comparing.score_array import Floats, score_array
from evaluator.comparing.statistics import (
    QUANTITIES,
    RESAMPLES,
    SEED,
    bounds,
    clustered_interval,
    contrasts,
    estimates,
    replicates,
)
from evaluator.intervals import Interval
from evaluator.models import find_model
from evaluator.scoring.metrics import LEVELS, METRICS, Metric

if TYPE_CHECKING:
    import pandas as pd

SOURCES = ("models", "tasks", "both")
_MEANS = (*LEVELS, "overall", "delta_l0_l3", "selection_gap")


def model_table(results: Iterable[Result], metric: Metric) -> "pd.DataFrame":
    """A row per run with the columns of the paper's Table 2, scores of one metric as fractions.

    Columns: run, regime, model, provider, weights (see `weights_of`), L0 … L3, overall, delta_l0_l3,
    selection_gap. The regime is None for a model that models.toml does not have.
    """
    import pandas as pd

    rows = []
    for result in results:
        known = find_model(result.model)
        scores = result.scores
        rows.append(
            {
                "run": result.name,
                "regime": known.regime if known else None,
                "model": known.name if known else result.model,
                "provider": known.provider.name if known else provider_of(result),
                "weights": weights_of(result.model),
                **{level: scores["levels"][level][metric.field] for level in LEVELS},
                "overall": scores[metric.total],
                "delta_l0_l3": scores["delta_l0_l3"][metric.key],
                "selection_gap": scores["selection_gap"][metric.key],
            }
        )
    return pd.DataFrame(rows)


def with_gap(table: "pd.DataFrame") -> "pd.DataFrame":
    """A table of models with its Selection Gap, the mean of L1 to L3 minus L0, as in the paper."""
    return table.assign(selection_gap=table[["L1", "L2", "L3"]].mean(axis=1) - table["L0"])


def provider_of(result: Result) -> str:
    """Who served the model: as run.json says, else the part of the name before the first slash."""
    provider = result.about.get("provider")
    return str(provider) if provider else result.model.partition("/")[0]


def weights_of(model: str) -> str:
    """What names the same weights whoever serves them.

    A known model's name without the provider in brackets; else the last part of the model's id.
    """
    known = find_model(model)
    if known is not None:
        return known.name.partition(" (")[0]
    return model.rpartition("/")[2]


def mean_over_models(values: Sequence[float]) -> Interval:
    """The mean of a value per model with its 95 % interval, resampling models (as in the paper)."""
    return clustered_interval(values, [str(i) for i in range(len(values))])


def regime_means(table: "pd.DataFrame") -> "pd.DataFrame":
    """Means over all models and over each regime, as in Table 2's last rows.

    ``table`` as `model_table` or the paper's with `with_gap`. Columns: regime ("all" first), models,
    models_with_gap, L0 … L3, overall, delta_l0_l3, selection_gap, low, high (of the gap, resampling
    models). Models without a regime count among all only.
    """
    import pandas as pd

    groups = {"all": table, **dict(iter(table.groupby("regime", sort=False)))}
    rows = []
    for regime, group in groups.items():
        gaps = group["selection_gap"].dropna().tolist()
        low, high = mean_over_models(gaps)[1:] if gaps else (np.nan, np.nan)
        counts = {"models": len(group), "models_with_gap": sum(gap > 0 for gap in gaps)}
        means = {name: group[name].mean() for name in _MEANS}
        rows.append({"regime": regime, **counts, **means, "low": low, "high": high})
    return pd.DataFrame(rows)


def mean_gaps(results: Sequence[Result]) -> "pd.DataFrame":
    """The mean Selection Gap over runs of one signature, on the tasks that all of them have.

    Columns: metric, resampled ("models", "tasks" or "both"), models, models_with_gap, value, low, high.
    What is resampled is what the interval generalises to: other models, other tasks of the kind, or
    other models on other tasks.
    """
    import pandas as pd

    scores = score_array(results)
    coefficients = contrasts(scores.levels)[[QUANTITIES.index("selection_gap")]]
    gaps = estimates(scores, coefficients).reshape(len(results), len(METRICS))
    resampled = replicates(scores, coefficients)[0].reshape(len(results), len(METRICS), RESAMPLES)
    shares = _model_shares(len(results))
    rows = []
    for m, metric in enumerate(METRICS):
        means = {
            "models": gaps[:, m] @ shares,
            "tasks": resampled[:, m].mean(axis=0),
            "both": (resampled[:, m] * shares).sum(axis=0),
        }
        counts = (len(results), int((gaps[:, m] > 0).sum()))
        for source in SOURCES:
            ends = (float(end) for end in bounds(means[source]))
            rows.append((metric, source, *counts, float(gaps[:, m].mean()), *ends))
    columns = ["metric", "resampled", "models", "models_with_gap", "value", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def _model_shares(models: int) -> Floats:
    """The share of each model in each resample: models × resamples."""
    # Drawn apart from the tasks' draws, which take the seeds from SEED on.
    generator = np.random.Generator(np.random.PCG64((SEED, models)))
    drawn = generator.multinomial(models, np.full(models, 1 / models), RESAMPLES)
    return (drawn / models).T
