"""The documents of the dataset folder: card, datasheet and the rest, with numbers that are computed.

Their prose stands in ``documents/``, with ``$name`` where a number or a table goes.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import resources
from string import Template
from typing import Any

from croissant.description import Column, File
from dataset_builder.published.citation import PAPER_BIBTEX, citation_cff, zenodo_json
from dataset_builder.published.columns import CONFIGS, Config, parquet_path
from dataset_builder.published.croissant_metadata import REPO, describe
from dataset_builder.tasks.irrelevance import irrelevance_suite
from dataset_builder.tasks.task import CANARY, SUITE_LEVELS, SUITE_VERSION, Level, Suite, Task
from dataset_builder.tools.tool import CATEGORIES, Tool

DOCUMENTS = (
    *("README.md", "DATASHEET.md", "CHANGELOG.md", "ERRATA.md", "eval.yaml", "LICENSE"),
    "task.svg",
)
_LEVELS = (
    "single call",
    "chain: the second call needs the first one's output",
    "parallel: independent calls, joined by one more call or by the model's answer",
    "graph: calls that branch and merge",
)


def documents(
    suite: Suite,
    tools: Mapping[str, Tool],
    sizes: Mapping[str, tuple[int, int]],
    files: Sequence[File],
    repo: str = REPO,
    horizon: Suite | None = None,
) -> dict[str, str]:
    """File name → text. ``sizes``: rows and bytes in memory of each config that is written."""
    metadata = describe(suite, repo)
    facts = (
        _facts(suite, tools)
        | _horizon_facts(horizon)
        | {
            "config_table": _config_table({name: rows for name, (rows, _) in sizes.items()}),
            "repo": repo,
            "url": metadata.url,
            "bibtex": metadata.citation,
        }
    )
    texts = {
        "CITATION.cff": citation_cff(metadata, suite.digest),
        ".zenodo.json": zenodo_json(metadata),
    }
    for name in DOCUMENTS:
        texts[name] = _filled(name, facts)
    front = front_matter(suite, sizes, files, horizon)
    texts["README.md"] = f"---\n{front}---\n\n{texts['README.md']}"
    return texts


def _filled(name: str, facts: Mapping[str, str]) -> str:
    """A text of ``documents/`` with its placeholders filled."""
    source = resources.files("dataset_builder.published").joinpath("documents", name)
    return Template(source.read_text("utf-8")).substitute(facts)


def front_matter(
    suite: Suite,
    sizes: Mapping[str, tuple[int, int]],
    files: Sequence[File],
    horizon: Suite | None = None,
) -> str:
    """The card's YAML.

    Version and digests stand in it because the cache of `datasets` is keyed by this text, not by the
    content of local files.
    """
    import yaml

    configs = [config for config in CONFIGS if config.name in sizes]
    downloads = {file.path: file.size for file in files}
    data = {
        "pretty_name": "CompToolBench",
        "license": "cc-by-4.0",
        "language": ["en"],
        "task_categories": ["text-generation"],
        "multilinguality": ["monolingual"],
        "tags": ["tool-use", "function-calling", "agents", "compositionality", "benchmark"],
        "size_categories": [_size_category(len(suite.tasks))],
        "annotations_creators": ["machine-generated"],
        "language_creators": ["machine-generated"],
        "source_datasets": ["original"],
        "version": SUITE_VERSION,
        "digest": suite.digest,
        **({} if horizon is None else {"horizon_digest": horizon.digest}),
        "irrelevance_digest": irrelevance_suite().digest,
        "configs": [
            {
                "config_name": config.name,
                **({"default": True} if config.name == "default" else {}),
                "data_files": [{"split": "test", "path": parquet_path(config.name)}],
            }
            for config in configs
        ],
        "dataset_info": [
            _info(config, *sizes[config.name], downloads[parquet_path(config.name)])
            for config in configs
        ],
    }
    text: str = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=100)
    return text


def _info(config: Config, rows: int, size: int, download: int) -> dict[str, Any]:
    return {
        "config_name": config.name,
        "features": [_feature(column) for column in config.columns],
        "splits": [{"name": "test", "num_bytes": size, "num_examples": rows}],
        "download_size": download,
        "dataset_size": size,
    }


def _feature(column: Column) -> dict[str, Any]:
    return {"name": column.name, "list" if column.repeated else "dtype": column.type}


def _size_category(tasks: int) -> str:
    return next(
        name
        for most, name in ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_001, "10K<n<100K"))
        if tasks < most
    )


def _facts(suite: Suite, tools: Mapping[str, Tool]) -> dict[str, str]:
    """What the documents' placeholders stand for."""
    tasks = suite.tasks
    example = next((task for task in tasks if task.level is Level.CHAIN), tasks[0])
    by_level = Counter(task.level for task in tasks)
    calls = sum(len(task.steps) for task in tasks)
    expected = {step.tool for task in tasks for step in task.steps}
    templates = {task.metadata["template"] for task in tasks}
    return {
        "version": SUITE_VERSION,
        "seed": "unpublished" if suite.seed is None else str(suite.seed),
        "digest": suite.digest,
        "canary": CANARY,
        "tasks": str(len(tasks)),
        "tools": str(len(tools)),
        "categories": str(len({tool.category for tool in tools.values()})),
        "calls": str(calls),
        "mean_calls": f"{calls / len(tasks):.2f}",
        "expected_tools": str(len(expected)),
        "unexpected_tools": str(len(tools) - len(expected)),
        "templates": str(len(templates)),
        "l0": str(by_level[Level.NODE]),
        "l1": str(by_level[Level.CHAIN]),
        "l2": str(by_level[Level.PARALLEL]),
        "l3": str(by_level[Level.DAG]),
        "level_table": _level_table(suite),
        "column_table": _column_table("default"),
        "tool_column_table": _column_table("tools"),
        "category_table": _category_table(tools),
        "example_prompt": example.prompt,
        "example_calls": _calls(example),
        "requests": str(len(irrelevance_suite().tasks)),
        "irrelevance_digest": irrelevance_suite().digest,
        "paper_bibtex": PAPER_BIBTEX,
    }


