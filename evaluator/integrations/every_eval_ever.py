"""A run's scores as a record of Every Eval Ever, the shared format of evaluation results, 0.3.0."""

import datetime as dt
import json
from collections.abc import Mapping
from typing import Any

from dataset_builder.errors import InputError
from evaluator.comparing.results import Result
from evaluator.integrations.eval_results import TASK_IDS, intervals
from evaluator.intervals import CONFIDENCE
from evaluator.models import LOCAL, providers
from evaluator.scoring.metrics import METRICS, SCORES, SOLVED
from evaluator.traces.signature import SCORER_VERSION

SCHEMA_VERSION = "0.3.0"
_NOT_STATED = "not stated"


def every_eval_ever(result: Result, dataset: str) -> dict[str, Any]:
    """All scores of the suite and of each level with their 95 % intervals, solved tasks first.

    Who ran it is not known here: whoever submits the record fills in the source's organization and
    its relationship to the model. InputError where the run does not say when it was made.
    """
    about, scores = result.about, result.scores
    sessions = about.get("sessions") or [{}]
    last = sessions[-1]
    started, ended = sessions[0].get("started_at"), last.get("ended_at") or last.get("started_at")
    if not started or not ended:
        raise InputError(f"{result.name}: run.json does not say when the run was made")
    created = str(int(dt.datetime.fromisoformat(ended).timestamp()))
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": f"comptoolbench/{result.model}/{created}",
        "evaluation_timestamp": started,
        "retrieved_timestamp": created,
        "source_metadata": {
            "source_name": "CompToolBench",
            "source_type": "evaluation_run",
            "source_organization_name": _NOT_STATED,
            "evaluator_relationship": "other",
            "additional_details": {"traces_sha256": scores["diagnostics"]["traces_sha256"]},
        },
        "eval_library": {
            "name": "comptoolbench",
            "version": (last.get("packages") or {}).get("comptoolbench", "unknown"),
            "additional_details": {
                "scorer_version": str(SCORER_VERSION),
                "signature": result.signature,
            },
        },
        "model_info": _model(result),
        "evaluation_results": [*_results(result, dataset)],
    }


def every_eval_ever_json(result: Result, dataset: str) -> str:
    """The record as JSON."""
    return json.dumps(every_eval_ever(result, dataset), ensure_ascii=False, indent=2) + "\n"


def _model(result: Result) -> dict[str, Any]:
    provider = str(result.about.get("provider") or _NOT_STATED)
    if provider in (LOCAL, "ollama_chat"):
        deployment, weights = "self_deployed", "open_weights"
    else:
        deployment = "externally_managed" if provider in providers() else "unknown"
        weights = "unknown"
    return {
        "name": result.model,
        "id": result.model,
        "inference_platform": provider,
        "additional_details": {"deployment_type": deployment, "model_availability": weights},
    }


def _results(result: Result, dataset: str) -> list[dict[str, Any]]:
    scores = intervals(result)
    return [
        _entry(result, dataset, task_id, metric, scores[task_id, metric])
        for task_id in TASK_IDS
        for metric in METRICS
    ]


def _entry(
    result: Result, dataset: str, task_id: str, metric: str, row: Mapping[str, Any]
) -> dict[str, Any]:
    return {
        "evaluation_result_id": f"{task_id}.{metric}",
        "evaluation_name": f"CompToolBench {task_id}",
        "source_data": {
            "dataset_name": "CompToolBench",
            "source_type": "hf_dataset",
            "hf_repo": dataset,
            "hf_split": "test",
            "samples_number": row["n"],
            "additional_details": {"suite": str(result.scores["suite"])},
        },
        "metric_config": _metric_config(metric),
        "score_details": {
            "score": row["value"],
            "uncertainty": {
                "confidence_interval": {
                    "lower": row["low"],
                    "upper": row["high"],
                    "confidence_level": CONFIDENCE,
                    "method": row["method"],
                },
                "num_samples": row["n"],
            },
        },
        "generation_config": {"additional_details": _how_asked(result.about)},
    }


def _metric_config(metric: str) -> dict[str, Any]:
    return {
        "evaluation_description": SCORES[metric].meaning,
        "metric_id": f"comptoolbench.{metric}",
        "metric_name": SCORES[metric].name,
        "metric_kind": "pass_rate" if metric == SOLVED.key else "score",
        "metric_unit": "proportion",
        "lower_is_better": False,
        "score_type": "continuous",
        "min_score": 0,
        "max_score": 1,
    }


def _how_asked(about: Mapping[str, Any]) -> dict[str, str]:
    """How the model was asked, as far as run.json says."""
    return {
        name: about[name] if isinstance(about[name], str) else json.dumps(about[name])
        for name in ("protocol", "prompt_version", "catalogue", "calls", "parameters")
        if name in about
    }
