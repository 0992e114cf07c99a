"""What an annotator sees beside a task: how far they are, and how far annotators agree."""

from collections.abc import Mapping

from markupsafe import Markup

from evaluator.audit.annotator_agreement import agreement, passed
from evaluator.scoring.text_tables import percent
from space.base.markup import Child, join, table, tag
from space.base.sanitize import clean

MAX_NAME = 60
LABELS = {
    "prompt_trace": "Prompt and calls",
    "arguments": "Arguments",
    "data_flow": "Data flow",
    "distractors": "Distractors",
}
Sheets = Mapping[str, Mapping[str, Mapping[str, bool]]]


def agreement_page(sheets: Sheets) -> Markup:
    """What each annotator passed, and kappa for each pair and criterion."""
    if not sheets:
        return tag("p", "Nobody has judged a task yet.")
    shares: list[list[Child]] = [
        [clean(name, MAX_NAME), len(sheet), *(percent(value) for value in passed(sheet).values())]
        for name, sheet in sheets.items()
        if sheet
    ]
    head = ("annotator", "tasks", *LABELS.values(), "all four")
    parts = [
        table(head, shares, "Tasks that meet each criterion, in per cent", numbers=range(1, 7))
    ]
    if len(shares) < 2:
        parts.append(
            tag("p", "Kappa appears when a second annotator has judged some of the same tasks.")
        )
        return join(parts)
    rows: list[list[Child]] = [
        [
            clean(row["annotators"], 2 * MAX_NAME),
            LABELS[str(row["criterion"])],
            str(row["tasks"]),
            _share(row["agreement"]),
            "–" if row["kappa"] is None else f"{row['kappa']:.2f}",
        ]
        for row in agreement(sheets)
    ]
    caption = (
        "Agreement in per cent and Cohen's kappa, over the tasks that both judged. Kappa is undefined "
        "(–) where both always give the same one verdict."
    )
    head = ("annotators", "criterion", "tasks", "agreement", "kappa")
    return join([*parts, table(head, rows, caption, numbers=(2, 3, 4))])


def _share(value: object) -> str:
    return percent(value) if isinstance(value, float) else "–"
