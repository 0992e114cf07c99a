"""Whose answers a run holds: copies are refused or marked, honest coincidences are told and stay."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dataset_builder.errors import InputError
from space.base.score_cache import Cache
from space.base.settings import Settings
from space.base.tiers import COPY, SELF_REPORTED
from space.base.visitors import Visitor
from space.board.board import Board
from space.board.copies import marked
from space.board.entry import Entry
from space.board.live_board import LiveBoard
from space.board.publish_run import publish
from space.html.run_page import run_page
from space.submissions.about import About
from space.submissions.moderation import flag, withdraw
from space.submissions.store import Store, Submission
from space.submissions.upload_check import Draft, read_upload
from tests.samples.board_frames import frame
from tests.samples.submitted_files import ANN, BOB, KEEPER, SUITE, trace_lines

ALL = len(SUITE.tasks)


class Place:
    """A store with its board."""

    def __init__(self, folder: Path) -> None:
        settings = Settings(SUITE, folder / "runs", folder / "submissions", jobs=folder / "jobs")
        self.store, self.cache = Store(settings.submissions), Cache(settings.scores)
        self.live = LiveBoard(settings, self.store, self.cache)

    def put(self, text: str, who: Visitor = ANN, model: str = "", seen: bool = True) -> Submission:
        """Publish; ``seen``: with the board in view, as the page does, or as in a race without it."""
        entries = self.board().entries if seen else ()
        draft = read_upload(text, SUITE)
        about = About(model=model)
        return publish(draft, about, who, self.store, self.cache, needs_login=True, board=entries)[
            0
        ]

    def board(self) -> Board:
        return self.live.complete()

    def entry(self, submission: Submission) -> Entry:
        found = self.board().find(submission.id)
        assert found is not None
        return found


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def rows(model: str, right: int = 5, key: str = "x", raw: bool = True) -> list[dict[str, Any]]:
    """Rows with the messages that a provider sent, which it sends once."""
    lines = [json.loads(line) for line in trace_lines(model, right).splitlines()]
    for number, row in enumerate(lines):
        if raw:
            row["response"] = [{"id": f"chat-{key}-{number}", "content": f"Answer {number}"}]
            row["usage"] = {"total_tokens": 100 + number}
        row["latency_ms"] = 10.0 * number
    return lines


def text(found: list[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in found)


def each(change: Callable[[dict[str, Any]], object]) -> Callable[[list[dict[str, Any]]], str]:
    def edit(found: list[dict[str, Any]]) -> str:
        for row in found:
            change(row)
        return text(found)

    return edit


EDITS: dict[str, Callable[[list[dict[str, Any]]], str]] = {
    "another name": text,
    "reordered rows": lambda found: text(random.Random(1).sample(found, len(found))),
    "whitespace": lambda found: "\n\n".join(json.dumps(row, indent=None) + "  " for row in found),
    "reordered keys": lambda found: text([dict(sorted(row.items())) for row in found]),
    "other latency": each(lambda row: row.update(latency_ms=row["latency_ms"] + 1)),
    "other cost": each(lambda row: row.update(cost_usd=0.5)),
    "other times": each(lambda row: row.update(started_at="2020-01-01T00:00:00Z")),
    "other provider": each(lambda row: row.update(provider="Mine")),
    "other sample": each(lambda row: row.update(sample=3)),
    "a new field": each(lambda row: row.update(note="mine")),
    "blanks in the messages": each(
        lambda row: row["response"][0].update(content=row["response"][0]["content"] + "  \n")
    ),
    "capitals in the messages": each(
        lambda row: row["response"][0].update(content=row["response"][0]["content"].upper())
    ),
    "a better answer here and there": lambda found: text(
        found[:5] + rows("y", ALL, "z")[5:6] + found[6:]
    ),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_the_answers_of_another_are_refused_however_they_are_edited(
    place: Place, edit: Callable[[list[dict[str, Any]]], str]
) -> None:
    first = place.put(text(rows("x")))
    copy = [row | {"model": "y"} for row in rows("x")]
    message = rf"y: these are the answers of x, published on 20..-..-.. \(run {first.id}\)"
    with pytest.raises(InputError, match=message):
        place.put(edit(copy), BOB)
    assert len(place.store.all()) == 1


def test_what_slips_by_at_once_is_marked_and_has_no_rank(place: Place) -> None:
    first = place.put(text(rows("x")))
    copy = place.put(text([row | {"model": "y"} for row in rows("x")]), BOB, seen=False)
    entry = place.entry(copy)
    assert (entry.status, entry.same_as, entry.is_ranked) == (COPY, first.id, False)
    assert entry.status_reason.startswith("these are the answers of x, published on ")
    assert place.entry(first).is_ranked
    page = run_page(place.board(), entry, SUITE, ())
    assert "It is a copy and not ranked" in page
    assert f'href="?run={first.id}"' in page
    table = frame(place.board(), SELF_REPORTED, entry.result.signature, columns=("model", "status"))
    assert [status.startswith("copy: ") for status in table["Status"]] == [False, True]


def test_who_came_first_keeps_the_place_whatever_the_ids_are(place: Place) -> None:
    for number in range(6):
        one = text(rows("x", key=str(number)))
        first = place.put(one, seen=False)
        later = place.put(one.replace('"x"', f'"y{number}"'), BOB, seen=False)
        entries = {entry.id: entry for entry in place.board().entries}
        a, b = entries[first.id], entries[later.id]
        a = replace(a, about={**a.about, "submitted_at": "2026-01-01"})
        b = replace(b, about={**b.about, "submitted_at": "2026-01-02"})
        for order in ([a, b], [b, a]):
            plain = [replace(entry, same_as="", status="") for entry in order]
            assert {e.id: e.same_as for e in marked(plain)} == {a.id: "", b.id: a.id}


def test_models_that_are_right_in_the_same_way_are_told_and_stay(place: Place) -> None:
    first = place.put(trace_lines("x", ALL))
    second = place.put(trace_lines("y", ALL), BOB)
    third = place.put(text(rows("z", ALL, "z")), BOB)
    for later in (second, third):
        entry = place.entry(later)
        assert (entry.same_as, entry.status, entry.is_ranked) == (first.id, "", True)
        page = run_page(place.board(), entry, SUITE, ())
        assert "which two models that are right may do" in page
        assert f'href="?run={first.id}"' in page
    assert place.entry(first).same_as == ""


def test_calls_are_known_again_however_they_are_written(place: Place) -> None:
    first = place.put(text(rows("x", ALL, raw=False)))
    edited = rows("y", ALL, raw=False)
    for row in edited:
        row["calls"].reverse()
        for call in row["calls"]:
            for name, value in call["arguments"].items():
                if isinstance(value, int) and not isinstance(value, bool):
                    call["arguments"][name] = float(value)
    assert place.entry(place.put(text(edited), BOB)).same_as == first.id


def test_silence_is_nobodys(place: Place) -> None:
    place.put(trace_lines("x", 0))
    assert place.entry(place.put(trace_lines("y", 0), BOB)).same_as == ""


def test_other_messages_with_other_calls_are_other_answers(place: Place) -> None:
    place.put(text(rows("x", 5, "a")))
    entry = place.entry(place.put(text(rows("y", 6, "b")), BOB))
    assert (entry.same_as, entry.status) == ("", "")


def test_two_names_in_one_file_are_seen_as_well(place: Place) -> None:
    both = text(rows("x")) + text([row | {"model": "y"} for row in rows("x")])
    with pytest.raises(InputError, match="y: these are the answers of x in the same file"):
        place.put(both)


def test_the_same_file_again_is_no_copy(place: Place) -> None:
    first = place.put(text(rows("x")))
    assert place.put(text(rows("x")), BOB).id == first.id


def test_who_withdrew_a_run_may_give_it_another_name_and_nobody_else_may(place: Place) -> None:
    first = place.put(text(rows("x")))
    withdraw(first.id, ANN, "a slip in the name", place.store)
    renamed = text([row | {"model": "y"} for row in rows("x")])
    with pytest.raises(InputError, match="these are the answers of x"):
        place.put(renamed, BOB)
    again = place.put(renamed, ANN)
    assert place.entry(again).is_ranked


def test_what_a_maintainer_said_of_a_copy_stands(place: Place) -> None:
    place.put(text(rows("x")))
    copy = place.put(text([row | {"model": "y"} for row in rows("x")]), BOB, seen=False)
    flag(copy.id, KEEPER, "looks odd", place.store)
    entry = place.entry(copy)
    assert (entry.status, entry.status_reason) == ("flagged", "looks odd")


def test_a_page_that_starts_anew_knows_the_copies(place: Place, tmp_path: Path) -> None:
    place.put(text(rows("x")))
    place.put(text([row | {"model": "y"} for row in rows("x")]), BOB, seen=False)
    before = {entry.id: entry.status for entry in place.board().entries}
    for file in (tmp_path / "jobs" / "scores").iterdir():
        file.unlink()
    for other in (Place(tmp_path), Place(tmp_path)):
        assert {entry.id: entry.status for entry in other.board().entries} == before


def test_a_draft_knows_its_answers_without_its_traces() -> None:
    draft: Draft = read_upload(text(rows("x")) + text(rows("z", key="z")), SUITE)
    assert [run.traces for run in draft.runs] == [(), ()]
    assert draft.answers[0].calls == draft.answers[1].calls != ""
    assert not set(draft.answers[0].sent) & set(draft.answers[1].sent)
