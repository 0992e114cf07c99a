"""Procedures of any length: grammar (clauses as data), composer, rungs. Imports values, tools and tasks.

`grammar` is read once in a process. CONTRIBUTING shows how a clause is added.
"""

from functools import lru_cache
from importlib import resources

from dataset_builder.procedures.grammar import Grammar


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    """The clauses, quantities and scenarios; TemplateError where one cannot exist."""
    from dataset_builder.procedures.read_grammar import read_grammar
    from dataset_builder.tools import catalogue

    return read_grammar(resources.files(__name__), catalogue())
