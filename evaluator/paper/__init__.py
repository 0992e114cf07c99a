"""The paper's published tables as data: suite 2.0.0, comparable with nothing else. Imports scoring.

Shares and scores are fractions in [0, 1] as everywhere here; the files hold them in per cent.
"""

from importlib import resources
from typing import TYPE_CHECKING

from evaluator.scoring.metrics import LEVELS

if TYPE_CHECKING:
    import pandas as pd


def table2() -> "pd.DataFrame":
    """Main results, a row for each of the 27 models (section 5).

    Columns: regime, model, provider, L0 … L3, overall, delta_l0_l3 and has_gap (the table's dagger).
    Weighted scores. Two models are called Llama 3.1 8B; their providers tell them apart.
    """
    table = _read("table2_results").rename(
        columns={"delta_L0_L3": "delta_l0_l3", "selection_gap": "has_gap"}
    )
    return _fractions(table, *LEVELS, "overall", "delta_l0_l3")


def table4() -> "pd.DataFrame":
    """The ablation over 10 cloud models (Appendix C): configuration (our names), rho, p, models_with_gap.

    ``p`` is text as printed ("<0.001"), None for the default.
    """
    table = _read("table4_ablation")
    table.columns = ["configuration", "rho", "p", "models_with_gap"]
    table["configuration"] = table["configuration"].str.replace("_", "-")
    table["p"] = table["p"].astype(object).where(table["p"].notna(), None)
    return table


def table5() -> "pd.DataFrame":
    """Diagnostics (Appendix D): regime, model, tool_selection, argument_accuracy, latency_ms, tokens.

    ``tokens`` over all 200 tasks. Names of models carry the provider in brackets.
    """
    table = _read("table5_diagnostics")
    table.columns = [
        *("regime", "model", "tool_selection", "argument_accuracy", "latency_ms", "tokens")
    ]
    table["tokens"] *= 1000
    return _fractions(table, "tool_selection", "argument_accuracy")


def table6() -> "pd.DataFrame":
    """The level-0 control (Appendix H): wording, accuracy, low, high, tool_selection, argument_accuracy."""
    table = _read("table6_l0_control")
    numbers = ("accuracy", "low", "high", "tool_selection", "argument_accuracy")
    table.columns = ["wording", *numbers]
    return _fractions(table, *numbers)


def _read(name: str) -> "pd.DataFrame":
    import pandas as pd

    with resources.files(__name__).joinpath(f"{name}.csv").open(encoding="utf-8") as file:
        return pd.read_csv(file)


def _fractions(table: "pd.DataFrame", *columns: str) -> "pd.DataFrame":
    # Rounded to what is printed, which division by 100 may miss by the last bit.
    table[list(columns)] = (table[list(columns)] / 100).round(6)
    return table
