"""The runs that were ordered from this browser, for who comes back."""

from collections.abc import Sequence

from markupsafe import Markup

from space.base.markup import badge, join, link, tag
from space.html.job_page import BADGES, model_of
from space.jobs.job_status import Look


def job_list(looks: Sequence[Look]) -> Markup:
    """A line for each, with its link and a button that takes it off the list; nothing where there is none."""
    if not looks:
        return Markup("")
    return join(
        [
            tag("h3", "Runs ordered from this browser"),
            tag("ul", *map(_line, looks), class_="jobs"),
            tag("p", "A run that is removed here is not deleted: its link still leads to it.",
                class_="fine"),
        ]
    )  # fmt: skip


def _line(look: Look) -> Markup:
    model = model_of(look.record.order)
    progress = look.progress
    answers = (
        f"{progress.done:,} of {progress.total:,} answers" if progress.total else "no answer yet"
    )
    remove = tag(
        "button",
        "Remove",
        type="button",
        data_job=look.id,
        aria_label=f"Remove {model} from the list",
    )
    state = badge(look.state, BADGES[look.state])
    parts = [link(model, f"?job={look.id}"), state, tag("span", answers, class_="fine"), remove]
    return tag("li", join(parts, " "))
