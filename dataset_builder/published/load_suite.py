"""Read a suite: from a dataset folder, a file, the Hub, or the generator itself."""

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from dataset_builder.errors import InputError, why
from dataset_builder.published.columns import HORIZON, SUITE_CONFIGS, parquet_path
from dataset_builder.published.suite_2 import is_legacy, legacy_task
from dataset_builder.read_files import named, open_plain
from dataset_builder.tasks.irrelevance import IRRELEVANCE, irrelevance_suite
from dataset_builder.tasks.task import LEVELS_VERSION, SEED, Level, Step, Suite, Task
from dataset_builder.value_cache import cache_folder, kept, key_of

_MOST_KEPT = 4
_PACKAGES = ("dataset_builder",)


class SuiteError(InputError):
    """There is no suite there, or it cannot be read; the message says what was expected."""


def load_suite(
    source: str | Path | None = None, revision: str | None = None, config: str = "default"
) -> Suite:
    """The suite of a dataset folder, a ``.parquet`` or ``.jsonl`` file, or a Hub id ``ORG/NAME``.

    Without a source: the seed-42 suite, generated, or as the same code generated it before (`value_cache`).
    ``revision`` is a tag, branch or commit of the Hub. ``config``: ``horizon`` for the procedures,
    ``irrelevance`` for the requests that no tool serves, each a suite of its own; a file's rows tell by
    themselves which suite they are. A folder's files are first compared with the hashes in its Croissant
    document. The suite tells its ``digest``. Raises SuiteError with one sentence.
    """
    if config not in SUITE_CONFIGS:
        raise SuiteError(f"no suite is called {config!r} (expected {_LISTED})")
    if source is None:
        return _PUBLISHED[config]()
    suite = _loaded(source, revision, config)
    if config in _HELD and suite.name != config:
        raise SuiteError(f"{source}: holds no {_HELD[config]} (config {config})")
    return suite


def _loaded(source: str | Path, revision: str | None, config: str) -> Suite:
    path = Path(source)
    if path.is_dir():
        _check_hashes(path)
        return _read(path / parquet_path(config), path)
    if path.is_file():
        return _read(path, path)
    if path.exists():
        raise SuiteError(f"{source}: is no plain file")
    if isinstance(source, str) and source.count("/") == 1 and path.suffix not in _SUFFIXES:
        from dataset_builder.published.hub import Repo, download_suite

        return _read(download_suite(Repo(source), revision, config), source)
    raise SuiteError(
        f"{source}: no such file or folder (a suite is a dataset folder, a .parquet or .jsonl file, "
        "or a Hub id ORG/NAME; `comptoolbench build` writes one)"
    )


def published_suite() -> Suite:
    """The seed-42 suite."""

    def made() -> Suite:
        from dataset_builder.tasks.engine import CompositionEngine

        return CompositionEngine(SEED).generate_suite()

    return _generated_once("default", made)


def horizon_of(seed: int, **sizes: int) -> Suite:
    """The procedures of a seed; ``sizes`` of their ladder (`rungs.horizon_suite`) where it is not the usual.

    Those that are published come as `published_horizon` gives them.
    """
    from dataset_builder.procedures.rungs import PER_RUNG, RUNGS, horizon_suite

    usual = {"per_rung": PER_RUNG, "longest": RUNGS[-1]}
    is_published = seed == SEED and usual | sizes == usual
    return published_horizon() if is_published else horizon_suite(seed, **sizes)


@lru_cache(maxsize=1)
def published_horizon() -> Suite:
    """The procedures of seed 42."""

    def made() -> Suite:
        from dataset_builder.procedures.rungs import horizon_suite

        return horizon_suite(SEED)

    return _generated_once(HORIZON, made)


def _generated_once(config: str, generate: Callable[[], Suite]) -> Suite:
    """The suite from its rows in the user's cache, where the same code generated them before.

    Reading them takes a tenth of the time, and for procedures a twentieth.
    """
    key = key_of(["suite", config, SEED], _PACKAGES)
    folder = cache_folder("suites")
    rows = kept(folder, _MOST_KEPT, key, lambda: [task.to_row() for task in generate().tasks])
    return suite_from_rows(rows, config)


_PUBLISHED: Mapping[str, Callable[[], Suite]] = {
    "default": published_suite,
    HORIZON: published_horizon,
    IRRELEVANCE: irrelevance_suite,
}
_LISTED = f"{', '.join(SUITE_CONFIGS[:-1])} or {SUITE_CONFIGS[-1]}"
_HELD = {HORIZON: "procedures", IRRELEVANCE: "requests that no tool serves"}
"""What the configs beside `default` hold, in words."""


def _check_hashes(folder: Path) -> None:
    """Refuse a dataset folder of which a file is not what its Croissant document says."""
    from croissant.verify import differing

    document = folder / "croissant.json"
    try:
        wrong = differing(document) if document.exists() else []
    except (OSError, ValueError) as error:
        raise SuiteError(f"{document}: cannot be read ({why(error)})") from None
    if wrong:
        raise SuiteError(
            f"{folder}: {wrong[0]} is missing or not the file that croissant.json describes, so the "
            "folder was damaged or edited (`comptoolbench build` writes it anew; give the path of a "
            "data file to read that file as it is)"
        )


def _read(path: Path, shown: Any) -> Suite:
    if not path.is_file():
        raise SuiteError(f"{shown}: there is no {path.parent.name}/{path.name} in it")
    if path.suffix == ".parquet":
        rows = list(_parquet_rows(path))
    elif path.suffix in _SUFFIXES:
        rows = list(_json_rows(path))
    else:
        raise SuiteError(f"{path}: expected a .parquet or .jsonl file")
    return suite_from_rows(rows, str(shown))


