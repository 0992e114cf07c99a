"""From a job's folder to a run on the board; the server alone vouches for it."""

import hashlib
import json
import os
import re
import shutil
from pathlib import Path
from tempfile import mkdtemp

from dataset_builder.errors import InputError, why
from dataset_builder.published.hub import Repo, commit_files, create, download, read_files
from evaluator.asking.run_folder import default_folder
from evaluator.experiments.fresh_tasks import fresh_seed
from space.base.background_loop import Loop
from space.base.settings import Settings
from space.base.visitors import Visitor
from space.jobs.job import JobFolder, Record
from space.jobs.job_status import COMPLETE, Look
from space.jobs.jobs import Jobs
from space.submissions.secret_scan import find_secrets

_KEPT = ("run.json", "traces.jsonl", "fresh.json", "fresh/run.json", "fresh/traces.jsonl")
_OURS = re.compile(rf"runs/(?P<run>[A-Za-z0-9._-]+)/(?P<file>{'|'.join(map(re.escape, _KEPT))})")


def results_repo(settings: Settings) -> Repo | None:
    """The repository that keeps what is published; None where the folders do."""
    name = settings.results_repo
    return None if name is None else Repo(name, token=settings.token)


def looks_leaky(folder: JobFolder) -> bool:
    """Whether something in its answers is shaped like a key."""
    return any(find_secrets(file.read_bytes()) for file in folder.run.glob("**/traces.jsonl"))


def can_be_verified(look: Look) -> bool:
    """Whether a complete job makes a verified run: all tasks, and fresh ones as well."""
    fresh = look.fresh is not None and look.fresh.is_complete
    return look.state == COMPLETE and look.record.order.limit is None and fresh


def publish_job(
    jobs: Jobs,
    name: str,
    settings: Settings,
    visitor: Visitor,
    repo: Repo | None = None,
    accepts_secrets: bool = False,
) -> str:
    """Put a complete run on the board; the run's name there. Twice is once.

    ``repo``: the results repository, which has it before the board does. Its tier follows from its
    folder: verified with fresh tasks, else made here, which a hosted page does not take. InputError
    where it is not complete, where a login is missing, and where something shaped like a key was found
    and not accepted.
    """
    look, folder = jobs.look(name), jobs.folder(name)
    if look.record.published:
        return look.record.published
    _check_may_publish(look, settings, visitor)
    files = _files(folder, look.record, settings)
    for content in files.values():
        if not accepts_secrets and (secrets := find_secrets(content)):
            raise InputError(
                f"{secrets[0]} looks like a key, and would become public: say that it is none, or do "
                "not publish this run"
            )
    target = _target(look.record, files["traces.jsonl"])
    if repo is not None:
        create(repo)
        run_files = {f"runs/{target}/{path}": data for path, data in files.items()}
        commit_files(repo, run_files, f"Add run {target}")
    _keep(settings.runs, target, files)
    folder.change(published=target)
    return target


def _check_may_publish(look: Look, settings: Settings, visitor: Visitor) -> None:
    if settings.is_hosted and visitor.name is None:
        raise InputError("log in with Hugging Face to publish")
    if look.state != COMPLETE:
        raise InputError("only a run that is complete can be published")
    if settings.is_hosted and not can_be_verified(look):
        raise InputError(
            "only a run over all tasks that answered fresh tasks too can be published here"
        )


def fetch_runs(runs_folder: Path, repo: Repo) -> None:
    """Bring back what was published before a restart; HubError where the Hub does not answer."""
    create(repo)
    runs: dict[str, list[str]] = {}
    for path in read_files(repo):
        if (match := _OURS.fullmatch(path)) and not (runs_folder / match["run"]).exists():
            runs.setdefault(match["run"], []).append(match["file"])
    for run, paths in runs.items():
        files = {path: download(repo, f"runs/{run}/{path}").read_bytes() for path in paths}
        _keep(runs_folder, run, files)


def fetch_in_background(settings: Settings) -> Loop:
    """Do `fetch_runs` where there is a results repository, again and again until it succeeds."""
    repo = results_repo(settings)

    def fetch() -> None:
        if repo is not None:
            fetch_runs(settings.runs, repo)

    loop = Loop("runs published earlier", fetch)
    if repo is not None:
        loop.wake()
    return loop


def _files(folder: JobFolder, record: Record, settings: Settings) -> dict[str, bytes]:
    """What of a run folder is published. The seed of its fresh tasks is revealed with it."""
    files = {path: folder.run / path for path in _KEPT}
    contents = {path: file.read_bytes() for path, file in files.items() if file.is_file()}
    contents.pop("fresh.json", None)
    if record.fresh_id is not None and settings.secret is not None:
        seed = fresh_seed(settings.secret, record.fresh_id)
        revealed = {"run_id": record.fresh_id, "seed": seed}
        contents["fresh.json"] = json.dumps(revealed, indent=1).encode() + b"\n"
    return contents


def _target(record: Record, traces: bytes) -> str:
    """The run's name: what it is, and the beginning of its traces' digest."""
    order = record.order
    model = order.model.removeprefix("openai/") if order.api_base else order.model
    name = default_folder(model, order.protocol, order.catalogue, order.calls or "native").name
    return f"{name[:120]}-{hashlib.sha256(traces).hexdigest()[:8]}"


def _keep(runs: Path, name: str, files: dict[str, bytes]) -> None:
    """Write a run folder that is there whole or not at all."""
    try:
        # The board looks one folder deep, and does not see what is under way two deep.
        (runs / ".new").mkdir(parents=True, exist_ok=True)
        new = Path(mkdtemp(dir=runs / ".new"))
        for path, content in files.items():
            (new / path).parent.mkdir(exist_ok=True)
            (new / path).write_bytes(content)
        try:
            os.rename(new, runs / name)
        except OSError:
            shutil.rmtree(new)
            if not (runs / name / "run.json").is_file():
                raise
    except OSError as error:
        raise InputError(f"the run cannot be kept ({why(error)})") from None
