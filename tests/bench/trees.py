"""The code that is measured: the files as they are, or those of another revision beside them.

The measures are always those of the files as they are. So two revisions are asked for the same, and what a
revision cannot do has no reading.
"""

import json
import os
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from tests.bench.measure import Measure, Reading

ROOT = Path(__file__).parents[2]
PRODUCT = ("comptoolbench.py", "croissant", "dataset_builder", "evaluator", "space")
_LIMIT_S = 900


class Unreadable(Exception):
    """There is no such revision; the message is one sentence."""


@dataclass(frozen=True)
class Tree:
    """The product's code in a folder, and a scratch folder for what is measured with it."""

    product: Path
    scratch: Path

    def read(self, group: str, measure: Measure) -> Reading | str:
        """The measure, run once; where it could not be, the last line of what it said."""
        said = self._run(group, measure)
        return said if isinstance(said, str) else Reading(**json.loads(said[-1]))

    def make_files(self, group: str, measure: Measure) -> str | None:
        """Fill the measure's folder where that was not done; what went wrong, or nothing."""
        folder = self._folder(group, measure)
        if folder.is_dir():
            return None
        folder.mkdir(parents=True)
        said = self._run(group, measure, "--files") if measure.files else []
        if isinstance(said, str):
            # Half a folder must not be taken for a whole one by the next measure.
            shutil.rmtree(folder)
            return said
        return None

    def _folder(self, group: str, measure: Measure) -> Path:
        made_by = measure.files.__name__ if measure.files else measure.name.replace("/", " ")
        return self.scratch / "files" / group / made_by

    def _run(self, group: str, measure: Measure, *flags: str) -> list[str] | str:
        """The lines that it printed, or why it failed."""
        folder = self._folder(group, measure)
        arguments = [*flags, group, measure.name, str(folder), str(self.product)]
        try:
            done = subprocess.run(
                [sys.executable, "-m", "tests.bench.one", *arguments],
                cwd=folder,
                env=self._environment(),
                capture_output=True,
                text=True,
                timeout=_LIMIT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"it took more than {_LIMIT_S} s"
        if done.returncode == 0:
            return done.stdout.splitlines()
        return next(iter(done.stderr.splitlines()[::-1]), f"exit status {done.returncode}")

    def _environment(self) -> dict[str, str]:
        """The user's, without what would make a difference that is not the code's."""
        kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        return kept | {
            "PYTHONPATH": os.pathsep.join([str(self.product), str(self.scratch / "measures")]),
            "PYTHONPYCACHEPREFIX": str(self.scratch / "bytecode"),
            "PYTHONHASHSEED": "0",
            "OPENBLAS_NUM_THREADS": "1",
            "XDG_CACHE_HOME": str(self.scratch / "cache"),
            "HF_HOME": str(self.scratch / "hub"),
            "HF_HUB_OFFLINE": "1",
        }


def tree_here(scratch: Path) -> Tree:
    """The files as they are now: who goes on editing changes nothing of what is measured."""
    for name in PRODUCT:
        _copy(ROOT / name, scratch / "product" / name)
    return _prepared(Tree(scratch / "product", scratch))


def tree_of(revision: str, scratch: Path) -> Tree:
    """The product of a revision, unpacked; Unreadable where there is none."""
    paths = _git("ls-tree", "--name-only", revision, "--", *PRODUCT).decode().split()
    archive = _git("archive", revision, "--", *paths)
    with tarfile.open(fileobj=BytesIO(archive)) as packed:
        packed.extractall(scratch / "product", filter="data")
    return _prepared(Tree(scratch / "product", scratch))


def revision_here() -> str:
    """The commit that the files started from, marked where they differ from it; without git nothing."""
    try:
        return _git("describe", "--always", "--dirty").decode().strip()
    except Unreadable:
        return ""


def _prepared(tree: Tree) -> Tree:
    """Measures stand apart from the product, for a folder with both would bring its own product along."""
    _copy(ROOT / "tests", tree.scratch / "measures" / "tests")
    return tree


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy2(source, target)


def _git(*arguments: str) -> bytes:
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=False)
    except FileNotFoundError:
        raise Unreadable("another revision needs git") from None
    if done.returncode:
        raise Unreadable(f"git {' '.join(arguments[:2])}: {done.stderr.decode().strip()}")
    return done.stdout
