"""Read the grammar from TOML: a TemplateError of one sentence names file, clause and field."""

import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable
from typing import Any

from dataset_builder.procedures.check_clause import check_clause
from dataset_builder.procedures.grammar import Clause, Given, Grammar, Quantities, Scenario
from dataset_builder.tasks.template_error import ErrorPlace, TemplateError
from dataset_builder.tasks.templates.read_slots import read_slots
from dataset_builder.tasks.templates.read_step import read_step
from dataset_builder.tools.tool import Tool

_KEYS = ("call", "wordings", "slots", "quoted", "takes", "several", "gives")


def read_grammar(folder: Traversable, catalogue: Mapping[str, Tool]) -> Grammar:
    """The grammar of a folder: quantities.toml, scenarios.toml and the files in clauses/."""
    quantities = Quantities(_table(folder / "quantities.toml"))
    with ErrorPlace("quantities.toml"):
        for quantity, broader in quantities.broader.items():
            if broader and broader not in quantities.broader:
                raise TemplateError(f"{quantity}: there is no quantity {broader}")
    clauses: list[Clause] = []
    for path in sorted((folder / "clauses").iterdir(), key=lambda path: path.name):
        if path.name.endswith(".toml"):
            clauses += read_clauses(path.name, _table(path), quantities, catalogue)
    _refuse_equal_phrases(clauses)
    scenarios, names = _scenarios(_table(folder / "scenarios.toml"), {c.subject for c in clauses})
    return Grammar(quantities, tuple(clauses), scenarios, names)


def _table(path: Traversable) -> dict[str, Any]:
    with ErrorPlace(path.name):
        try:
            return tomllib.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise TemplateError(f"cannot be read as TOML ({error})") from None


def read_clauses(
    file: str, document: Mapping[str, Any], quantities: Quantities, catalogue: Mapping[str, Tool]
) -> Iterator[Clause]:
    """The clauses that a file's tables describe; errors call the file ``file``."""
    with ErrorPlace(file):
        tables = document.get("clause")
        if list(document) != ["clause"] or not isinstance(tables, list):
            raise TemplateError("expected nothing but [[clause]] tables")
        for number, table in enumerate(tables, 1):
            with ErrorPlace(f"clause {number} ({str(table.get('call', '')).partition('(')[0]})"):
                clause = _clause(table, file.removesuffix(".toml"))
                check_clause(clause, quantities, catalogue)
            yield clause


def _clause(table: Mapping[str, Any], subject: str) -> Clause:
    for key in table:
        if key not in _KEYS:
            raise TemplateError(f"{key}: there is no such key ({', '.join(_KEYS)})")
    with ErrorPlace("call"):
        if not isinstance(table.get("call"), str):
            raise TemplateError("expected a call such as get_weekday(date={date})")
        call = read_step(table["call"])
    with ErrorPlace("wordings"):
        wordings = table.get("wordings")
        if not isinstance(wordings, list) or not all(isinstance(text, str) for text in wordings):
            raise TemplateError("expected a list of texts")
    slots = read_slots(_mapping(table, "slots"), "slots")
    several = {}
    for hole, bounds in _mapping(table, "several").items():
        with ErrorPlace(f"several.{hole}"):
            fits = isinstance(bounds, list) and [type(bound) for bound in bounds] == [int, int]
            if not fits or not 1 <= bounds[0] <= bounds[1]:
                raise TemplateError("expected [fewest, most], at least 1")
            several[hole] = (bounds[0], bounds[1])
    takes = _mapping(table, "takes")
    if not all(isinstance(quantity, str) for quantity in takes.values()):
        raise TemplateError("takes: expected the names of quantities")
    quoted = table.get("quoted", [])
    if not isinstance(quoted, list) or not all(isinstance(hole, str) for hole in quoted):
        raise TemplateError("quoted: expected a list of holes")
    return Clause(
        subject,
        call,
        tuple(wordings),
        slots,
        takes,
        frozenset(quoted),
        several,
        tuple(_gives(table)),
    )


def _mapping(table: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise TemplateError(f"{key}: expected a table")
    return value


def _gives(table: Mapping[str, Any]) -> Iterator[Given]:
    for field, texts in _mapping(table, "gives").items():
        with ErrorPlace(f"gives.{field}"):
            fits = isinstance(texts, list) and len(texts) in (2, 3)
            if not fits or not all(isinstance(text, str) for text in texts):
                raise TemplateError("expected [quantity, noun] or [quantity, noun, phrase]")
            yield Given(field, *texts)


def _refuse_equal_phrases(clauses: list[Clause]) -> None:
    tools_of: dict[str, str] = {}
    for clause in clauses:
        for given in clause.gives:
            if given.phrase and tools_of.setdefault(given.phrase, clause.tool) != clause.tool:
                raise TemplateError(
                    f"{clause.subject}.toml: {clause.tool}: gives.{given.field}: "
                    f"{tools_of[given.phrase]} gives {given.phrase!r} as well"
                )


def _scenarios(
    document: Mapping[str, Any], subjects: set[str]
) -> tuple[tuple[Scenario, ...], tuple[str, ...]]:
    with ErrorPlace("scenarios.toml"):
        if document.keys() != {"names", "scenario"}:
            raise TemplateError("expected names and [[scenario]] tables")
        scenarios = []
        for number, table in enumerate(document["scenario"], 1):
            with ErrorPlace(f"scenario {number}"):
                if table.keys() != {"name", "openings", "subjects"}:
                    raise TemplateError("expected name, openings and subjects")
                if unknown := set(table["subjects"]) - subjects:
                    raise TemplateError(f"subjects: no file is called {', '.join(sorted(unknown))}")
            scenarios.append(
                Scenario(table["name"], tuple(table["openings"]), tuple(table["subjects"]))
            )
        names = tuple(document["names"])
        if len(set(names)) != len(names):
            raise TemplateError("names: one stands twice")
        return tuple(scenarios), names
