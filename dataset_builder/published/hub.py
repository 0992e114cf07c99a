"""The only place that talks to the Hugging Face Hub."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha1, sha256
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from dataset_builder.errors import InputError
from dataset_builder.published.columns import parquet_path

if TYPE_CHECKING:
    from huggingface_hub import HfApi

Kind = Literal["dataset", "space"]
_NO_TOKEN = "no Hugging Face token is at hand: log in with `hf auth login`, or set HF_TOKEN"


class HubError(InputError):
    """The Hub did not do what was asked; the message says why in one sentence."""


class NoToken(HubError):
    """Nobody is logged in."""


class Unreachable(HubError):
    """The Hub gave no answer, or none that tells anything."""


@dataclass(frozen=True)
class Repo:
    """A repository of the Hub, and as whom it is reached."""

    id: str
    """``ORG/NAME``."""
    kind: Kind = "dataset"
    token: str | None = field(default=None, repr=False)
    """None stands for the stored login or HF_TOKEN."""
    endpoint: str | None = None
    """None stands for HF_ENDPOINT or huggingface.co."""


@dataclass(frozen=True)
class RemoteFile:
    """A file of a repository as the Hub lists it."""

    size: int
    """Bytes."""
    oid: str
    """The SHA-256 of a file in LFS, the git blob id of any other, in hexadecimal digits."""

    def holds(self, content: bytes) -> bool:
        """Whether this is the content of the file."""
        if len(self.oid) == 64:
            return sha256(content).hexdigest() == self.oid
        return sha1(b"blob %d\0" % len(content) + content).hexdigest() == self.oid


@dataclass(frozen=True)
class State:
    """What a repository holds at one moment."""

    head: str
    """The last commit of the main branch."""
    files: Mapping[str, RemoteFile]
    """The files of that commit."""
    tags: Mapping[str, str]
    """Tag → commit."""
    private: bool


def download_suite(repo: Repo, revision: str | None, config: str = "default") -> Path:
    """The Parquet file of a config on the Hub, downloaded into the local cache; HubError otherwise."""
    import httpx2
    from huggingface_hub.errors import OfflineModeIsEnabled

    try:
        with _in_a_sentence(repo, revision):
            try:
                _api(repo).repo_info(repo.id, repo_type=repo.kind, revision=revision)
                offline = False
            except (httpx2.TransportError, OfflineModeIsEnabled):
                # The cache may have it. Asking the Hub for the file would be tried for half a minute.
                offline = True
        return _download(repo, parquet_path(config), revision, offline)
    except HubError as error:
        raise HubError(f"{error}; `comptoolbench build` writes the suite to a folder") from None


def check_name(repo: Repo) -> None:
    """HubError for what can be no repository's name; asks nobody."""
    from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined]

    with _in_a_sentence(repo):
        validate_repo_id(repo.id)


def user_name(repo: Repo) -> str:
    """Whom the token belongs to; NoToken where there is none, HubError where the Hub does not know it."""
    with _in_a_sentence(repo):
        return str(_api(repo).whoami()["name"])


def repo_state(repo: Repo) -> State | None:
    """What the repository holds now; None where there is none, or none that the token may see."""
    from huggingface_hub.errors import RepositoryNotFoundError

    with _in_a_sentence(repo):
        api = _api(repo)
        try:
            private = bool(api.repo_info(repo.id, repo_type=repo.kind).private)
            refs = api.list_repo_refs(repo.id, repo_type=repo.kind)
        except RepositoryNotFoundError:
            return None
        head = next(branch.target_commit for branch in refs.branches if branch.name == "main")
        tags = {tag.name: tag.target_commit for tag in refs.tags}
    return State(head, read_files(repo, head), tags, private)


def read_files(repo: Repo, revision: str = "main") -> dict[str, RemoteFile]:
    """Path → file of every file at a branch, tag or commit."""
    from huggingface_hub.hf_api import RepoFile

    with _in_a_sentence(repo, revision):
        tree = _api(repo).list_repo_tree(
            repo.id, recursive=True, revision=revision, repo_type=repo.kind
        )
        return {
            entry.path: RemoteFile(entry.size, entry.lfs.sha256 if entry.lfs else entry.blob_id)
            for entry in tree
            if isinstance(entry, RepoFile)
        }


