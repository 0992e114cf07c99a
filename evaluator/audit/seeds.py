"""The audit of what is made of a seed, as a unit of work of its own."""

from dataclasses import dataclass

from dataset_builder.errors import InputError
from dataset_builder.published.columns import HORIZON
from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tasks.irrelevance import IRRELEVANCE
from dataset_builder.tasks.task import Suite
from dataset_builder.tools import catalogue
from evaluator.audit import audit
from evaluator.audit.rules import Defect


@dataclass(frozen=True)
class AuditSeed:
    """Makes the tasks or the procedures (``config``) of a seed, and judges them; picklable."""

    config: str

    def __post_init__(self) -> None:
        if self.config == IRRELEVANCE:
            raise InputError("--seeds: the requests without a call are the same of every seed")

    def __call__(self, seed: int) -> tuple[int, list[Defect]]:
        """How many tasks there are, and everything that is wrong with them."""
        suite = self._suite(seed)
        return len(suite.tasks), list(audit(suite, catalogue()))

    def _suite(self, seed: int) -> Suite:
        if self.config != HORIZON:
            return CompositionEngine(seed).generate_suite()
        from dataset_builder.procedures.rungs import horizon_suite

        return horizon_suite(seed)
