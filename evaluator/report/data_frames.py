"""What the report is about, as frames: a row for each run, and the long forms that figures take."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluator.comparing.across_models import provider_of, weights_of
from evaluator.comparing.results import Result, task_frame
from evaluator.models import find_model, is_baseline
from evaluator.report.style import REFERENCE, REGIMES
from evaluator.scoring.error_classes import ERROR_CLASSES, INFRASTRUCTURE, MISSING
from evaluator.scoring.metrics import LEVELS, METRICS, SCORES, Metric, solved_at_most
from evaluator.scoring.robustness import robustness_text
from evaluator.traces.signature import parse_signature

if TYPE_CHECKING:
    import pandas as pd

_DIAGNOSTICS = (
    "call_precision",
    "call_recall",
    "argument_accuracy",
    "edge_accuracy",
    "calls_per_response",
    "latency_ms",
    "tokens",
    "cost_usd",
)
_LONGEST = 60


def run_frame(
    results: Sequence[Result], intervals: "pd.DataFrame", metric: Metric
) -> "pd.DataFrame":
    """A row per run, by regime and then by the score that is ranked by.

    ``intervals``: those of `comparing.statistics.score_intervals`. Columns: run, signature, model (a
    name to show, unique among the runs of a signature), id, provider, regime, what was asked
    (protocol, catalogue, calls, wording), counts, and for each metric (strict, step, weighted; fractions)
    itself over all tasks, *_L0 … *_L3, gap_* and delta_*, each of these with _low and _high; solved_bound
    (the share solved at most, had infrastructure not failed) and the diagnostics.
    """
    import pandas as pd

    columns = [intervals[name] for name in ("run", "metric", "quantity", "low", "high")]
    bounds = {(r, m, q): (low, high) for r, m, q, low, high in zip(*columns, strict=True)}
    rows = [_row(result) | _bounds(result.name, bounds) for result in results]
    frame = pd.DataFrame(rows)
    frame["model"] = _distinct(rows)
    frame["wording"] = frame["wording"].astype(object).where(frame["wording"].notna(), None)
    order = {name: place for place, name in enumerate(REGIMES)}
    frame["_place"] = frame["regime"].map(order)
    scores = [metric.key, *(key for key in METRICS if key != metric.key)]
    frame = frame.sort_values(
        ["_place", *scores, "model"], ascending=[True, False, False, False, True], kind="stable"
    )
    return frame.drop(columns="_place").reset_index(drop=True)


def _row(result: Result) -> dict[str, Any]:
    scores, about = result.scores, result.about
    known = find_model(result.model)
    provider = known.provider.name if known else provider_of(result)
    if is_baseline(result.model):
        regime, provider = REFERENCE, "built-in"
    elif known:
        regime = known.regime.replace("_", " ")
    else:
        regime = "local" if provider in ("local", "Ollama") else "other"
    return {
        "run": result.name,
        "signature": result.signature,
        "model": model_name(result),
        "label": model_name(result),
        "id": printable(result.model),
        "weights": weights_of(result.model),
        "provider": printable(provider),
        "regime": regime,
        "protocol": scores["protocol"],
        "catalogue": scores["catalogue"],
        "calls": str(about.get("calls", "native")),
        "wording": about.get("wording"),
        "limit": about.get("limit"),
        "varied": bool(parse_signature(result.signature).variation.written),
        "robustness": " ".join(robustness_text(scores)),
        **{name: scores[name] for name in ("ranked", "n_tasks", "n_samples", "n_missing")},
        "n_infrastructure": scores["n_infrastructure"],
        "not_ranked": "; ".join(map(printable, scores["diagnostics"]["not_ranked"])),
        **_scores(scores),
        "solved_bound": solved_at_most(scores),
        **{name: scores["diagnostics"][name] for name in _DIAGNOSTICS},
        "started": _started(about),
        "versions": _versions(about),
    }


def _scores(scores: Mapping[str, Any]) -> dict[str, float | None]:
    values: dict[str, float | None] = {}
    for key, metric in SCORES.items():
        values[key] = scores[metric.total]
        for level in LEVELS:
            values[f"{key}_{level}"] = scores["levels"][level][metric.field]
        values[f"gap_{key}"] = scores["selection_gap"][key]
        values[f"delta_{key}"] = scores["delta_l0_l3"][key]
    return values


def _bounds(
    run: str, bounds: Mapping[tuple[str, str, str], tuple[float, float]]
) -> dict[str, float]:
    named_bounds: dict[str, float] = {}
    for key in METRICS:
        named = {"overall": key, "selection_gap": f"gap_{key}", "delta_l0_l3": f"delta_{key}"}
        named |= {level: f"{key}_{level}" for level in LEVELS}
        for quantity, name in named.items():
            low, high = bounds[run, key, quantity]
            named_bounds |= {f"{name}_low": float(low), f"{name}_high": float(high)}
    return named_bounds


def _distinct(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The models' names; where two runs of a signature have the same one, with what differs."""
    names = [str(row["model"]) for row in rows]
    for extra in ("provider", "run"):
        keys = [(row["signature"], row["wording"], n) for row, n in zip(rows, names, strict=True)]
        extras = [printable(Path(str(row[extra])).name) for row in rows]
        choices: dict[Any, set[str]] = {}
        for key, more in zip(keys, extras, strict=True):
            choices.setdefault(key, set()).add(more)
        names = [
            f"{name} ({more})" if len(choices[key]) > 1 else name
            for name, more, key in zip(names, extras, keys, strict=True)
        ]
    return names


