"""What strangers give: limits, visible text, links, cells, keys, how often, how much work."""

import csv
import io
import json
import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_builder.errors import InputError
from dataset_builder.tools import catalogue
from dataset_builder.tools.world import World
from evaluator.csv_text import csv_text
from evaluator.traces.trace import Call, Trace
from space.base.limits import MAX_CALLS, MAX_MODELS, MAX_ROWS, MAX_UPLOAD_BYTES
from space.base.rate_limit import RateLimit
from space.base.sanitize import clean, clean_link, read_limited
from space.base.settings import Settings, read_settings
from space.base.visitors import Visitor, visitor_of
from space.submissions.replay_budget import Meter, check_calls, check_models, metered
from space.submissions.secret_scan import find_secrets
from tests.samples.small_suite import small_suite

# Uploads --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{}\n" * (MAX_ROWS + 2), "lines"),
        (b"x" * (MAX_UPLOAD_BYTES + 1), "larger than"),
        (b'{"a": "\0"}\n', "NUL"),
    ],
)
def test_too_much_is_refused_as_a_file_and_as_a_text(
    tmp_path: Path, content: bytes, said: str
) -> None:
    file = tmp_path / "t.jsonl"
    file.write_bytes(content)
    for source in (file, content.decode()):
        with pytest.raises(InputError, match=said):
            read_limited(source)


def test_a_gigabyte_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "huge.jsonl"
    with file.open("wb") as stream:
        stream.truncate(2**30)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(InputError, match="larger than"):
        read_limited(file)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2**15


def test_bytes_come_through_as_they_are(tmp_path: Path) -> None:
    content = '{"a": "é"}\r\n\n'.encode()
    file = tmp_path / "t.jsonl"
    file.write_bytes(content)
    assert read_limited(file) == content
    with pytest.raises(InputError, match="cannot be read"):
        read_limited(tmp_path / "none")


# Visible text ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("GPT-4o", "GPT-4o"),
        ("  a \n\t b\r", "a b"),
        ("a\u202egnp.exe", "agnp.exe"),  # turns the direction of what follows
        ("a\u200b\u2066b\ufeff\x00\x1b[31m", "ab[31m"),
        ("e\u0301", "é"),
        ("z" + "\u0335" * 50 + "y", "z\u0335\u0335y"),
        ("z\u0335\u0335\0\u0335\u0335y", "z\u0335\u0335y"),  # what is dropped parts no marks
        ("z\u0335\u0335 \u0335y", "z\u0335\u0335 \u0335y"),
        ("<b>x</b>", "<b>x</b>"),
        ("x" * 30, "x" * 19 + "…"),
        ("\ud800a", "a"),
        ("", ""),
    ],
)
def test_visible_text(text: str, shown: str) -> None:
    assert clean(text, 20) == shown


@given(st.text() | st.text("ae \0\u200b\u0301\u0308\u0323\u0335\u064d\u064e\u064f"))
def test_clean_text_is_one_plain_line_and_stays_so(text: str) -> None:
    shown = clean(text, 50)
    assert len(shown) <= 50
    assert clean(shown, 50) == shown
    assert shown.isprintable() or not set(shown) & set("\n\r\t\x00\x1b\u202e")
    assert shown.encode().decode() == shown


def test_what_is_shown_is_shown_again_as_it_is() -> None:
    shown = clean("x\u0658\0\u064f1", 100)
    assert clean(shown, 100) == shown


def test_a_link_begins_alike_however_it_was_written() -> None:
    assert clean_link("htTps://Example.org/A") == "https://Example.org/A"


@pytest.mark.parametrize(
    "link",
    [
        "https://example.org",
        "https://example.org/a/b?c=d#e",
        "https://huggingface.co/org/model",
        "",
    ],
)
def test_links_that_are_taken(link: str) -> None:
    assert clean_link(f" {link} ") == link


