"""The catalogue of tools, a module a category, and what the tools stand on. Imports values."""

from functools import lru_cache
from importlib import import_module

from dataset_builder.tools.tool import Catalogue, Tool

MODULES = (
    "math_statistics",
    "text_processing",
    "external_services",
    "data_operations",
    "web_network",
    "string_utilities",
    "date_time",
    "communication",
    "encoding_security",
    "information_retrieval",
    "file_data",
    "formatting",
    "productivity",
    "ai_nlp",
    "state_management",
)


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """The benchmark's tools, category by category (paper, Table 3)."""
    tools = []
    for name in MODULES:
        module = import_module(f"dataset_builder.tools.{name}")
        tools += [value for value in vars(module).values() if isinstance(value, Tool)]
    return Catalogue(tools)
