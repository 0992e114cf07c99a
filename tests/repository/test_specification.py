"""docs/specification.md: what the code cites of it stands there, and it names all that files hold."""

import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from dataset_builder.published.columns import CONFIGS
from dataset_builder.tasks.task import SUITE_VERSION, Step, Suite
from dataset_builder.tools.tools_page import KINDS
from evaluator.asking.baselines import BASELINES
from evaluator.audit import IRRELEVANCE_RULES, PROCEDURE_RULES, RULES
from evaluator.scoring.aggregate import summarise
from evaluator.scoring.error_classes import ERROR_CLASSES
from evaluator.scoring.verdict import ROW
from evaluator.scoring.weights import ABLATION, DEFAULT
from evaluator.traces.error_kinds import INFRASTRUCTURE_ERRORS, MODEL_ERRORS
from evaluator.traces.protocols import CALLS, PROMPT_VERSIONS, WORDINGS
from evaluator.traces.signature import SCORER_VERSION
from evaluator.traces.trace_fields import CHECKS
from tests.repository.test_repository import ROOT, command_names, project_files

PAGE = Path("docs/specification.md")
CITATION = re.compile(r"\(specification: ([^()]+)\)")
# Whatever begins like one, so that another spelling does not go unread.
NEARLY_CITATION = re.compile(r"\(specification\b[^()]*\)")
LINK = re.compile(r"specification\.md#([\w-]+)")


def sections() -> dict[str, str]:
    """The text below each heading of the page, up to the next one."""
    found: dict[str, str] = {}
    for part in re.split(r"^#+ ", (ROOT / PAGE).read_text(encoding="utf-8"), flags=re.MULTILINE):
        heading, _, text = part.partition("\n")
        assert heading not in found, f"{PAGE} has two headings {heading!r}"
        found[heading] = text
    return found


def as_one_line(path: Path) -> str:
    """A file's text, a citation that goes on in the next line (of a comment) in one piece."""
    return re.sub(r"\s*\n\s*(?:# )?", " ", (ROOT / path).read_text(encoding="utf-8"))


def cited() -> list[tuple[Path, str]]:
    """Each file of the project and what it cites of the page, in any spelling."""
    files = project_files("*.py")
    return [(path, found) for path in files for found in NEARLY_CITATION.findall(as_one_line(path))]


def anchor(heading: str) -> str:
    """The fragment under which Markdown viewers offer a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def test_cited_headings_exist() -> None:
    headings, found = sections().keys(), cited()
    assert len(found) > 20, "the search for citations finds hardly any"
    wrong = [
        f"{path}: {text}"
        for path, text in found
        if not (match := CITATION.fullmatch(text)) or match[1] not in headings
    ]
    assert not wrong, f"not in {PAGE}: {'; '.join(wrong)}"


def test_links_lead_to_headings() -> None:
    anchors = set(map(anchor, sections()))
    found = [
        (path, name)
        for path in project_files("*.md")
        for name in LINK.findall((ROOT / path).read_text(encoding="utf-8"))
    ]
    assert found, "no document links to a heading"
    assert not [f"{path}: #{name}" for path, name in found if name not in anchors]


def score_json() -> dict[str, Any]:
    """The score JSON of a suite without tasks."""
    return summarise(Suite(SUITE_VERSION, None, ()), [], [], PROMPT_VERSIONS, "native")


def score_json_fields() -> set[str]:
    """The fields of a score JSON, and those of its parts."""
    scores = score_json()
    return {*scores, *scores["levels"]["L1"], *scores["comp_gap"], *ROW}


TABLES: dict[str, Collection[str]] = {
    "Kinds": KINDS,
    "Published kinds": ("kind", "of", "item", "choices", "said", "place", "symmetric_with"),
    "Steps": Step("step_1", "f", {}).to_json(),
    "Failures": MODEL_ERRORS | INFRASTRUCTURE_ERRORS,
    "Forms of calls": CALLS,
    "Error classes": ERROR_CLASSES,
    "Aggregates": score_json()["diagnostics"],
    "Known answers": BASELINES,
    "Ablation": ABLATION,
    "Trace files": {*CHECKS, "calls", "messages", "response", "asked", *WORDINGS},
    "Score JSON": score_json_fields(),
    "Dataset folder": {column.name for config in CONFIGS for column in config.columns},
    "Audit rules": {*RULES, *PROCEDURE_RULES, *IRRELEVANCE_RULES},
}


@pytest.mark.parametrize("heading", TABLES)
def test_section_names_everything(heading: str) -> None:
    text = sections()[heading]
    missing = [
        name for name in TABLES[heading] if f"`{name}`" not in text and f'"{name}"' not in text
    ]
    assert not missing, f"{PAGE}, {heading!r} does not name {', '.join(missing)}"


def test_kinds_of_the_page_are_all_there_are() -> None:
    rows = re.findall(r"^\| `(\w+)`", sections()["Kinds"], flags=re.MULTILINE)
    assert set(rows) == KINDS.keys() - {"free"}


def test_error_classes_stand_in_their_order() -> None:
    rows = re.findall(r"^\| `(E\w+)`", sections()["Error classes"], flags=re.MULTILINE)
    assert tuple(rows) == ERROR_CLASSES


def test_commands() -> None:
    text = sections()["Command line"]
    names = set(re.findall(r"`([a-z]+)[ `]", text))
    missing = [name for name in command_names() if name not in names]
    assert not missing, f"{PAGE} does not tell of {', '.join(missing)}"


@pytest.mark.parametrize("level", DEFAULT)
def test_weights(level: int) -> None:
    cells = [f"{weight:.2f}" if weight else "–" for weight in DEFAULT[level]]
    assert f"| {level} | {' | '.join(cells)} |" in sections()["Weighted score"]


def test_versions() -> None:
    text = sections()["Versions"]
    prompts = ", ".join(f"{version} {protocol}" for protocol, version in PROMPT_VERSIONS.items())
    for now in (SUITE_VERSION, str(SCORER_VERSION), prompts):
        assert f"| {now} |" in text
    assert f"This is scorer version {SCORER_VERSION}." in sections()["Scoring"]
