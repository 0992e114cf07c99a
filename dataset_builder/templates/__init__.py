"""The templates: tasks as data, one module per level and domain, imported by name."""

from functools import lru_cache
from importlib import import_module

from dataset_builder.template import Template, TemplateError

MODULES = (
    "appendix_g",
    "l0_communication",
    "l0_data",
    "l0_dates",
    "l0_encoding",
    "l0_files",
    "l0_formatting",
    "l0_math",
    "l0_nlp",
    "l0_productivity",
    "l0_retrieval",
    "l0_state",
    "l0_statistics",
    "l0_strings",
    "l0_text",
    "l0_web",
    "l0_world",
    "l1_data",
    "l1_dates",
    "l1_files",
    "l1_messages",
    "l1_money",
    "l1_numbers",
    "l1_state",
    "l1_text",
    "l1_travel",
    "l1_web",
    "l2_figures",
    "l2_money",
    "l2_office",
    "l2_places",
    "l2_texts",
    "l2_weather",
    "l2_web",
    "l3_data",
    "l3_markets",
    "l3_office",
    "l3_research",
    "l3_travel",
    "l3_web",
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
