"""How long the audit takes."""

from collections.abc import Callable
from pathlib import Path

from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.task import Suite
from dataset_builder.tools import catalogue
from evaluator.audit import audit
from tests.bench.measure import Measure, Work


def _audit(make: Callable[[], Suite]) -> Callable[[Path], Work]:
    def prepare(folder: Path) -> Work:
        made, tools = make(), catalogue()
        return lambda: list(audit(made, tools))

    return prepare


MEASURES = (
    Measure("audit of 200 tasks", _audit(load_suite)),
    Measure(
        "audit of the requests without a call", _audit(lambda: load_suite(config="irrelevance"))
    ),
)
