"""The paper's own results: suite 2.0.0, on a tab of their own because they compare with nothing here."""

from collections.abc import Iterator

import gradio as gr
from markupsafe import Markup

from evaluator.paper import table2
from evaluator.scoring.metrics import LEVELS, QUANTITY_NAMES, WEIGHTED
from evaluator.scoring.text_tables import percent
from space.base.markup import Child, join, notice, table

_REGIMES = {"frontier": "frontier", "free_cloud": "free cloud", "local": "local"}
_WARNING = (
    "Suite 2.0.0, not comparable with any other number on this page. These are the 27 rows that the "
    "paper printed. In that suite 26 of the 48 single-call prompts leave out a value that the answer "
    "needs, so 45.8 % is the highest L0 that any model could reach, and no model could reach 100 % "
    "overall. Tasks, ground truth and scoring have changed since."
)


def paper_tab() -> None:
    """Build the tab's content."""
    gr.HTML(paper_page(), elem_classes="ctb", apply_default_css=False, js_on_load=None)


def paper_page() -> Markup:
    """The warning and Table 2."""
    levels = (QUANTITY_NAMES[level] for level in LEVELS)
    head = ("model", "provider", "regime", *levels, "overall", "L0 − L3", "suite")
    return join(
        [
            notice(_WARNING),
            table(
                head,
                _rows(),
                f"Table 2 of the paper, suite 2.0.0, in its order: {WEIGHTED.name}, per cent",
                numbers=range(3, 9),
            ),
        ]
    )


def _rows() -> Iterator[list[Child]]:
    for row in table2().to_dict("records"):
        yield [
            row["model"],
            row["provider"],
            _REGIMES.get(row["regime"], row["regime"]),
            *(percent(row[level]) for level in (*LEVELS, "overall")),
            percent(row["delta_l0_l3"], signed=True),
            "2.0.0",
        ]
