"""What was computed from traces once, kept in the user's cache: never beside the traces.

Who hands on a run folder can write into it, so nothing in it is believed but the traces.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dataset_builder import value_cache

MAX_ENTRIES = 1_000
FOLDER = "scores"
_PACKAGES = ("dataset_builder", "evaluator")
"""All that computes scores."""


def key_of(depends: Sequence[Any]) -> str:
    """The key of what hangs on these JSON values and on the code that computes scores."""
    return value_cache.key_of(depends, _PACKAGES)


def cached(
    depends: Sequence[Any],
    compute: Callable[[], Any],
    environment: Mapping[str, str] = os.environ,
) -> Any:
    """The JSON value that ``compute`` gives; ``depends``, JSON too, is all that it hangs on.

    Where there is no cache, or a damaged entry, the value is computed.
    """
    folder = value_cache.cache_folder(FOLDER, environment)
    return value_cache.kept(folder, MAX_ENTRIES, key_of(depends), compute)
