"""Speed, measured: `make bench` prints one table; nothing here passes or fails.

    make bench                            everything, on the files as they are
    make bench BASE=main                  beside another revision, in turns, with the ratio base / now
    make bench ONLY=scoring,audit         the measures whose group or name holds one of these words
    make bench JSON=bench.json            and keep all readings

Seconds are those that processors spent, in the best of some rounds, and those of a clock where it says
"wall". A column gives them in units of the reference loop, so that tables of different machines compare.
"""

import argparse
import json
import platform
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.bench.groups import GROUPS, REFERENCE, measures
from tests.bench.measure import Measure, Reading
from tests.bench.table import Row, heading, line
from tests.bench.trees import Tree, Unreadable, revision_here, tree_here, tree_of


def chosen(words: Iterable[str]) -> Iterator[tuple[str, Measure]]:
    """The measures that a word names, or all of them; the reference loop always."""
    asked = list(words)
    for group in GROUPS:
        for measure in measures(group):
            named = (word in (group, measure.name) or word in measure.name for word in asked)
            if group == REFERENCE or not asked or any(named):
                yield group, measure


def readings(
    group: str, measure: Measure, trees: list[Tree]
) -> tuple[list[list[Reading]], list[str]]:
    """Of each tree those of all rounds, the trees in turns, and what went wrong."""
    found: list[list[Reading]] = [[] for _ in trees]
    failed: dict[int, str] = {}
    for number, tree in enumerate(trees):
        if problem := tree.make_files(group, measure):
            failed[number] = problem
    for _ in range(measure.rounds):
        for number, tree in enumerate(trees):
            if number in failed:
                continue
            reading = tree.read(group, measure)
            if isinstance(reading, Reading):
                found[number].append(reading)
            else:
                failed[number] = reading
                found[number] = []
    names = ("now", "base")
    return found, [f"{measure.name} ({names[number]}): {why}" for number, why in failed.items()]


def bench(only: list[str], base: str | None, scratch: Path) -> tuple[list[Row], list[str]]:
    """Measure and print; the rows, and what could not be measured."""
    trees = [tree_here(scratch / "now")]
    if base:
        trees.append(tree_of(base, scratch / "base"))
    print(heading(bool(base)))
    rows: list[Row] = []
    problems: list[str] = []
    for group, measure in chosen(only):
        found, wrong = readings(group, measure, trees)
        row = Row(group, measure, *map(tuple, found))
        if not rows or rows[-1].group != group:
            print(f"{group.replace('_', '-')}:", flush=True)
        rows.append(row)
        problems += wrong
        print(f"{line(row, rows[0].best, bool(base))}", flush=True)
    return rows, problems


def main() -> None:
    """Read the options, measure, print and keep."""
    parser = argparse.ArgumentParser(prog="make bench")
    parser.add_argument("--base", help="another revision to measure in turns with the files here")
    parser.add_argument("--only", default="", help="words of groups or measures, with commas")
    parser.add_argument("--json", type=Path, help="a file that keeps all readings")
    options = parser.parse_args()
    only = [word.strip() for word in options.only.split(",") if word.strip()]
    if only and len(list(chosen(only))) == len(measures(REFERENCE)) and only != [REFERENCE]:
        parser.error(f"no measure is called {options.only!r}; the groups are {', '.join(GROUPS)}")
    try:
        with tempfile.TemporaryDirectory() as scratch:
            rows, problems = bench(only, options.base, Path(scratch))
        kept = {
            "revision": revision_here(),
            "base": options.base,
            "python": platform.python_version(),
            "measures": [row.as_json() for row in rows],
        }
    except Unreadable as error:
        sys.exit(f"bench: {error}")
    if options.json:
        options.json.write_text(f"{json.dumps(kept, indent=1)}\n", encoding="utf-8")
    if problems:
        print("\nnot measured:", *problems, sep="\n  ", file=sys.stderr)


if __name__ == "__main__":
    main()
