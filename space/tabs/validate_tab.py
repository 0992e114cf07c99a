"""Validate: people judge a stratified sample of the tasks by four criteria (paper, Appendix I)."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import gradio as gr
from markupsafe import Markup

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Task
from evaluator.audit.annotation import CRITERIA, sample
from space.annotations.annotations import MAX_NOTE, Judgement
from space.base.limits import HOUR_S, VERDICTS_AN_HOUR
from space.base.login import visitor
from space.base.markup import join, notice, tag
from space.base.rate_limit import RateLimit
from space.base.sanitize import clean
from space.html.task_page import task_page
from space.html.validate_page import LABELS, agreement_page
from space.services import Services
from space.tabs.components import PRIVATE, QUICK, VALIDATE, Frame, Updates, Values, markup, shown_if

_INTRO = """Does each task ask for what it expects? Judge the same sample as everybody else, alone: what
others found is below, as numbers only. Every verdict is kept as you save it, so you can stop at any
task and go on another day."""
_LOGIN = "Log in with Hugging Face above: verdicts are kept under the name of who gave them."


class ValidateTab:
    """A task, the form of its verdict, and how far annotators agree."""

    def __init__(self, services: Services, frame: Frame) -> None:
        """Build the tab's content; `wire` says what the buttons do."""
        self._services, self._frame = services, frame
        self._limit = RateLimit(VERDICTS_AN_HOUR, HOUR_S, "verdicts")
        # Id of the task that is judged; empty before the tab is opened.
        self.task = gr.State("")
        with gr.Column(elem_classes="reading"):
            gr.Markdown(_INTRO)
        self.progress = markup()
        with gr.Row():
            with gr.Column(scale=3, min_width=320):
                self.page = markup()
            with gr.Column(scale=2, min_width=300, visible=False) as self.form:
                self._add_form()
        self.agreement = markup()

    def _add_form(self) -> None:
        self.verdicts = {
            name: gr.Radio([("Yes", "yes"), ("No", "no")], label=LABELS[name], info=question)
            for name, question in CRITERIA.items()
        }
        self.note = gr.Textbox(
            label="Note", info="What is wrong, if anything.", lines=2, max_length=MAX_NOTE
        )
        self.message = markup()
        self.save = gr.Button("Save and go on", variant="primary")
        with gr.Row():
            self.before = gr.Button("Previous", size="sm", min_width=100)
            self.after = gr.Button("Next", size="sm", min_width=100)

    @property
    def shown(self) -> list[Any]:
        """What `show` fills."""
        return [*self._closed("", "")]

    def show(self, name: str | None, task_id: str = "", message: str = "") -> Updates:
        """A task for an annotator of that login name, or the first that is not judged."""
        tasks = sample(self._services.settings.suite)
        try:
            verdicts = self._services.annotations.verdicts()
            agreement = join([tag("h3", "What annotators found"), agreement_page(verdicts)])
            if name is None:
                return self._closed(notice(_LOGIN), agreement)
            sheet = self._services.annotations.sheet(name)
        except InputError as error:
            return self._closed(notice(f"Nothing can be kept now: {error}", "problem"), "")
        task = _chosen(tasks, task_id, sheet)
        judged = sheet.get(task.task_id)
        return self._as_judged(judged) | {
            self.task: task.task_id,
            self.progress: _progress(tasks, task, name, sheet),
            self.page: task_page(task),
            self.form: shown_if(True),
            self.message: message,
            self.agreement: agreement,
        }

    def _closed(self, why: str, agreement: str) -> Updates:
        """As `show`, without a task."""
        return self._as_judged(None) | {
            self.task: "",
            self.progress: why,
            self.page: "",
            self.form: shown_if(False),
            self.message: "",
            self.agreement: agreement,
        }

    def _as_judged(self, judged: Judgement | None) -> Updates:
        """The form as a verdict fills it; empty where there is none."""
        if judged is None:
            return dict.fromkeys(self.verdicts.values()) | {self.note: ""}
        answers = {
            radio: "yes" if judged.verdicts[name] else "no" for name, radio in self.verdicts.items()
        }
        return answers | {self.note: judged.note}

    def wire(self) -> None:
        """Saving keeps the verdict and goes on to the next task without one."""
        verdict = {self.task, *self.verdicts.values(), self.note}
        self.save.click(self._save, verdict, self.shown, concurrency_limit=4, **PRIVATE)
        for button, by in ((self.before, -1), (self.after, 1)):
            button.click(self._move(by), self.task, self.shown, **QUICK)

        shown = [*self.shown, self._frame.address]
        self._frame.places[VALIDATE].select(self._open, self.task, shown, **QUICK)

    def _open(self, task_id: str, request: gr.Request, profile: gr.OAuthProfile | None) -> Updates:
        address = {self._frame.address: urlencode({"tab": VALIDATE})}
        if task_id:
            # What is answered and not yet saved stays.
            return address
        who = visitor(self._services.settings, request, profile)
        return self.show(who.name) | address

    def _save(
        self, values: Values, request: gr.Request, profile: gr.OAuthProfile | None
    ) -> Updates:
        suite, task_id = self._services.settings.suite, values[self.task]
        answers = {name: values[radio] for name, radio in self.verdicts.items()}
        verdicts = {name: answer == "yes" for name, answer in answers.items() if answer}
        try:
            who = visitor(self._services.settings, request, profile)
            self._limit.take(who)
            if who.name is None or task_id not in suite.by_id:
                raise InputError(_LOGIN)
            self._services.annotations.save(
                who.name, task_id, Judgement(verdicts, values[self.note] or "")
            )
        except InputError as error:
            return {self.message: notice(str(error), "problem")}
        message = f"Kept: {task_id}. {self._services.annotations.trouble()}".strip()
        return self.show(who.name, message=notice(message, "done"))

    def _move(self, by: int) -> Any:
        def to_neighbour(
            task_id: str, request: gr.Request, profile: gr.OAuthProfile | None
        ) -> Updates:
            who = visitor(self._services.settings, request, profile)
            ids = [task.task_id for task in sample(self._services.settings.suite)]
            place = ids.index(task_id) + by if task_id in ids else 0
            return self.show(who.name, ids[place % len(ids)])

        return to_neighbour


def _chosen(tasks: Sequence[Task], task_id: str, sheet: Mapping[str, Judgement]) -> Task:
    by_id = {task.task_id: task for task in tasks}
    if task_id in by_id:
        return by_id[task_id]
    return next((task for task in tasks if task.task_id not in sheet), tasks[0])


def _progress(
    tasks: Sequence[Task], task: Task, annotator: str, sheet: Mapping[str, Judgement]
) -> Markup:
    """How far an annotator is."""
    place = [other.task_id for other in tasks].index(task.task_id) + 1
    judged = sum(other.task_id in sheet for other in tasks)
    state = f"Task {place} of {len(tasks)} as {clean(annotator, 40)}; {judged} judged."
    if judged == len(tasks):
        state += " All are judged: thank you. You can still change a verdict."
    bar = tag("progress", value=judged, max=len(tasks), aria_label="judged")
    return join([bar, tag("p", state, role="status")])
