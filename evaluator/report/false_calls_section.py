"""The section of false calls: how often the models of one signature call a tool where none serves."""

from collections.abc import Sequence

from evaluator.comparing.leaderboard import share_without_call
from evaluator.comparing.results import Result
from evaluator.models import is_baseline
from evaluator.report import findings
from evaluator.report.content import Section
from evaluator.report.data_frames import model_name
from evaluator.report.settings import words_of_asking
from evaluator.report.tables import Column, Table
from evaluator.scoring.irrelevance import answered_text

REQUESTS_ONLY = "Requests that no tool serves; no run of the suite of tasks."
REQUESTS_LIMIT = (
    "A rate of false calls proves nothing alone, since a model that never calls a tool has none: it is "
    "read beside the share of tasks that need calls and got none."
)


def false_calls_sections(requests: Sequence[Result], others: Sequence[Result]) -> list[Section]:
    """A section for each signature of runs that have the section ``irrelevance`` in their scores.

    ``others``: the runs of levels 0 to 3 among which the same models are looked for.
    """
    settings: dict[str, list[Result]] = {}
    for result in requests:
        settings.setdefault(result.signature, []).append(result)
    return [
        _section(
            "false-calls" if number == 1 else f"false-calls-{number}",
            signature,
            settings[signature],
            others,
        )
        for number, signature in enumerate(sorted(settings), 1)
    ]


def _section(
    stem: str, signature: str, results: Sequence[Result], others: Sequence[Result]
) -> Section:
    return Section(
        name=stem,
        title=f"False calls: {words_of_asking(signature)}",
        signature=signature,
        intro=[
            f"Requests that no tool serves, asked in {findings.count(len(results), 'run')}. Any call is "
            "a false one. These runs are not ranked."
        ],
        tables=[_table(stem, results, others)],
    )


def _table(stem: str, results: Sequence[Result], others: Sequence[Result]) -> Table:
    import pandas as pd

    # Models before baselines, by name: nothing here is a ranking.
    order = sorted(results, key=lambda each: (is_baseline(each.model), each.model, each.name))
    rows = []
    for result in order:
        section = result.scores["irrelevance"]
        calls, silent = section["false_calls"] or {}, section["silent"] or {}
        rows.append(
            {
                "model": model_name(result),
                "answered": answered_text(result.scores),
                "calls": calls.get("share"),
                "calls_low": calls.get("low"),
                "calls_high": calls.get("high"),
                "silent": silent.get("share"),
                "without": share_without_call(result, others),
            }
        )
    columns = [
        Column("model", "model"),
        Column("answered", "answered", "label"),
        Column("calls", "false calls", "percent", interval=True),
        Column("silent", "silent", "percent"),
        Column("without", "no call on the tasks", "percent"),
    ]
    return Table(
        stem,
        "False calls of each model",
        pd.DataFrame(rows),
        columns,
        "In per cent of the requests that were answered, with Wilson's 95 % intervals in brackets. Silent: "
        "no call, and not a word either. No call on the tasks: of the same model, asked in the same way; a "
        "dash where no such run is here.",
        frozenset(i for i, result in enumerate(order) if is_baseline(result.model)),
    )
