"""What was meant by a misspelt name, and that strangers' text drives no terminal."""

import time
import unicodedata

import pytest

from dataset_builder.did_you_mean import did_you_mean, nearest
from dataset_builder.tools import catalogue
from dataset_builder.visible_text import clean, inert, within
from evaluator.asking.baselines import BASELINES
from evaluator.models import is_baseline, known_models

TASKS = [f"L1_chain_{number:04}" for number in range(49, 113)]
MODELS = [*BASELINES, "local:smollm2", *(model.id for model in known_models())]


@pytest.mark.parametrize(
    ("name", "known", "found"),
    [
        ("get_wether", catalogue(), ["get_weather"]),
        ("Weather", catalogue(), ["get_weather"]),
        ("calc", catalogue(), ["calculator"]),
        ("hammer", catalogue(), []),
        ("", catalogue(), []),
        ("l1_CHAIN_0049", TASKS, ["L1_chain_0049"]),
        ("L1_chain_49", TASKS, ["L1_chain_0049"]),
        ("0050", TASKS, ["L1_chain_0050"]),
        ("oracle", MODELS, ["baseline:oracle"]),
        ("baseline:orcale", MODELS, ["baseline:oracle"]),
        ("gpt-4o-mni", MODELS, ["openai/gpt-4o-mini"]),
        ("opnai/gpt-4o", MODELS, ["openai/gpt-4o"]),
        ("local:smollm", MODELS, ["local:smollm2"]),
        ("scor", ["score", "space", "sweep"], ["score"]),
    ],
)
def test_the_nearest_names(name: str, known: list[str], found: list[str]) -> None:
    assert nearest(name, known)[:1] == found
    hint = did_you_mean(name, known)
    assert hint.startswith(f"; did you mean {found[0]}") if found else hint == ""


def test_at_most_three_names_and_in_bounded_time() -> None:
    many = [f"L1_chain_{number:06}" for number in range(100_000)]
    started = time.perf_counter()
    assert len(nearest("L1_chain_99x999", many)) <= 3
    assert len(nearest("x" * 10**6, many)) <= 3
    assert time.perf_counter() - started < 20


def test_what_is_a_baseline_has_one_home() -> None:
    assert all(map(is_baseline, BASELINES))
    assert not any(is_baseline(model.id) for model in known_models())
    assert not is_baseline("local:smollm2")


def test_inert_text_keeps_its_lines_and_nothing_else_that_is_unseen() -> None:
    everything = "".join(
        map(chr, [*range(0x300), *range(0x2000, 0x2070), 0xFEFF, 0xE000, 0x10FFFF])
    )
    text = inert(f"  a\tb\n{everything}")
    assert text.startswith("  a b\n")
    unseen = {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Co", "Cn", "Zl", "Zp")}
    assert unseen == {"\n"}
    assert len(text.split("\n", 1)[1]) == len(everything)


@pytest.mark.parametrize(
    ("line", "columns", "shown"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("漢字", 4, "漢字"),
        ("漢字漢", 5, "漢字…"),
        ("漢字漢", 4, "漢…"),
        ("", 0, ""),
    ],
)
def test_a_line_is_cut_by_columns(line: str, columns: int, shown: str) -> None:
    assert within(line, columns) == shown


def test_clean_text_is_one_line() -> None:
    assert clean("a\x1b[31m\n\u202eb", 10) == "a[31m b"
