"""The `datasets` builder over the column table, for use in process.

    builder = CompToolBench("L1", seed=7)
    builder.download_and_prepare()
    dataset = builder.as_dataset(split="test")

It stands in a module of its own because its base class has to be imported to define it.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import datasets  # noqa: TID253 - a subclass needs its base; nothing else imports this module

from croissant.description import Column
from dataset_builder.procedures.rungs import horizon_suite
from dataset_builder.published.columns import CONFIGS, HORIZON, rows
from dataset_builder.tasks.engine import COUNTS, CompositionEngine
from dataset_builder.tasks.task import SEED, SUITE_VERSION


def features(columns: Sequence[Column]) -> datasets.Features:
    """The `datasets` features of a config's columns."""
    return datasets.Features(
        {
            column.name: datasets.List(datasets.Value(column.type))
            if column.repeated
            else datasets.Value(column.type)
            for column in columns
        }
    )


class CompToolBenchConfig(datasets.BuilderConfig):  # type: ignore[misc]
    """A config of one seed; seed and counts are part of the cache's key."""

    def __init__(
        self, name: str, seed: int = SEED, counts: Sequence[int] = COUNTS, **properties: Any
    ) -> None:
        """``counts``: tasks a level."""
        super().__init__(name=name, version=datasets.Version(SUITE_VERSION), **properties)
        self.seed = seed
        self.counts = tuple(counts)


class CompToolBench(datasets.GeneratorBasedBuilder):  # type: ignore[misc]
    """The published configs, generated instead of downloaded."""

    BUILDER_CONFIG_CLASS = CompToolBenchConfig
    BUILDER_CONFIGS = [CompToolBenchConfig(config.name) for config in CONFIGS]  # noqa: RUF012
    DEFAULT_CONFIG_NAME = "default"

    def _info(self) -> datasets.DatasetInfo:
        columns = {config.name: config.columns for config in CONFIGS}[self.config.name]
        return datasets.DatasetInfo(features=features(columns), license="CC-BY-4.0")

    def _split_generators(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        return [datasets.SplitGenerator(datasets.Split.TEST)]

    def _generate_examples(self) -> Iterator[tuple[int, dict[str, Any]]]:
        engine = CompositionEngine(self.config.seed, counts=self.config.counts)
        is_horizon = self.config.name == HORIZON
        suite = horizon_suite(self.config.seed) if is_horizon else engine.generate_suite()
        yield from enumerate(rows(self.config.name, suite, engine.catalogue))
