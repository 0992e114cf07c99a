"""The fixed facts that tools answer from: one JSON file a subject, read once, never changed."""

import json
from functools import cache
from importlib import resources
from typing import Any

_FOLDER = resources.files(__name__)


@cache
def load(subject: str) -> Any:
    """The content of ``facts/<subject>.json``; callers share it and must not change it."""
    return json.loads(_FOLDER.joinpath(f"{subject}.json").read_text("utf-8"))
