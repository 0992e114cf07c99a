"""Submissions in a dataset repository: committed before they are published, whatever the Hub does."""

import itertools
import json
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from dataset_builder.errors import InputError
from dataset_builder.published.hub import Repo
from space.base.settings import Settings
from space.submissions.hub_store import HubStore, NotYetPublished, _Change, open_store
from space.submissions.store import Store, Submission, content_id
from tests.samples.small_suite import small_suite
from tests.stand_ins.hub import WRITER, Hub
from tests.stand_ins.waiting import until

COLUMNS = (
    "model models organisation link provider regime open_weights protocol catalogue suite tier "
    "submitter submitted_at"
)
ABOUT = dict.fromkeys(COLUMNS.split(), "")
NUMBERS = itertools.count()


@pytest.fixture
def repo(hub: Hub) -> Repo:
    return Repo(f"org/results-{next(NUMBERS)}", token=WRITER, endpoint=hub.url)


def test_what_is_published_is_in_the_repository_and_in_every_mirror(
    tmp_path: Path, hub: Hub, repo: Repo
) -> None:
    store = HubStore(tmp_path / "one", repo)
    submission, is_new = store.add(b"{}\n", {**ABOUT, "model": "m"})
    assert is_new
    files = hub.repo(repo.id).files()
    assert files[f"traces/{submission.id}.jsonl"] == b"{}\n"
    assert json.loads(files[f"about/{submission.id}.json"])["model"] == "m"
    assert store.add(b"{}\n", ABOUT) == (submission, False)
    store.note(submission.id, {"event": "flagged", "reason": "one"})
    noted = store.note(submission.id, {"event": "restored", "reason": "two"})
    assert [note["reason"] for note in noted.notes] == ["one", "two"]
    assert not store.pending()

    other = HubStore(tmp_path / "two", repo)
    until(other.all)
    until(lambda: len(other.all()[0].notes) == 2)
    (found,) = other.all()
    assert (found.about, found.notes) == (noted.about, noted.notes)
    assert found.traces.read_bytes() == b"{}\n"


def test_many_at_once_share_commits(tmp_path: Path, hub: Hub, repo: Repo) -> None:
    store = HubStore(tmp_path, repo)
    contents = [f"{number}\n".encode() for number in range(60)]
    before = len(hub.requests)
    with ThreadPoolExecutor(30) as pool:
        done = list(pool.map(lambda content: store.add(content, ABOUT), contents))
    assert all(is_new for _, is_new in done)
    commits = [path for method, path in hub.requests[before:] if "/commit/" in path]
    assert len(commits) < 20
    files = hub.repo(repo.id).files()
    assert all(f"about/{content_id(content)}.json" in files for content in contents)
    assert len(store.all()) == 60


def test_one_content_from_many_visitors_is_one_submission(tmp_path: Path, repo: Repo) -> None:
    store = HubStore(tmp_path, repo)
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda _: store.add(b"same\n", ABOUT), range(8)))
    assert [is_new for _, is_new in done].count(True) == 1
    assert len(store.all()) == 1


@pytest.mark.parametrize("how", [500, 403, "cut", "lost"])
def test_what_the_hub_does_not_take_is_kept_and_tried_again(
    tmp_path: Path, hub: Hub, repo: Repo, how: int | str
) -> None:
    store = HubStore(tmp_path, repo)
    store.add(b"before\n", ABOUT)
    hub.fail("POST", "/commit/", how)
    with pytest.raises(NotYetPublished, match="yours is kept here and will be sent"):
        store.add(b"mine\n", ABOUT)
    name = content_id(b"mine\n")
    assert store.pending() == [name]
    assert (tmp_path / "pending" / f"{name}.jsonl").read_bytes() == b"mine\n"
    assert store.get(name) is None
    with pytest.raises(Exception, match="does not answer"):
        store.note(content_id(b"before\n"), {"event": "flagged", "reason": "r"})
    hub.mend()
    until(lambda: store.get(name) is not None and not store.pending())
    assert f"traces/{name}.jsonl" in hub.repo(repo.id).files()


def test_what_was_pending_when_the_page_ended_is_published_by_the_next(
    tmp_path: Path, hub: Hub, repo: Repo
) -> None:
    hub.fail("POST", "/commit/", 500)
    earlier = HubStore(tmp_path, repo)
    with pytest.raises(NotYetPublished):
        earlier.add(b"mine\n", ABOUT)
    earlier._writer.end(0)
    hub.mend()
    store = HubStore(tmp_path, repo)
    until(lambda: store.all() and not store.pending())


