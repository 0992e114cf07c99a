"""Runs of one signature, called a setting: how it is said in words and in the names of files."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from evaluator.traces.signature import NONE, parse_signature

if TYPE_CHECKING:
    import pandas as pd


def words(signature: str) -> str:
    """What was asked, for a heading: single-turn, full catalogue, 200 tasks."""
    return f"{words_of_asking(signature)}, {parse_signature(signature).n} tasks"


def words_of_asking(signature: str) -> str:
    """How it was asked, whatever the number of tasks: single-turn, full catalogue."""
    fields = parse_signature(signature)
    offered = {"full": "all tools offered", "task": "each task's own tools offered"}.get(
        fields.catalogue, f"{fields.catalogue} tools offered"
    )
    calls = "" if fields.calls == "native" else f", calls as {fields.calls.upper()}"
    through = [] if fields.endpoint == NONE else [f"asked through {fields.endpoint}"]
    return ", ".join(
        [f"{fields.protocol_name}, {offered}{calls}", *through, *fields.variation.words]
    )


def stems(signatures: Iterable[str]) -> dict[str, str]:
    """Signature → the beginning of its files' names, made of the parts in which it may differ."""
    named: dict[str, str] = {}
    for signature in signatures:
        fields = parse_signature(signature)
        parts = [fields.protocol_name, fields.catalogue]
        parts += [] if fields.calls == "native" else [fields.calls]
        parts += [] if fields.endpoint == NONE else [fields.endpoint]
        parts += [f"{name}-{value}" for name, value in fields.variation.written.items()]
        stem = "-".join([*parts, fields.n])
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
