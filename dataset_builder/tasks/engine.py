"""The CompositionEngine: seed → suite. Ground truth is computed by executing the templates' steps."""

import json
import math
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from importlib import resources
from typing import Any

from dataset_builder.errors import InputError
from dataset_builder.tasks.distractors import Distractors, benchmark_distractors
from dataset_builder.tasks.ground_truth import Degenerate, make_steps
from dataset_builder.tasks.prompt_similarity import (
    SMALL_SUITE,
    PromptLog,
)
from dataset_builder.tasks.slot import draw_slots
from dataset_builder.tasks.task import (
    CANARY,
    LEVELS_VERSION,
    SEED,
    SUITE_LEVELS,
    Level,
    Suite,
    Task,
)
from dataset_builder.tasks.template import Template
from dataset_builder.tools.tool import Catalogue, Tool
from dataset_builder.values.draw import Draw

COUNTS = (48, 64, 40, 48)
# Beyond, templates with few values are used up; another seed gives other tasks.
MAX_TASKS = 100_000
# In a small suite no template is used more often, if there are enough of them.
MOST_USES = 4
# A template whose values are fixed makes few tasks; after so many in vain the next one takes over.
TRIES = 20
# A prime of which a product fits a machine word.
_PRIME = 2**30 - 35


class EngineError(InputError):
    """No suite can be made as asked; the message says why."""


