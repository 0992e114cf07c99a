"""What a run's answers are worth and why, as data: what `comptoolbench explain --json` prints."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dataset_builder.did_you_mean import did_you_mean
from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Step, Suite
from dataset_builder.tools.tool import Tool
from dataset_builder.values.references import Unresolved
from evaluator.comparing.load_results import run_paths
from evaluator.explaining.explanation import (
    Explanation,
    economy_words,
    edge_words,
    judge_argument,
    judge_call,
    judge_edge,
    judge_step,
    made_of,
    step_sum,
    uncounted,
    worst,
)
from evaluator.scoring.arguments import ArgumentVerdict
from evaluator.scoring.data_flow import EdgeVerdict
from evaluator.scoring.error_classes import INFRASTRUCTURE, MEANING, MISSING, main_reason, reasons
from evaluator.scoring.score import Scorer, score_task
from evaluator.scoring.score_terms import counts, terms
from evaluator.scoring.score_traces import ScoredRun, score_files, score_folder
from evaluator.scoring.verdict import StepVerdict, TaskScore
from evaluator.traces.asked_form import asked_form, worded
from evaluator.traces.check_run_json import read_description
from evaluator.traces.protocols import WORDINGS


@dataclass(frozen=True)
class Run:
    """A scored run, and in which wording of the control it was asked."""

    scored: ScoredRun
    wording: str | None

    @property
    def model(self) -> str:
        """The model's name as the traces give it."""
        return str(self.scored.scores["model"])


def find_runs(path: Path, suite: Suite, tools: Mapping[str, Tool], model: str | None) -> list[Run]:
    """The run at a path: of one model, or the runs of a control experiment.

    ``model``: which one of several. InputError where there are several runs and nothing says which.
    """
    scorer = Scorer(tools)
    runs = [run for place in run_paths(path) for run in _read(place, suite, scorer)]
    if model is not None:
        names = dict.fromkeys(run.model for run in runs)
        runs = [run for run in runs if run.model == model]
        if not runs:
            listed = ", ".join(name or "unnamed" for name in names)
            raise InputError(
                f"{path}: no run of {model}, but of {listed}{did_you_mean(model, names)}"
            )
    beside = {(run.model, Path(run.scored.name).parent) for run in runs}
    is_experiment = all(run.wording for run in runs) and len(beside) == 1
    if is_experiment:
        return sorted(runs, key=lambda run: WORDINGS.index(run.wording or WORDINGS[0]))
    if len(runs) > 1:
        models = dict.fromkeys(run.model or "unnamed" for run in runs)
        if len(models) == len(runs):
            raise InputError(f"{path}: holds {_some(models)}: say which with --model")
        raise InputError(f"{path}: holds {_some([run.scored.name for run in runs])}: name one")
    return runs


def _some(names: Collection[str]) -> str:
    shown = ", ".join(list(names)[:6])
    return f"{len(names)} runs ({shown}{', …' if len(names) > 6 else ''})"


def _read(path: Path, suite: Suite, scorer: Scorer) -> list[Run]:
    about: Mapping[str, Any] = {}
    if path.is_dir():
        about, scored = read_description(path), [score_folder(path, suite, scorer)]
    else:
        scored = score_files([path], suite, scorer)
    wording = about.get("wording") if about.get("wording") in WORDINGS else None
    return [Run(run, asked_form(run.traces, run.name).wording or wording) for run in scored]


# A run ----------------------------------------------------------------------------------------


def run_data(
    run: Run, errors: Collection[str] = (), levels: Collection[int] = ()
) -> dict[str, Any]:
    """The outcomes of a run, and its tasks that are no strict pass, the worst first.

    ``errors`` and ``levels``: only these of the tasks; all where there are none.
    """
    scores = run.scored.scores
    rows = worst(scores["tasks"])
    outcomes = {
        **scores["errors"],
        INFRASTRUCTURE: scores["n_infrastructure"],
        MISSING: sum(row["error"] == MISSING for row in rows),
    }
    judged = {(a.task.task_id, a.sample): a.score for a in run.scored.attempts}
    return {
        "run": run.scored.name,
        "wording": run.wording,
        **{name: scores[name] for name in ("model", "signature", "n_tasks", "n_samples")},
        **{name: scores[name] for name in ("strict", "step", "overall")},
        "solved": len(scores["tasks"]) - len(rows),
        "outcomes": {name: count for name, count in outcomes.items() if count},
        "tasks": [
            _task_row(row, judged[row["task_id"], row["sample"]])
            for row in rows
            if (not errors or row["error"] in errors) and (not levels or row["level"] in levels)
        ],
    }


def _task_row(row: Mapping[str, Any], score: TaskScore | None) -> dict[str, Any]:
    reason = MEANING[MISSING] if score is None else main_reason(score)
    return {**row, "reason": reason, "reasons": [reason] if score is None else reasons(score)}


# An answer ------------------------------------------------------------------------------------