def model_name(result: Result) -> str:
    """What a run's model is called where it is shown."""
    known = find_model(result.model)
    return printable(known.name if known else result.model)


def printable(text: object) -> str:
    """A stranger's text in one line that can be shown: nothing invisible, at most 60 characters."""
    shown = "".join(
        char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in str(text)
    )
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…"


def _started(about: Mapping[str, Any]) -> str:
    """The day on which the run began, as run.json tells; empty where it does not."""
    days = [str(session.get("started_at", ""))[:10] for session in _sessions(about)]
    return printable(min(filter(None, days), default=""))


def _versions(about: Mapping[str, Any]) -> str:
    """The packages of the last session that tell how a model was reached."""
    packages = [session.get("packages") for session in _sessions(about)]
    last = packages[-1] if packages and isinstance(packages[-1], Mapping) else {}
    return ", ".join(f"{printable(k)} {printable(v)}" for k, v in last.items() if v)


def _sessions(about: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    sessions = about.get("sessions")
    return [s for s in sessions if isinstance(s, Mapping)] if isinstance(sessions, list) else []


# What figures take ----------------------------------------------------------------------------


def level_frame(runs: "pd.DataFrame", metric: Metric) -> "pd.DataFrame":
    """Model, regime, level and score in per cent; an empty level has no row."""
    fields = {f"{metric.key}_{level}": level for level in LEVELS}
    named = runs[["model", "regime", *fields]].rename(columns=fields)
    long = named.melt(["model", "regime"], list(LEVELS), "level", "score").dropna(subset="score")
    return long.assign(score=100 * long["score"].astype(float))


def gap_frame(runs: "pd.DataFrame", metrics: Sequence[Metric]) -> "pd.DataFrame":
    """Model, metric, single and composed in per cent; a run without one of the levels has no row."""
    import pandas as pd

    parts = []
    for metric in metrics:
        single, gap = runs[f"{metric.key}_L0"], runs[f"gap_{metric.key}"]
        part = pd.DataFrame({"model": runs["model"], "metric": metric.name}).assign(
            single=100 * single.astype(float), composed=100 * (single + gap).astype(float)
        )
        parts.append(part)
    return pd.concat(parts, ignore_index=True).dropna()


def delta_frame(runs: "pd.DataFrame", metrics: Sequence[Metric]) -> "pd.DataFrame":
    """Model, metric, delta, low and high in points; a run without level 0 or 3 has no row."""
    import pandas as pd

    parts = [
        pd.DataFrame({"model": runs["model"], "metric": metric.name}).assign(
            delta=100 * runs[f"delta_{metric.key}"].astype(float),
            low=100 * runs[f"delta_{metric.key}_low"].astype(float),
            high=100 * runs[f"delta_{metric.key}_high"].astype(float),
        )
        for metric in metrics
    ]
    return pd.concat(parts, ignore_index=True).dropna(subset="delta")


def error_frame(results: Sequence[Result]) -> "pd.DataFrame":
    """Error, level and share: how many per cent of a level's answers ended so, over all runs.

    A task without an answer is no error: nobody may have asked it.
    """
    import pandas as pd

    tasks = task_frame(results)
    tasks = tasks[tasks["error"] != MISSING]
    outcome = tasks["error"].fillna("solved")
    shares = 100 * pd.crosstab(outcome, "L" + tasks["level"].astype(str), normalize="columns")
    order = ["solved", *ERROR_CLASSES, INFRASTRUCTURE]
    kept = [name for name in order if name in ERROR_CLASSES or name in shares.index]
    levels = [level for level in LEVELS if level in shares.columns]
    shares = shares.reindex(index=kept, columns=levels, fill_value=0.0)
    shares.index = pd.Index([error_words(name) for name in kept], name="error")
    return shares.reset_index().melt("error", var_name="level", value_name="share")


def error_words(name: str) -> str:
    """``E9_data_flow_error`` as words: data flow error."""
    return name.partition("_")[2].replace("_", " ") if name in ERROR_CLASSES else name
