"""Read templates from TOML: a TemplateError of one sentence names file, template and field."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from importlib.resources.abc import Traversable
from typing import Any

from dataset_builder.tasks.call_template import CallTemplate
from dataset_builder.tasks.template import Template
from dataset_builder.tasks.template_error import ErrorPlace, TemplateError
from dataset_builder.tasks.templates.read_slots import read_slots
from dataset_builder.tasks.templates.read_step import read_step
from dataset_builder.tools.tool import Tool


def read_folder(folder: Traversable, catalogue: Mapping[str, Tool]) -> tuple[Template, ...]:
    """The templates of a folder's TOML files, in the order of the files' names."""
    by_name: dict[str, tuple[str, Template]] = {}
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if not path.name.endswith(".toml"):
            continue
        for template in read_templates(path.name, path.read_bytes(), catalogue):
            with ErrorPlace(f"{path.name}: {template.name}: name"):
                if template.name in by_name:
                    raise TemplateError(f"a template of {by_name[template.name][0]} has it as well")
            by_name[template.name] = path.name, template
    return tuple(template for _, template in by_name.values())


def read_templates(file: str, content: bytes, catalogue: Mapping[str, Tool]) -> Iterator[Template]:
    """The templates that a file's content describes; errors call the file ``file``."""
    with ErrorPlace(file):
        for number, table in enumerate(_tables(content), 1):
            template = _template(table, number)
            template.check(catalogue)
            yield template


def _tables(content: bytes) -> list[dict[str, Any]]:
    try:
        document = tomllib.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise TemplateError(f"cannot be read as TOML ({error})") from None
    tables = document.pop("template", None)
    if document or not isinstance(tables, list) or not all(isinstance(t, dict) for t in tables):
        raise TemplateError("expected nothing but [[template]] tables")
    return tables


def _template(table: dict[str, Any], number: int) -> Template:
    name = table.get("name")
    with ErrorPlace(name if isinstance(name, str) else f"template {number}"):
        for key, value in table.items():
            if key not in _FIELDS:
                raise TemplateError(f"{key}: there is no such key ({', '.join(_FIELDS)})")
            expected, fits = _FIELDS[key]
            if not fits(value):
                raise TemplateError(f"{key}: expected {expected}")
        for key in ("name", "prompts", "slots", "steps"):
            if key not in table:
                raise TemplateError(f"{key}: missing")
        return Template(
            table["name"],
            tuple(table["prompts"]),
            read_slots(table["slots"], "slots"),
            _steps(table["steps"], "steps"),
            table.get("rich", ""),
            _steps(table.get("optional", []), "optional"),
        )


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(re.fullmatch("[a-z][a-z0-9_]*", value))


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_text, value))


_FIELDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "name": ("small letters, digits and underscores", _is_name),
    "prompts": ("a list of texts", _are_texts),
    "rich": ("a text", _is_text),
    "steps": ("a list of texts", _are_texts),
    "optional": ("a list of texts", _are_texts),
    "slots": ("a table", lambda value: isinstance(value, dict)),
}


def _steps(texts: list[str], field: str) -> tuple[CallTemplate, ...]:
    steps = []
    for number, text in enumerate(texts, 1):
        with ErrorPlace(f"{field} {number}"):
            steps.append(read_step(text))
    return tuple(steps)
