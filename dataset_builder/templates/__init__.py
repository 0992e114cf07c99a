"""The templates: tasks as data, one module per level and domain, imported by name."""

from functools import lru_cache
from importlib import import_module

from dataset_builder.template import Template, TemplateError

MODULES = (
    "appendix_g",
    "l0_communication",
    "l0_dates",
    "l0_encoding",
    "l0_files",
    "l0_formatting",
    "l0_math",
    "l0_productivity",
    "l0_state",
    "l0_statistics",
)


@lru_cache(maxsize=1)
def templates() -> tuple[Template, ...]:
    """All templates, in the order of their modules; TemplateError where two share a name."""
    found: dict[str, Template] = {}
    for name in MODULES:
        for template in import_module(f"dataset_builder.templates.{name}").TEMPLATES:
            if template.name in found:
                raise TemplateError(f"two templates are called {template.name}")
            found[template.name] = template
    return tuple(found.values())
