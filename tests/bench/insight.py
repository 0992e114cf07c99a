"""How long Explore, Compare and Figures take over a large board; called by `python -m tests.bench`."""

import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from space.base.tiers import MADE_HERE, SELF_REPORTED
from space.board.board import Board
from space.board.explain_answer import explain
from space.html.answer_page import answer_page
from space.html.compare_page import compare_page
from space.html.task_graph import graph
from space.html.task_list import task_rows, task_table
from space.html.task_query import TaskAddress, TaskQuery, select
from space.tabs.figures_tab import sections
from tests.samples.small_site import careless, first_level, oracle, silent, small_site


def bench_insight(runs: int = 1_000) -> dict[str, float]:
    """Seconds for each thing that a visitor asks for, over 200 tasks and so many runs; best of three."""
    from dataset_builder.published.load_suite import published_suite

    suite = published_suite()
    with tempfile.TemporaryDirectory() as folder:
        answers = {f.__name__: f for f in (oracle, silent, careless, first_level)}
        own = small_site(Path(folder), suite, answers).board.current().entries
        entries = []
        for number in range(runs):
            entry = own[number % len(own)]
            result = replace(entry.result, name=f"run {number}")
            tier = MADE_HERE if number < 60 else SELF_REPORTED
            entries.append(replace(entry, id=f"run {number}", tier=tier, result=result))
        board = Board(tuple(entries))
        task = suite.by_id["L3_dag_0177"]
        worked: dict[str, Callable[[], object]] = {
            "list of tasks": lambda: task_table(
                select(task_rows(board, suite, entries[2]), TaskQuery(order="failed")),
                entries[2],
                TaskAddress(),
            ),
            "graph": lambda: graph(task),
            "answer": lambda: answer_page(explain(entries[2], task, 0, suite), "m"),
            "two runs compared": lambda: compare_page(entries[:2], suite),
            "six runs compared": lambda: compare_page(entries[:6], suite),
            "figures of 60 runs": lambda: sections(board, MADE_HERE),
        }
        return {name: min(_seconds(work) for _ in range(3)) for name, work in worked.items()}


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    """Measure and print."""
    for name, seconds in bench_insight().items():
        print(f"{name:27} {seconds:8.3f} s")


if __name__ == "__main__":
    main()
