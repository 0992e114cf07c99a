"""Mutants stay within their size, are the same again, and mostly stay JSON."""

import json

from tests.fuzz.checks import json_of
from tests.fuzz.mutate import Mutator

SEEDS = [json.dumps({"task_id": f"L{n}", "calls": [{"name": "f", "n": n}]}).encode() for n in "123"]
MOST = 200


def _halved(data: bytes, most: int) -> bytes:
    return data[: len(data) // 2][:most]


def test_mutants() -> None:
    mutator = Mutator(SEEDS, _halved)
    mutants = [mutator(SEEDS[seed % 3], MOST, seed) for seed in range(600)]
    assert mutants == [mutator(SEEDS[seed % 3], MOST, seed) for seed in range(600)]
    assert max(map(len, mutants)) <= MOST
    assert len(set(mutants)) > 400
    assert sum(isinstance(json_of(mutant), dict) for mutant in mutants) > 300


def test_what_is_too_deep_to_be_written_is_mutated_as_text() -> None:
    mutator = Mutator(SEEDS, _halved)
    deep = b"[" * 980 + b"]" * 980
    assert all(len(mutator(deep, 2_000, seed)) <= 2_000 for seed in range(200))


def test_a_text_and_nothing_at_all_are_mutated_too() -> None:
    mutator = Mutator([b"1 + 1", b""], _halved)
    assert all(len(mutator(b"", 4, seed)) <= 4 for seed in range(50))
    assert len({mutator(b"sqrt(2) + 1", 60, seed) for seed in range(50)}) > 10
