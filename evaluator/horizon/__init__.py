"""How many calls a model can compose: what its outcomes say. Imports no other room."""
