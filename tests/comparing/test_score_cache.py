"""The user's own cache: found by all that a value hangs on, never believed when it was damaged."""

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from dataset_builder.value_cache import cache_folder
from evaluator.comparing.score_cache import FOLDER, MAX_ENTRIES, cached


class Computed:
    """Counts how often it was asked for."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> dict[str, Any]:
        self.times += 1
        return {"overall": 0.5, "name": "ü", "tasks": [1, None]}


def entries(home: Path) -> list[Path]:
    return sorted((home / "comptoolbench" / "scores").iterdir())


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return {"XDG_CACHE_HOME": str(tmp_path / "cache")}


def test_what_hangs_on_the_same_is_computed_once(home: dict[str, str]) -> None:
    compute = Computed()
    for depends in (["a", 1], ["a", 1], ["a", 2], ["a", "1"], ["a", 1]):
        assert cached(depends, compute, home) == Computed()()
    assert compute.times == 3


def test_nobody_else_can_read_or_write_it(home: dict[str, str]) -> None:
    cached(["a"], Computed(), home)
    folder = cache_folder(FOLDER, home)
    assert folder is not None
    for each in (folder, folder.parent):
        assert stat.S_IMODE(each.stat().st_mode) == 0o700


DAMAGE = [b"", b"{", b"\xff\n{}", b"\n", b"[1]"]


@pytest.mark.parametrize("damage", [*DAMAGE, None, "edited", "swapped"])
def test_a_damaged_entry_is_ignored_and_replaced(damage: Any, home: dict[str, str]) -> None:
    cached(["a"], Computed(), home)
    (file,) = entries(Path(home["XDG_CACHE_HOME"]))
    whole = file.read_bytes()
    if damage is None:
        file.write_bytes(whole[:-1])
    elif damage == "edited":
        file.write_bytes(whole.replace(b"0.5", b"0.9"))
    elif damage == "swapped":
        file.unlink()
        os.mkfifo(file)
    else:
        file.write_bytes(damage)
    compute = Computed()
    assert cached(["a"], compute, home)["overall"] == 0.5
    assert compute.times == 1
    assert cached(["a"], compute, home)["overall"] == 0.5
    assert compute.times == 1
    assert file.read_bytes() == whole


def refuses(tmp_path: Path, name: str) -> dict[str, str]:
    """An environment whose cache is none that can be trusted, or none at all."""
    place = tmp_path / "place"
    place.mkdir()
    if name == "a file in its place":
        (place / "comptoolbench").write_text("mine")
    elif name == "open to all":
        (place / "comptoolbench" / "scores").mkdir(parents=True)
        (place / "comptoolbench").chmod(0o777)
    elif name == "elsewhere":
        (tmp_path / "theirs").mkdir()
        (place / "comptoolbench").symlink_to(tmp_path / "theirs")
    elif name == "a device":
        return {"XDG_CACHE_HOME": "/dev/null"}
    return {"XDG_CACHE_HOME": str(place)}


@pytest.mark.parametrize("name", ["a file in its place", "open to all", "elsewhere", "a device"])
def test_without_a_cache_everything_is_computed(name: str, tmp_path: Path) -> None:
    environment = refuses(tmp_path, name)
    assert cache_folder(FOLDER, environment) is None
    compute = Computed()
    for _ in range(2):
        assert cached(["a"], compute, environment)["overall"] == 0.5
    assert compute.times == 2


def test_a_relative_place_is_none_that_one_works_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    folder = cache_folder(FOLDER, {"XDG_CACHE_HOME": "runs"})
    assert folder == tmp_path / "home" / ".cache" / "comptoolbench" / "scores"


def test_it_does_not_grow_without_end(home: dict[str, str]) -> None:
    cached(["first"], Computed(), home)
    folder = entries(Path(home["XDG_CACHE_HOME"]))[0].parent
    for number in range(MAX_ENTRIES + 5):
        (folder / f"{number}.json").write_text(json.dumps(number))
        os.utime(folder / f"{number}.json", (number, number))
    cached(["last"], Computed(), home)
    left = {file.name for file in folder.iterdir()}
    assert len(left) == MAX_ENTRIES
    assert not {"0.json", "6.json"} & left
    compute = Computed()
    cached(["last"], compute, home)
    assert compute.times == 0
