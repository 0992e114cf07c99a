"""What a submitter sees of an upload: its problems, or its scorecard and what would become public."""

import re
from collections.abc import Sequence

from markupsafe import Markup

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite
from evaluator.comparing.results import Result, template_of
from evaluator.traces.trace import TraceProblems
from space.base.markup import Child, join, link, notice, tag
from space.base.sanitize import MAX_TEXT, clean
from space.html.scorecard import foreseen_text, headline, private_link, scorecard
from space.submissions.example_file import NAME, example_lines
from space.submissions.problem_groups import grouped
from space.submissions.upload_check import Draft

SHOWN_PROBLEMS = 200
_MAX_PROBLEM = 400
_EXAMPLE = f"download/{NAME}"
_REFERENCE = re.compile(r"\{\{(?P<call>\d+)\.(?P<field>\w+)\}\}")


def nothing_yet() -> Markup:
    """Before anything was given."""
    return notice("The scorecard, or every problem with its line, appears here.")


def example(suite: Suite) -> Markup:
    """A file of a few rows, to read and to download."""
    rows = example_lines(suite)
    reference = _REFERENCE.search(" ".join(rows))
    parts: list[Child] = []
    if reference:
        told = f" is the field {reference['field']} of the result of call {reference['call']}. "
        parts += [tag("code", reference[0]), told]
    parts += [
        *("Rows with OpenAI's ", tag("code", "tool_calls"), " or ", tag("code", "messages")),
        *(" in place of calls are read as well. ", link("Download it", _EXAMPLE, download="")),
    ]
    return tag(
        "details",
        tag("summary", "An example: three tasks answered, one a line"),
        *(tag("pre", row) for row in rows),
        tag("p", *parts),
    )


def problems(error: InputError) -> Markup:
    """Everything that is wrong with an upload, at once."""
    if not isinstance(error, TraceProblems):
        return notice(f"Not scored: {clean(error, _MAX_PROBLEM)}", "problem")
    kinds, lines = grouped(error.problems), len(error.problems)
    shown = [tag("li", clean(problem, _MAX_PROBLEM)) for problem in kinds[:SHOWN_PROBLEMS]]
    if len(kinds) > SHOWN_PROBLEMS:
        shown.append(tag("li", f"… and {len(kinds) - SHOWN_PROBLEMS} more"))
    count = "1 problem" if lines == 1 else f"{lines:,} problems"
    if len(kinds) < lines:
        count += " of one kind" if len(kinds) == 1 else f" of {len(kinds):,} kinds"
    head = f"Not scored: the file has {count}. Each is given with its line."
    return notice(join([head, tag("ol", *shown, class_="problems")]), "problem")


def draft_page(draft: Draft, suite: Suite, links: Sequence[str] = ()) -> Markup:
    """The scorecards of a draft, and what would become public with it.

    ``links``: the private ids by which the answers of its runs can be looked at, where they are kept.
    """
    said = [tag("div", sentence) for sentence in draft.taken.sentences()]
    parts: list[Child] = [
        notice(join(["Scored. Nothing is public yet.", tag("div", *said, class_="fine")]), "done")
    ]
    if draft.secrets:
        parts.append(_secrets(draft))
    for run, foreseen, private in zip(
        draft.runs, draft.foreseen, links or [""] * len(draft.runs), strict=True
    ):
        scores = run.scores
        parts.append(tag("h2", clean(scores["model"], MAX_TEXT) or "unnamed model"))
        parts.append(tag("p", tag("code", scores["signature"])))
        if not scores["ranked"]:
            why = "; ".join(scores["diagnostics"]["not_ranked"])
            parts.append(notice(f"It would not be ranked: {why}."))
        if foreseen:
            parts.append(notice(foreseen_text(foreseen)))
        result = Result(run.name, scores, {}, template_of(run.suite))
        parts += [
            headline(result),
            private_link(result, private),
            scorecard(result, run.suite, private, is_upload=True),
        ]
    if draft.raw:
        label = "Raw messages in the file (the beginning), public once you publish"
        parts.append(tag("details", tag("summary", label), tag("pre", draft.raw)))
    return join(parts)


def _secrets(draft: Draft) -> Markup:
    """Each finding with its line and its beginning."""
    items = [tag("li", str(secret)) for secret in draft.secrets]
    head = "The file holds what looks like a key. Take it out, and revoke it if it is one:"
    return notice(join([head, tag("ol", *items, class_="problems")]), "problem")


def published(name: str, is_new: bool, same_as: str = "") -> Markup:
    """Where a submission is now. ``same_as``: the run that has the same calls, if one has."""
    what = "Published: " if is_new else "These traces were published before: "
    sentence: list[Child] = [what, link(name, f"?run={name}", data_run=name), "."]
    if same_as:
        other = link(same_as, f"?run={same_as}", data_run=same_as)
        sentence += [" Every call in it is that of ", other, ", and the run's page says so."]
    return notice(join(sentence), "done")
