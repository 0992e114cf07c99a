"""A fixed piece of plain Python and JSON: the unit in which tables of different machines compare."""

import json
from pathlib import Path

from tests.bench.measure import Measure, Work


def _loop() -> None:
    rows = [{"id": number, "name": f"row {number}", "parts": [number] * 8} for number in range(500)]
    for _ in range(20):
        text = json.dumps(rows)
        total: dict[str, int] = {}
        for row in json.loads(text):
            for word in row["name"].split():
                total[word] = total.get(word, 0) + sum(row["parts"]) % 7


def _prepare(folder: Path) -> Work:
    return _loop


MEASURES = (Measure("reference loop", _prepare, rounds=5),)
