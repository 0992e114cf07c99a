"""Runs of one signature, called a setting: how it is said in words and in the names of files."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def fields(signature: str) -> dict[str, str]:
    """The parts of a signature: ctb, seed, n, protocol, catalogue, calls, scorer."""
    return dict(part.partition(":")[::2] for part in signature.split("|"))


def words(signature: str) -> str:
    """What was asked, for a heading: single-turn, full catalogue, 200 tasks."""
    found = fields(signature)
    catalogue = found["catalogue"]
    offered = {"full": "all tools offered", "task": "each task's own tools offered"}.get(
        catalogue, f"{catalogue} tools offered"
    )
    calls = "" if found["calls"] == "native" else f", calls as {found['calls'].upper()}"
    return f"{found['protocol'].partition('.')[0]}, {offered}{calls}, {found['n']} tasks"


def stems(signatures: Iterable[str]) -> dict[str, str]:
    """Signature → the beginning of its files' names, made of the parts in which it may differ."""
    named: dict[str, str] = {}
    for signature in signatures:
        found = fields(signature)
        parts = [found["protocol"].partition(".")[0], found["catalogue"]]
        parts += [] if found["calls"] == "native" else [found["calls"]]
        stem = "-".join([*parts, found["n"]])
        same = sum(other == stem or other.startswith(f"{stem}-v") for other in named.values())
        named[signature] = f"{stem}-v{same + 1}" if same else stem
    return named


def size(catalogue: str | None) -> int | None:
    """The number of tools of a catalogue that is the same for every task, for a sweep; else None."""
    if catalogue == "full":
        return 106
    return int(catalogue) if catalogue and catalogue.isdigit() else None


def sweeps(runs: "pd.DataFrame") -> "pd.DataFrame":
    """The runs of models that were asked under several sizes of the catalogue and else alike.

    Adds ``tools``, the size; a size that was asked twice (full and 106) counts once.
    """
    sized = runs.assign(tools=runs["catalogue"].map(size)).dropna(subset="tools")
    alike = ["id", "protocol", "calls", "n_tasks"]
    # A number sorts before "full".
    sized = sized.sort_values([*alike, "tools", "catalogue"]).drop_duplicates([*alike, "tools"])
    several = sized.groupby(alike)["tools"].transform("nunique") > 1
    return sized[several]