def test_a_hub_that_hangs_does_not_keep_a_visitor_waiting(tmp_path: Path, hub: Hub) -> None:
    # Nothing listens there.
    store = HubStore(tmp_path, Repo("org/none", token=WRITER, endpoint="http://127.0.0.1:9"))
    with pytest.raises(NotYetPublished):
        store.add(b"mine\n", ABOUT)
    assert store.all() == []


class Unforeseen(Exception):
    """Nothing expects this one."""


class Faulty(HubStore):
    """A store one step of which raises, the first times that it is done."""

    def __init__(self, folder: Path, repo: Repo, step: str, times: int) -> None:
        self.step, self.times = step, times
        super().__init__(folder, repo, wait_s=10)

    def _at(self, step: str) -> None:
        if step == self.step and self.times > 0:
            self.times -= 1
            raise Unforeseen("what a visitor typed")

    def _next(self, most: int) -> list[_Change]:
        self._at("take the next")
        return super()._next(most)

    def _mirror(self) -> None:
        self._at("begin to mirror")
        super()._mirror()
        self._at("mirrored")

    def get(self, name: str) -> Submission | None:
        if threading.current_thread().name == "results repository":
            self._at("look for it")
        return super().get(name)

    def _commit(self, changes: list[_Change]) -> list[_Change]:
        self._at("begin to commit")
        later = super()._commit(changes)
        self._at("committed")
        return later

    def _keep(self, path: str, data: bytes) -> None:
        if not path.startswith("pending/"):
            self._at("keep it")
        super()._keep(path, data)

    def _finish(self, change: _Change, name: str, is_new: bool) -> None:
        self._at("finish")
        super()._finish(change, name, is_new)

    def _kept(self, name: str) -> _Change:
        self._at("read what is pending")
        return super()._kept(name)


STEPS = [
    "take the next",
    "begin to mirror",
    "mirrored",
    "look for it",
    "begin to commit",
    "committed",
    "keep it",
    "finish",
]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("times", [1, 3])
def test_an_unforeseen_exception_at_any_step_loses_nothing(
    tmp_path: Path, repo: Repo, step: str, times: int, caplog: pytest.LogCaptureFixture
) -> None:
    store = Faulty(tmp_path, repo, step, times)
    for content in (b"one\n", b"two\n"):
        with suppress(NotYetPublished):
            store.add(content, ABOUT)
        assert content_id(content) in store.pending() or store.get(content_id(content))
    until(lambda: len(store.all()) == 2 and not store.pending())
    until(lambda: store.trouble() == "")
    assert store.times == 0
    assert "Unforeseen" in caplog.text
    assert "what a visitor typed" not in caplog.text
    submission, is_new = store.add(b"three\n", ABOUT)
    assert is_new
    assert store.note(submission.id, {"event": "flagged", "reason": "r"}).notes


def test_visitors_are_told_while_the_repository_takes_nothing(
    tmp_path: Path, hub: Hub, repo: Repo
) -> None:
    hub.fail("POST", "/repos/create", 403)
    store = HubStore(tmp_path, repo, wait_s=5)
    until(lambda: "does not answer" in store.trouble())
    hub.mend()
    store.add(b"first\n", ABOUT)
    assert store.trouble() == ""
    hub.fail("POST", "/commit/", 403)
    with pytest.raises(NotYetPublished):
        store.add(b"mine\n", ABOUT)
    until(store.trouble)
    assert "1 wait for it" in store.trouble()
    hub.mend()
    until(lambda: not store.trouble() and not store.pending())


def test_a_pending_file_that_cannot_be_read_holds_up_no_other(tmp_path: Path, repo: Repo) -> None:
    pending = tmp_path / "pending"
    pending.mkdir()
    (pending / f"{'0' * 16}.json").write_text("{")
    (pending / f"{'1' * 16}.json").write_text('{"id": 1}')
    store = HubStore(tmp_path, repo, wait_s=5)
    assert store.add(b"good\n", ABOUT)[1]
    assert store.pending() == ["0" * 16, "1" * 16]
    assert store.trouble() == ""


def test_what_the_repository_never_takes_holds_up_no_other(
    tmp_path: Path, hub: Hub, repo: Repo
) -> None:
    class Choosy(HubStore):
        def _commit(self, changes: list[_Change]) -> list[_Change]:
            if any(change.content == b"poison\n" for change in changes):
                raise Unforeseen
            return super()._commit(changes)

    store = Choosy(tmp_path, repo, wait_s=5)
    with pytest.raises(NotYetPublished):
        store.add(b"poison\n", ABOUT)
    for number in range(3):
        with suppress(NotYetPublished):
            store.add(f"{number}\n".encode(), ABOUT)
    until(lambda: len(store.all()) == 3)
    assert store.pending() == [content_id(b"poison\n")]


