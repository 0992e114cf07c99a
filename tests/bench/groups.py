"""The groups of measures; each is a module of this folder with its MEASURES."""

from importlib import import_module

from tests.bench.measure import Measure

REFERENCE = "reference"
GROUPS = (
    REFERENCE,
    "start_up",
    "generation",
    "audit",
    "scoring",
    "statistics",
    "report",
    "runner",
    "page",
    "first_view",
)


def measures(group: str) -> tuple[Measure, ...]:
    """Those of a group, in the order of the table."""
    found: tuple[Measure, ...] = import_module(f"tests.bench.{group}").MEASURES
    return found


def measure(group: str, name: str) -> Measure:
    """The one of that name."""
    return next(each for each in measures(group) if each.name == name)
