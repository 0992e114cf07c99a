"""Scoring more rows than a machine holds, on many processes or machines. Imports scoring and traces.

Addresses (`storage.py`) become units of work, fixed by the input alone (`units.py`). A worker makes a part of
each (`score_unit.py`, `part.py`), an engine shares them out (`engines.py`), and the caller's process adds up
what the parts hold (`tally.py`, `summary.py`).
"""