class CompositionEngine:
    """Makes the tasks of a seed (paper, section 4.2)."""

    def __init__(
        self,
        seed: int | str = SEED,
        catalogue: Mapping[str, Tool] | None = None,
        templates: Sequence[Template] | None = None,
        counts: Sequence[int] = COUNTS,
    ) -> None:
        """The benchmark's catalogue and templates where none are given; ``counts`` tasks per level.

        A secret suite takes a long text as its seed. Raises TemplateError for a template that does
        not fit the catalogue and EngineError for a level without templates.
        """
        self.seed = seed
        self.catalogue = _default_catalogue() if catalogue is None else catalogue
        self.counts = tuple(counts)
        self._counts = list(counts)
        self._is_small = sum(counts) <= SMALL_SUITE
        self.is_published = seed == SEED and self.counts == COUNTS and templates is None
        self.templates = tuple(_default_templates() if templates is None else templates)
        if len(self.counts) != len(SUITE_LEVELS) or any(count < 0 for count in self.counts):
            raise EngineError("counts are four whole numbers, one for each level")
        if sum(self.counts) > MAX_TASKS:
            raise EngineError(f"a suite has at most {MAX_TASKS:,} tasks; another seed gives others")
        # The benchmark's own were checked as they were read.
        if catalogue is not None or templates is not None:
            for template in self.templates:
                template.check(self.catalogue)
        for level, count in zip(SUITE_LEVELS, self.counts, strict=True):
            if count and not self._of_level[level]:
                raise EngineError(f"no template makes a task of level {level.value}")

    @cached_property
    def _tools(self) -> dict[str, Tool]:
        return dict(self.catalogue)

    @cached_property
    def _schemas(self) -> dict[str, str]:
        return {name: tool.schema_json for name, tool in self._tools.items()}

    @cached_property
    def _categories(self) -> dict[str, list[str]]:
        """By template those of the tools that it expects, each once."""
        return {
            template.name: list(dict.fromkeys(self._tools[t].category for t in template.tools))
            for template in self.templates
        }

    @cached_property
    def _of_level(self) -> dict[Level, tuple[Template, ...]]:
        return {
            level: tuple(t for t in self.templates if t.level is level) for level in SUITE_LEVELS
        }

    @cached_property
    def _names(self) -> dict[Level, list[bytes]]:
        """By level the names of its templates, in UTF-8."""
        return {level: [t.name.encode() for t in every] for level, every in self._of_level.items()}

    @cached_property
    def _keys(self) -> dict[Level, list[int]]:
        """By level a number for each template that hangs on the seed and its name alone."""
        draw = Draw(f"order|{self.seed}")
        return {
            level: [draw.integer(template.name, 1, _PRIME - 1) for template in templates]
            for level, templates in self._of_level.items()
        }

    @cached_property
    def _distractors(self) -> Distractors:
        is_default = self.catalogue is _default_catalogue()
        return benchmark_distractors() if is_default else Distractors(self._tools)

    @cached_property
    def _by_name(self) -> dict[str, Template]:
        return {template.name: template for template in self.templates}

    def generate_suite(self) -> Suite:
        """All tasks of the seed, in memory."""
        seed = self.seed if isinstance(self.seed, int) else None
        return Suite(LEVELS_VERSION, seed, tuple(self.generate()))

    def generate(self) -> Iterator[Task]:
        """The tasks one by one, in the order of their ids."""
        prompts = PromptLog(self._is_small)
        uses: Counter[str] = Counter()
        used_up: set[str] = set()
        index = 0
        for level, count in zip(SUITE_LEVELS, self.counts, strict=True):
            for _ in range(count):
                index += 1
                task = self._task(level, index, prompts, used_up)
                if self._is_small:
                    name = task.metadata["template"]
                    uses[name] += 1
                    if uses[name] >= max(MOST_USES, -(-count // len(self._of_level[level]))):
                        used_up.add(name)
                yield task

    def _task(self, level: Level, index: int, prompts: "PromptLog", used_up: set[str]) -> Task:
        task_id = level.task_id(index)
        for template, variant in self._candidates(level, index, used_up):
            try:
                task = self.make(template, task_id, index, variant, prompts)
            except Degenerate:
                continue
            if prompts.take(task.prompt):
                return task
        raise EngineError(f"no template gives a new task {task_id}")

    def _candidates(
        self, level: Level, index: int, used_up: set[str]
    ) -> Iterator[tuple[Template, int]]:
        """Which template and variant a task may be made of, the wanted one first.

        Adds the templates of which no variant was taken to those that are used up. Not in a small
        suite, where a prompt may be refused for being like another.
        """
        if self.is_published and str(index) in _schedule()["tasks"]:
            name, variant = _schedule()["tasks"][str(index)]
            yield self._by_name[name], variant
            return
        templates = self._of_level[level]
        ranks = self._ranks(level, index)
        for _ in templates:
            # A few of many are needed, mostly one: cheaper than to sort them.
            place = ranks.index(min(ranks))
            template, ranks[place] = templates[place], math.inf
            if template.name in used_up:
                continue
            for variant in range(TRIES):
                yield template, variant
            if not self._is_small:
                used_up.add(template.name)

    def _ranks(self, level: Level, index: int) -> list[float]:
        """How the level's templates rank for a task; the lowest is wanted (rendezvous hashing).

        A rank hangs on seed, index and the template's own name, so that a new template changes only
        the tasks that take it.
        """
        draw = Draw(f"order|{self.seed}|{index}")
        if self._is_small:
            # A hash for each template: so the suites were made that are published by now.
            return draw.ranks(self._names[level])
        # A hash for each task, since a hundred would take a fifth of the time: multiples of one
        # number modulo a prime rank any two keys either way equally often.
        factor = draw.integer("factor", 1, _PRIME - 1)
        return [key * factor % _PRIME for key in self._keys[level]]

    def make(
        self,
        template: Template,
        task_id: str,
        index: int,
        variant: int,
        taken: Container[str] = (),
    ) -> Task:
        """One task; Degenerate where the drawn values make no good one, or a prompt that is taken."""
        draw = Draw(f"{self.seed}|{template.name}|{index}|{variant}")
        values = draw_slots(template.slots, draw)
        prompt = template.say(draw.choice("phrasing", template.prompts), values)
        prompt = prompt[:1].upper() + prompt[1:]
        if prompt in taken:
            raise Degenerate(f"{template.name}: another task has this prompt")
        steps, optional = make_steps(template, values, prompt, self._tools)
        printed = _schedule()["offered"].get(task_id) if self.is_published else None
        others = frozenset([other.tool for step in steps for other in step.alternatives])
        offered = printed or self._distractors.offer(template.level, template.tools, others, draw)
        metadata = self._metadata(template, index, variant, optional)
        if template.level is Level.NODE:
            metadata["control"] = {
                "tool_hinted": f"{prompt} Use the {template.tools[0]} tool.",
                "context_rich": template.say(template.rich, values),
            }
        schemas = tuple([self._schemas[name] for name in offered])
        return Task(task_id, template.level, prompt, schemas, tuple(offered), steps, metadata)

    def _metadata(
        self, template: Template, index: int, variant: int, optional: list[dict[str, Any]]
    ) -> dict[str, Any]:
        """What a task's row tells of how it was made (specification: Metadata)."""
        return {
            "pattern": template.pattern,
            "template": template.name,
            "categories": self._categories[template.name],
            "step_count": len(template.steps),
            "dag": template.dag,
            "optional_calls": optional,
            "generation": {
                "seed": self.seed if isinstance(self.seed, int) else None,
                "counts": self._counts,
                "index": index,
                "variant": variant,
                "suite_version": LEVELS_VERSION,
            },
            "canary": CANARY,
        }


def _default_catalogue() -> Catalogue:
    from dataset_builder.tools import catalogue

    return catalogue()


def _default_templates() -> tuple[Template, ...]:
    from dataset_builder.tasks.templates import templates

    return templates()


@lru_cache(maxsize=1)
def _schedule() -> dict[str, Any]:
    """Seed 42: ``tasks`` (index → template and variant) and ``offered`` (id → tools).

    The tools are those that the paper prints with four of the tasks (Appendix G).
    """
    text = resources.files("dataset_builder.tasks").joinpath("schedule.json").read_text("utf-8")
    schedule: dict[str, Any] = json.loads(text)
    return schedule
