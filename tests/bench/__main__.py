"""Speed, measured: `make bench` prints a table; nothing here passes or fails."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tools import catalogue
from dataset_builder.tools.world import World
from evaluator.asking.baselines.oracle_and_dump import arguments_with_references
from evaluator.audit import audit
from evaluator.scoring.score import score_task
from evaluator.traces.protocols import SINGLE_TURN
from evaluator.traces.trace import Call, Trace
from tests.bench import board, dataset, first_view, insight, report, run
from tests.bench import statistics as statistics_bench
from tests.samples.long_tasks import flawed_answer, long_task


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """The best of some repetitions."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


def start_up(*arguments: str) -> float:
    """Seconds until a command in a fresh process has answered."""
    command = [sys.executable, "-m", "comptoolbench", *arguments]
    return seconds(lambda: subprocess.run(command, check=True, capture_output=True))


def generated_a_second(seed: int) -> float:
    """Tasks of a large suite that one core makes in a second of its time."""
    engine = CompositionEngine(seed, counts=(1200, 1600, 1000, 1200))
    began = time.process_time()
    made = sum(1 for _ in engine.generate())
    return made / (time.process_time() - began)


def slowest_tools() -> list[tuple[str, float]]:
    """The five tools with the slowest median over the calls of 500 tasks, in milliseconds."""
    times: dict[str, list[float]] = {}
    for task in CompositionEngine(1, counts=(200, 100, 100, 100)).generate():
        for step in task.steps:
            tool, arguments = catalogue()[step.tool], dict(step.arguments)
            work = partial(tool, arguments, World())
            times.setdefault(step.tool, []).append(seconds(work))
    medians = {name: 1000 * statistics.median(found) for name, found in times.items()}
    return sorted(medians.items(), key=lambda entry: -entry[1])[:5]


def main() -> None:
    """Measure and print."""
    tools = catalogue()
    print(f"start-up, --help            {start_up('--help'):8.2f} s")
    print(f"start-up, tools             {start_up('tools'):8.2f} s")
    suite = CompositionEngine(42).generate_suite()
    few = seconds(lambda: CompositionEngine(42).generate_suite(), 3)
    print(f"generate seed 42            {few:8.2f} s")
    rates = " ".join(f"{generated_a_second(seed):8.0f}" for seed in (3, 4, 5, 6))
    print(f"generate 5,000 tasks, 4 seeds {rates} tasks a second of CPU")
    print(f"audit seed 42               {seconds(lambda: list(audit(suite, tools)), 1):8.2f} s")
    traces = [
        Trace(
            task.task_id,
            tuple(Call(step.tool, arguments_with_references(step, task)) for step in task.steps),
            "oracle",
            protocol=SINGLE_TURN,
            catalogue="full",
        )
        for task in suite.tasks
    ]
    pairs = list(zip(suite.tasks, traces, strict=True))
    rate = len(pairs) / seconds(lambda: [score_task(t, trace, tools) for t, trace in pairs], 5)
    print(f"score oracle traces         {rate:8.0f} tasks/s")
    long = long_task(256, 1)
    flawed = flawed_answer(long, 1, flaws=0.2, extra=57)
    at_length = seconds(lambda: score_task(long, flawed, tools))
    print(f"score {len(long.steps)} steps, {len(flawed.calls)} calls  {at_length:8.2f} s")
    for name, median in slowest_tools():
        print(f"tool {name:22} {median:8.3f} ms (median)")
    parts = (
        *(dataset, run, statistics_bench),
        *(report, board, first_view, insight),
    )
    for part in parts:
        print(f"\n{(part.__doc__ or '').splitlines()[0]}")
        part.main()


if __name__ == "__main__":
    main()
