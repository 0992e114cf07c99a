"""What the tabs of one page share: settings, stored submissions, the board, and limits on visitors."""

from dataclasses import dataclass

from dataset_builder.errors import InputError
from space.annotations.annotations import Annotations
from space.annotations.hub_annotations import open_annotations
from space.base.limits import HOUR_S, PUBLICATIONS_AN_HOUR, SCORINGS_AN_HOUR, STARTS_AN_HOUR
from space.base.rate_limit import RateLimit
from space.base.score_cache import Cache
from space.base.settings import Settings
from space.base.visitors import Visitor
from space.board.entry import Entry
from space.board.live_board import LiveBoard
from space.board.private_runs import PrivateRuns
from space.board.publish_run import publish
from space.jobs.job_publish import fetch_in_background
from space.jobs.jobs import Jobs
from space.submissions.about import About
from space.submissions.hub_store import open_store
from space.submissions.store import Store, Submission
from space.submissions.upload_check import Draft

_NOT_FETCHED = (
    "The results repository does not answer at the moment: runs published earlier may be missing."
)


@dataclass(frozen=True)
class Services:
    """What stands behind one page."""

    settings: Settings
    store: Store
    cache: Cache
    board: LiveBoard
    jobs: Jobs
    private: PrivateRuns
    annotations: Annotations
    scorings: RateLimit
    publications: RateLimit
    starts: RateLimit

    def publish(
        self, draft: Draft, about: About, who: Visitor, accepts_secrets: bool
    ) -> tuple[Submission, bool]:
        """Put an upload on the board; InputError as for `publish_run.publish`. Says whether it is new."""
        return publish(
            draft,
            about,
            who,
            self.store,
            self.cache,
            needs_login=self.settings.is_hosted,
            accepts_secrets=accepts_secrets,
            board=self.board.current().entries,
        )

    def find(self, name: str) -> Entry | None:
        """The run of that id: of the board, or for who has its link a draft's or a job's."""
        found = self.board.current().find(name) or self.private.draft(name)
        if found is not None or not name:
            return found
        try:
            folder = self.jobs.folder(name)
        except InputError:
            return None
        return self.private.of_job(name, folder.run)


def open_services(settings: Settings) -> Services:
    """The services of these settings; nothing is read before somebody looks."""
    store = open_store(settings)
    cache = Cache(settings.scores)
    fetching = fetch_in_background(settings)

    def trouble() -> str:
        return store.trouble() or (_NOT_FETCHED if fetching.is_failing else "")

    return Services(
        settings,
        store,
        cache,
        LiveBoard(settings, store, cache, trouble),
        Jobs(settings),
        PrivateRuns(settings, cache),
        open_annotations(settings),
        scorings=RateLimit(SCORINGS_AN_HOUR, HOUR_S, "files scored"),
        publications=RateLimit(PUBLICATIONS_AN_HOUR, HOUR_S, "submissions"),
        starts=RateLimit(STARTS_AN_HOUR, HOUR_S, "runs"),
    )
