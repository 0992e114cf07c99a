"""What scorer 2 decides otherwise than scorer 1: `python -m tests.differential.verdicts OLD [COUNT]`.

``OLD``: a folder with the code of scorer 1. Both score the same mutated answers to suite 42; the
table says how many changed their strict verdict, by the rule that explains it, and what is unexplained
(exit code 1).
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tools import catalogue
from evaluator.scoring.score import score_task
from tests.differential.mutated_values import CHANGED, OPEN, SAME
from tests.differential.mutations import mutants

SUITE, MUTATIONS, COUNT = 42, 201, 10_000
# Runs under the old code, which knows nothing of this file: its modules have the names of their time.
OLD_SCORER = """
import json, sys
from dataset_builder.engine import CompositionEngine
from dataset_builder.tools import catalogue
from evaluator.score import score_task
from evaluator.trace import Trace
tasks = {t.task_id: t for t in CompositionEngine(int(sys.argv[2])).generate_suite().tasks}
tools = catalogue()
for line in open(sys.argv[1], encoding="utf-8"):
    trace = Trace.from_row(json.loads(line))
    found = score_task(tasks[trace.task_id], trace, tools)
    print(json.dumps([found.score, found.step, found.strict]))
"""

# (direction, what was done to the answer, why that changes the verdict); an answer with several changes
# goes to the first rule that one of them falls under.
PASSES, FAILS, ERRED = "now passes", "now fails", "a call erred"
RULES = (
    (FAILS, ERRED, "a call that erred is never right"),
    (FAILS, r"prose: (word|letter|number in)", "prose is the stated text, not nearly it"),
    (FAILS, r"message.*: invented", "a number from nowhere makes a message wrong"),
    (FAILS, r"message.*: (number|rounded|sign)", "a message shows a number as it is or rounded"),
    (FAILS, r"(set|list): item", "every item of a list counts, not most of them"),
    (FAILS, r"(number|integer): number (off|to)", "a number is the stated one, not within 1 %"),
    (FAILS, r"datetime: zone", "an offset that the prompt does not tell is another time"),
    (FAILS, r"prose: (closing|quotes)", "a fed text is the one that the model's own call gave"),
    (PASSES, r"quotes around", "quotation marks around a value are none of it"),
    (PASSES, r"closing sign", "closing signs change no search term or address"),
    (PASSES, r"prose: case", "case does not count in prose"),
    (PASSES, r"another (form|spelling)|country", "more spellings of one value are read"),
    (PASSES, r"small numbers", "small whole numbers in a message are no figures made up"),
    (PASSES, r"twin|left out", "alternatives that were missing"),
    (PASSES, r"permuted", "order where the output is the same with any"),
    (PASSES, r"arguments exchanged", "two arguments that may change places"),
)


@dataclass(frozen=True)
class Scored:
    """One mutated answer under both scorers: (weighted, step, strict) of each."""

    task_id: str
    kind: str
    meaning: str
    has_erred: bool
    old: tuple[float, float, bool]
    new: tuple[float, float, bool]

    @property
    def changed(self) -> str:
        """How the strict verdict changed, empty where it did not."""
        return "" if self.old[2] == self.new[2] else PASSES if self.new[2] else FAILS

    @property
    def rule(self) -> str:
        """The first rule that explains the change; empty where none does."""
        for direction, done, why in RULES:
            is_so = self.has_erred if done == ERRED else re.search(done, self.kind)
            if direction == self.changed and is_so:
                return why
        return ""


def scored(old_checkout: Path, count: int) -> list[Scored]:
    """The same answers under both scorers."""
    tools = catalogue()
    pairs = list(mutants(CompositionEngine(SUITE).generate_suite(), tools, count, MUTATIONS))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "traces.jsonl"
        rows = (json.dumps(mutant.trace.to_row()) + "\n" for _, mutant in pairs)
        path.write_text("".join(rows), encoding="utf-8")
        said = subprocess.run(
            [sys.executable, "-c", OLD_SCORER, str(path), str(SUITE)],
            env={**os.environ, "PYTHONPATH": str(old_checkout)},
            cwd=old_checkout,
            stdout=subprocess.PIPE,
            check=True,
        ).stdout.decode()
    found = []
    for (task, mutant), line in zip(pairs, said.splitlines(), strict=True):
        new = score_task(task, mutant.trace, tools)
        verdict = (new.score, new.step or 0.0, bool(new.strict))
        erred = any(call.error is not None for call in new.calls if call.is_counted)
        before = tuple(json.loads(line))
        found.append(Scored(task.task_id, mutant.kind, mutant.meaning, erred, before, verdict))
    return found


def table(answers: Sequence[Scored]) -> str:
    """The means under both scorers, the changes by rule, what passes by label, as Markdown."""
    lines = ["| mean | scorer 1 | scorer 2 |", "|---|---|---|"]
    for place, name in enumerate(("weighted score", "step score", "strict pass")):
        old, new = (
            sum(float(verdict[place]) for verdict in verdicts) / len(answers)
            for verdicts in ([a.old for a in answers], [a.new for a in answers])
        )
        lines.append(f"| {name} | {100 * old:.1f} | {100 * new:.1f} |")
    lines += ["", "| strict verdict | rule | answers |", "|---|---|---|"]
    changes = Counter((a.changed, a.rule or f"UNEXPLAINED: {a.kind}") for a in answers if a.changed)
    for (direction, why), count in sorted(changes.items(), key=lambda pair: (pair[0][0], -pair[1])):
        lines.append(f"| {direction} | {why} | {count} |")
    lines += ["", "| label | answers | strict passes, scorer 1 | scorer 2 |", "|---|---|---|---|"]
    for meaning in (SAME, OPEN, CHANGED):
        those = [a for a in answers if a.meaning == meaning]
        old_passes, new_passes = (sum(a.old[2] for a in those), sum(a.new[2] for a in those))
        lines.append(f"| {meaning} | {len(those)} | {old_passes} | {new_passes} |")
    return "\n".join(lines)


def by_kind(answers: Sequence[Scored]) -> str:
    """Under scorer 2: of the answers with one change of a label and kind, how many pass strictly."""
    made: Counter[tuple[str, str]] = Counter()
    passed: Counter[tuple[str, str]] = Counter()
    for answer in answers:
        if " + " not in answer.kind:
            key = (answer.meaning, answer.kind.removeprefix("consistently "))
            made[key] += 1
            passed[key] += answer.new[2]
    rows = [
        f"| {label} | {kind} | {passed[label, kind]} of {n} |" for (label, kind), n in made.items()
    ]
    return "\n".join(["| label | the one change | strict passes |", "|---|---|---|", *sorted(rows)])


def main(old_checkout: str, count: str = str(COUNT)) -> int:
    """Print the tables; 1 where a changed verdict has no explanation."""
    answers = scored(Path(old_checkout).resolve(), int(count))
    print(table(answers), by_kind(answers), sep="\n\n")
    return int(any(a.changed and not a.rule for a in answers))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
