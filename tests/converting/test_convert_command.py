"""`comptoolbench convert` as it is typed: what is written, printed and refused; the page about it."""

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dataset_builder.errors import InputError
from dataset_builder.visible_text import inert
from evaluator.commands.convert import convert
from evaluator.commands.score import score
from evaluator.traces.trace_reader import read_traces
from tests.samples.conversations.make import FOLDER, TASK_ID

PAGE = Path(__file__).parents[2] / "docs/integrations/convert.md"
EXAMPLE = re.compile(r"```console\n\$ comptoolbench (\w+) (.+)\n((?:.*\n)*?)```")
STRANGER = {"messages": [{"role": "user", "content": "Hello \x1b[2J"}]}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a log of each form, and one of several."""
    for name in ("openai-chat", "anthropic", "huggingface"):
        shutil.copy(FOLDER / f"{name}.jsonl", tmp_path)
    text = "".join(
        (tmp_path / f"{n}.jsonl").read_text("utf-8") for n in ("anthropic", "huggingface")
    )
    stranger = {"messages": [{"role": "user", "content": "Hello"}], "model": "m"}
    stranger["messages"].append({"role": "assistant", "tool_calls": [_call()]})  # type: ignore[attr-defined]
    (tmp_path / "mixed.jsonl").write_text(f"{text}{json.dumps(stranger)}\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _call() -> dict[str, object]:
    return {"id": "1", "type": "function", "function": {"name": "f", "arguments": {}}}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(convert, list(arguments), catch_exceptions=False)


def refusal(*arguments: str) -> str:
    with pytest.raises(InputError) as refused:
        run(*arguments)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_the_page_s_examples_print_what_it_says() -> None:
    examples = EXAMPLE.findall(PAGE.read_text("utf-8"))
    assert [command for command, _, _ in examples] == ["convert", "score", "convert"]
    for command, arguments, printed in examples:
        entry = {"convert": convert, "score": score}[command]
        done = CliRunner().invoke(entry, arguments.split(), catch_exceptions=False)
        shown = printed.removesuffix("…\n")
        assert done.output == printed if shown == printed else done.output.startswith(shown)
        assert done.exit_code == ("left out" in printed)


def test_what_is_written_is_what_is_printed(here: Path) -> None:
    assert run("openai-chat.jsonl", "--out", "traces.jsonl").exit_code == 0
    printed = run("openai-chat.jsonl", "--out", "-")
    assert printed.stdout == Path("traces.jsonl").read_text("utf-8")
    (trace,) = read_traces("traces.jsonl")
    assert (trace.task_id, trace.model, trace.protocol) == (TASK_ID, "lab-model-1", None)
    assert {path.name for path in here.iterdir()} == {
        *("openai-chat.jsonl", "anthropic.jsonl", "huggingface.jsonl", "mixed.jsonl"),
        "traces.jsonl",
    }


def test_nobody_s_file_is_replaced_unasked() -> None:
    Path("traces.jsonl").write_text("mine", "utf-8")
    assert "is there already" in refusal("anthropic.jsonl", "--out", "traces.jsonl")
    Path("link.jsonl").symlink_to("anthropic.jsonl")
    before = Path("anthropic.jsonl").read_bytes()
    for out in ("anthropic.jsonl", "link.jsonl", "./anthropic.jsonl"):
        assert "is one of the logs" in refusal("anthropic.jsonl", "--out", out, "--force")
    assert "is no plain file" in refusal("anthropic.jsonl", "--out", ".", "--force")
    assert Path("anthropic.jsonl").read_bytes() == before
    # What fails leaves what was there.
    Path("broken.jsonl").write_text("{", "utf-8")
    assert refusal("broken.jsonl", "--out", "traces.jsonl", "--force").startswith(
        "broken.jsonl:1: "
    )
    assert Path("traces.jsonl").read_text("utf-8") == "mine"
    assert run("anthropic.jsonl", "--out", "traces.jsonl", "--force").exit_code == 0
    assert len(read_traces("traces.jsonl")) == 1


def test_where_nothing_is_known_nothing_is_written() -> None:
    Path("strange.jsonl").write_text(f"{json.dumps(STRANGER)}\n" * 30, "utf-8")
    with pytest.raises(InputError, match="nothing was written"):
        run("strange.jsonl", "--out", "traces.jsonl")
    assert not Path("traces.jsonl").exists()


def test_many_that_are_left_out_are_counted_and_some_named() -> None:
    known = {**json.loads(Path("huggingface.jsonl").read_text("utf-8")), "case": TASK_ID}
    strange = {"case": "\x1b[2J" + "x" * 500, **STRANGER}
    entries = [known, *[strange] * 30]
    Path("log.jsonl").write_text("".join(f"{json.dumps(e)}\n" for e in entries), "utf-8")
    done = run("log.jsonl", "--out", "-", "--task-id-from", "case")
    assert done.exit_code == 1
    assert "left out: 30 conversations\n" in done.stderr
    assert "  and 10 more\n" in done.stderr
    assert done.stderr.count("  log.jsonl:") == 20
    assert inert(done.stderr) == done.stderr
    assert max(map(len, done.stderr.splitlines())) < 200


def test_a_name_that_no_trace_may_have_is_refused_with_the_way_out() -> None:
    said = refusal("anthropic.jsonl", "--out", "-", "--model", " spaced ")
    assert "model: expected no space at either end" in said
    text = Path("anthropic.jsonl").read_text("utf-8")
    for name in ("log", "other"):
        Path(f"{name}.jsonl").write_text(text, "utf-8")
    Path("other.jsonl").write_text(text.replace("lab-model-1", "LAB-model-1"), "utf-8")
    said = refusal("log.jsonl", "other.jsonl", "--out", "-")
    assert said.endswith("LAB-model-1 was lab-model-1 before; name it with --model")


def test_too_many_answers_to_one_task_are_refused() -> None:
    entry = {"task_id": TASK_ID, "messages": [{"role": "assistant", "content": "No."}]}
    Path("log.jsonl").write_text(f"{json.dumps(entry)}\n" * 1_001, "utf-8")
    assert f"more than 1000 answers to {TASK_ID}" in refusal("log.jsonl", "--out", "-")


def test_the_same_log_gives_the_same_bytes() -> None:
    files = ("anthropic.jsonl", "openai-chat.jsonl", "huggingface.jsonl")
    first, again = (run(*files, "--out", "-", "--model", "m").stdout for _ in range(2))
    assert first == again
    assert [json.loads(line)["sample"] for line in first.splitlines()] == [0, 1, 2]