def download(repo: Repo, path: str, revision: str | None = None) -> Path:
    """A file at a branch, tag or commit (the main branch), downloaded into the local cache."""
    return _download(repo, path, revision, offline=False)


def create(repo: Repo, private: bool = False) -> None:
    """Make the repository; nothing happens where it is there already."""
    with _in_a_sentence(repo):
        _api(repo).create_repo(
            repo.id,
            repo_type=repo.kind,
            private=private,
            exist_ok=True,
            space_sdk="gradio" if repo.kind == "space" else None,
        )


def commit_files(
    repo: Repo, files: Mapping[str, bytes | None], message: str, parent: str | None = None
) -> str:
    """Write files (None removes one) in one commit to the main branch, all or none; its id.

    With a ``parent``, HubError where the branch has moved on from that commit.
    """
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete

    operations: list[CommitOperationAdd | CommitOperationDelete] = [
        CommitOperationDelete(path) if content is None else CommitOperationAdd(path, content)
        for path, content in files.items()
    ]
    with _in_a_sentence(repo):
        commit = _api(repo).create_commit(
            repo.id,
            operations,
            commit_message=message,
            repo_type=repo.kind,
            parent_commit=parent,
        )
        return str(commit.oid)


def tag(repo: Repo, name: str, commit: str) -> None:
    """Name a commit; HubError where the name is taken."""
    with _in_a_sentence(repo):
        _api(repo).create_tag(repo.id, tag=name, revision=commit, repo_type=repo.kind)


def _download(repo: Repo, path: str, revision: str | None, offline: bool) -> Path:
    with _in_a_sentence(repo, revision, path):
        return Path(
            _api(repo).hf_hub_download(
                repo.id, path, repo_type=repo.kind, revision=revision, local_files_only=offline
            )
        )


def _api(repo: Repo) -> "HfApi":
    from huggingface_hub import HfApi

    return HfApi(endpoint=repo.endpoint, token=repo.token, library_name="comptoolbench")


@contextmanager
def _in_a_sentence(
    repo: Repo, revision: str | None = None, path: str | None = None
) -> Iterator[None]:
    """Turn what the client raises into a HubError, and keep its progress bars off the terminal."""
    import httpx2
    from huggingface_hub import errors
    from huggingface_hub.utils.tqdm import disable_progress_bars

    name = f"{repo.kind} {repo.id}"
    try:
        with disable_progress_bars():
            yield
    except errors.LocalTokenNotFoundError:
        raise NoToken(_NO_TOKEN) from None
    except errors.HFValidationError:
        raise HubError(f"{repo.id}: expected a repository as ORG/NAME") from None
    except errors.RepositoryNotFoundError:
        raise HubError(f"{name}: not on the Hub, or private and not shown to this login") from None
    except errors.RevisionNotFoundError:
        raise HubError(f"{name}: has no revision {revision}") from None
    except errors.RemoteEntryNotFoundError:
        raise HubError(f"{name}: has no file {path} at revision {revision or 'main'}") from None
    except errors.HfHubHTTPError as error:
        status = error.response.status_code
        raise (Unreachable if status >= 500 else HubError)(_refusal(name, status)) from None
    except (httpx2.ConnectError, errors.OfflineModeIsEnabled, errors.LocalEntryNotFoundError):
        raise Unreachable(f"{name}: the Hub cannot be reached") from None
    except httpx2.TransportError:
        raise Unreachable(f"{name}: the connection to the Hub broke off; run again") from None
    except (RuntimeError, ValueError, OSError) as error:
        raise HubError(f"{name}: the Hub's client gave up ({_first_line(error)})") from None


def _refusal(name: str, status: int) -> str:
    if status == 401:
        return "the Hub does not know this token: log in anew with `hf auth login`"
    if status == 403:
        return f"{name}: this token may not write there"
    if status in (409, 412):
        return f"{name}: somebody else changed it meanwhile; run again"
    return f"{name}: the Hub answered with HTTP status {status}; try again later"


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