def explanations(
    run: Run, task_id: str, suite: Suite, tools: Mapping[str, Tool]
) -> list[Explanation]:
    """The answers of a run to a task, a sample each; InputError where there is none.

    The task stands in the wording in which it was asked.
    """
    if task_id not in suite.by_id:
        nearest = did_you_mean(task_id, suite.by_id)
        hint = nearest or f"; its ids are like {suite.tasks[0].task_id}"
        raise InputError(f"there is no task {task_id!r} in this suite{hint}")
    task = suite.by_id[task_id]
    traces = [trace for trace in run.scored.traces if trace.task_id == task_id]
    if not traces:
        raise InputError(f"{run.scored.name}: has no answer to {task_id}")
    task = worded(task, run.wording)
    answers = [Explanation(task, trace, score_task(task, trace, tools)) for trace in traces]
    return sorted(answers, key=lambda each: each.trace.sample)


def answer_data(answer: Explanation) -> dict[str, Any]:
    """Everything about an answer, in JSON values."""
    score, trace = answer.score, answer.trace
    counted = counts(score)
    return {
        **score.to_row(),
        "meaning": MEANING.get(score.error or "", ""),
        "reasons": reasons(score),
        "prompt": answer.task.prompt,
        "model": trace.model,
        "protocol": trace.protocol,
        "catalogue": trace.catalogue,
        "steps": [
            _step_data(answer, step, judged)
            for step, judged in zip(answer.task.steps, score.steps, strict=True)
        ],
        "calls": _calls_data(answer),
        "dimensions": [
            {
                "dimension": term.dimension,
                "made_of": made_of(term, counted),
                "value": term.value,
                "weight": term.weight,
                "share": term.share,
            }
            for term in terms(score)
        ],
        "economy_of": economy_words(counted),
        "step_of": step_sum(counted),
        "trace_error": _plain(trace.error),
    }


def _step_data(answer: Explanation, step: Step, judged: StepVerdict) -> dict[str, Any]:
    kind, words = judge_step(judged)
    call = None if judged.call is None else answer.score.calls[judged.call]
    written = None if judged.call is None else answer.trace.calls[judged.call].arguments
    data: dict[str, Any] = {
        "step_id": step.step_id,
        "tool": step.tool,
        "call": None if judged.call is None else judged.call + 1,
        "called": call.name if call else None,
        "verdict": kind,
        "words": words,
        "edges": [_edge_data(edge) for edge in judged.edges],
    }
    if judged.pair is None:
        return data | {"expected": _plain(step.arguments)}
    # A twin's arguments have other rules.
    rules = step.match if judged.pair.tool == step.tool else {}
    return data | {
        "arguments": [_argument_data(each, written, rules) for each in judged.pair.arguments],
        "not_counted": _plain(uncounted(call.arguments if call else None, judged)),
    }


def _edge_data(edge: EdgeVerdict) -> dict[str, Any]:
    kind, words = judge_edge(edge)
    return {
        "argument": edge.argument,
        "from": edge.source,
        "path": edge.path,
        "flow": edge_words(edge),
        "verdict": kind,
        "words": words,
    }


def _argument_data(
    verdict: ArgumentVerdict, written: Any, rules: Mapping[str, Any]
) -> dict[str, Any]:
    kind, words = judge_argument(verdict)
    as_written = written.get(verdict.name) if isinstance(written, Mapping) else None
    return {
        "name": verdict.name,
        "expected": _plain(verdict.expected),
        # What else is right: any of some values, or any text that mentions them.
        "match": rules.get(verdict.name),
        "given": _plain(verdict.actual),
        # What the model wrote, where that was a reference to an earlier output.
        "written": as_written if as_written != _plain(verdict.actual) else None,
        "similarity": verdict.similarity,
        "verdict": kind,
        "words": words,
    }


def _calls_data(answer: Explanation) -> list[dict[str, Any]]:
    data = []
    # A failure of infrastructure is judged without its calls.
    for call, judged in zip(answer.trace.calls, answer.score.calls, strict=False):
        kind, words = judge_call(judged)
        data.append(
            {
                "name": call.name,
                "arguments": call.arguments,
                "is_malformed": judged.is_malformed,
                "output": _plain(judged.output),
                "error": judged.error,
                "verdict": kind,
                "words": words,
            }
        )
    return data


def _plain(value: Any) -> Any:
    """A value of JSON alone: in place of a reference to nothing stands its text."""
    if isinstance(value, Unresolved):
        return value.reference
    return json.loads(json.dumps(value, default=lambda hole: hole.reference))


def chosen_sample(answers: Sequence[Explanation], sample: int | None) -> Explanation:
    """The answer of that sample, or else the worst; InputError where there is no such sample."""
    if sample is None:
        return min(
            answers, key=lambda each: (each.score.step or 0, each.score.score, each.trace.sample)
        )
    of_sample = [each for each in answers if each.trace.sample == sample]
    if not of_sample:
        listed = ", ".join(str(each.trace.sample) for each in answers[:20])
        raise InputError(f"{answers[0].task.task_id} has no sample {sample}; it has {listed}")
    return of_sample[0]
