"""The templates: tasks as data, one TOML file per level and domain (CONTRIBUTING shows how to add one)."""

from functools import lru_cache
from importlib import resources

from dataset_builder.tasks.template import Template
from dataset_builder.tasks.templates.read_templates import read_folder


@lru_cache(maxsize=1)
def templates() -> tuple[Template, ...]:
    """All templates, in the order of their files' names; TemplateError where one cannot exist."""
    from dataset_builder.tools import catalogue

    return read_folder(resources.files(__name__), catalogue())
