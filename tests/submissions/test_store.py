"""Submissions on disk: once each, whole or not at all, whoever writes and is killed."""

import hashlib
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dataset_builder.errors import InputError
from space.submissions.store import Store, content_id, submission_files, write_once

ABOUT = {"model": "m", "submitter": "ann"}


def test_the_same_content_is_kept_once(tmp_path: Path) -> None:
    store = Store(tmp_path / "submissions")
    assert store.all() == []
    one, is_new = store.add(b"{}\n", ABOUT)
    again, is_new_again = store.add(b"{}\n", {"model": "something else"})
    assert (is_new, is_new_again) == (True, False)
    assert again == one
    assert one.about["model"] == "m"
    assert one.about["sha256"] == hashlib.sha256(b"{}\n").hexdigest()
    assert one.traces.read_bytes() == b"{}\n"
    assert store.all() == [one] == Store(store.folder).all()
    assert store.get(one.id) == one
    assert store.get("0" * 16) is None


def test_traces_without_a_description_are_not_visible(tmp_path: Path) -> None:
    files = submission_files(b"{}\n", ABOUT)
    (traces, content), (about, said) = files.items()
    write_once(tmp_path / traces, content)
    assert Store(tmp_path).all() == []
    write_once(tmp_path / about, said)
    assert [submission.id for submission in Store(tmp_path).all()] == [content_id(b"{}\n")]


def test_a_file_left_half_written_is_not_visible(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.add(b"1\n", ABOUT)
    (tmp_path / "about" / ".new-abc.json").write_text('{"id": "')
    (tmp_path / "about" / ".new-def").write_text('{"id": "')
    assert len(store.all()) == len(Store(tmp_path).all()) == 1


def test_another_file_of_the_same_id_is_refused(tmp_path: Path) -> None:
    store = Store(tmp_path)
    about = tmp_path / "about" / f"{content_id(b'mine')}.json"
    about.parent.mkdir()
    about.write_text(json.dumps({"sha256": "0" * 64}))
    with pytest.raises(InputError, match="another file has the id"):
        store.add(b"mine", ABOUT)


@pytest.mark.parametrize("name", ["../../etc/passwd", "", ".", "0" * 16, "about", "*", "a/b"])
def test_a_name_that_is_none_finds_nothing(tmp_path: Path, name: str) -> None:
    store = Store(tmp_path)
    store.add(b"1\n", ABOUT)
    assert store.get(name) is None
    with pytest.raises(InputError, match="there is no submission"):
        store.note(name, {"event": "flagged"})


def test_notes_are_numbered_in_order_and_the_state_tells_of_them(tmp_path: Path) -> None:
    store = Store(tmp_path)
    name = store.add(b"1\n", ABOUT)[0].id
    states = [store.state()]
    for number in range(12):
        store.note(name, {"event": "flagged", "reason": str(number)})
        states.append(store.state())
    submission = Store(tmp_path).get(name)
    assert submission is not None
    assert [note["reason"] for note in submission.notes] == [str(number) for number in range(12)]
    assert len(set(states)) == len(states)


def test_no_note_of_many_threads_is_lost(tmp_path: Path) -> None:
    name = Store(tmp_path).add(b"1\n", ABOUT)[0].id
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: Store(tmp_path).note(name, {"reason": str(i)}), range(40)))
    submission = Store(tmp_path).get(name)
    assert submission is not None
    assert sorted(int(note["reason"]) for note in submission.notes) == list(range(40))


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be kept"):
        Store(tmp_path / "file").add(b"1\n", ABOUT)


def _add(folder: Path, content: bytes, news: "multiprocessing.Queue[bool]") -> None:
    news.put(Store(folder).add(content, ABOUT)[1])


def test_of_many_processes_one_is_the_first(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    news: multiprocessing.Queue[bool] = context.Queue()
    workers = [context.Process(target=_add, args=(tmp_path, b"same\n", news)) for _ in range(8)]
    for worker in workers:
        worker.start()
    answers = [news.get(timeout=30) for _ in workers]
    for worker in workers:
        worker.join()
    assert answers.count(True) == 1
    assert len(Store(tmp_path).all()) == 1


WRITER = """
import sys
from pathlib import Path
from space.submissions.store import Store
store, who = Store(Path(sys.argv[1])), sys.argv[2]
for number in range(10_000):
    content = f"{who} {number}\\n".encode() * 2_000
    submission, _ = store.add(content, {"model": who})
    store.note(submission.id, {"event": "flagged", "reason": "r"})
    print(submission.id, flush=True)
"""


@pytest.mark.slow
def test_a_kill_loses_nothing_that_was_confirmed(tmp_path: Path) -> None:
    """Four writers, killed in the middle of their work, three times over."""
    confirmed: list[str] = []
    for round_ in range(3):
        writers = [
            subprocess.Popen(
                [sys.executable, "-c", WRITER, str(tmp_path), f"{round_}.{number}"],
                stdout=subprocess.PIPE,
                text=True,
                cwd=Path(__file__).parents[2],
            )
            for number in range(4)
        ]
        time.sleep(1.5)
        for writer in writers:
            os.kill(writer.pid, signal.SIGKILL)
        for writer in writers:
            out = writer.communicate(timeout=10)[0]
            confirmed += [line for line in out.split("\n")[:-1] if line]
    assert len(confirmed) > 50
    stored = {submission.id: submission for submission in Store(tmp_path).all()}
    assert set(confirmed) <= set(stored)
    # What was not confirmed any more is there whole or not at all.
    assert len(stored) - len(confirmed) <= 12
    for submission in stored.values():
        digest = hashlib.sha256(submission.traces.read_bytes()).hexdigest()
        assert digest == submission.about["sha256"]
        assert submission.id == digest[:16]
    assert all(stored[name].notes for name in confirmed)
