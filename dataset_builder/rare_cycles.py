"""How often Python looks for objects that hold each other, in a process that computes and ends."""

import gc

_OBJECTS = 10_000


def look_for_cycles_rarely() -> None:
    """Look after 10,000 new objects, not after 700.

    What scores, composes and audits makes many small objects, nearly none of them in cycles: to look so
    often is a tenth of its time and frees nothing. No way for a process that waits for others with
    their answers in its hands.
    """
    gc.set_threshold(_OBJECTS)
