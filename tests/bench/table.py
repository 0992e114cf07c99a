"""The table of a bench, line by line, and what of it is kept."""

from dataclasses import asdict, dataclass
from typing import Any

from tests.bench.measure import Measure, Reading

NAME_WIDTH = 46
NONE = "-"


@dataclass(frozen=True)
class Row:
    """A measure's readings, round by round; of a revision that cannot run it there are none."""

    group: str
    measure: Measure
    now: tuple[Reading, ...]
    base: tuple[Reading, ...] = ()

    def seconds(self, readings: tuple[Reading, ...]) -> list[float]:
        """The time of each round that counts."""
        return [reading.wall if self.measure.waits else reading.cpu for reading in readings]

    @property
    def best(self) -> float | None:
        """Seconds of the best round."""
        return min(self.seconds(self.now), default=None)

    def as_json(self) -> dict[str, Any]:
        """The row as it is kept."""
        return {
            "group": self.group,
            "measure": self.measure.name,
            "counts": "wall" if self.measure.waits else "cpu",
            "now": [asdict(reading) for reading in self.now],
            "base": [asdict(reading) for reading in self.base],
        }


def heading(has_base: bool) -> str:
    """The names of the columns."""
    compared = (
        f"{'base':>10} {'now':>10} {'ratio':>7} {'(rounds)':>13}" if has_base else f"{'now':>10}"
    )
    return f"{'seconds':{NAME_WIDTH}} {compared} {'loops':>8} {'MB':>6}"


def line(row: Row, loop: float | None, has_base: bool) -> str:
    """One measure. ``loop``: seconds of the reference loop, the unit of the column ``loops``."""
    best = row.best
    name = f"{row.measure.name}{' (wall)' if row.measure.waits else ''}"
    times = [_number(best, 10, 3)]
    if has_base:
        old = min(row.seconds(row.base), default=None)
        ratio = old / best if old is not None and best else None
        times = [_number(old, 10, 3), *times, _number(ratio, 7, 2), f"{_spread(row):>13}"]
    loops = best / loop if best is not None and loop else None
    memory = max((r.mb for r in row.now if r.mb is not None), default=None)
    return " ".join([f"{name:{NAME_WIDTH}}", *times, _number(loops, 8, 1), _number(memory, 6, 0)])


def _spread(row: Row) -> str:
    """The least and the greatest ratio of the rounds, each of which asked both one after the other."""
    pairs = zip(row.seconds(row.base), row.seconds(row.now), strict=bool(row.base and row.now))
    ratios = [old / new for old, new in pairs if new]
    return f"{min(ratios):.2f} to {max(ratios):.2f}" if ratios else NONE


def _number(value: float | None, width: int, digits: int) -> str:
    return f"{NONE:>{width}}" if value is None else f"{value:{width}.{digits}f}"
