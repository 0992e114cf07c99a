"""The Space's folder: the page, the packages it stands on, and the exact versions of all others."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dataset_builder.errors import InputError
from space.base.settings import MAINTAINERS, RESULTS_REPO, SECRET, TOKEN

_ROOT = Path(__file__).resolve().parents[2]
_PACKAGES = ("croissant", "dataset_builder", "evaluator", "space")
_PYTHON = "3.11"
_APP = '''"""The Space: the leaderboard of CompToolBench."""

import sys

from comptoolbench import main

if __name__ == "__main__":
    main(["space", *sys.argv[1:]])
'''
_README = """---
title: CompToolBench
emoji: 🧩
colorFrom: blue
colorTo: green
sdk: gradio
sdk_version: {gradio}
python_version: "{python}"
app_file: app.py
hf_oauth: true
hf_oauth_scopes:
- inference-api
license: mit
short_description: Can a language model compose tools?
tags:
- leaderboard
- tool-use
- function-calling
---

# CompToolBench

The leaderboard of CompToolBench, a benchmark of compositional tool use: look at the board and at the
reason behind every score, score a file of traces, run a model.

This folder was written by `comptoolbench publish --space`; it starts in a fresh environment with
`pip install -r requirements.txt` and `python app.py`. Settings of the Space:

- `{repo}` (variable): the dataset repository `ORG/NAME` that keeps what visitors publish; without it
  they are lost when the Space restarts.
- `{token}` (secret): a token that may write to that repository and nowhere else.
- `{maintainers}` (variable): login names, separated by commas, that may flag and restore submissions.
- `{secret}` (secret): what the seeds of fresh tasks are made with.
"""
_AFTER_NAME = re.compile(r"[^A-Za-z0-9._-]")
_EXTRAS = re.compile(r"\[([^\]]*)\]")
_LOCKED = re.compile(r"(?P<name>[A-Za-z0-9._-]+)==(?P<pin>[^\\]+?) \\\n(?P<rest>(?:    .*\n?)+)")
_VIA = re.compile(r"#(?: via)? +([A-Za-z0-9][A-Za-z0-9._-]*)")


def space_files(root: Path = _ROOT) -> dict[str, bytes]:
    """Path → content of the Space's folder, from the project's source folder; InputError elsewhere."""
    try:
        lock = (root / "requirements.lock").read_text("utf-8")
        project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
        licence = (root / "LICENSE").read_bytes()
    except FileNotFoundError as error:
        raise InputError(
            f"the Space is made from the project's source folder, and {error.filename} is missing: "
            "run the command from a clone that is installed with `make`"
        ) from None
    pinned = pins(lock, requirements(project, "space"))
    readme = _README.format(
        gradio=pinned["gradio"],
        python=_PYTHON,
        repo=RESULTS_REPO,
        token=TOKEN,
        maintainers=MAINTAINERS,
        secret=SECRET,
    )
    files = {
        "README.md": readme.encode(),
        "app.py": _APP.encode(),
        "LICENSE": licence,
        "requirements.txt": "".join(f"{n}=={pin}\n" for n, pin in pinned.items()).encode(),
        "comptoolbench.py": (root / "comptoolbench.py").read_bytes(),
    }
    return files | {path.relative_to(root).as_posix(): path.read_bytes() for path in _sources(root)}


def _sources(root: Path) -> Iterator[Path]:
    for package in _PACKAGES:
        for path in sorted((root / package).rglob("*")):
            inside = path.relative_to(root).parts
            if path.is_file() and not any(p == "__pycache__" or p.startswith(".") for p in inside):
                yield path


def requirements(project: Mapping[str, Any], extra: str) -> set[str]:
    """Names that a project's table asks for, with one extra; its own name stands for other extras."""
    names: set[str] = set()
    for text in [*project["dependencies"], *project["optional-dependencies"][extra]]:
        name = _canonical(text)
        if name != project["name"]:
            names.add(name)
        elif extras := _EXTRAS.search(text):
            for other in extras[1].split(","):
                names |= requirements(project, other.strip())
    return names


def pins(lock: str, roots: set[str]) -> dict[str, str]:
    """Name → version, with its marker, of what the roots need, after the comments of a uv lock.

    Comments do not tell extras apart, so a few packages more than needed may be among them.
    InputError where a root is not locked.
    """
    versions, needed_by = {}, {}
    for entry in _LOCKED.finditer(lock):
        name = _canonical(entry["name"])
        versions[name] = entry["pin"].strip()
        needed_by[name] = {_canonical(parent) for parent in _VIA.findall(entry["rest"])}
    if missing := sorted(roots - versions.keys()):
        raise InputError(f"requirements.lock lacks {', '.join(missing)}: `make lock` mends it")
    chosen, size = set(roots), 0
    while size != len(chosen):
        size = len(chosen)
        chosen |= {name for name, parents in needed_by.items() if parents & chosen}
    return {name: version for name, version in versions.items() if name in chosen}


def _canonical(requirement: str) -> str:
    """The name that a requirement begins with, in its one spelling."""
    name = _AFTER_NAME.split(requirement, maxsplit=1)[0]
    return re.sub(r"[-_.]+", "-", name).lower()
