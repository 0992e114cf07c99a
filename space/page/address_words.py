"""What an address leads to, in words: its title, what a preview says of it, and what is wrong with it."""

from collections.abc import Mapping
from dataclasses import dataclass

from evaluator.scoring.metrics import CALLS, SOLVED
from evaluator.scoring.text_tables import percent
from evaluator.traces.signature import signature_text
from space.base.sanitize import clean
from space.board.entry import Entry
from space.html.task_page import level_name
from space.services import Services
from space.tabs.components import (
    EXPLORE,
    LEADERBOARD,
    MODEL,
    RUN,
    SECTION_TITLES,
    TAB_OF,
    TAB_TITLES,
)

SITE = "CompToolBench"
PREVIEW = "preview.png"
"""The picture that stands beside a link to the page."""
_LONGEST_NAME, _LONGEST_TEXT = 60, 200
_ABOUT = (
    "Can a language model compose tools: call one, chain two, fan out and join, run a graph? A leaderboard "
    "on which every score can be computed again from the calls."
)


@dataclass(frozen=True)
class AddressWords:
    """What is said of a page where its address is shown. Plain text: whoever writes it down escapes it."""

    title: str
    description: str = _ABOUT
    image: str = PREVIEW
    """Where its picture is, below the page."""
    image_shows: str = "A task drawn as a graph of the calls that solve it"


def address_words(address: Mapping[str, str], services: Services) -> AddressWords:
    """The title and the description of what an address leads to."""
    if "job" in address:
        # Whoever has the link may look; nobody else learns what runs there.
        return AddressWords(f"A run of a model · {SITE}")
    if task := services.settings.suite.by_id.get(address.get("task", "")):
        title = f"{task.task_id}, {level_name(task)}"
        return AddressWords(f"{title} · {SITE}", clean(task.prompt, _LONGEST_TEXT))
    if (run := address.get("run")) and (entry := services.board.current().find(run)):
        model = clean(entry.about["model"], _LONGEST_NAME) or "An unnamed model"
        picture = f"preview/{entry.id}.png"
        return AddressWords(
            f"{model} · {SITE}", _run_words(entry), picture, f"What {model} solved at each level"
        )
    tab = address.get("tab", LEADERBOARD)
    if tab == LEADERBOARD or tab not in TAB_OF:
        return AddressWords(f"{SITE}: can a language model compose tools?")
    titles = SECTION_TITLES.get(TAB_OF[tab], TAB_TITLES)
    return AddressWords(f"{titles[tab]} · {SITE}")


def _run_words(entry: Entry) -> str:
    scores = entry.result.scores
    shares = ", ".join(
        f"{metric.name.lower()} {percent(scores[metric.total])} %" for metric in (SOLVED, CALLS)
    )
    status = f", {entry.status}" if entry.status else ""
    words = f"{shares} ({entry.tier}{status}). {signature_text(entry.result.signature)}."
    return clean(f"{words[:1].upper()}{words[1:]}", _LONGEST_TEXT)


def tab_of(address: Mapping[str, str]) -> str:
    """The tab that an address leads to."""
    if "job" in address:
        return MODEL
    if "task" in address:
        return EXPLORE
    named = address.get("tab", RUN if address.get("run") else LEADERBOARD)
    return TAB_OF.get(named, LEADERBOARD)


def wrong_link(address: Mapping[str, str]) -> str:
    """What is wrong with an address, in a sentence; empty where nothing is.

    A run, a job or a task that is not there is told where it would stand.
    """
    if (tab := address.get("tab", LEADERBOARD)) not in TAB_OF:
        return f"This page has no part {clean(tab, 40)!r}: here is the leaderboard."
    return ""
