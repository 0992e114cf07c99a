"""Results: runs scored once, without their traces; what statistics, report and board work from."""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataset_builder.errors import InputError
from dataset_builder.task import Suite
from dataset_builder.tools import catalogue
from evaluator.offline import ScoredRun, read_description, score_files, score_folder, traces_sha256
from evaluator.protocol import PROMPT_VERSIONS
from evaluator.signature import fields, signature, suite_label
from evaluator.tables import write_scores

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Result:
    """A run's scores without its traces."""

    name: str
    """The run's folder or file; unique among the results that are loaded together."""
    scores: Mapping[str, Any]
    """The score JSON (contracts, section 7)."""
    about: Mapping[str, Any]
    """What ``run.json`` says; empty for a bare trace file."""
    templates: Mapping[str, str]
    """Task id → template, the cluster to which the task belongs."""

    @property
    def signature(self) -> str:
        """What was measured; only results of one signature are compared."""
        return str(self.scores["signature"])

    @property
    def model(self) -> str:
        """The model's name as the traces give it."""
        return str(self.scores["model"])

    @property
    def is_control(self) -> bool:
        """Whether the tasks were asked in another wording than the suite's own (paper, Appendix H)."""
        return self.about.get("wording") not in (None, "minimal")


def load_result(folder: Path, suite: Suite) -> Result:
    """The result of a run folder, scored unless ``scores.json`` was made from these very traces.

    What had to be scored is written to the folder (scores.json, scores.parquet) where it can be.
    InputError for what is no readable run, or the run of another suite.
    """
    about = read_description(folder)
    refuse_other_suite(folder, about, suite)
    scores = _stored(folder, about, suite)
    if scores is None:
        scores = dict(score_folder(folder, suite, catalogue()).scores)
        # Whoever may only read a run can still look at it.
        with suppress(OSError):
            write_scores(folder, scores)
    return Result(str(folder), scores, about, template_of(suite))


def load_results(paths: Iterable[Path], suite: Suite) -> list[Result]:
    """The results of run folders, folders of run folders, and trace files, in order, each once.

    InputError for what is none of these, and as `load_result` and `refuse_mixed`.
    """
    results: list[Result] = []
    for path in dict.fromkeys(found for given in paths for found in _expand(given)):
        if path.is_dir():
            results.append(load_result(path, suite))
        else:
            runs = score_files([path], suite, catalogue())
            results += [_of_file(run, len(runs) > 1, suite) for run in runs]
    refuse_mixed(results)
    return results


def refuse_mixed(results: Sequence[Result]) -> None:
    """InputError where results are of several suites or scorer versions: those are never compared."""
    for part, name in (("ctb", "suites"), ("scorer", "scorer versions")):
        found = sorted({fields(result.signature).get(part, "unknown") for result in results})
        if len(found) > 1:
            raise InputError(f"runs of several {name} cannot be compared: {', '.join(found)}")


def task_frame(results: Sequence[Result]) -> "pd.DataFrame":
    """A row per run, task and sample, in order.

    Columns: run, model, task_id, sample, level, template, and score, step, strict, sequence, arguments,
    completeness, data_flow, economy (fractions in [0, 1]) and error (the class, missing for a pass).
    """
    import pandas as pd

    from evaluator.verdict import ROW

    columns: dict[str, list[Any]] = {name: [] for name in ("run", "model", "template", *ROW)}
    for result in results:
        rows = result.scores["tasks"]
        columns["run"] += [result.name] * len(rows)
        columns["model"] += [result.model] * len(rows)
        columns["template"] += [result.templates[row["task_id"]] for row in rows]
        for name in ROW:
            columns[name] += [row[name] for row in rows]
    order = ("run", "model", "task_id", "sample", "level", "template", *ROW[3:])
    frame = pd.DataFrame({name: columns[name] for name in order})
    return frame.astype({"strict": bool, "data_flow": float})


def template_of(suite: Suite) -> dict[str, str]:
    """The template of each task; a task without one stands for itself."""
    return {task.task_id: str(task.metadata.get("template", task.task_id)) for task in suite.tasks}


def _expand(path: Path) -> list[Path]:
    if (path / "run.json").is_file() or path.is_file():
        return [path]
    # An experiment's runs lie one folder deeper than a single run.
    runs = sorted(file.parent for deep in ("*", "*/*") for file in path.glob(f"{deep}/run.json"))
    if not runs:
        raise InputError(f"{path}: expected a run folder, a folder of runs or a trace file")
    return runs


def _of_file(run: ScoredRun, is_one_of_several: bool, suite: Suite) -> Result:
    name = f"{run.name} ({run.scores['model']})" if is_one_of_several else run.name
    return Result(name, run.scores, {}, template_of(suite))


def refuse_other_suite(folder: Path, about: Mapping[str, Any], suite: Suite) -> None:
    """InputError where a run's description names another suite than this one."""
    asked = about.get("suite")
    if isinstance(asked, Mapping) and asked.get("digest") not in (None, suite.digest):
        raise InputError(
            f"{folder}: is a run of suite {asked.get('label')}, not of {suite_label(suite)}; "
            "name its suite with --suite"
        )


def _stored(folder: Path, about: Mapping[str, Any], suite: Suite) -> dict[str, Any] | None:
    """The scores that lie in the folder, if they are what scoring again would give."""
    try:
        scores: dict[str, Any] = json.loads((folder / "scores.json").read_text("utf-8"))
        digest = scores["diagnostics"]["traces_sha256"]
        asked = (scores["n_tasks"], scores["protocol"], scores["catalogue"])
        ours = signature(suite, *asked, str(about.get("calls", "native")), PROMPT_VERSIONS)
        is_fresh = scores["signature"] == ours and digest == traces_sha256(folder)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return scores if is_fresh else None
