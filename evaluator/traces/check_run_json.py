"""What ``run.json`` says of a run, checked: a run folder may come from anybody."""

import datetime as dt
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from dataset_builder.errors import InputError, why
from dataset_builder.read_files import read_plain
from evaluator.traces.strict_json import parse_json
from evaluator.traces.trace_fields import CHECKS, asked_problem, is_count, kind
from evaluator.traces.variations import Variation


def read_description(folder: Path) -> dict[str, Any]:
    """What ``run.json`` says; InputError where the folder is no run, or a field is of another kind."""
    file = folder / "run.json"
    try:
        data = parse_json(read_plain(file).decode())
    except FileNotFoundError:
        raise InputError(f"{folder}: no run folder (there is no run.json in it)") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{file}: cannot be read ({why(error)})") from None
    if not isinstance(data, dict):
        raise InputError(f"{file}: expected a JSON object")
    for name, check in _CHECKS.items():
        if data.get(name) is not None and (problem := check(data[name])):
            raise InputError(f"{file}: {name}: {problem}")
    if problem := asked_problem(asked_of(data), data.get("protocol")):
        raise InputError(f"{file}: asked{problem}")
    return data


def asked_of(description: Mapping[str, Any]) -> dict[str, Any]:
    """How the run was asked, in the form in which rows say it."""
    names = ("calls", "prompt_version", "wording", "endpoint", *Variation._fields)
    return {name: description[name] for name in names if description.get(name) is not None}


def _object(value: Any) -> str:
    return "" if isinstance(value, dict) else f"expected an object, got {kind(value)}"


def _count(value: Any) -> str:
    return "" if is_count(value) else f"expected a whole number from 0, got {kind(value)}"


def _texts(value: Any) -> str:
    is_fine = isinstance(value, list) and all(isinstance(each, str) for each in value)
    return "" if is_fine else "expected a list of texts"


def _sessions(value: Any) -> str:
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        return f"expected a list of objects, got {kind(value)}"
    for session in value:
        if problem := _object(session.get("packages") or {}):
            return f"packages: {problem}"
        for name in ("started_at", "ended_at"):
            if session.get(name) is not None and not _is_time(session[name]):
                return f"{name}: expected a time such as 2026-11-01T00:00:00+00:00"
    return ""


def _is_time(value: Any) -> bool:
    try:
        return isinstance(value, str) and dt.datetime.fromisoformat(value).timestamp() > 0
    except (ValueError, OverflowError, OSError):
        return False


_CHECKS: Mapping[str, Callable[[Any], str]] = {
    **{name: CHECKS[name] for name in ("model", "provider", "protocol", "catalogue")},
    **dict.fromkeys(("suite", "parameters"), _object),
    **dict.fromkeys(("limit", "samples", "tasks", "total"), _count),
    **dict.fromkeys(("served_by", "system_fingerprints"), _texts),
    "sessions": _sessions,
}
