"""What the figures of the horizon take, as frames: a row for each model and number of calls."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from evaluator.horizon.length_text import Ladder, ladder_ends

if TYPE_CHECKING:
    import pandas as pd

_POINTS = 64
"""So many pieces make a dotted curve."""


def solved_frame(ladders: Mapping[str, Ladder]) -> "pd.DataFrame":
    """Model, calls, solved, low and high in per cent; a rung without an answer has no row."""
    import pandas as pd

    rows = [
        (
            label,
            rung["calls"],
            100 * rung["solved"] / rung["tasks"],
            100 * rung["low"],
            100 * rung["high"],
        )
        for label, section in ladders.items()
        for rung in section["rungs"]
        if rung["tasks"]
    ]
    return pd.DataFrame(rows, columns=["model", "calls", "solved", "low", "high"])


def independent_frame(ladders: Mapping[str, Ladder]) -> "pd.DataFrame":
    """Model, calls and share in per cent of the curve p^N over the whole ladder."""
    import pandas as pd

    answered = [ends for section in ladders.values() if (ends := ladder_ends(section))]
    shortest, longest = min(low for low, _ in answered), max(high for _, high in answered)
    steps = [shortest * (longest / shortest) ** (i / _POINTS) for i in range(_POINTS + 1)]
    rows = [
        (label, calls, 100 * section["independent"]["p"] ** calls)
        for label, section in ladders.items()
        if section["independent"]["p"] is not None
        for calls in steps
    ]
    return pd.DataFrame(rows, columns=["model", "calls", "share"])


def survival_frame(ladders: Mapping[str, Ladder]) -> "pd.DataFrame":
    """Model, calls, share, low and high in per cent, from the first call on."""
    import pandas as pd

    rows = []
    for label, section in ladders.items():
        points = section["survival"]
        if points and points[0]["calls"] > 1:
            rows.append((label, 1, 100.0, 100.0, 100.0))
        rows += [
            (label, point["calls"], *(100 * point[end] for end in ("share", "low", "high")))
            for point in points
        ]
    return pd.DataFrame(rows, columns=["model", "calls", "share", "low", "high"])
