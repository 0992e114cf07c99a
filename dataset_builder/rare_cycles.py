"""How often Python looks for objects that hold each other, while something is computed."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def rare_looks_for_cycles() -> Iterator[None]:
    """Look after 10,000 new objects, where Python 3.11 does after 700.

    What scores, composes and audits makes many small objects, nearly none of them in cycles: to look so
    often is a tenth of its time and frees nothing. No way for a process that waits for others with
    their answers in its hands.
    """
    before = gc.get_threshold()
    gc.set_threshold(10_000)
    try:
        yield
    finally:
        gc.set_threshold(*before)
