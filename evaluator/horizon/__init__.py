"""How many calls a model can compose: what its outcomes say. Imports comparing, scoring, traces."""
