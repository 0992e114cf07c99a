"""Model names: one spelling each, and none that readers would take for a built-in agent's."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.asking.baselines import BASELINES
from evaluator.models import known_models
from evaluator.traces.model_name import MAX_NAME, is_reserved, name_problem

FINE = [
    *BASELINES,
    "local:smollm2",
    *(model.id for model in known_models()),
    *(model.name for model in known_models()),
    "通义千问 72B",
    "Größe-3 (ours, Q4_K_M)",
    "m" * MAX_NAME,
]


@pytest.mark.parametrize("name", FINE)
def test_names_as_they_are_in_use(name: str) -> None:
    assert name_problem(name) == ""


WRONG = {
    "": "printable",
    " ": "space",
    "m ": "space",
    "a  b": "space",
    "a\u00a0b": "printable",
    "a\tb": "printable",
    "a\nb": "printable",
    "a\u200bb": "printable",
    "a\u00adb": "printable",
    "\u202eb": "printable",
    "a\ufe0fb": "seen",
    "a\u034fb": "seen",
    "\u2800": "seen",
    "\u3164": "seen",
    "m" * (MAX_NAME + 1): "printable",
    "ｇpt": "as in 'gpt'",
    "e\u0301": "as in 'é'",
    "\ud800": "printable",
}


@pytest.mark.parametrize("name", WRONG, ids=ascii)
def test_names_that_look_like_another(name: str) -> None:
    assert WRONG[name] in name_problem(name)


@pytest.mark.parametrize("value", [None, 3, True, ["m"], {"m": 1}])
def test_what_is_no_text_is_no_name(value: object) -> None:
    assert name_problem(value) == "expected text"


@given(st.text(max_size=20))
def test_a_fine_name_is_the_only_fine_one_of_its_looks(name: str) -> None:
    if not name_problem(name):
        assert name == unicodedata.normalize("NFKC", name).strip()
        assert name_problem(f"{name}\u200b")
        assert name_problem(f"{name} ")


RESERVED = [
    *BASELINES,
    "local:smollm2",
    "baseline:",
    "Baseline:Oracle",
    " baseline:oracle",
    "base line:oracle",
    "\u200bbaseline:oracle",
    "base\u200dline:oracle",
    "base\ufe0fline:oracle",
    "\u2800local:x",
    "ｂaseline:oracle",
    "baseline：oracle",
    "baseline\ua789oracle",
    "baseline \u2236 oracle",
    "bаseline:oracle",  # with a Cyrillic letter
    "base1ine:oracle",
    "baseIine:oracle",
    "LOCAl:x",
    "1oca|:x",
    "lосаl:x",  # as above
]


@pytest.mark.parametrize("name", RESERVED, ids=ascii)
def test_names_of_built_in_agents(name: str) -> None:
    assert is_reserved(name)
    # Their own spelling is that of their traces; another one is nobody's.
    is_own = name.startswith(("baseline:", "local:"))
    assert (name_problem(name) == "") is is_own


@pytest.mark.parametrize(
    "name",
    ["", "baseline", "local", "my-baseline:7b", "local-llama:8b", "ollama/llama3.1:8b", "基线:x"],
)
def test_names_of_others(name: str) -> None:
    assert not is_reserved(name)
