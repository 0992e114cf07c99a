"""The report of some runs: one page, its figures and tables. Imports comparing, experiments and scoring."""
