"""Episodes for blind readers: they see a prompt, the schemas and real outputs, and nothing else.

    python -m tests.asking.blind_episode prepare FOLDER --seed 4107 L1_chain_0052 L3_dag_0160 ...
    FOLDER/call L1_chain_0052 '[{"name": "get_weather", "arguments": {"city": "Berlin"}}]'
    python -m tests.asking.blind_episode collect FOLDER --reader reader-1 >> answers.jsonl

`prepare` writes the system prompt, the tasks and the schemas, and a script `call` that carries calls out
and prints what they give; a reader makes as many as the task needs, several at a time where they do not
depend on each other. `collect` prints the traces.
"""

import argparse
import json
import shlex
import sys
from pathlib import Path
from typing import Any

from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tools import catalogue
from dataset_builder.tools.replay import replay
from evaluator.asking.prompts import system_prompt
from evaluator.traces.protocols import MULTI_TURN
from evaluator.traces.trace import Call, Trace

REPOSITORY = Path(__file__).parents[2]


def prepare(folder: Path, seed: int, task_ids: list[str]) -> None:
    """Write what a reader may see, and the script that carries calls out."""
    folder.mkdir(parents=True)
    (folder / "turns").mkdir()
    suite = CompositionEngine(seed).generate_suite()
    tasks = [suite.by_id[task_id] for task_id in task_ids]
    prompts = "\n\n".join(f"## {task.task_id}\n\n{task.prompt}" for task in tasks)
    (folder / "TASKS.md").write_text(f"{system_prompt(MULTI_TURN)}\n\n{prompts}\n", "utf-8")
    schemas = "\n".join(tool.schema_json for tool in catalogue().values())
    (folder / "tools.jsonl").write_text(f"{schemas}\n", "utf-8")
    (folder / "seed").write_text(str(seed), "utf-8")
    command = f"{shlex.quote(sys.executable)} -m tests.asking.blind_episode call {shlex.quote(str(folder))}"
    script = folder / "call"
    script.write_text(f'#!/bin/sh\ncd {shlex.quote(str(REPOSITORY))} && exec {command} "$@"\n')
    script.chmod(0o755)


def call(folder: Path, task_id: str, text: str) -> None:
    """Carry out one turn's calls after all earlier ones, and print what they give."""
    turns = _turns(folder, task_id)
    made: Any = json.loads(text)
    made = [made] if isinstance(made, dict) else made
    before = sum(map(len, turns))
    calls = [(c["name"], c["arguments"]) for turn in [*turns, made] for c in turn]
    for number, executed in enumerate(replay(calls, catalogue())[before:], before + 1):
        output = executed.output or {"error": f"there is no tool {executed.name!r}"}
        print(f"{number} {executed.name}: {json.dumps(output, ensure_ascii=False)}")
    with (folder / "turns" / f"{task_id}.jsonl").open("a", encoding="utf-8") as file:
        file.write(f"{json.dumps(made, ensure_ascii=False)}\n")


def collect(folder: Path, reader: str) -> None:
    """Print the traces of a reader, a row for each task that has a call."""
    for file in sorted((folder / "turns").glob("*.jsonl")):
        calls = tuple(
            Call(made["name"], made["arguments"], turn)
            for turn, made_calls in enumerate(_turns(folder, file.stem))
            for made in made_calls
        )
        trace = Trace(
            file.stem,
            calls,
            model="language-model readers",
            protocol=MULTI_TURN,
            catalogue="full",
            extra={"reader": reader},
        )
        print(json.dumps(trace.to_row(), ensure_ascii=False))


def _turns(folder: Path, task_id: str) -> list[list[dict[str, Any]]]:
    file = folder / "turns" / f"{task_id}.jsonl"
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return [json.loads(line) for line in lines]


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=("prepare", "call", "collect"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("arguments", nargs="*")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--reader", default="reader")
    given = parser.parse_intermixed_args()
    if given.command == "prepare":
        prepare(given.folder, given.seed, given.arguments)
    elif given.command == "call":
        call(given.folder, *given.arguments)
    else:
        collect(given.folder, given.reader)


if __name__ == "__main__":
    main()
