"""Every target holds for its seeds and for the inputs that are kept of it; this needs no fuzzer."""

from pathlib import Path

import pytest

from tests.fuzz.corpus import TARGETS, keep, kept, target_of

TARGET_FILES = {path.stem for path in (Path(__file__).parent / "targets").glob("*.py")}


def test_every_target_is_fuzzed() -> None:
    assert set(TARGETS) == TARGET_FILES


@pytest.mark.parametrize("name", TARGETS)
def test_kept_inputs(name: str) -> None:
    target = target_of(name)
    inputs = [*target.seeds(), *kept(name)]
    assert len(inputs) > 10
    for data in inputs:
        try:
            target.check(data)
        except Exception as error:
            raise AssertionError(f"{name}: {data!r}") from error


def test_what_is_kept_is_given_back(tmp_path: Path) -> None:
    inputs = [b"\xff\x00\n", b"", '"\u2028é'.encode(), b"\xed\xa0\x80", b"\\udc80"]
    keep("any", inputs, tmp_path)
    assert sorted(kept("any", tmp_path)) == sorted(inputs)
