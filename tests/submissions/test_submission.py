"""Reading, publishing, withdrawing and flagging, without a page."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from dataset_builder.errors import InputError
from evaluator.traces.trace import TraceProblems
from space.base.limits import MAX_ROWS, MAX_UPLOAD_BYTES
from space.base.score_cache import Cache
from space.base.visitors import Visitor
from space.board.publish_run import publish, submission_key
from space.submissions.about import ABOUT_KEYS, About
from space.submissions.moderation import (
    flag,
    may_withdraw,
    restore,
    status,
    withdraw,
)
from space.submissions.store import Store, Submission
from space.submissions.upload_check import Draft, read_upload
from tests.samples.submitted_files import ANN, BOB, KEEPER, NOBODY, SUITE, trace_lines


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "submissions")


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "scores")


def put(
    draft: Draft, store: Store, cache: Cache, about: About | None = None, visitor: Visitor = ANN
) -> Submission:
    return publish(draft, about or About(), visitor, store, cache, needs_login=True)[0]


def test_a_file_and_its_text_give_the_same_draft(tmp_path: Path) -> None:
    text = trace_lines("m", 5)
    file = tmp_path / "t.jsonl"
    file.write_text(text)
    drafts = [read_upload(file, SUITE), read_upload(text, SUITE)]
    assert {draft.id for draft in drafts} == {drafts[0].id}
    assert {draft.runs[0].scores["overall"] for draft in drafts} == {5 / 8}
    assert drafts[0].content == text.encode()
    assert drafts[0].runs[0].traces == ()


@pytest.mark.parametrize(
    ("content", "problems"),
    [
        (b"{\n[]\n", ["t.jsonl:1: ", "t.jsonl:2: "]),
        (b"", ["t.jsonl: expected one trace a line, got an empty file"]),
        (b"{}\n\xff\n", ["t.jsonl:2: is no UTF-8 text (byte 4)"]),
        (b"[" * 100_000, ["t.jsonl:1: is nested beyond 32 levels"]),
        (b'{"task_id": "nope", "calls": []}', ["t.jsonl:1: task_id: suite"]),
    ],
)
def test_every_problem_is_told_with_its_line(
    tmp_path: Path, content: bytes, problems: list[str]
) -> None:
    file = tmp_path / "t.jsonl"
    file.write_bytes(content)
    with pytest.raises(TraceProblems) as caught:
        read_upload(file, SUITE)
    told = caught.value.problems
    assert len(told) >= len(problems)
    assert all(problem.startswith(wanted) for problem, wanted in zip(told, problems, strict=False))


def test_a_name_of_a_file_is_shown_clean(tmp_path: Path) -> None:
    file = tmp_path / "\u202ex\x1b[31m.jsonl"
    file.write_text("[]\n")
    with pytest.raises(TraceProblems) as caught:
        read_upload(file, SUITE)
    assert caught.value.problems[0].startswith("x[31m.jsonl:1: ")


def test_protocol_and_catalogue_are_declared_where_the_rows_are_silent() -> None:
    silent = trace_lines("m", 8, protocol=None, catalogue=None)
    assert not read_upload(silent, SUITE).runs[0].scores["ranked"]
    declared = read_upload(silent, SUITE, "single-turn", "task").runs[0].scores
    assert declared["ranked"]
    assert (declared["protocol"], declared["catalogue"]) == ("single-turn", "task")
    with pytest.raises(InputError, match="declared as multi-turn, but the rows say single-turn"):
        read_upload(trace_lines("m", 8), SUITE, "multi-turn", "full")
    for protocol, catalogue in (("both", ""), ("", "none")):
        with pytest.raises(InputError, match="expected"):
            read_upload(silent, SUITE, protocol, catalogue)


def test_what_is_published_says_who_and_what(store: Store, cache: Cache) -> None:
    about = About(" My\u202e model ", "Org", "https://example.org", "", "local", "yes")
    submission = put(read_upload(trace_lines("m", 8), SUITE), store, cache, about)
    said = submission.about
    assert (said["model"], said["organisation"], said["submitter"]) == ("My model", "Org", "ann")
    assert (said["tier"], said["regime"], said["open_weights"]) == ("self-reported", "local", "yes")
    assert all(isinstance(value, str) for value in said.values())
    scored = cache.get(submission_key(submission, SUITE))
    assert scored is not None
    assert scored[0].scores["overall"] == 1
    assert submission.traces.read_text() == trace_lines("m", 8)


def test_every_submission_has_the_same_columns(store: Store, cache: Cache) -> None:
    one = put(read_upload(trace_lines("openai/gpt-4o", 8), SUITE), store, cache)
    two = read_upload(trace_lines("a", 1) + trace_lines("b", 2), SUITE)
    both = put(two, store, cache, About("c", "d"), KEEPER)
    assert list(one.about) == list(both.about)
    assert {*ABOUT_KEYS, "id", "bytes"} == {*one.about}
    assert (one.about["provider"], one.about["regime"]) == ("OpenAI", "frontier")
    assert (both.about["model"], both.about["models"]) == ("a, b", "2")


def test_publishing_needs_a_login_where_strangers_come(store: Store, cache: Cache) -> None:
    draft = read_upload(trace_lines("m", 8), SUITE)
    with pytest.raises(InputError, match="log in"):
        put(draft, store, cache, visitor=NOBODY)
    assert store.all() == []
    publish(draft, About(), NOBODY, store, cache, needs_login=False)
    assert len(store.all()) == 1


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (About(link="javascript:alert(1)"), "https"),
        (About(regime="moon"), "regime"),
        (About(open_weights="perhaps"), "open weights"),
        (About(model="Baseline:oracle"), "built-in"),
        (About(model="\u200bbaseline:oracle"), "built-in"),
    ],
)
def test_what_cannot_be_shown_is_not_published(
    store: Store, cache: Cache, about: About, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        put(read_upload(trace_lines("m", 8), SUITE), store, cache, about)
    assert store.all() == []


def test_nobody_passes_for_a_built_in_agent(store: Store, cache: Cache) -> None:
    for name in (" local:smollm2", "\uff42aseline:oracle", "Local:x"):
        with pytest.raises(InputError, match=r"pasted text:1: model: expected"):
            read_upload(trace_lines(name, 8), SUITE)
    for name in ("baseline:oracle", "local:x"):
        one, two = trace_lines(name, 8), trace_lines("other", 8)
        with pytest.raises(InputError, match="built-in"):
            put(read_upload(one, SUITE), store, cache)
        with pytest.raises(InputError, match="built-in"):
            put(read_upload(one + two, SUITE), store, cache, About("mine"))
        put(read_upload(one, SUITE), store, cache, About("mine"))
    assert {submission.about["model"] for submission in store.all()} == {"mine"}


NAMELESS = [
    (b"x" * (MAX_UPLOAD_BYTES + 1), "is larger than 16 MB"),
    (b"\n" * (MAX_ROWS + 1), "has more than 10,000 lines"),
    (b"\0", "holds a NUL byte"),
]


@pytest.mark.parametrize(("content", "said"), NAMELESS, ids=["size", "lines", "NUL"])
def test_every_refusal_says_of_what(tmp_path: Path, content: bytes, said: str) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_bytes(content)
    with pytest.raises(InputError, match=rf"^mine\.jsonl: {said}"):
        read_upload(file, SUITE)
    with pytest.raises(InputError, match=f"^pasted text: {said}"):
        read_upload(content.decode(), SUITE)
    with pytest.raises(InputError, match=r"^gone\.jsonl: cannot be read"):
        read_upload(tmp_path / "gone.jsonl", SUITE)


def test_a_file_of_too_much_work_is_named(tmp_path: Path) -> None:
    text = "".join(trace_lines(f"m{number}", 1) for number in range(51))
    with pytest.raises(InputError, match=r"^pasted text: may hold the runs of at most 50 models"):
        read_upload(text, SUITE)


UNSEEN = ("\u200b", " ", "\u202e", "\u2060\u00ad", "\u3164", "\ufe0f", "\u00a0\u034f")
RESERVED = (
    "baseline:oracle",
    " baseline:oracle",
    "\u200bbaseline:oracle",
    "base\u200bline:oracle",
    "base line : oracle",
    "\u202ebaseline:oracle",
    "\uff22\uff21\uff33\uff25\uff2c\uff29\uff2e\uff25\uff1aoracle",
    "ba\u034fseline:oracle",
    "b\u0430seline:oracle",
    "baseline\u2236oracle",
    "LOCAL:smollm2",
    "l\u043ecal:smollm2",
)


@pytest.mark.parametrize("rows", RESERVED, ids=ascii)
def test_no_name_that_cannot_be_seen_lets_a_reserved_one_through(
    store: Store, cache: Cache, rows: str
) -> None:
    for given in ("", *UNSEEN, rows):
        for text in (trace_lines(rows, 8), trace_lines(rows, 8) + trace_lines("other", 8)):
            # Some of these names no reader accepts at all.
            with pytest.raises(InputError, match=r"built-in|printable|seen|NFKC|space"):
                put(read_upload(text, SUITE), store, cache, About(given))
    assert store.all() == []


def test_keys_are_found_and_published_only_knowingly(store: Store, cache: Cache) -> None:
    key = "sk-" + "Ab1" * 16
    draft = read_upload(trace_lines("m", 8, response={"auth": key}), SUITE)
    assert {secret.line for secret in draft.secrets} == set(range(1, 9))
    assert key in draft.raw
    with pytest.raises(InputError, match="looks like a key") as caught:
        put(draft, store, cache)
    assert key not in str(caught.value)
    publish(draft, About(), ANN, store, cache, needs_login=True, accepts_secrets=True)
    assert len(store.all()) == 1


def test_raw_messages_are_shown_before_they_are_public() -> None:
    assert read_upload(trace_lines("m", 8), SUITE).raw == ""
    raw = read_upload(trace_lines("m", 8, response="line\u202e one\n" * 2_000), SUITE).raw
    assert raw.startswith(f"{SUITE.tasks[0].task_id}: line one line one")
    assert len(raw) < 5_000


def test_the_submitter_withdraws_and_a_maintainer_flags_and_restores(
    store: Store, cache: Cache
) -> None:
    name = put(read_upload(trace_lines("m", 8), SUITE), store, cache).id
    for visitor in (BOB, NOBODY, replace(NOBODY, name="")):
        with pytest.raises(InputError, match="only who submitted"):
            withdraw(name, visitor, "mine", store)
    for act in (flag, restore):
        with pytest.raises(InputError, match="only a maintainer"):
            act(name, ANN, "r", store)
    with pytest.raises(InputError, match="not flagged already"):
        restore(name, KEEPER, "r", store)
    with pytest.raises(InputError, match="give a reason"):
        flag(name, KEEPER, " \u200b\n", store)
    assert status(flag(name, KEEPER, "looks\ncopied", store)) == ("flagged", "looks copied")
    with pytest.raises(InputError, match="flagged already"):
        flag(name, KEEPER, "again", store)
    assert status(restore(name, KEEPER, "checked", store)) == ("", "")
    assert status(withdraw(name, ANN, "a bug of ours", store)) == ("withdrawn", "a bug of ours")
    with pytest.raises(InputError, match="withdrawn already"):
        withdraw(name, ANN, "again", store)
    with pytest.raises(InputError, match="withdrawn already"):
        restore(name, KEEPER, "no", store)
    with pytest.raises(InputError, match="no submission"):
        withdraw("../about", KEEPER, "r", store)


def test_what_nobody_signed_only_a_maintainer_withdraws(store: Store, cache: Cache) -> None:
    draft = read_upload(trace_lines("m", 8), SUITE)
    submission, _ = publish(draft, About(), NOBODY, store, cache, needs_login=False)
    assert not may_withdraw(submission, NOBODY)
    assert may_withdraw(submission, KEEPER)


def test_rows_with_extra_keys_and_messages_are_kept_as_they_came(
    store: Store, cache: Cache
) -> None:
    text = json.dumps({"task_id": SUITE.tasks[0].task_id, "messages": [], "mine": 1}) + "\r\n"
    submission = put(read_upload(text, SUITE), store, cache)
    assert submission.traces.read_bytes() == text.encode()
