"""Runs compared pair by pair: overall, by level and by category, as data and as text."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from math import fsum, isnan
from operator import itemgetter
from typing import Any

import numpy as np

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite
from evaluator.comparing.results import Result
from evaluator.comparing.score_array import score_array
from evaluator.comparing.significance_tests import difference_rows, strict_rows
from evaluator.scoring.metrics import (
    GAP_METRICS,
    GAP_NOTE,
    GAPS,
    LEVELS,
    METRICS,
    QUANTITY_NAMES,
    SCORES,
    SOLVED,
)
from evaluator.scoring.text_tables import columns, percent, span
from evaluator.traces.signature import parse_signature

_SAYS = f"{SOLVED.name} says"


def comparison(results: Sequence[Result], suite: Suite) -> dict[str, Any]:
    """What `comptoolbench compare --json` prints; InputError for fewer than two runs.

    ``runs`` (name, model, signature, why not ranked), ``differ_in`` (field → values), ``differences`` (by
    quantity), ``strict`` (McNemar, Holm) and ``categories``: rows of what has those names. With
    faults in one of them ``recovery``: of the tasks that met one, how many are solved with and without.
    """
    if len(results) < 2:
        raise InputError(f"expected two runs or more to compare, got {len(results)}")
    runs = [
        {
            "run": result.name,
            "model": result.model,
            "signature": result.signature,
            "not_ranked": result.scores["diagnostics"]["not_ranked"],
        }
        for result in results
    ]
    names = [result.name for result in results]
    return {
        "runs": runs,
        "differ_in": differing_fields(results),
        "differences": records(difference_rows(names, score_array(results))),
        "strict": records(strict_rows(results)),
        "categories": records(category_differences(results, suite)),
        **({"recovery": recoveries} if (recoveries := [*_recoveries(results)]) else {}),
    }


def _recoveries(results: Sequence[Result]) -> Iterator[dict[str, Any]]:
    """What each run with faults solved of the tasks that met one, and what each without did of these."""
    for faulted in results:
        tasks = set(faulted.scores.get("recovery", {}).get("tasks", ()))
        for plain in results:
            solved, beside = _solved(faulted, tasks), _solved(plain, tasks)
            shared = solved.keys() & beside.keys()
            if shared and "recovery" not in plain.scores:
                yield {
                    "run": faulted.name,
                    "beside": plain.name,
                    "n": len(shared),
                    "solved": fsum(solved[task] for task in shared) / len(shared),
                    "solved_beside": fsum(beside[task] for task in shared) / len(shared),
                }


def _solved(result: Result, tasks: Container[str]) -> dict[str, float]:
    """Which share of its samples solves each of some tasks."""
    samples: dict[str, list[bool]] = {}
    for row in result.scores["tasks"]:
        if row["task_id"] in tasks:
            samples.setdefault(row["task_id"], []).append(bool(row["strict"]))
    return {task: sum(each) / len(each) for task, each in samples.items()}


def differing_fields(results: Sequence[Result]) -> dict[str, list[str]]:
    """The fields in which the signatures, or the wordings, differ: their values, in the results' order."""
    measured = [
        parse_signature(result.signature)._asdict()
        | {"wording": str(result.about.get("wording") or "minimal")}
        for result in results
    ]
    return {
        name: list(values)
        for name in measured[0]
        if len(values := dict.fromkeys(fields[name] for fields in measured)) > 1
    }


def category_differences(results: Sequence[Result], suite: Suite) -> list[dict[str, Any]]:
    """Each pair's overall difference over the tasks of each tool category.

    Rows: category and the columns of `differences`. A task belongs to every category of its steps' tools.
    """
    scores = score_array(results)
    names = [result.name for result in results]
    categories_by_task = [
        set(suite.by_id[task].metadata.get("categories", ())) for task in scores.tasks
    ]
    rows = []
    for category in sorted(set().union(*categories_by_task)):
        chosen = scores.only(np.array([category in of_task for of_task in categories_by_task]))
        # A category has few tasks of each level, too few to be drawn from level by level.
        chosen = replace(chosen, levels=np.zeros_like(chosen.levels))
        rows += [
            {"category": category, **row} for row in difference_rows(names, chosen, ["overall"])
        ]
    return rows


