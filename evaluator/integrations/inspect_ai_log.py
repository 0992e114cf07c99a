"""Traces of a log of Inspect AI: its samples of our tasks as rows that `comptoolbench score` takes."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dataset_builder.errors import InputError
from evaluator.integrations.inspect_ai_sample import answers, environment_of, openai_form
from evaluator.traces.trace import Trace

# What Inspect calls the counts of tokens, and what OpenAI does.
_TOKENS = {
    "prompt_tokens": "input_tokens",
    "completion_tokens": "output_tokens",
    "total_tokens": "total_tokens",
}


def traces_of_log(path: str | Path) -> Iterator[Trace]:
    """The traces of a log (``.eval`` or ``.json``), sample by sample; epoch n is sample n - 1.

    A sample that Inspect could not finish is a failure of the infrastructure. InputError for what is
    no log, or none of our tasks.
    """
    try:
        from inspect_ai.log import read_eval_log_samples
    except ImportError:
        raise InputError(
            "reading a log of Inspect AI needs inspect-ai: pip install 'comptoolbench[inspect]'"
        ) from None
    model = _model(path)
    for sample in read_eval_log_samples(str(path), all_samples_required=False):
        yield _trace(sample, model)


def _model(path: str | Path) -> str:
    """Whom a log is of."""
    from inspect_ai.log import read_eval_log

    try:
        if Path(path).suffix == ".json":
            # Inspect's reader does not come back from one that is nested without end.
            json.loads(Path(path).read_bytes())
        return read_eval_log(str(path), header_only=True).eval.model
    except Exception as error:
        # What its readers raise of a file that is no log is of many kinds: zip, JSON, pydantic, OS.
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise InputError(f"{path}: cannot be read as a log of Inspect AI ({reason})") from None


def _trace(sample: Any, model: str) -> Trace:
    """The trace of a sample."""
    environment, _ = environment_of(str(sample.id), sample.epoch, sample.metadata, model)
    shapes = [answer.shape for answer in answers(environment, sample.messages)]
    made = environment.trace()
    replies = [openai_form(message) for message in sample.messages if message.role == "assistant"]
    error = sample.error and {"kind": "provider_error", "message": sample.error.message}
    seconds = sample.working_time
    return Trace(
        task_id=made.task_id,
        calls=made.calls,
        model=model,
        sample=made.sample,
        protocol=made.protocol,
        catalogue=made.catalogue,
        suite=made.suite,
        provider="inspect_ai",
        response=replies[: len(shapes)],
        usage=_usage(sample.model_usage) or None,
        latency_ms=None if seconds is None else round(seconds * 1000, 1),
        error=error,
        started_at=sample.started_at,
        extra={**made.extra, "shapes": shapes},
    )


def _usage(by_model: Mapping[str, Any]) -> dict[str, int]:
    """The tokens of all models that a sample asked."""
    return {
        name: sum(getattr(usage, theirs) for usage in by_model.values())
        for name, theirs in _TOKENS.items()
        if by_model
    }
