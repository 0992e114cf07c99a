"""The picture of the page in README.md, over simulated agents.

`python -m tests.page.picture docs/page.png` takes it anew; it needs chromium on the PATH.
"""

import io
import json
import sys
import tempfile
from pathlib import Path

from dataset_builder.published.load_suite import published_suite
from dataset_builder.tasks.task import Suite
from dataset_builder.values.draw import Draw
from tests.samples.small_site import oracle
from tests.stand_ins.browser import CHROMIUM, FLAGS
from tests.stand_ins.page_server import served

SIZE = (1280, 1180)
WRONG_OF_100 = (0, 1, 3, 6, 12, 25)
"""Of a hundred calls, how many an agent gets wrong."""
_COLOURS = 64
"""Enough for a page of few colours, and a third of the file."""


def add_agents(folder: Path, suite: Suite) -> None:
    """A run folder for each agent: the better ones are dearer."""
    for number, wrong in enumerate(WRONG_OF_100):
        run = folder / "runs" / f"agent-{number}"
        run.mkdir(parents=True)
        (run / "run.json").write_text("{}")
        model = "never wrong" if not wrong else f"wrong in {wrong} of 100 calls"
        rows = (_row(model, wrong, number, task, suite) for task in suite.by_id)
        (run / "traces.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def _row(model: str, wrong: int, number: int, task_id: str, suite: Suite) -> dict[str, object]:
    calls = oracle(suite.by_id[task_id])
    draw = Draw(f"{number}|{task_id}")
    for place, call in enumerate(calls):
        if call["arguments"] and draw.integer(f"wrong {place}", 1, 100) <= wrong:
            first = next(iter(call["arguments"]))
            call["arguments"] = {**call["arguments"], first: "no such value"}
    tokens = 80 * 2 ** (len(WRONG_OF_100) - number) + draw.integer("tokens", 0, 40)
    return {
        "task_id": task_id,
        "model": model,
        "calls": calls,
        "protocol": "single-turn",
        "catalogue": "full",
        "usage": {"prompt_tokens": 9_000, "completion_tokens": tokens},
        "cost_usd": tokens * 1e-5,
    }


def picture() -> bytes:
    """The first view as PNG."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        add_agents(folder, published_suite())
        with served(folder, suite=None) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
            page.goto(f"{address}?__theme=light")
            page.locator(".bars").wait_for(timeout=120_000)
            page.wait_for_timeout(1_500)
            taken = page.screenshot()
            browser.close()
    small = io.BytesIO()
    Image.open(io.BytesIO(taken)).convert("RGB").quantize(_COLOURS).save(
        small, "PNG", optimize=True
    )
    return small.getvalue()


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(picture())