def _horizon_facts(horizon: Suite | None) -> dict[str, str]:
    """What the documents say of the procedures; nothing where there are none."""
    if horizon is None:
        return {"horizon_section": "", "horizon_instances": ""}
    rungs = Counter(len(task.steps) for task in horizon.tasks)
    *shorter, longest = sorted(rungs)
    facts = {
        "procedures": str(len(horizon.tasks)),
        "lengths": f"{', '.join(map(str, shorter))} and {longest}",
        "longest": str(longest),
        "procedure_calls": f"{sum(calls * count for calls, count in rungs.items()):,}",
        "procedure_tools": str(len({s.tool for task in horizon.tasks for s in task.steps})),
        "horizon_digest": horizon.digest,
    }
    return {
        "horizon_section": f"\n{_filled('horizon.md', facts)}",
        "horizon_instances": _filled("horizon_instances.md", facts).strip(),
    }


def _level_table(suite: Suite) -> str:
    lines = ["| level | what | tasks | calls |", "|---|---|---|---|"]
    for level in SUITE_LEVELS:
        chosen = [task for task in suite.tasks if task.level is level]
        calls = sum(len(task.steps) for task in chosen)
        lines.append(f"| L{level.value} | {_LEVELS[level]} | {len(chosen)} | {calls} |")
    return "\n".join(lines)


def _config_table(rows: Mapping[str, int]) -> str:
    lines = ["| config | a row is | rows |", "|---|---|---|"]
    lines += [f"| `{c.name}` | {c.row} | {rows[c.name]} |" for c in CONFIGS if c.name in rows]
    return "\n".join(lines)


def _calls(task: Task) -> str:
    """Calls that answer a task, as JSON: a value that is an earlier output as a reference to it."""
    steps = {step.step_id: (number, step) for number, step in enumerate(task.steps, 1)}
    calls = []
    for step in task.steps:
        arguments = dict(step.arguments)
        for edge in step.edges:
            number, source = steps[edge.source]
            if arguments.get(edge.argument) == source.output.get(edge.path, edge):
                arguments[edge.argument] = f"{{{{{number}.{edge.path}}}}}"
        arguments_json = json.dumps(arguments, ensure_ascii=False)
        calls.append(f'{{"name": "{step.tool}",\n  "arguments": {arguments_json}}}')
    return "[" + ",\n ".join(calls) + "]"


def _column_table(name: str) -> str:
    (config,) = (config for config in CONFIGS if config.name == name)
    lines = ["| column | type | meaning |", "|---|---|---|"]
    for column in config.columns:
        kind = f"list of {column.type}" if column.repeated else column.type
        kind = "JSON text" if column.json else kind
        lines.append(f"| `{column.name}` | {kind} | {column.description} |")
    return "\n".join(lines)


def _category_table(tools: Mapping[str, Tool]) -> str:
    lines = ["| category | tools |", "|---|---|"]
    for category in CATEGORIES:
        names = [f"`{tool.name}`" for tool in tools.values() if tool.category == category]
        lines.append(f"| {category} ({len(names)}) | {', '.join(names)} |")
    return "\n".join(lines)
