"""The ablation over eight weight configurations, from the rows of tasks alone (paper, section 5.5)."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dataset_builder.errors import InputError
from evaluator.comparing.compare import records
from evaluator.comparing.results import Result
from evaluator.comparing.score_array import Floats, ScoreArray, score_array
from evaluator.comparing.statistics import QUANTITIES, bounds, contrasts, estimates, replicates
from evaluator.scoring.metrics import CALLS, GAP_NOTE, SOLVED, WEIGHTED
from evaluator.scoring.text_tables import columns, minus, percent, span
from evaluator.scoring.weights import ABLATION, Configuration, combine

if TYPE_CHECKING:
    import pandas as pd

_ROUNDING = 1e-9
_COLUMNS = (
    *("configuration", "rho", "p", "rho_solved"),
    *("models", "models_with_gap", "gap", "low", "high"),
)


def ablation(results: Sequence[Result]) -> "pd.DataFrame":
    """How the paper's weighted score of some runs of one signature fares under other weights (Table 4).

    Columns: configuration, rho and p (Spearman against the default, over the runs' overall scores; nan
    where there are fewer than three runs or one side has no two different scores), rho_solved (against
    the shares of tasks solved, which have no weights), models, models_with_gap, gap (mean over runs),
    low, high (95 %, resampling tasks). Level 0 has no weights: its score is the same in every row.
    """
    import pandas as pd

    return pd.DataFrame(ablation_rows(results))


def ablation_rows(results: Sequence[Result]) -> list[dict[str, Any]]:
    """The rows of `ablation`."""
    scores = with_configurations(results)
    coefficients = contrasts(scores.levels)
    overall = QUANTITIES.index("overall")
    gap = QUANTITIES.index("selection_gap")
    shape = (len(results), len(ABLATION))
    values = estimates(scores, coefficients)
    totals, gaps = (values[q].reshape(shape) for q in (overall, gap))
    solved = estimates(score_array(results).of(SOLVED.key), coefficients)[overall]
    resampled = replicates(scores, coefficients[[gap]])[0].reshape(*shape, -1).mean(axis=0)
    low, high = bounds(resampled)
    rows = []
    for i, name in enumerate(ABLATION):
        rho, p = spearman(totals[:, 0], totals[:, i])
        rho_solved, _ = spearman(solved, totals[:, i])
        counts = (len(results), int((gaps[:, i] > _ROUNDING).sum()))
        ends = (float(gaps[:, i].mean()), float(low[i]), float(high[i]))
        row = (name, rho, p, rho_solved, *counts, *ends)
        rows.append(dict(zip(_COLUMNS, row, strict=True)))
    return rows


def with_configurations(results: Sequence[Result]) -> ScoreArray:
    """The runs' tasks scored under each configuration: tasks × runs × configurations."""
    scores = score_array(results)
    values = np.zeros((len(scores.tasks), len(results), len(ABLATION)))
    for run, result in enumerate(results):
        by_task: dict[str, list[list[float]]] = {}
        for row in result.scores["tasks"]:
            rescores = [rescored(row, configuration) for configuration in ABLATION.values()]
            by_task.setdefault(row["task_id"], []).append(rescores)
        values[:, run] = [np.mean(by_task[task], axis=0) for task in scores.tasks]
    return scores.with_values(values)


def rescored(row: Mapping[str, Any], configuration: Configuration) -> float:
    """A task's score under other weights; ``row`` is its entry in the score JSON."""
    if row["level"] == 0:
        return float(row["score"])
    score = combine(
        configuration.weights[row["level"]],
        row["sequence"],
        row["arguments"],
        row["data_flow"],
        row["completeness"],
        row["economy"],
    )
    if configuration.threshold is None:
        return score
    return float(score >= configuration.threshold - _ROUNDING)


def spearman(one: Floats, other: Floats) -> tuple[float, float]:
    """Spearman's rho and its two-sided p (t approximation, as SciPy); nan where undefined."""
    # Rounding must not tell apart what is equal.
    one, other = one.round(12), other.round(12)
    if len(one) < 3 or not (np.ptp(one) > 0 and np.ptp(other) > 0):
        return float("nan"), float("nan")
    # Of scipy.stats alone the import takes longer than all tables of a report.
    from scipy.special import stdtr

    rho = np.corrcoef(_ranks(one), _ranks(other))[1, 0]
    freedom = len(one) - 2
    with np.errstate(divide="ignore"):
        t = rho * np.sqrt((freedom / ((rho + 1) * (1 - rho))).clip(0))
    return float(rho), float(2 * stdtr(freedom, -abs(t)))


def _ranks(values: Floats) -> Floats:
    """The ranks from 1 on, smallest first; equal values share their mean rank."""
    _, index, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = counts.cumsum()
    ranks: Floats = ((last - counts + 1 + last) / 2)[index]
    return ranks


# As text and JSON -----------------------------------------------------------------------------


def ablations(results: Sequence[Result]) -> list[dict[str, Any]]:
    """An ablation for each signature: ``signature``, ``runs`` (names) and ``configurations`` (rows).

    Control runs are left out. InputError where nothing else is there, or SciPy is not installed.
    """
    groups: dict[str, list[Result]] = {}
    for result in results:
        if not result.is_control:
            groups.setdefault(result.signature, []).append(result)
    if not groups:
        raise InputError("expected runs of the suite's own wording, got control runs only")
    try:
        return [
            {
                "signature": signature,
                "runs": [result.name for result in group],
                "configurations": records(ablation_rows(group)),
            }
            for signature, group in sorted(groups.items())
        ]
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("scipy"):
            raise
        raise InputError("the ablation needs SciPy: pip install 'comptoolbench[report]'") from None


def ablation_text(groups: Sequence[Mapping[str, Any]]) -> str:
    """Ablations for the terminal, after the paper's Table 4."""
    note = (
        f"{WEIGHTED.name} under other weights, as in the paper; {SOLVED.name} and {CALLS.name} have none. "
        f"Gaps in points.\n{GAP_NOTE}"
    )
    return "\n\n".join([*map(_table, groups), note])


def _table(group: Mapping[str, Any]) -> str:
    rows: list[Sequence[str]] = [
        ("configuration", "rho", "p", f"rho with {SOLVED.name}", "with a gap", "mean gap", "95 %")
    ]
    for row in group["configurations"]:
        is_default = row["configuration"] == "default"
        rows.append(
            (
                row["configuration"],
                _rho(row["rho"]),
                "–" if row["p"] is None or is_default else _p(row["p"]),
                _rho(row["rho_solved"]),
                f"{row['models_with_gap']} of {row['models']}",
                percent(row["gap"], signed=True),
                span(row["low"], row["high"]),
            )
        )
    return f"{group['signature']}\n{columns(rows, right=range(1, 7))}"


def _rho(value: float | None) -> str:
    return "–" if value is None else minus(f"{value:.2f}")


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"
