"""What a tool gives hangs on its arguments alone: in any process, order and Python, whatever it is given."""

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib import metadata, resources
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from dataset_builder.tools import MODULES, catalogue
from dataset_builder.tools.world import World
from tests.tools.tool_cases import fault, hostile, ordinary, shown
from tests.tools.tool_runs import found_tools

ROOT = Path(__file__).parents[2]


def cases() -> list[tuple[str, Any]]:
    return [(name, arguments) for name, given in ordinary().items() for arguments in given]


def run(*options: str, python: str = sys.executable, path: str = "", **environment: str) -> Any:
    """What tool_runs.py prints in a fresh process, in a folder that is not the project's."""
    finished = subprocess.run(
        [python, "-B", str(ROOT / "tests" / "tools" / "tool_runs.py"), *options],
        input=json.dumps(cases()),
        env={"PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), path))), **environment},
        cwd=Path(python).anchor,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
    )
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)


@cache
def expected_outputs() -> list[str]:
    return [
        json.dumps(catalogue()[name](arguments, World()), ensure_ascii=True)
        for name, arguments in cases()
    ]


def assert_same(outputs: list[str | None], expected: list[str]) -> None:
    assert len(outputs) == len(expected)
    for (name, arguments), output, wanted in zip(cases(), outputs, expected, strict=True):
        assert output == wanted, f"{name}({arguments})"


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "77", "TZ": "America/St_Johns", "LC_ALL": "de_DE.UTF-8"},
        {"PYTHONHASHSEED": "4242", "TZ": "Asia/Kathmandu", "LC_ALL": "tr_TR.UTF-8"},
        {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LANG": "ja_JP.eucJP", "TZ": ""},
    ],
    ids=lambda environment: environment["TZ"] or "none",
)
def test_a_fresh_process_gives_the_same(environment: dict[str, str]) -> None:
    assert_same(run(**environment)["outputs"], expected_outputs())


def test_the_order_of_calls_changes_nothing() -> None:
    assert_same(run("--reverse")["outputs"], expected_outputs())


def test_no_tool_reaches_outside() -> None:
    """No clock, network, environment, locale or file: each is denied while a tool runs."""
    sealed = run("--sealed")
    assert sealed["touched"] == []
    assert_same(sealed["outputs"], expected_outputs())


def test_the_seal_holds() -> None:
    denied = run("--probe")["denied"]
    assert denied
    assert all(denied.values()), denied


# Modules that a tool has no use for.
OUTSIDE = {
    *("os", "sys", "time", "random", "secrets", "uuid", "locale", "socket", "ssl", "subprocess"),
    *(
        "threading",
        "multiprocessing",
        "asyncio",
        "tempfile",
        "shutil",
        "glob",
        "pathlib",
        "platform",
    ),
    *("urllib.request", "http", "ctypes", "getpass", "pickle", "requests", "httpx", "signal"),
}


def test_tools_import_nothing_that_reaches_outside() -> None:
    listed = subprocess.run(
        [sys.executable, "-c", LOADED], cwd=ROOT, capture_output=True, text=True, check=True
    )
    sources = [Path(line) for line in listed.stdout.splitlines()]
    assert len(sources) > len(MODULES)
    wrong = [
        f"{source}: {name}"
        for source in sources
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
        for name in imported(node)
        if name in OUTSIDE or name.split(".")[0] in OUTSIDE
    ]
    assert not wrong, "\n".join(wrong)


LOADED = """
import sys
from dataset_builder.tools import catalogue
catalogue()
for name, module in sorted(sys.modules.items()):
    if name.split(".")[0] == "dataset_builder" and module.__file__:
        print(module.__file__)
"""


def imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module] if isinstance(node, ast.ImportFrom) and node.module else []


def interpreter(version: str) -> str:
    """A Python of that version on this machine; the test is skipped where there is none."""
    here = Path.home() / ".pyenv" / "versions"
    candidates = [f"python{version}", *map(str, here.glob(f"{version}.*/bin/python{version}"))]
    for candidate in candidates:
        python = shutil.which(candidate)
        if python and subprocess.run([python, "-c", ""], capture_output=True).returncode == 0:
            return python
    pytest.skip(f"there is no Python {version} here")


def packages(version: str, python: str, folder: Path) -> str:
    """What the tools import, for that Python: our own, from uv's cache, or only what is pure Python."""
    tzdata = Path(str(resources.files("tzdata")))
    if sys.version_info[:2] == tuple(map(int, version.split("."))):
        return str(tzdata.parent)
    pinned = [f"{name}=={metadata.version(name)}" for name in ("google-re2", "tzdata")]
    uv = [str(Path(sys.executable).parent / "uv"), "pip", "install", "--offline", "--quiet"]
    full = folder / "full"
    command = [*uv, "--python", python, "--target", str(full), *pinned]
    if subprocess.run(command, capture_output=True).returncode == 0:
        return str(full)
    pure = folder / "pure"
    shutil.copytree(tzdata, pure / "tzdata")
    return str(pure)


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_another_python_gives_the_same(version: str, tmp_path: Path) -> None:
    python = interpreter(version)
    result = run(python=python, path=packages(version, python, tmp_path))
    tools, _ = found_tools()
    compared = [pair for pair in zip(expected_outputs(), result["outputs"], strict=True) if pair[1]]
    assert [output for _, output in compared] == [wanted for wanted, _ in compared]
    if not result["missing"]:
        assert len(compared) == len(cases())
        return
    assert set(result["missing"]) == {"re2"}
    ran = {name for (name, _), out in zip(cases(), result["outputs"], strict=True) if out}
    pytest.skip(f"{len(ran)} of {len(tools)} tools gave the same; the others need google-re2")


def hostile_faults(some: Iterator[tuple[str, str, Any]]) -> tuple[int, list[str]]:
    count, faults = 0, []
    for name, where, arguments in some:
        count += 1
        problem = fault(catalogue()[name], catalogue()[name](arguments, World()))
        if problem:
            faults.append(f"{name}, {where} = {shown(arguments.get(where))}: {problem}")
    return count, faults


def test_hostile_arguments_get_an_answer() -> None:
    count, faults = hostile_faults(islice(hostile(ordinary()), 0, None, 17))
    assert not faults, "\n".join(faults[:20])
    assert count > 3_000


@pytest.mark.slow
def test_all_hostile_arguments_get_an_answer_and_leave_no_trace() -> None:
    count, faults = hostile_faults(hostile(ordinary()))
    assert not faults, "\n".join(faults[:20])
    assert count > 50_000
    after = [json.dumps(catalogue()[name](arguments, World())) for name, arguments in cases()]
    assert_same(list(after), run()["outputs"])
