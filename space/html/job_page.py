"""The page of a job: what was ordered, how far it is, and how it ended. All of it is computed."""

from markupsafe import Markup

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite
from evaluator.asking.cost_estimate import Estimate
from evaluator.asking.pace import Pace, duration
from evaluator.comparing.load_results import load_result
from evaluator.scoring.metrics import CALLS, SOLVED, WEIGHTED
from evaluator.scoring.text_tables import percent
from space.base.markup import Child, badge, join, link, notice, tag
from space.base.sanitize import clean
from space.html.scorecard import headline, private_link, scorecard
from space.html.task_query import explore_link
from space.jobs.job import JobFolder, Order
from space.jobs.job_progress import Progress
from space.jobs.job_publish import can_be_verified
from space.jobs.job_status import COMPLETE, RUNNING, STOPPED, WAITING, Look

BADGES = {WAITING: "warn", RUNNING: "plain", COMPLETE: "good", STOPPED: "bad"}
"""The kind of badge of each state."""
_MAX_REASON = 300


def job_page(look: Look, suite: Suite) -> Markup:
    """A job as its visitor sees it."""
    order = look.record.order
    parts: list[Child] = [
        tag("h2", model_of(order), " ", badge(look.state, BADGES[look.state])),
        tag("p", _ordered(order, len(suite.tasks)), class_="fine"),
        _state(look),
        _bar(look.progress, "answers", look.state),
    ]
    if look.fresh is not None and look.progress.is_complete:
        parts.append(_bar(look.fresh, "answers to fresh tasks", look.state))
    parts += [_so_far(look.progress), _keep_link(look)]
    if look.progress.done or look.progress.failed:
        address = f"download/job/{look.id}/traces.jsonl"
        download = link("Download the traces so far" if look.state != COMPLETE else "Download the traces",
                    address, download="")  # fmt: skip
        # Those of a complete job are led to by its scorecard.
        explore = None
        if look.progress.done and look.state != COMPLETE:
            explore = explore_link("See the answers so far, task by task", look.id)
        parts.append(tag("div", explore, download, class_="actions"))
    if look.state == COMPLETE:
        parts.append(_publishable(look))
    return join(parts)


def job_scores(folder: JobFolder, suite: Suite) -> Markup:
    """The scorecard of a complete job."""
    try:
        result = load_result(folder.run, suite)
    except InputError as error:
        return notice(f"It cannot be scored: {clean(str(error), _MAX_REASON)}", "problem")
    return join(
        [headline(result), private_link(result, folder.id), scorecard(result, suite, folder.id)]
    )


def estimate_text(estimate: Estimate, known: Pace | None = None) -> Markup:
    """What a run will take, in words; ``known``: how fast its model answered here, where it did."""
    cost = (
        "the price is not known" if estimate.cost_usd is None else f"about ${estimate.cost_usd:.2g}"
    )
    if estimate.cost_usd == 0:
        cost = "free"
    sentence = (
        f"About {estimate.requests:,.0f} requests for {estimate.answers:,} answers, "
        f"{estimate.tokens_in:,} tokens in and {estimate.tokens_out:,} out: {cost}. "
    )
    if known is None:
        time = "How long that takes is told after the first answers: no run of this model here says so."
    else:
        runs = "one run" if known.measured == 1 else f"{known.measured} runs"
        time = (
            f"About {duration(known.seconds(estimate.answers))}, at {known.answer_s:.2g} s an answer "
            f"as in {runs} of it here, {known.at_once} at once."
        )
    return notice(sentence + time)


def model_of(order: Order) -> str:
    """The model of an order, to be shown."""
    return clean(order.model.removeprefix("openai/") if order.api_base else order.model, 100)


def _ordered(order: Order, tasks: int) -> str:
    answered = min(order.limit or tasks, tasks)
    parts = [order.protocol, f"catalogue {order.catalogue}"]
    if order.calls:
        parts.append(f"{order.calls} calls")
    parts.append(f"{answered} of {tasks} tasks" if answered < tasks else f"all {tasks} tasks")
    if order.samples > 1:
        parts.append(f"{order.samples} answers each")
    if order.max_cost is not None:
        parts.append(f"at most ${order.max_cost:g}")
    return ", ".join(parts)


def _state(look: Look) -> Markup | None:
    if look.is_stuck and look.state in (WAITING, RUNNING):
        return notice(
            "The queue does not move at the moment, which is a fault of this page; it is tried again by "
            "itself. What was answered is kept.",
            "problem",
        )
    if look.is_ending:
        return notice("It is ending.")
    if look.state == WAITING:
        return notice(f"It is number {look.place} in the queue and starts by itself.")
    if look.state == RUNNING and not look.progress.total:
        return notice("It is starting.")
    if look.state == STOPPED:
        failed = f"{look.progress.failed} requests got no answer" if look.progress.failed else ""
        why = look.record.reason or look.progress.ended or failed or "it ended early"
        sentence = (
            f"It is stopped: {clean(why, _MAX_REASON).rstrip('.')}. What was answered is kept."
        )
        return notice(sentence, "problem")
    return None


def _bar(progress: Progress, what: str, state: str) -> Markup | None:
    if not progress.total or state == WAITING:
        return None
    count = f"{progress.done:,} of {progress.total:,} {what}"
    if progress.failed:
        count += f", {progress.failed:,} failed at the provider"
    if state == RUNNING and progress.seconds_left:
        count += f", about {duration(progress.seconds_left)} left"
    bar = tag("progress", value=progress.done, max=progress.total, aria_label=count)
    return tag("div", bar, tag("span", count), class_="progress-bar")


def _so_far(progress: Progress) -> Markup | None:
    if progress.solved is None or progress.is_complete:
        return None
    cost = "unknown" if progress.cost_usd is None else f"${progress.cost_usd:.4f}"
    if progress.cost_usd == 0:
        cost = "none"
    figures: dict[str, Child] = {
        f"{SOLVED.name} so far, %": percent(progress.solved),
        f"{CALLS.name} so far, %": percent(progress.calls),
        f"{WEIGHTED.name} so far, %": percent(progress.weighted),
        "cost": cost,
    }
    items = (tag("li", tag("b", value), tag("span", name)) for name, value in figures.items())
    return tag("ul", *items, class_="figures")


def _keep_link(look: Look) -> Markup:
    advice = "Only this link leads here, so keep it: "
    return tag("p", advice, link(f"?job={look.id}", f"?job={look.id}"), class_="job-link")


def _publishable(look: Look) -> Markup:
    if look.record.published:
        name = look.record.published
        return notice(join(["Published: ", link(name, f"?run={name}", data_run=name), "."]), "done")
    if can_be_verified(look):
        return notice(
            "It is complete and answered fresh tasks too: it can be published as verified.", "done"
        )
    if look.record.order.limit is not None:
        return notice(
            "It is complete for the tasks that were asked. A ranked run needs all of them."
        )
    return notice("It is complete. Without fresh tasks it counts as made here, not as verified.")