def _parquet_rows(path: Path) -> Iterator[dict[str, Any]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        # One file, never a dataset of files, whatever the path looks like. Through Arrow's own handle
        # and thread: one that lets go of a Python object while Python ends would abort the process.
        with pa.OSFile(str(path)) as handle:
            table = pq.ParquetFile(handle, pre_buffer=False).read(use_threads=False)
        yield from table.to_pylist()
    except (pa.ArrowInvalid, OSError) as error:
        raise SuiteError(
            f"{path}: no readable Parquet file ({str(error).splitlines()[0]})"
        ) from None


def _json_rows(path: Path) -> Iterator[dict[str, Any]]:
    with named(path), io.TextIOWrapper(open_plain(path), "utf-8") as lines:
        try:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                try:
                    row = json.loads(line)
                except (ValueError, RecursionError):
                    raise SuiteError(f"{path}:{number}: expected one JSON object a line") from None
                if not isinstance(row, dict):
                    raise SuiteError(f"{path}:{number}: expected one JSON object a line")
                yield row
        except UnicodeDecodeError:
            raise SuiteError(f"{path}: expected UTF-8 text") from None


_SUFFIXES = (".parquet", ".jsonl", ".json")
_NAME = re.compile(r"[\w.+-]{1,80}", re.ASCII)
_OBJECTS = ("arguments", "output", "match")
_TYPE_NAMES: Mapping[type, str] = {str: "text", list: "a list", dict: "an object"}


def suite_from_rows(rows: Iterable[Mapping[str, Any]], shown: str) -> Suite:
    """A suite of published rows, ours or of suite 2.0.0; SuiteError names the row that is malformed."""
    tasks = []
    version, seed = LEVELS_VERSION, None
    for number, row in enumerate(rows, 1):
        try:
            if is_legacy(row):
                tasks.append(legacy_task(row))
                version = "2.0.0"
            else:
                tasks.append(Task.from_row(row))
            _check_types(tasks[-1])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            lack = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
            raise SuiteError(f"{shown}: row {number} is no task of a suite ({lack})") from None
    if not tasks:
        raise SuiteError(f"{shown}: holds no task")
    if version != "2.0.0":
        generation = tasks[0].metadata.get("generation", {})
        version, seed = generation.get("suite_version", LEVELS_VERSION), generation.get("seed")
        # Both become parts of every signature.
        if not all(_NAME.fullmatch(str(part)) for part in (version, seed)):
            raise SuiteError(f"{shown}: row 1 names no version or no seed that can be shown")
    duplicates = len(tasks) - len({task.task_id for task in tasks})
    if duplicates:
        raise SuiteError(f"{shown}: {duplicates} task ids stand more than once")
    for name, level in ((HORIZON, Level.PROCEDURE), (IRRELEVANCE, Level.IRRELEVANT)):
        count = sum(task.level is level for task in tasks)
        if 0 < count < len(tasks):
            raise SuiteError(
                f"{shown}: {count} of {len(tasks)} rows are {_HELD[name]}, which are a suite of their own"
            )
        if count:
            return Suite(version, seed, tuple(tasks), name)
    return Suite(version, seed, tuple(tasks))


def _check_types(task: Task) -> None:
    """TypeError where a part of a row is not of the type that everything else takes for granted."""
    metadata = task.metadata
    parts: list[_Part] = [
        ("task_id", task.task_id, str),
        ("prompt", task.prompt, str),
    ]
    parts += [("metadata", metadata, dict)]
    if isinstance(metadata, dict):
        parts += [(f"metadata.{name}", metadata.get(name), str) for name in ("pattern", "template")]
        parts += [("metadata.categories", metadata.get("categories"), list)]
        optional = metadata.get("optional_calls", [])
        parts += [("metadata.optional_calls", optional, list)]
        parts += [("metadata.optional_calls", call, dict) for call in optional]
        parts += [("metadata.generation", metadata.get("generation", {}), dict)]
    for schema in task.schemas:
        parts += _schema_parts(schema)
    for step in task.steps:
        parts += _step_parts(step)
    for name, value, expected in parts:
        if not isinstance(value, expected):
            raise TypeError(f"{name}: expected {_TYPE_NAMES[expected]}")


_Part = tuple[str, Any, type]
"""The name of a part of a row, its value, and the type that it has to have."""


@lru_cache(maxsize=4096)
def _schema_parts(schema: str) -> tuple[_Part, ...]:
    """What an offered tool's schema consists of; many tasks offer the same."""
    function = json.loads(schema)["function"]
    where = f"the schema of {function['name']}"
    properties = function["parameters"]["properties"]
    parts = [
        (f"{where}: name", function["name"], str),
        (f"{where}: description", function.get("description", ""), str),
        (f"{where}: properties", properties, dict),
    ]
    for name, value in properties.items():
        parts.append((f"{where}: {name}", value, dict))
        parts.append((f"{where}: description of {name}", value.get("description", ""), str))
        parts.append((f"{where}: type of {name}", value.get("type", ""), str))
    return tuple(parts)


def _step_parts(step: Step) -> Iterator[_Part]:
    """What an expected step consists of."""
    name = step.step_id
    yield "step_id", name, str
    yield f"{name}.tool", step.tool, str
    for part in _OBJECTS:
        yield f"{name}.{part}", getattr(step, part), dict
    for rule in step.match.values():
        yield f"{name}.match", rule, dict
    for other in step.depends_on:
        yield f"{name}.depends_on", other, str
    for edge in step.edges:
        for part in (edge.argument, edge.source, edge.path):
            yield f"{name}.edges", part, str
    for twin in step.alternatives:
        yield f"{name}.alternatives: tool", twin.tool, str
        yield f"{name}.alternatives: arguments", twin.arguments, dict
        yield f"{name}.alternatives: outputs", twin.outputs, dict