def records(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows for JSON: fifteen decimals, None for what is undefined."""
    return [{name: _plain(value) for name, value in row.items()} for row in rows]


def _plain(value: Any) -> Any:
    if not isinstance(value, float):
        return value
    # A p value may be smaller than any decimal shows.
    return None if isnan(value) else round(value, 15) or value


# Text -----------------------------------------------------------------------------------------


def comparison_text(compared: dict[str, Any]) -> str:
    """A `comparison` for the terminal; details where it is of two runs only."""
    letters = {run["run"]: _letter(i) for i, run in enumerate(compared["runs"])}
    runs = [
        (letters[r["run"]], r["model"] or "unnamed", r["run"], "; ".join(r["not_ranked"]))
        for r in compared["runs"]
    ]
    parts = [columns(runs), _asked(compared), _pairs(compared, letters)]
    parts += [_recovery(row, letters) for row in compared.get("recovery", ())]
    if len(runs) == 2:
        parts += [_by_level(compared), _gaps(compared), _by_category(compared), _planning(compared)]
    else:
        parts.append("By level and by category: compare two of them, or take --json.")
    return "\n\n".join(filter(None, parts))


def _asked(compared: dict[str, Any]) -> str:
    n = compared["strict"][0]["n"]
    tasks = f"{n} {'task' if n == 1 else 'tasks'} that all have"
    if not compared["differ_in"]:
        return f"{tasks}; {compared['runs'][0]['signature']}"
    differ = " and ".join(
        f"{name} ({', '.join(values)})" for name, values in compared["differ_in"].items()
    )
    return f"{tasks}. These runs were not asked alike: they differ in {differ}."


def _pairs(compared: dict[str, Any], letters: dict[str, str]) -> str:
    head = ["points", *_head(METRICS)]
    rows = [[*head, "solved by one only", "McNemar p", "Holm", _SAYS]]
    overall = {
        (row["a"], row["b"], row["metric"]): row
        for row in compared["differences"]
        if row["quantity"] == "overall"
    }
    for test in compared["strict"]:
        a, b = letters[test["a"]], letters[test["b"]]
        by_metric = [overall[test["a"], test["b"], metric] for metric in METRICS]
        only = f"{test['only_a']} : {test['only_b']}"
        p = (f"{test['p']:.3g}", f"{test['p_holm']:.3g}")
        rows.append([f"{a} − {b}", *_cells(by_metric), only, *p, _verdict(by_metric[0], a, b)])
    return columns(rows, right=range(1, 10))


def _recovery(row: dict[str, Any], letters: dict[str, str]) -> str:
    run, beside = letters[row["run"]], letters[row["beside"]]
    return (
        f"Of the {row['n']} tasks that met a fault in {run}, {run} solved {percent(row['solved'])} % "
        f"and {beside}, which had none, {percent(row['solved_beside'])} %."
    )


def _by_level(compared: dict[str, Any]) -> str:
    rows = [["level", "tasks", *_head(METRICS), _SAYS]]
    for quantity, by_metric in _by(compared["differences"], "quantity"):
        if quantity in LEVELS and by_metric[0]["difference"] is not None:
            cells = [QUANTITY_NAMES[quantity], str(by_metric[0]["n"]), *_cells(by_metric)]
            rows.append([*cells, _verdict(by_metric[0], "A", "B")])
    return columns(rows, right=range(1, 8))


def _gaps(compared: dict[str, Any]) -> str:
    """Gaps have no winner: a larger one is neither better nor worse."""
    rows = [["gap of A minus gap of B", *_head(GAP_METRICS)]]
    for quantity, group in _by(compared["differences"], "quantity"):
        if quantity in GAPS and group[0]["difference"] is not None:
            by_key = {row["metric"]: row for row in group}
            rows.append([GAPS[quantity], *_cells([by_key[key] for key in GAP_METRICS])])
    return f"{columns(rows, right=range(1, 7))}\n{GAP_NOTE}" if len(rows) > 1 else ""


def _by_category(compared: dict[str, Any]) -> str:
    rows = [["category", "tasks", *_head(METRICS), _SAYS]]
    for category, by_metric in _by(compared["categories"], "category"):
        rows.append(
            [category, str(by_metric[0]["n"]), *_cells(by_metric), _verdict(by_metric[0], "A", "B")]
        )
    return columns(rows, right=range(1, 8))


def _by(rows: Sequence[dict[str, Any]], field: str) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The rows of each quantity or category, one for each metric."""
    return ((value, list(group)) for value, group in groupby(rows, key=itemgetter(field)))


def _head(metrics: Sequence[str]) -> list[str]:
    return [cell for metric in metrics for cell in (SCORES[metric].name, "95 %")]


def _planning(compared: dict[str, Any]) -> str:
    smallest = ", ".join(
        f"{SCORES[row['metric']].name} {percent(row['detectable'])}"
        for row in compared["differences"]
        if row["quantity"] == "overall"
    )
    return (
        f"The smallest difference that these tasks would show four times in five: {smallest} points.\n"
        "Where no task differs there is no interval (–). Intervals are not adjusted for the number of\n"
        "rows: among twenty, one misses by chance. Of solved tasks an exact test over templates\n"
        "has to agree with the interval."
    )


def _cells(rows: Sequence[dict[str, Any]]) -> list[str]:
    return [
        cell
        for row in rows
        for cell in (percent(row["difference"], signed=True), span(row["low"], row["high"]))
    ]


def _verdict(row: dict[str, Any], a: str, b: str) -> str:
    """Who is ahead in a score, where more is better."""
    if not row["significant"]:
        return "no difference shown"
    return f"{a if row['difference'] > 0 else b} ahead"


def _letter(number: int) -> str:
    """A, B, …, Z, AA, AB, …"""
    rest, last = divmod(number, 26)
    return (_letter(rest - 1) if rest else "") + chr(ord("A") + last)
