"""Files of whatever kind in place of those that are read; folders made whole; what a kill leaves."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dataset_builder.read_files import open_plain, read_plain
from dataset_builder.write_files import scratch_beside, write_whole
from tests.samples.small_suite import small_suite, write_suite

ROOT = Path(__file__).parents[2]


def odd(path: Path, kind: str) -> Path:
    """Something at a path that is no plain file."""
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(path))
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.symlink_to(path)
    return path


KINDS = ("pipe", "folder", "socket", "device", "loop")


@pytest.mark.parametrize("kind", KINDS)
def test_only_plain_files_are_read(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The name of a socket may have no more than a hundred characters.
    monkeypatch.chdir(tmp_path)
    for read in (open_plain, read_plain):
        with pytest.raises(OSError, match=r"odd-") as refused:
            read(odd(Path(f"odd-{read.__name__}"), kind))
        assert refused.value.filename == f"odd-{read.__name__}"
    Path("plain").write_bytes(b"yes")
    Path("link").symlink_to("plain")
    assert (read_plain(Path("plain")), read_plain(Path("link"))) == (b"yes", b"yes")


# Which file is odd, and a command that reads it.
READ = [
    ("run/traces.jsonl", ["score", "run"]),
    ("run/run.json", ["score", "run"]),
    ("run/traces.jsonl", ["leaderboard", "run"]),
    ("run/traces.jsonl", ["run", "baseline:silent", "--out", "run"]),
    ("run/run.json", ["run", "baseline:silent", "--out", "run"]),
    ("traces.jsonl", ["score", "traces.jsonl"]),
    ("other.jsonl", ["audit", "other.jsonl"]),
    ("other.parquet", ["audit", "other.parquet"]),
    ("org/data", ["audit", "org/data"]),
    ("data/croissant.json", ["audit", "data"]),
    ("data/data/default.parquet", ["audit", "data"]),
    ("sheet.csv", ["annotate", "kappa", "sheet.csv"]),
]


@pytest.mark.parametrize("kind", ["pipe", "device"])
@pytest.mark.parametrize(("name", "command"), READ, ids=lambda value: str(value)[:30])
def test_what_is_no_plain_file_is_refused_and_not_waited_for(
    name: str, command: list[str], kind: str, tmp_path: Path
) -> None:
    suite = write_suite(small_suite(), tmp_path / "suite.jsonl")
    if command[0] in ("score", "leaderboard", "run"):
        command = [*command, "--suite", str(suite)]
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    if name == "run/traces.jsonl" and command[0] != "run":
        (file.parent / "run.json").write_text("{}")
    odd(file, kind)
    done = subprocess.run(
        [sys.executable, "-m", "comptoolbench", *command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2, done.stderr
    assert name.split("/")[0] in done.stderr
    assert "Traceback" not in done.stderr


# Folders --------------------------------------------------------------------------------------


def test_a_scratch_folder_is_gone_afterwards(tmp_path: Path) -> None:
    with scratch_beside(tmp_path / "deep" / "data") as scratch:
        assert scratch.parent == tmp_path / "deep"
    with pytest.raises(KeyError), scratch_beside(tmp_path / "deep" / "data"):
        raise KeyError
    assert list((tmp_path / "deep").iterdir()) == []


def test_what_somebody_still_works_in_and_what_others_keep_stays(tmp_path: Path) -> None:
    names = [".data-notes", ".data-abcdefgh", ".data-abc.making", ".datum-abcdefgh.making"]
    for name in names:
        (tmp_path / name).mkdir()
    (tmp_path / ".data-abcdefgh.making").write_text("a file")
    (tmp_path / ".data-stale___.making").mkdir()
    with scratch_beside(tmp_path / "data") as first, scratch_beside(tmp_path / "data") as second:
        assert first.is_dir()
        assert second.is_dir()
        assert first != second
        left = {path.name for path in tmp_path.iterdir()}
        assert left == {*names, ".data-abcdefgh.making", first.name, second.name}


def test_a_name_is_no_pattern(tmp_path: Path) -> None:
    (tmp_path / ".data1-abcdefgh.making").mkdir()
    (tmp_path / ".data[1]-abcdefgh.making").mkdir()
    with scratch_beside(tmp_path / "data[1]") as scratch:
        left = {path.name for path in tmp_path.iterdir()}
        assert left == {".data1-abcdefgh.making", scratch.name}


@pytest.mark.slow
def test_what_a_killed_build_left_is_removed_by_the_next(tmp_path: Path) -> None:
    code = (
        "import sys, time\nfrom pathlib import Path\nfrom dataset_builder.write_files import scratch_beside\n"
        "with scratch_beside(Path('data')) as scratch:\n"
        "    (scratch / 'new').mkdir()\n    print(scratch, flush=True)\n    time.sleep(60)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        assert process.stdout is not None
        left = tmp_path / process.stdout.readline().strip()
        with scratch_beside(tmp_path / "data"):
            assert left.is_dir()
        process.send_signal(signal.SIGKILL)
        process.wait()
    began = time.monotonic()
    while left.exists() and time.monotonic() - began < 10:
        with scratch_beside(tmp_path / "data"):
            pass
    assert not left.exists()


def test_who_cannot_write_is_told_the_name_that_was_given(tmp_path: Path) -> None:
    too_long = tmp_path / ("x" * 250)
    with pytest.raises(OSError, match="too long") as failed, scratch_beside(too_long):
        pass
    assert failed.value.filename == str(too_long)
    missing = tmp_path / "missing"
    with pytest.raises(FileNotFoundError) as failed:
        write_whole(missing / "file", b"")
    assert failed.value.filename == str(missing)
