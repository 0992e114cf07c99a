"""Speed, measured: `make bench` prints one table; nothing here passes or fails.

    make bench                            everything, on the files as they are
    make bench BASE=main                  beside another revision, in turns, with the ratio base / now
    make bench ONLY=scoring,audit         groups, or words of the measures' names
    make bench JSON=bench.json            and keep all readings

Seconds are those that processors spent, in the best of some rounds, and those of a clock where it says
"wall". A column gives them in units of the reference loop, so that tables of different machines compare.
"""

import argparse
import json
import platform
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from tests.bench.groups import GROUPS, REFERENCE, measures
from tests.bench.measure import Measure, Reading
from tests.bench.table import Row, heading, line
from tests.bench.trees import Tree, Unreadable, revision_here, tree_here, tree_of

NOW, BASE = "now", "base"


def chosen(words: Iterable[str]) -> Iterator[tuple[str, Measure]]:
    """The measures that a word names, or all of them; the reference loop always."""
    asked = [word.strip() for word in words if word.strip()]
    groups = {name for name in GROUPS if name.replace("_", "-") in asked or name in asked}
    parts = [word for word in asked if word.replace("-", "_") not in groups]
    for group in GROUPS:
        for measure in measures(group):
            is_named = group in groups or any(part in measure.name for part in parts)
            if group == REFERENCE or not asked or is_named:
                yield group, measure


def readings(group: str, measure: Measure, trees: Mapping[str, Tree]) -> tuple[Row, list[str]]:
    """All rounds, in each of which the trees take turns, and by what reason a tree has none."""
    found: dict[str, list[Reading]] = {name: [] for name in trees}
    failed: dict[str, str] = {}
    for name, tree in trees.items():
        if problem := tree.make_files(group, measure):
            failed[name] = problem
    for _ in range(measure.rounds):
        for name in [name for name in trees if name not in failed]:
            reading = trees[name].read(group, measure)
            if isinstance(reading, str):
                failed[name] = reading
            else:
                found[name].append(reading)
    whole = {name: () if name in failed else tuple(found[name]) for name in trees}
    row = Row(group, measure, whole[NOW], whole.get(BASE, ()))
    return row, [f"  not measured, {name}: {why}" for name, why in failed.items()]


def bench(words: list[str], trees: Mapping[str, Tree], keep: Callable[[list[Row]], None]) -> None:
    """Measure, print and keep row by row; below a row why it lacks a figure."""
    has_base = BASE in trees
    print(heading(has_base))
    rows: list[Row] = []
    for group, measure in chosen(words):
        row, wrong = readings(group, measure, trees)
        if not rows or rows[-1].group != group:
            print(f"{group.replace('_', '-')}:")
        rows.append(row)
        print("\n".join([line(row, rows[0].best, has_base), *wrong]), flush=True)
        keep(rows)


def main() -> None:
    """Read the options, then measure."""
    parser = argparse.ArgumentParser(prog="make bench")
    parser.add_argument("--base", help="another revision to measure in turns with the files here")
    parser.add_argument("--only", default="", help="words of groups or measures, with commas")
    parser.add_argument("--json", type=Path, help="a file that keeps all readings")
    options = parser.parse_args()
    words = options.only.split(",")
    found = {group for group, _ in chosen(words)}
    if options.only != REFERENCE and found == {REFERENCE}:
        parser.error(f"no measure is called {options.only!r}; the groups are {', '.join(GROUPS)}")
    about = {
        "revision": revision_here(),
        "base": options.base,
        "python": platform.python_version(),
    }

    def keep(rows: list[Row]) -> None:
        if options.json:
            kept = about | {"measures": [row.as_json() for row in rows]}
            options.json.write_text(f"{json.dumps(kept, indent=1)}\n", encoding="utf-8")

    try:
        with tempfile.TemporaryDirectory() as scratch:
            keep([])
            trees = {NOW: tree_here(Path(scratch) / NOW)}
            if options.base:
                trees[BASE] = tree_of(options.base, Path(scratch) / BASE)
            bench(words, trees, keep)
    except Unreadable as error:
        sys.exit(f"bench: {error}")
    except OSError as error:
        sys.exit(f"bench: {error.filename}: cannot be written ({error.strerror})")
    except KeyboardInterrupt:
        sys.exit("bench: stopped")


if __name__ == "__main__":
    main()