@pytest.mark.parametrize(
    "link",
    [
        "http://example.org",
        "javascript:alert(1)",
        "data:text/html,x",
        "//example.org",
        "https://localhost",
        "https://user:pw@example.org",
        "https://example.org:22",
        'https://example.org/" onload=x',
        "https://example.org/<script>",
        "https://example.org/\u202e",
        "https://[::1",
        "https://exämple.org",
        "https://example.org/" + "x" * 300,
        "https://example.org/a\nb",
    ],
)
def test_links_that_are_refused(link: str) -> None:
    with pytest.raises(InputError, match="link"):
        clean_link(link)


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t=", " =", "\r", "|", "%", "＝"])
def test_no_cell_is_a_formula(begin: str) -> None:
    text = csv_text(["a", "=b"], [[f"{begin}cmd()", -1.5], ['x,"y"', None]])
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert rows[0] == ["a", "'=b"]
    assert rows[1] == [f"'{begin}cmd()", "-1.5"]
    assert rows[2] == ['x,"y"', ""]


@pytest.mark.parametrize("note", ["'", "'tis so", "''x", "=1", "'=1", " '", "plain", "", "-"])
def test_an_apostrophe_taken_away_again_gives_the_text_that_it_was(note: str) -> None:
    ((cell,),) = list(csv.reader(io.StringIO(csv_text(["a"], [[note]]), newline="")))[1:] or [[""]]
    assert cell.removeprefix("'") == note


# Keys -----------------------------------------------------------------------------------------

KEYS = [
    "sk-" + "Ab1" * 16,
    "sk-proj-" + "Ab1_" * 12,
    "sk-ant-api03-" + "Ab1-" * 20,
    "hf_" + "AbCd" * 9,
    "gsk_" + "Ab12" * 13,
    "AIza" + "Ab12-" * 7,
    "AKIA" + "ABCDEFGH12345678",
    "ghp_" + "Ab12" * 9,
    "github_pat_" + "Ab12_" * 12,
    "glpat-" + "Ab12" * 6,
    "xoxb-123456789-123456789-abcdef",
    "Authorization: Bearer " + "Ab12" * 8,
    "-----BEGIN RSA PRIVATE KEY-----",
    '"api_key": "' + "0a1b" * 8 + '"',
    "https://user:secretword@host.example",
]


@pytest.mark.parametrize("key", KEYS)
def test_a_key_is_found_however_it_is_spelled(key: str) -> None:
    row = json.dumps({"task_id": "t", "response": {"headers": f"x {key} y"}})
    escaped = "".join(f"\\u{ord(c):04x}" for c in key)
    other = '{"task_id": "t", "response": "x ' + escaped + ' y"}'
    slashes = [text.replace("/", "\\/") for text in (row, other)]
    nested = json.dumps({"arguments": json.dumps({"arguments": slashes[0]})}).replace("/", "\\/")
    deep = json.dumps({"arguments": json.dumps({"arguments": other})})
    lines = [row, other, json.dumps({"response": row}), *slashes, nested, deep]
    for content in (*lines, *(line[:-1] for line in lines)):
        secrets = find_secrets(f"{{}}\n{content}\n".encode())
        assert secrets, content
        assert {secret.line for secret in secrets} == {2}
        assert all(key not in str(secret) for secret in secrets)


def test_digests_and_encoded_text_are_no_keys() -> None:
    suite = small_suite()
    rows = [json.dumps(task.to_row(), ensure_ascii=False) for task in suite.tasks]
    rows += ["a" * 64, "SGVsbG8sIHdvcmxkISBIZWxsbywgd29ybGQh", "5d41402abc4b2a76b9719d911017c592"]
    assert find_secrets("\n".join(rows).encode()) == []


def test_hostile_lines_are_scanned_in_linear_time() -> None:
    """Text that a backtracking engine would take hours for; the limit is on the process's own time."""
    code = (
        "from space.submissions.secret_scan import find_secrets;"
        "find_secrets(b'sk-' * 300_000 + b'\\n' + b'aws' * 300_000 + b'\\n' + b'://a:' * 200_000"
        "+ b'\\n' + b'\\\\' * 1_000_000 + b'x\\n' + b'\\\\u' * 1_000_000)"
    )
    limit = ["bash", "-c", 'ulimit -t 60; exec "$@"', "bash", sys.executable, "-c", code]
    assert subprocess.run(limit, cwd=Path(__file__).parents[2]).returncode == 0


# How often, how much --------------------------------------------------------------------------


