"""The door to the Hub, against the stand-in: what is read and written, and every refusal."""

import itertools
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from dataset_builder.published import hub as door
from dataset_builder.published.hub import HubError, Repo
from dataset_builder.tasks.task import Suite
from tests.samples.small_suite import small_suite
from tests.stand_ins.hub import READER, WRITER, Hub

README = b"---\nlicense: mit\n---\n# Data\n"
ROWS = b"PAR1 rows PAR1"
NUMBERS = itertools.count()


@pytest.fixture
def repo(hub: Hub) -> Repo:
    """A repository that does not exist yet."""
    return Repo(f"org/new-{next(NUMBERS)}", token=WRITER, endpoint=hub.url)


@pytest.fixture
def first(repo: Repo) -> str:
    """The first commit of the repository."""
    door.create(repo, private=True)
    return door.commit_files(repo, {"README.md": README, "data/rows.parquet": ROWS}, "First")


def test_a_repository_grows(repo: Repo) -> None:
    assert door.repo_state(repo) is None
    door.create(repo, private=True)
    door.create(repo)  # it is there, and stays private
    empty = door.repo_state(repo)
    assert empty is not None
    assert empty.private
    assert list(empty.files) == [".gitattributes"]
    commit = door.commit_files(repo, {"README.md": README, "data/rows.parquet": ROWS}, "First")
    door.tag(repo, "v1", commit)
    state = door.repo_state(repo)
    assert state is not None
    assert (state.head, state.tags) == (commit, {"v1": commit})
    assert state.files["README.md"].holds(README)
    assert state.files["data/rows.parquet"].holds(ROWS)
    assert not state.files["data/rows.parquet"].holds(README)
    assert state.files["data/rows.parquet"].size == len(ROWS)


def test_a_revision_is_a_tag_a_branch_or_a_commit(repo: Repo, first: str) -> None:
    door.tag(repo, "v1", first)
    door.commit_files(repo, {"README.md": None, "notes/new.txt": b"new"}, "Second", parent=first)
    assert sorted(door.read_files(repo)) == [".gitattributes", "data/rows.parquet", "notes/new.txt"]
    for revision in ("v1", first):
        assert "README.md" in door.read_files(repo, revision)
        assert door.download(repo, "README.md", revision).read_bytes() == README
    assert door.download(repo, "notes/new.txt").read_bytes() == b"new"


def test_a_space_is_a_repository_too(hub: Hub, repo: Repo) -> None:
    space = replace(repo, kind="space")
    door.create(space)
    door.commit_files(space, {"app.py": b"pass\n"}, "First")
    assert hub.repo(repo.id, "space").files()["app.py"] == b"pass\n"
    assert not hub.has(repo.id)


@pytest.mark.parametrize(
    ("token", "action", "sentence"),
    [
        ("hf_unknown", "whoami", "the Hub does not know this token"),
        ("hf_unknown", "state", "the Hub does not know this token"),
        ("hf_unknown", "read", "the Hub does not know this token"),
        ("hf_unknown", "write", "the Hub does not know this token"),
        (READER, "list", "not on the Hub, or private and not shown to this login"),
        (READER, "read", "not on the Hub, or private and not shown to this login"),
        (READER, "create", "this token may not write there"),
        (WRITER, "read nothing", "has no file nothing.txt at revision main"),
        (WRITER, "read revision", "has no revision v9"),
        (WRITER, "list revision", "has no revision v9"),
        (WRITER, "tag twice", "somebody else changed it meanwhile"),
        (WRITER, "old parent", "somebody else changed it meanwhile"),
        (WRITER, "bad card", "Invalid metadata in README.md"),
        (WRITER, "bad name", "expected a repository as ORG/NAME"),
    ],
)
def test_refusals_are_one_sentence(
    repo: Repo, first: str, token: str, action: str, sentence: str
) -> None:
    door.tag(repo, "v1", first)
    asked = replace(repo, token=token)
    actions = {
        "whoami": lambda: door.user_name(asked),
        "state": lambda: door.repo_state(asked),
        "list": lambda: door.read_files(asked),
        "read": lambda: door.download(asked, "README.md"),
        "write": lambda: door.commit_files(asked, {"a.txt": b"a"}, "Add"),
        "create": lambda: door.create(replace(asked, id="org/other")),
        "read nothing": lambda: door.download(asked, "nothing.txt"),
        "read revision": lambda: door.download(asked, "README.md", "v9"),
        "list revision": lambda: door.read_files(asked, "v9"),
        "tag twice": lambda: door.tag(asked, "v1", first),
        "old parent": lambda: door.commit_files(asked, {"a.txt": b"a"}, "Add", parent="0" * 40),
        "bad card": lambda: door.commit_files(asked, {"README.md": b"---\n[\n---\n"}, "Add"),
        "bad name": lambda: door.create(replace(asked, id="org/two/many")),
    }
    with pytest.raises(HubError) as refused:
        actions[action]()
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)
    assert token not in str(refused.value)


def test_a_repository_never_shows_its_token(repo: Repo) -> None:
    assert WRITER not in repr(repo)


def test_a_refused_commit_leaves_the_files_as_they_were(hub: Hub, repo: Repo, first: str) -> None:
    hub.fail("POST", "/commit/", 500)
    with pytest.raises(HubError, match="HTTP status 500; try again later"):
        door.commit_files(repo, {"a.txt": b"a", "README.md": None}, "Add")
    assert hub.repo(repo.id).commits[-1].id == first


