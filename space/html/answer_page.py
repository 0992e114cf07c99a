"""A run's answer to a task as HTML: its calls beside the expected ones, and how the score adds up."""

from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup

from dataset_builder.tasks.task import Step
from evaluator.explaining.explanation import (
    BAD,
    NOT_COUNTED,
    NOT_REPLAYED,
    PLAIN,
    Explanation,
    economy_words,
    edge_words,
    judge_argument,
    judge_call,
    judge_edge,
    judge_step,
    made_of,
    solved_word,
    step_sum,
    uncounted,
)
from evaluator.scoring.error_classes import INFRASTRUCTURE, MEANING, reasons
from evaluator.scoring.metrics import CALLS, SOLVED, WEIGHTED
from evaluator.scoring.score_terms import counts, terms
from evaluator.scoring.text_tables import percent
from evaluator.scoring.verdict import CallVerdict, StepVerdict
from space.base.markup import Child, join, notice, scroll, table, tag
from space.base.sanitize import clean
from space.base.shown_values import LONG, as_text, judgement, value, verdict
from space.html.task_graph import graph
from space.html.task_page import folded, task_facts, task_head

SHOWN_CALLS, SHOWN_REASONS, MAX_NAME = 40, 6, 64


def answer_page(explanation: Explanation, model: str) -> Markup:
    """Everything about an answer."""
    parts = [
        task_head(explanation.task),
        tag("h3", f"The answer of {clean(model, 100)}"),
        _outcome(explanation),
        scroll(
            graph(explanation.task, explanation.score),
            "Graph of the task with what the run did of it",
        ),
        tag("h3", "Expected calls, and what the run made of them"),
        *folded(list(_steps(explanation)), explanation.task),
        tag("h3", "How the scores add up"),
        *_arithmetic(explanation),
        tag("h3", "All calls in order"),
        *_calls(explanation),
        *_raw(explanation),
        tag("h3", "The task"),
        *task_facts(explanation.task),
    ]
    return join(parts)


def _outcome(explanation: Explanation) -> Markup:
    """The three scores, and the reasons for what is missing."""
    score = explanation.score
    figures = {
        SOLVED.name: solved_word(score.strict),
        f"{CALLS.name}, %": percent(score.step),
        f"{WEIGHTED.name}, %": percent(score.score),
    }
    items = (tag("li", tag("b", figure), tag("span", name)) for name, figure in figures.items())
    parts: list[Child] = [tag("ul", *items, class_="figures")]
    if score.error:
        faults = reasons(score)
        shown = [tag("li", clean(reason, 300)) for reason in faults[:SHOWN_REASONS]]
        if len(faults) > SHOWN_REASONS:
            shown.append(tag("li", f"… and {len(faults) - SHOWN_REASONS} more"))
        head = join([tag("b", score.error), f": {MEANING.get(score.error, '')}"])
        kind = "info" if score.error == INFRASTRUCTURE else "problem"
        parts.append(notice(join([head, tag("ul", *shown)]), kind))
    else:
        right = "Solved: every call is right, and in an order that works."
        is_known = score.strict is not None
        parts.append(notice(right if is_known else NOT_REPLAYED, "done" if is_known else "info"))
    return join(parts)


# Steps ----------------------------------------------------------------------------------------


def _steps(explanation: Explanation) -> Iterator[Markup]:
    for number, (step, judged) in enumerate(
        zip(explanation.task.steps, explanation.score.steps, strict=True), 1
    ):
        head = tag("h4", f"{number} ", tag("code", step.tool), " ", judgement(judge_step(judged)))
        yield join([head, _comparison(explanation, step, judged)])


def _comparison(explanation: Explanation, step: Step, judged: StepVerdict) -> Markup:
    """Each argument of the step beside that of its call, then each value that should flow."""
    pair = judged.pair
    if pair is None or judged.call is None:
        return join([tag("p", "expected ", value(step.arguments)), _flows(judged)])
    written = explanation.trace.calls[judged.call].arguments
    call = explanation.score.calls[judged.call]
    rows = [
        _row(
            clean(argument.name, MAX_NAME),
            "–" if argument.expected is None else value(argument.expected),
            _given(argument.actual, written, argument.name),
            judgement(judge_argument(argument)),
        )
        for argument in pair.arguments[:SHOWN_CALLS]
    ]
    rows += [
        _row(clean(name, MAX_NAME), "–", value(given), verdict(PLAIN, NOT_COUNTED))
        for name, given in list(uncounted(call.arguments, judged).items())[:SHOWN_CALLS]
    ]
    parts: list[Child] = []
    if pair.tool != step.tool:
        parts.append(tag("p", tag("code", pair.tool), " is a right choice for this step as well."))
    if call.is_malformed:
        parts.append(
            tag("p", verdict(BAD, "the arguments are no JSON object"), " ", value(written))
        )
    parts += [_framed(rows), _flows(judged)]
    if call.output is None:
        parts.append(tag("p", "The call was not executed."))
    elif call.error is not None:
        parts.append(tag("p", "The call gave an error: ", value(call.error)))
    else:
        parts.append(tag("p", "The call gave ", value(call.output)))
    return join(parts)


