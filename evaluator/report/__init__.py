"""The report of some runs: one page, its figures and its tables."""
