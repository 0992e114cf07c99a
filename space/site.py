"""What the tabs of one page share: settings, stored submissions, the board, and limits on visitors."""

from dataclasses import dataclass

from space.cache import Cache
from space.hub_store import open_store
from space.job_publish import fetch_in_background
from space.jobs import Jobs
from space.live_board import LiveBoard
from space.settings import Settings
from space.store import Store
from space.visitors import RateLimit

_HOUR = 3600


@dataclass(frozen=True)
class Site:
    """One page and what stands behind it."""

    settings: Settings
    store: Store
    cache: Cache
    board: LiveBoard
    jobs: Jobs
    scorings: RateLimit
    publications: RateLimit
    starts: RateLimit


def open_site(settings: Settings) -> Site:
    """The site of these settings; nothing is read before somebody looks."""
    store = open_store(settings)
    cache = Cache(settings.submissions / "scores")
    fetch_in_background(settings)
    return Site(
        settings,
        store,
        cache,
        LiveBoard(settings, store, cache),
        Jobs(settings),
        scorings=RateLimit(60, _HOUR, "files scored"),
        publications=RateLimit(20, _HOUR, "submissions"),
        starts=RateLimit(20, _HOUR, "runs"),
    )
