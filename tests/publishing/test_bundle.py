"""The Space's folder: whole, pinned, and able to start from its own requirements.txt alone."""

import os
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from dataset_builder.errors import InputError
from space.base.settings import MAINTAINERS, RESULTS_REPO, SECRET, TOKEN
from space.publishing.bundle import pins, requirements, space_files
from space.publishing.command import write_space
from tests.stand_ins.page_server import start, stop

ROOT = Path(__file__).parents[2]
LOCK = r"""# made by uv
Root_A==1.0 \
    --hash=sha256:00 \
    --hash=sha256:01
    # via comptoolbench (pyproject.toml)
child==2.0 ; sys_platform == 'win32' \
    --hash=sha256:00
    # via root-a
grandchild==3.0 \
    --hash=sha256:00
    # via
    #   child
    #   tool
tool==4.0 \
    --hash=sha256:00
    # via comptoolbench (pyproject.toml:dev)
"""


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return space_files()


@pytest.mark.parametrize(
    ("roots", "found"),
    [
        (
            {"root-a"},
            {"root-a": "1.0", "child": "2.0 ; sys_platform == 'win32'", "grandchild": "3.0"},
        ),
        ({"tool"}, {"grandchild": "3.0", "tool": "4.0"}),
        (set(), {}),
    ],
)
def test_pins_follow_the_comments_of_the_lock(roots: set[str], found: dict[str, str]) -> None:
    assert pins(LOCK, roots) == found


def test_what_is_not_locked_is_one_sentence() -> None:
    with pytest.raises(InputError, match=r"requirements\.lock lacks new: `make lock` mends it"):
        pins(LOCK, {"root-a", "new"})


def test_an_extra_may_name_other_extras() -> None:
    project = {
        "name": "ours",
        "dependencies": ["Base_X>=1"],
        "optional-dependencies": {
            "page": ["ours[run,report]", "gradio[oauth]>=6"],
            "run": ["litellm==1"],
            "report": ["altair"],
            "other": ["unwanted"],
        },
    }
    assert requirements(project, "page") == {"base-x", "gradio", "litellm", "altair"}


def test_versions_are_those_of_the_lock(files: dict[str, bytes]) -> None:
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    pinned = {}
    for line in files["requirements.txt"].decode().splitlines():
        requirement = Requirement(line)
        pinned[canonicalize_name(requirement.name)] = requirement
        assert f"{requirement.name}{requirement.specifier}" in lock
        assert requirement.url is None
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert requirements(project, "space") <= pinned.keys()
    assert {"pytest", "mypy", "ruff", "xllamacpp"}.isdisjoint(pinned)


def test_the_packages_are_there_whole(files: dict[str, bytes]) -> None:
    listed = subprocess.run(
        [
            "git",
            "ls-files",
            "croissant",
            "dataset_builder",
            "evaluator",
            "space",
            "comptoolbench.py",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert {path for path in listed if (ROOT / path).is_file()} <= files.keys()
    assert not [path for path in files if "__pycache__" in path or "/." in path]
    assert not [path for path in files if path.startswith(("tests/", "runs/"))]


def test_the_readme_tells_the_hub_how_to_start_it(files: dict[str, bytes]) -> None:
    front = yaml.safe_load(files["README.md"].decode().split("---\n")[1])
    assert front["sdk"] == "gradio"
    assert f"gradio=={front['sdk_version']}\n" in files["requirements.txt"].decode()
    assert front["app_file"] in files
    assert front["hf_oauth"] is True
    assert isinstance(front["python_version"], str), "3.10 would else become 3.1"
    assert len(front["short_description"]) <= 60
    text = files["README.md"].decode()
    assert all(name in text for name in (RESULTS_REPO, TOKEN, MAINTAINERS, SECRET))


def test_outside_of_the_source_folder_it_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="from the project's source folder"):
        space_files(tmp_path)


def test_a_folder_that_exists_is_not_overwritten(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="exists already: choose another --out"):
        write_space(tmp_path)
    assert not list(tmp_path.iterdir())


def test_publishing_does_not_load_the_page() -> None:
    code = "import space.publishing.command, sys; print({'gradio', 'datasets', 'litellm'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "set()\n", done.stderr


def uv(*arguments: str, cwd: Path) -> None:
    """Run uv with the index that pip is set to, which it does not read by itself."""
    told = subprocess.run(
        [sys.executable, "-m", "pip", "config", "get", "global.index-url"],
        capture_output=True,
        text=True,
    ).stdout.strip()
    mirror = os.environ.get("UV_DEFAULT_INDEX") or os.environ.get("PIP_INDEX_URL") or told
    done = subprocess.run(
        [Path(sys.executable).parent / "uv", *arguments],
        cwd=cwd,
        env=os.environ | ({"UV_DEFAULT_INDEX": mirror} if mirror else {}),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_it_starts_in_a_fresh_environment(tmp_path: Path) -> None:
    folder, venv = tmp_path / "page", tmp_path / "venv"
    write_space(folder)
    uv("venv", "--quiet", "--python", sys.executable, str(venv), cwd=tmp_path)
    python = venv / "bin" / "python"
    uv("pip", "install", "--quiet", "--python", str(python), "-r", "requirements.txt", cwd=folder)
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    page, address = start(folder, environment, suite=None, command=[str(python), "app.py"])
    try:
        with urllib.request.urlopen(address, timeout=20) as answer:
            assert "CompToolBench" in answer.read().decode()
    finally:
        stop(page)
