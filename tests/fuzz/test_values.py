"""A minute of fuzzing for each target that takes single values, texts and files of others."""

from pathlib import Path

import pytest

from tests.fuzz.fuzz import fuzz

MINUTE_S = 60


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["tools", "references", "expression", "model_reply", "logs", "address"]
)
def test_nothing_is_found(name: str, tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="the fuzzer has no release for this system")
    # The same draws each time, so that a change is judged by what it changed.
    outcome = fuzz(name, MINUTE_S, tmp_path, seed=1)
    assert outcome.finding is None, outcome.sentence
    assert outcome.executions > 100, outcome.said
