"""Validate: people judge a stratified sample of the tasks by four criteria (paper, Appendix I)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Task
from evaluator.audit.annotation import CRITERIA, sample
from space.annotations.annotations import MAX_NOTE, Annotations, Judgement
from space.annotations.hub_annotations import open_annotations
from space.base.login import visitor
from space.base.markup import join, notice, tag
from space.base.sanitize import clean
from space.base.visitors import RateLimit
from space.html.task_page import task_page
from space.html.validate_page import LABELS, agreement_page
from space.services import Services

_INTRO = """Does each task ask for what it expects? Judge the same sample as everybody else, alone: what
others found is below, as numbers only. Every verdict is kept as you save it, so you can stop at any
task and go on another day."""
_MOST = 400
"""Verdicts of one annotator in an hour."""
_LOGIN = "Log in with Hugging Face above: verdicts are kept under the name of who gave them."


@dataclass(frozen=True)
class ValidateTab:
    """The parts of the tab that others wire to."""

    task: gr.State
    """Id of the task that is judged; empty before the tab is opened."""
    progress: gr.HTML
    page: gr.HTML
    form: gr.Column
    verdicts: tuple[gr.Radio, ...]
    note: gr.Textbox
    save: gr.Button
    before: gr.Button
    after: gr.Button
    said: gr.HTML
    agreement: gr.HTML

    @property
    def shown(self) -> list[Any]:
        """What `show_validate` fills."""
        return [
            self.task, self.progress, self.page, self.form, *self.verdicts, self.note, self.said,
            self.agreement,
        ]  # fmt: skip


def validate_tab() -> ValidateTab:
    """Build the tab's content; `wire_validate` brings it to life."""
    task = gr.State("")
    with gr.Column(elem_classes="reading"):
        gr.Markdown(_INTRO)
    progress = gr.HTML("", elem_classes="ctb", apply_default_css=False, js_on_load=None)
    with gr.Row():
        with gr.Column(scale=3, min_width=320):
            page = gr.HTML("", elem_classes="ctb", apply_default_css=False, js_on_load=None)
        with gr.Column(scale=2, min_width=300, visible=False) as form:
            verdicts = tuple(
                gr.Radio([("Yes", "yes"), ("No", "no")], label=LABELS[name], info=said)
                for name, said in CRITERIA.items()
            )
            note = gr.Textbox(
                label="Note", info="What is wrong, if anything.", lines=2, max_length=MAX_NOTE
            )
            said = gr.HTML("", elem_classes="ctb", apply_default_css=False, js_on_load=None)
            save = gr.Button("Save and go on", variant="primary")
            with gr.Row():
                before = gr.Button("Previous", size="sm", min_width=100)
                after = gr.Button("Next", size="sm", min_width=100)
    agreement = gr.HTML("", elem_classes="ctb", apply_default_css=False, js_on_load=None)
    return ValidateTab(
        task, progress, page, form, verdicts, note, save, before, after, said, agreement
    )


def show_validate(
    services: Services, kept: Annotations, name: str | None, task_id: str = "", said: str = ""
) -> tuple[Any, ...]:
    """What stands in the tab's `shown` components for an annotator: a task, or the first not judged."""
    tasks = sample(services.settings.suite)
    try:
        found = join([tag("h3", "What annotators found"), agreement_page(kept.verdicts())])
        if name is None:
            return _closed(notice(_LOGIN), found)
        sheet = kept.sheet(name)
    except InputError as error:
        return _closed(notice(f"Nothing can be kept now: {error}", "problem"), "")
    task = _chosen(tasks, task_id, sheet)
    own = sheet.get(task.task_id)
    answers = (("yes" if own.verdicts[key] else "no") if own else None for key in CRITERIA)
    place = [other.task_id for other in tasks].index(task.task_id) + 1
    done = sum(other.task_id in sheet for other in tasks)
    state = f"Task {place} of {len(tasks)} as {clean(name, 40)}; {done} judged."
    if done == len(tasks):
        state += " All are judged: thank you. You can still change a verdict."
    progress = join(
        [
            tag("progress", value=done, max=len(tasks), aria_label="judged"),
            tag("p", state, role="status"),
        ]
    )
    return (
        task.task_id,
        progress,
        task_page(task),
        gr.update(visible=True),
        *answers,
        own.note if own else "",
        said,
        found,
    )


def _closed(why: str, found: str) -> tuple[Any, ...]:
    """As `show_validate`, without a task."""
    empty = (None,) * len(CRITERIA)
    return "", why, "", gr.update(visible=False), *empty, "", "", found


def _chosen(tasks: Sequence[Task], task_id: str, sheet: Any) -> Task:
    by_id = {task.task_id: task for task in tasks}
    if task_id in by_id:
        return by_id[task_id]
    return next((task for task in tasks if task.task_id not in sheet), tasks[0])


def wire_validate(tab: ValidateTab, services: Services) -> Annotations:
    """What the buttons do: saving keeps the verdict and goes on to the next task without one."""
    kept = open_annotations(services.settings)
    limit = RateLimit(_MOST, 3600, "verdicts")

    def saved(
        task_id: str,
        prompt_trace: str | None,
        arguments: str | None,
        data_flow: str | None,
        distractors: str | None,
        note: str,
        request: gr.Request,
        profile: gr.OAuthProfile | None,
    ) -> tuple[Any, ...]:
        answers = (prompt_trace, arguments, data_flow, distractors)
        given = {key: said == "yes" for key, said in zip(CRITERIA, answers, strict=True) if said}
        try:
            who = visitor(services.settings, request, profile)
            limit.take(who)
            if who.name is None or task_id not in services.settings.suite.by_id:
                raise InputError(_LOGIN)
            kept.save(who.name, task_id, Judgement(given, note or ""))
        except InputError as error:
            return *(gr.skip(),) * (len(tab.shown) - 2), notice(str(error), "problem"), gr.skip()
        said = f"Kept: {task_id}. {kept.trouble()}".strip()
        return show_validate(services, kept, who.name, said=notice(said, "done"))

    def moved(by: int) -> Any:
        def to(
            task_id: str, request: gr.Request, profile: gr.OAuthProfile | None
        ) -> tuple[Any, ...]:
            who = visitor(services.settings, request, profile)
            ids = [task.task_id for task in sample(services.settings.suite)]
            place = ids.index(task_id) + by if task_id in ids else 0
            return show_validate(services, kept, who.name, ids[place % len(ids)])

        return to

    tab.save.click(
        saved,
        [tab.task, *tab.verdicts, tab.note],
        tab.shown,
        api_visibility="private",
        concurrency_limit=4,
    )
    for button, by in ((tab.before, -1), (tab.after, 1)):
        button.click(
            moved(by),
            tab.task,
            tab.shown,
            api_visibility="private",
            concurrency_limit=None,
            show_progress="hidden",
        )
    return kept