def test_a_lost_answer_is_told_from_an_absent_hub(hub: Hub, repo: Repo, first: str) -> None:
    hub.fail("POST", "/commit/", "lost")
    with pytest.raises(HubError, match="the connection to the Hub broke off; run again"):
        door.commit_files(repo, {"a.txt": b"a"}, "Add")
    assert hub.repo(repo.id).files()["a.txt"] == b"a"


def test_a_cut_connection_during_the_upload_is_tried_again(
    hub: Hub, repo: Repo, first: str
) -> None:
    hub.fail("PUT", "/lfs/", "cut", times=1)
    door.commit_files(repo, {"data/rows.parquet": b"PAR1 others"}, "Second")
    assert hub.repo(repo.id).files()["data/rows.parquet"] == b"PAR1 others"


@pytest.mark.slow
def test_an_upload_that_is_always_cut_changes_nothing(hub: Hub, repo: Repo, first: str) -> None:
    hub.fail("PUT", "/lfs/", "cut")
    with pytest.raises(HubError, match="gave up"):
        door.commit_files(repo, {"data/rows.parquet": b"PAR1 cut"}, "Second")
    assert hub.repo(repo.id).commits[-1].id == first


def test_an_absent_hub_is_one_sentence() -> None:
    with pytest.raises(HubError, match="the Hub cannot be reached"):
        door.user_name(Repo("org/data", token=WRITER, endpoint="http://127.0.0.1:9"))


# As a user: load_suite and load_dataset in a process of their own ---------------------------------

SUITE = """
import comptoolbench
suite = comptoolbench.load_suite("org/data", revision={revision!r})
print(suite.version, suite.digest, len(suite.tasks))
"""
ROWS_OF = """
import sys
from datasets import load_dataset
rows = load_dataset("org/data", {config!r}, split="test", revision={revision!r}, streaming={streaming})
print(sum(1 for _ in rows))
"""


def run(hub: Hub, home: Path, code: str, token: str | None = WRITER) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=hub.environment(home, token),
        cwd=home,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.returncode, done.stdout.strip(), done.stderr.strip()


@pytest.fixture(scope="module")
def suite() -> Suite:
    return small_suite()


@pytest.fixture(scope="module")
def published(hub_server: Hub, suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Hub:
    """``org/data``, private: the small suite under v1; a main branch that holds one task less."""
    from dataset_builder.published.dataset_folder import write_folder
    from dataset_builder.published.hub_changes import read_folder
    from dataset_builder.tools import catalogue

    repo = Repo("org/data", token=WRITER, endpoint=hub_server.url)
    door.create(repo, private=True)
    folder = tmp_path_factory.mktemp("suites")
    for number, tasks in enumerate((suite.tasks, suite.tasks[1:])):
        held = Suite(suite.version, suite.seed, tasks)
        write_folder(held, catalogue(), folder / str(number))
        commit = door.commit_files(repo, dict(read_folder(folder / str(number))), "Write")
        if number == 0:
            door.tag(repo, "v1", commit)
    return hub_server


@pytest.mark.parametrize("revision", ["v1", None, "commit"])
def test_load_suite_by_revision(
    published: Hub, suite: Suite, tmp_path: Path, revision: str | None
) -> None:
    if revision == "commit":
        revision = published.repo("org/data").tags["v1"]
    code, out, error = run(published, tmp_path, SUITE.format(revision=revision))
    assert code == 0, error
    version, digest, count = out.split()
    assert version == suite.version
    assert int(count) == len(suite.tasks) - (revision is None)
    assert (digest == suite.digest) == (revision is not None)


@pytest.mark.parametrize(
    ("config", "revision", "streaming", "missing"),
    [("default", "v1", False, 0), ("default", None, True, 1), ("tools", "v1", True, None)],
)
def test_load_dataset_by_revision(
    published: Hub,
    suite: Suite,
    tmp_path: Path,
    config: str,
    revision: str | None,
    streaming: bool,
    missing: int | None,
) -> None:
    code, out, error = run(
        published,
        tmp_path,
        ROWS_OF.format(config=config, revision=revision, streaming=streaming),
    )
    assert code == 0, error
    assert int(out) == (106 if missing is None else len(suite.tasks) - missing)


@pytest.mark.parametrize(
    ("token", "revision", "sentence"),
    [
        (None, None, "not on the Hub, or private and not shown to this login"),
        (READER, None, "not on the Hub, or private and not shown to this login"),
        ("hf_unknown", None, "the Hub does not know this token"),
        (WRITER, "v9", "has no revision v9"),
    ],
)
def test_load_suite_says_what_is_wrong_and_what_helps(
    published: Hub, tmp_path: Path, token: str | None, revision: str | None, sentence: str
) -> None:
    code, _, error = run(published, tmp_path, SUITE.format(revision=revision), token)
    assert code == 1
    last = error.splitlines()[-1]
    assert sentence in last
    assert "`comptoolbench build`" in last


def test_without_the_hub_the_cache_answers(published: Hub, suite: Suite, tmp_path: Path) -> None:
    wanted = SUITE.format(revision="v1")
    before = run(published, tmp_path, wanted)
    published.fail("GET", "/", "cut")
    published.fail("HEAD", "/", "cut")
    try:
        assert run(published, tmp_path, wanted)[:2] == before[:2] == (0, before[1])
        code, _, error = run(published, tmp_path, SUITE.format(revision="v2"))
    finally:
        published.mend()
    assert code == 1
    assert "the Hub cannot be reached; `comptoolbench build`" in error.splitlines()[-1]
