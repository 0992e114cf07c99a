"""What each command loads: only what its job needs, told by modules and not by time."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from comptoolbench import _COMMANDS, _WAITING
from tests.samples.small_runs import run_baselines

# Each takes a tenth of a second or more to load.
HEAVY = (
    *("numpy", "pandas", "scipy", "pyarrow", "datasets", "huggingface_hub", "mlcroissant"),
    *("litellm", "gradio", "altair", "jinja2", "mcp", "ray", "inspect_ai", "pydantic"),
)
# By job: the heavy libraries that it needs.
JOBS = {
    "tasks": set(),
    "tasks --suite suite.jsonl": set(),
    "tasks show L1_chain_0049": set(),
    "tools": set(),
    "tools show get_weather": set(),
    "models": set(),
    "audit": set(),
    "score row.jsonl --allow-partial": set(),
    "score runs/oracle --suite suite.jsonl": set(),
    "explain runs/oracle --suite suite.jsonl": set(),
    "explain runs/oracle L0_node_0001 --suite suite.jsonl": set(),
    "convert log.jsonl --out - --protocol multi-turn --catalogue full": set(),
    "annotate sample --out sheet.csv": set(),
    "run baseline:oracle --suite suite.jsonl --out made": set(),
    "control baseline:oracle --suite suite.jsonl --out controlled": set(),
    # Intervals, ranks and tests are NumPy's.
    "leaderboard runs/oracle runs/silent --suite suite.jsonl": {"numpy"},
    "compare runs/oracle runs/silent --suite suite.jsonl": {"numpy"},
    "ablate runs/oracle runs/silent --suite suite.jsonl": {"numpy"},
    # Arrow loads it as well.
    "build --counts 1,1,1,1 --out built": {"numpy", "pyarrow"},
}
LOADED = (
    "import json, sys\n"
    "from comptoolbench import main\n"
    "try:\n"
    "    main(sys.argv[2:])\n"
    "except SystemExit as end:\n"
    "    assert end.code in (0, None), end.code\n"
    "json.dump(sorted(sys.modules), open(sys.argv[1], 'w'))\n"
)


def heavy(arguments: list[str], folder: Path) -> tuple[str, set[str]]:
    """What a command prints, and the heavy libraries that it has loaded when it ends."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED, "loaded.json", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, {*json.loads((folder / "loaded.json").read_text())} & {*HEAVY}


@pytest.mark.parametrize("command", [[], *([name] for name in _COMMANDS)])
def test_every_command_explains_itself_and_loads_nothing_heavy(
    command: list[str], tmp_path: Path
) -> None:
    printed, loaded = heavy([*command, "--help"], tmp_path)
    assert "Usage: comptoolbench" in printed
    assert loaded == set()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a suite, two runs over it, a row of the published suite and a log."""
    folder = tmp_path_factory.mktemp("work")
    run_baselines(folder, "baseline:oracle", "baseline:silent")
    (folder / "runs").mkdir(exist_ok=True)
    for made in sorted((folder / "runs").iterdir()):
        made.rename(folder / "runs" / made.name.split("-")[1])
    row = {"task_id": "L0_node_0001", "model": "m", "calls": []}
    (folder / "row.jsonl").write_text(json.dumps(row))
    message = {"role": "assistant", "content": "No."}
    log = {"task_id": row["task_id"], "model": "m", "messages": [message]}
    (folder / "log.jsonl").write_text(json.dumps(log))
    return folder


@pytest.mark.parametrize("job", JOBS)
def test_a_job_loads_what_it_needs(job: str, folder: Path) -> None:
    _, loaded = heavy(job.split(), folder)
    assert loaded == JOBS[job]


SEEN = """
import contextlib, gc, io, sys
from comptoolbench import main

class Seen(io.StringIO):
    def write(self, text):
        print(gc.get_threshold()[0], file=sys.stderr)

usual = gc.get_threshold()
print(usual[0], file=sys.stderr)
with contextlib.redirect_stdout(Seen()), contextlib.suppress(SystemExit):
    main(sys.argv[1:])
assert gc.get_threshold() == usual
"""


@pytest.mark.parametrize("command", _COMMANDS)
def test_only_what_computes_and_ends_looks_for_cycles_rarely(command: str) -> None:
    ran = [sys.executable, "-c", SEEN, command, "--help"]
    done = subprocess.run(ran, capture_output=True, text=True, check=True)
    usual, *meanwhile = map(int, done.stderr.split())
    assert meanwhile
    assert all(looks > usual for looks in meanwhile) == (command not in _WAITING)


def test_commands_that_wait_are_commands() -> None:
    assert set(_COMMANDS) > _WAITING
