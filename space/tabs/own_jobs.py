"""The jobs that were started from this browser: it keeps their ids, and the page shows what they are."""

import json
from collections.abc import Iterator
from typing import Any

import gradio as gr

from dataset_builder.errors import InputError
from space.html.job_list import job_list
from space.jobs.job_status import Look
from space.jobs.jobs import Jobs
from space.tabs.components import QUICK, Frame, Updates, markup

MOST = 10
"""So many are kept, the latest first."""
_MAX_TEXT = 1_000
"""Characters; room for more ids than are kept."""
_KEY = "comptoolbench-jobs"
# A browser may keep nothing, or have none of it for a page inside of another.
_READ = f"() => {{ try {{ return localStorage.getItem('{_KEY}') || ''; }} catch {{ return ''; }} }}"
_WRITE = f"(ids) => {{ try {{ localStorage.setItem('{_KEY}', ids); }} catch {{}} return []; }}"
_ON_LOAD = """
element.addEventListener('click', (event) => {
  const button = event.target.closest('button[data-job]');
  if (button) trigger('select', {job: button.dataset.job});
});
"""


class OwnJobs:
    """The list, and the text that the browser keeps. `wire` says when they change."""

    def __init__(self, jobs: Jobs) -> None:
        """Build the list's place."""
        self._jobs = jobs
        self.list = markup(on_load=_ON_LOAD)
        # A list of ids as JSON; whoever has the browser may have written anything there.
        self.stored = gr.Textbox(visible="hidden", show_label=False, container=False)

    def wire(self, frame: Frame, started: gr.events.Dependency, job: gr.State) -> None:
        """``started``: the event after which ``job`` holds the id of a job that may be new."""
        shown = [self.list, self.stored]
        read = frame.page.load(None, None, self.stored, js=_READ, **QUICK)
        read.then(self.show, self.stored, shown, **QUICK)
        started.then(self.add, [self.stored, job], shown, **QUICK)
        self.list.select(self._remove, self.stored, shown, **QUICK)
        self.stored.change(None, self.stored, None, js=_WRITE, **QUICK)

    def show(self, stored: str) -> Updates:
        """The jobs that are there. Other ids are kept, since they may be those of another page."""
        return {self.list: job_list([*self._looks(stored)]), self.stored: json.dumps(ids(stored))}

    def add(self, stored: str, job: str) -> Updates:
        """The jobs with one more, first."""
        return self.show(json.dumps([job, *ids(stored)]) if job else stored)

    def remove(self, stored: str, job: str) -> Updates:
        """The jobs without one."""
        return self.show(json.dumps([name for name in ids(stored) if name != job]))

    def _remove(self, stored: str, event: gr.EventData) -> Updates:
        return self.remove(stored, str(event._data.get("job", "")))

    def _looks(self, stored: str) -> Iterator[Look]:
        for name in ids(stored):
            try:
                yield self._jobs.look(name)
            except InputError:
                continue


def ids(stored: Any) -> list[str]:
    """The texts in what a browser kept, each once; of what is no such list, none."""
    try:
        found = json.loads(stored) if len(stored) <= _MAX_TEXT else []
    except (TypeError, ValueError, RecursionError):
        return []
    texts = [name for name in found if isinstance(name, str)] if isinstance(found, list) else []
    return [*dict.fromkeys(texts)][:MOST]