def test_a_note_that_came_too_late_is_not_made_behind_the_back(
    tmp_path: Path, hub: Hub, repo: Repo
) -> None:
    class Slow(HubStore):
        goes_on = threading.Event()

        def _next(self, most: int) -> list[_Change]:
            if self.all():
                self.goes_on.wait(20)
            return super()._next(most)

    store = Slow(tmp_path, repo, wait_s=1)
    submission, _ = store.add(b"mine\n", ABOUT)
    with pytest.raises(InputError, match="before you repeat it"):
        store.note(submission.id, {"event": "flagged", "reason": "one"})
    store.goes_on.set()
    noted = store.note(submission.id, {"event": "flagged", "reason": "two"})
    assert [note["reason"] for note in noted.notes] == ["two"]


@pytest.mark.slow
def test_the_repository_opens_with_load_dataset(tmp_path: Path, hub: Hub, repo: Repo) -> None:
    store = HubStore(tmp_path / "mirror", repo)
    for number in range(3):
        store.add(f"{number}\n".encode(), {**ABOUT, "model": f"m{number}"})
    store.note(store.all()[0].id, {"event": "flagged", "reason": "r"})
    code = (
        f"from datasets import load_dataset; d = load_dataset({repo.id!r}, split='test');"
        "print(sorted(d['model']), d.column_names[:2])"
    )
    environment = hub.environment(tmp_path / "home")
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, cwd=tmp_path
    )
    assert done.stdout == "['m0', 'm1', 'm2'] ['id', 'model']\n", done.stderr


WRITER_CODE = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from dataset_builder.published.hub import Repo
from space.submissions.hub_store import HubStore
folder, repo, token, endpoint, columns = sys.argv[1:]
store = HubStore(Path(folder), Repo(repo, token=token, endpoint=endpoint))
def add(number):
    submission, _ = store.add(f"{number}\\n".encode(), dict.fromkeys(columns.split(), ""))
    sys.stdout.write(submission.id + "\\n")
    sys.stdout.flush()
with ThreadPoolExecutor(20) as pool:
    list(pool.map(add, range(100)))
"""


@pytest.mark.slow
def test_a_kill_loses_nothing_that_was_confirmed(tmp_path: Path, hub: Hub, repo: Repo) -> None:
    """A hundred submissions from twenty threads; the process dies when some are confirmed."""
    command = [sys.executable, "-c", WRITER_CODE, str(tmp_path / "mirror")]
    command += [repo.id, WRITER, hub.url, COLUMNS]
    writer = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
    )
    assert writer.stdout is not None
    confirmed = [writer.stdout.readline().strip() for _ in range(25)]
    writer.kill()
    confirmed += [line for line in writer.communicate()[0].split("\n")[:-1] if line]
    files = hub.repo(repo.id).files()
    for name in confirmed:
        assert content_id(files[f"traces/{name}.jsonl"]) == name
        assert json.loads(files[f"about/{name}.json"])["id"] == name

    # The next page publishes what was pending, and its mirror is the repository.
    store = HubStore(tmp_path / "mirror", repo)
    until(lambda: not store.pending())
    files = hub.repo(repo.id).files()
    visible = {submission.id for submission in store.all()}
    assert visible == {Path(path).stem for path in files if path.startswith("about/")}
    assert set(confirmed) <= visible
    elsewhere = HubStore(tmp_path / "other", repo)
    until(lambda: {submission.id for submission in elsewhere.all()} == visible)
    for submission in elsewhere.all():
        assert content_id(submission.traces.read_bytes()) == submission.id


def test_the_readme_names_the_columns_of_a_submission(hub: Hub, repo: Repo, tmp_path: Path) -> None:
    import yaml

    store = HubStore(tmp_path, repo)
    submission, _ = store.add(b"{}\n", ABOUT)
    text = hub.repo(repo.id).files()["README.md"].decode()
    card = yaml.safe_load(text.split("---")[1])
    named = [feature["name"] for feature in card["dataset_info"]["features"]]
    assert sorted(named) == sorted(submission.about)


def test_settings_choose_the_store(tmp_path: Path, repo: Repo) -> None:
    local = Settings(small_suite(), tmp_path, tmp_path)
    assert type(open_store(local)) is Store
