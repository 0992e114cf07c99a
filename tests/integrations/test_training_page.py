"""The code of docs/integrations/training.md, run as it stands there; the policy for a shorter time."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/integrations/training.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def block(word: str) -> str:
    [found] = [block for block in BLOCKS if word in block]
    return str(found)


def printed(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_policy_learns_on_tasks_that_are_held_out() -> None:
    code = block("STEPS")
    shorter = code.replace("= 4_000, 8, 0.5, 4_096, 300", "= 400, 8, 0.5, 4_096, 150")
    assert shorter != code
    curve = [float(line.split()[-1]) for line in printed(shorter).splitlines()]
    assert len(curve) == 5
    assert curve[0] < 0.25
    assert curve[-1] > curve[0] + 0.2


def test_the_stream_of_the_page_is_one() -> None:
    prompt, task = printed(block("1_000_000")).rsplit("\n", 2)[:2]
    assert prompt
    assert re.fullmatch(r"\w+_0501\.s7 [0-9]+", task)


@pytest.mark.slow
def test_what_trl_takes_is_made() -> None:
    told = "\nprint(len(dataset), len(in_one_reply['train_dataset']), dataset.column_names)"
    assert printed(block("trainer_takes") + told) == "1000 1000 ['prompt', 'task_id']\n"
