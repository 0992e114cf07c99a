"""What a page is opened with, read once; secrets leave the environment before anything else starts."""

from collections.abc import MutableMapping
from dataclasses import dataclass, field
from pathlib import Path

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite

RESULTS_REPO = "COMPTOOLBENCH_RESULTS_REPO"
MAINTAINERS = "COMPTOOLBENCH_MAINTAINERS"
SECRET = "COMPTOOLBENCH_SECRET"
TOKEN = "HF_TOKEN"
INFERENCE = "https://router.huggingface.co/v1"
INFERENCE_HOST = "HF_INFERENCE_ENDPOINT"


@dataclass(frozen=True)
class Settings:
    """Where a page finds things, and who may do what."""

    suite: Suite
    runs: Path
    """Folder of run folders: what was made here."""
    submissions: Path
    """Folder of submissions; of a hosted page the local mirror of its results repository."""
    is_hosted: bool = False
    """Whether strangers reach it (a Hugging Face Space): publishing then needs a login."""
    results_repo: str | None = None
    """Dataset repository ``ORG/NAME`` that keeps the submissions; None: the folder does."""
    maintainers: frozenset[str] = frozenset()
    """Login names that may flag and restore."""
    token: str | None = field(default=None, repr=False)
    """What writes to the results repository."""
    secret: bytes | None = field(default=None, repr=False)
    """What the seeds of fresh tasks are made with."""
    jobs: Path = Path("jobs")
    """Folder of the runs that visitors order."""
    slots: int = 2
    """How many of them run at a time."""
    inference: str = INFERENCE
    """Where Hugging Face inference is reached, for visitors who are logged in."""

    @property
    def scores(self) -> Path:
        """Folder of what was computed here: beside the jobs, since nobody else writes there.

        Submissions may be anybody's copy, scores and all.
        """
        return self.jobs / "scores"

    @property
    def uploads(self) -> Path:
        """Folder of what visitors upload, until they publish it or an hour has gone by."""
        return self.jobs / "uploads"


def read_settings(
    suite: Suite,
    runs: Path,
    submissions: Path,
    environment: MutableMapping[str, str],
    jobs: Path = Path("jobs"),
) -> Settings:
    """The settings; takes the write token and the secret out of ``environment``.

    What is started later inherits neither. InputError where a results repository is named but no
    token is there to write to it.
    """
    is_hosted = "SPACE_ID" in environment
    repo = environment.get(RESULTS_REPO) or None
    # On a laptop the token is the user's own, and other commands need it.
    token = environment.pop(TOKEN, None) if is_hosted or repo else None
    secret = environment.pop(SECRET, None)
    if repo is not None and not token:
        raise InputError(f"{RESULTS_REPO} names {repo}, but there is no {TOKEN} to write to it")
    names = environment.get(MAINTAINERS, "").split(",")
    host = environment.get(INFERENCE_HOST)
    return Settings(
        suite=suite,
        runs=runs,
        submissions=submissions,
        is_hosted=is_hosted,
        results_repo=repo,
        maintainers=frozenset(name.strip() for name in names if name.strip()),
        token=token,
        secret=secret.encode() if secret else None,
        jobs=jobs,
        inference=f"{host.rstrip('/')}/v1" if host else INFERENCE,
    )