def test_a_rate_limit_counts_in_a_sliding_window() -> None:
    now = [0.0]
    limit = RateLimit(3, 600, "uploads", lambda: now[0])
    ann, bob = Visitor("ann", "1"), Visitor(None, "1")
    for now[0] in (0.0, 100.0, 200.0):
        limit.take(ann)
    limit.take(bob)
    now[0] = 599.0
    with pytest.raises(InputError, match="at most 3 in 10 minutes, so wait 1 more"):
        limit.take(ann)
    for _ in range(10):
        limit.take(Visitor("keeper", "1", is_maintainer=True))
    now[0] = 601.0
    limit.take(ann)
    with pytest.raises(InputError):
        limit.take(ann)


def test_who_a_visitor_is(tmp_path: Path) -> None:
    here = Settings(small_suite(), tmp_path, tmp_path)
    hosted = Settings(
        small_suite(), tmp_path, tmp_path, is_hosted=True, maintainers=frozenset({"ann"})
    )
    assert visitor_of(here, None, "127.0.0.1", None).is_maintainer
    assert visitor_of(hosted, "ann", "10.0.0.1", None).is_maintainer
    for login in (None, "Ann", "bob", ""):
        assert not visitor_of(hosted, login, "10.0.0.1", None).is_maintainer
    # What the visitor wrote into the header stands before what the proxy added.
    spoofed = visitor_of(hosted, None, "10.0.0.1", "1.1.1.1, 2.2.2.2")
    assert spoofed.address == "2.2.2.2"


def test_secrets_leave_the_environment(tmp_path: Path) -> None:
    environment = {
        "SPACE_ID": "org/space",
        "HF_TOKEN": "hf_write",
        "COMPTOOLBENCH_SECRET": "very",
        "COMPTOOLBENCH_RESULTS_REPO": "org/results",
        "COMPTOOLBENCH_MAINTAINERS": "ann, bob,",
    }
    settings = read_settings(small_suite(), tmp_path, tmp_path, environment)
    assert settings.token == "hf_write"
    assert settings.secret == b"very"
    assert settings.maintainers == {"ann", "bob"}
    assert not {"hf_write", "very"} & set(environment.values())
    assert "hf_write" not in repr(settings)
    assert "very" not in repr(settings)


def test_a_results_repository_needs_a_token(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="HF_TOKEN"):
        read_settings(
            small_suite(), tmp_path, tmp_path, {"COMPTOOLBENCH_RESULTS_REPO": "org/results"}
        )


def test_a_laptop_keeps_its_token(tmp_path: Path) -> None:
    environment = {"HF_TOKEN": "mine"}
    assert read_settings(small_suite(), tmp_path, tmp_path, environment).token is None
    assert environment == {"HF_TOKEN": "mine"}


def test_metered_tools_give_what_the_tools_give_until_the_budget_is_spent() -> None:
    tools = catalogue()
    meter = Meter(2_000)
    metered_tools = metered(tools, meter)
    assert list(metered_tools) == list(tools)
    arguments = {"text": "a b c"}
    assert metered_tools["word_count"](arguments, World()) == tools["word_count"](
        arguments, World()
    )
    assert 1_800 < meter.characters < 2_000
    with pytest.raises(InputError, match="characters"):
        metered_tools["word_count"]({"text": "x" * 3_000}, World())


def test_more_calls_than_a_page_executes_are_refused() -> None:
    many = Trace("t", (Call("f", {}),) * 1_000)
    check_models([replace(many, model=f"m{i}") for i in range(MAX_MODELS)])
    with pytest.raises(InputError, match="at most 50 models"):
        check_models([replace(many, model=f"m{i}") for i in range(MAX_MODELS + 1)])
    check_models([replace(many, model=f"m{i}") for i in range(MAX_MODELS)])
    with pytest.raises(InputError, match="at most 50 models"):
        check_models([replace(many, model=f"m{i}") for i in range(MAX_MODELS + 1)])
    check_calls([many] * (MAX_CALLS // 1_000))
    with pytest.raises(InputError, match="more than 25,000 calls"):
        check_calls([many] * (MAX_CALLS // 1_000 + 1))