def _given(actual: Any, written: Any, name: str) -> Child:
    """What a call gives for an argument; where the model wrote a reference, that too."""
    if actual is None:
        return "–"
    reference = written.get(name) if isinstance(written, Mapping) else None
    if reference is None or as_text(reference, LONG) == as_text(actual, LONG):
        return value(actual)
    return join([value(actual), tag("span", "written as ", value(reference), class_="written")])


def _row(name: str, wanted: Child, given: Child, judged: Child) -> Markup:
    return tag(
        "tr",
        tag("th", name, scope="row"),
        tag("td", wanted, data_label="expected"),
        tag("td", given, data_label="this run"),
        tag("td", judged, data_label="verdict"),
    )


def _framed(rows: list[Markup]) -> Markup:
    if not rows:
        return tag("p", "No argument counts.")
    names = ("argument", "expected", "this run", "verdict")
    head = tag("tr", *(tag("th", name, scope="col") for name in names))
    inside = tag("table", tag("thead", head), tag("tbody", *rows), class_="stacked")
    return tag("div", inside, class_="framed")


def _flows(judged: StepVerdict) -> Markup | None:
    """Whether each value came from where it should."""
    if not judged.edges:
        return None
    items = [
        tag("li", edge_words(edge), ": ", judgement(judge_edge(edge))) for edge in judged.edges
    ]
    return tag("ul", *items, class_="flows")


# Arithmetic -----------------------------------------------------------------------------------


def _arithmetic(explanation: Explanation) -> Iterator[Markup]:
    score, counted = explanation.score, counts(explanation.score)
    yield tag(
        "p",
        f"{SOLVED.name} ({CALLS.name} and sequence both 100 %): ",
        tag("b", solved_word(score.strict)),
        ".",
    )
    yield tag(
        "p",
        f"{CALLS.name}: {step_sum(counted)} = ",
        tag("b", percent(score.step), " %"),
        ".",
    )
    yield from _weighted(explanation)


def _weighted(explanation: Explanation) -> Iterator[Markup]:
    """The paper's score, term by term."""
    score, counted = explanation.score, counts(explanation.score)
    if score.level == 0:
        yield tag(
            "p",
            "The paper's score is all or nothing at level 0: exactly one call, to the right tool, with at "
            f"least 85 % of its arguments right. Calls that count: {counted.made}. {WEIGHTED.name}: ",
            tag("b", percent(score.score), " %"),
            ".",
        )
    else:
        parts = terms(score)
        rows: list[list[Child]] = [
            [
                term.dimension,
                made_of(term, counted),
                percent(term.value),
                f"× {term.weight:.3f}",
                percent(term.share),
            ]
            for term in parts
        ]
        whole = sum(term.share for term in parts)
        rows.append(["sum", "", "", "", percent(whole)])
        economy = [economy_words(counted), "", f"× {score.economy:.3f}", percent(score.score)]
        rows.append(["economy", *economy])
        sums = table(
            ("dimension", "made of", "value, %", "weight", "gives, %"),
            rows,
            f"{WEIGHTED.name}: {percent(score.score)} %",
            numbers=(2, 3, 4),
        )
        yield tag("div", sums, class_="sums")


# Calls ----------------------------------------------------------------------------------------


def _calls(explanation: Explanation) -> Iterator[Markup]:
    calls = list(zip(explanation.trace.calls, explanation.score.calls, strict=False))
    if not calls:
        yield tag("p", "There is none.")
        return
    rows = [
        tag(
            "tr",
            tag("th", number, scope="row"),
            tag(
                "td",
                tag("code", clean(call.name, MAX_NAME)),
                " ",
                value(call.arguments),
                data_label="call",
            ),
            tag("td", _gave(judged), data_label="gave"),
            tag("td", judgement(judge_call(judged)), data_label="stands for"),
        )
        for number, (call, judged) in enumerate(calls[:SHOWN_CALLS], 1)
    ]
    head = tag("tr", *(tag("th", n, scope="col") for n in ("#", "call", "gave", "stands for")))
    inside = tag("table", tag("thead", head), tag("tbody", *rows), class_="stacked numbered")
    yield tag("div", inside, class_="framed")
    if len(calls) > SHOWN_CALLS:
        yield tag("p", f"… and {len(calls) - SHOWN_CALLS} more; the traces can be downloaded.")


def _gave(judged: CallVerdict) -> Child:
    if judged.error is not None:
        return join(["error: ", value(judged.error)])
    return "not executed" if judged.output is None else value(judged.output)


def _raw(explanation: Explanation) -> Iterator[Markup]:
    trace = explanation.trace
    if trace.error is not None:
        yield tag("p", "The row reports an error: ", value(dict(trace.error)))
    response = trace.response if trace.response is not None else trace.extra.get("messages")
    if response is not None:
        text = as_text(response, LONG)
        yield tag(
            "details", tag("summary", "What the model answered, as it came"), tag("pre", text)
        )
