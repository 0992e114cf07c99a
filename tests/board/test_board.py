"""The board is what the files say: tiers, rankings, status, filters, columns."""

import io
import json
import math
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from dataset_builder.published.load_suite import published_suite
from evaluator.asking.ask_suite import ask_model
from evaluator.asking.run_options import RunOptions
from evaluator.comparing.leaderboard import ranked
from evaluator.experiments.fresh_tasks import ask_fresh
from evaluator.intervals import wilson
from evaluator.scoring.metrics import BY_OPTION, SCORES
from space.base.score_cache import Cache
from space.base.settings import Settings
from space.base.tiers import BASELINE, MADE_HERE, SELF_REPORTED, TIERS, VERIFIED, VIEWS
from space.board.board_columns import COLUMNS
from space.board.board_table import choices, ranking_of, to_csv
from space.board.column_values import between
from space.board.live_board import LiveBoard
from space.board.page_address import FILTERS, BoardQuery
from space.board.publish_run import publish
from space.html.board_html import board_html
from space.submissions.about import About
from space.submissions.moderation import flag, restore, withdraw
from space.submissions.store import Store
from space.submissions.upload_check import read_upload
from tests.bench.submissions import fill
from tests.samples.board_frames import frame
from tests.samples.submitted_files import ANN, KEEPER, sealed, trace_lines

# Large enough that a difference can be significant.
SUITE = published_suite()
ALL = len(SUITE.tasks)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    runs, submissions = tmp_path / "runs", tmp_path / "submissions"
    return Settings(SUITE, runs, submissions, secret=b"very", jobs=tmp_path / "jobs")


@pytest.fixture
def store(settings: Settings) -> Store:
    return Store(settings.submissions)


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "jobs" / "scores")


@pytest.fixture
def live(settings: Settings, store: Store, cache: Cache) -> LiveBoard:
    return LiveBoard(settings, store, cache)


def put(store: Store, cache: Cache, text: str, about: About | None = None) -> str:
    draft = read_upload(text, SUITE)
    return publish(draft, about or About(), ANN, store, cache, needs_login=True)[0].id


def run(
    settings: Settings, name: str, model: str, fresh: bool = False, limit: int | None = None
) -> Path:
    """A run folder made by a built-in agent, under the name of another model where it is none.

    Its provider's ids are its own, as they are of every run that is no copy.
    """
    folder = settings.runs / name
    asked = RunOptions("baseline:retrieval", limit=limit)
    ask_model(asked, folder, io.StringIO(), suite=SUITE)
    if fresh:
        assert settings.secret is not None
        ask_fresh(asked, folder, settings.secret, io.StringIO())
    for file in folder.rglob("*.json*"):
        text = file.read_text().replace("baseline:retrieval", model)
        file.write_text(text.replace('"id":"call', f'"id":"{name} call'))
    return folder


def only_signature(live: LiveBoard, view: str) -> str:
    (signature,) = live.current().signatures(view)
    return signature


def test_an_empty_board_is_no_error(live: LiveBoard) -> None:
    board = live.current()
    assert (board.entries, board.problems, board.waiting) == ((), (), 0)
    for view in VIEWS:
        assert board.signatures(view) == []
        assert frame(board, view, "none").empty
    assert board.find("x") is None


def test_a_view_without_runs_shows_the_reference_rows(live: LiveBoard, settings: Settings) -> None:
    run(settings, "floor", "baseline:retrieval")
    board = live.current()
    assert board.is_empty(VERIFIED)
    page, total = board_html(board, BoardQuery(VERIFIED))
    assert total == 1
    assert "There is no verified run yet" in page
    assert "baseline:retrieval" in page
    run(settings, "own", "vendor/model")
    assert not live.current().is_empty(MADE_HERE)
    assert (
        "What follows are reference rows"
        not in board_html(live.current(), BoardQuery(MADE_HERE))[0]
    )


def test_the_board_is_derived_from_what_lies_on_disk(
    live: LiveBoard, store: Store, cache: Cache
) -> None:
    for model, right in (("half", ALL // 2), ("whole", ALL)):
        put(store, cache, trace_lines(model, right, SUITE))
    broken, _ = store.add(b"broken\n", store.all()[0].about)
    board = live.complete()
    assert {entry.tier for entry in board.entries} == {SELF_REPORTED}
    assert board.problems == (
        f"submission {broken.id}: {broken.id}:1: is no JSON (expecting value at character 1)",
    )
    table = frame(board, SELF_REPORTED, only_signature(live, SELF_REPORTED))
    assert list(table["Model"]) == ["whole", "half"]
    assert list(table["Rank"]) == [1, 2]
    assert list(table["Solved"]) == [100.0, 50.0]


def test_a_board_without_a_cache_is_scored_in_the_background_and_is_the_same(
    live: LiveBoard, settings: Settings, store: Store, cache: Cache, tmp_path: Path
) -> None:
    for number in range(3):
        put(store, cache, trace_lines(f"m{number}", 50 * number, SUITE))
    first = live.current()
    other = LiveBoard(settings, store, Cache(tmp_path / "other"))
    assert other.current().waiting
    again = other.complete()
    assert again.waiting == 0
    assert [e.result for e in again.entries] == [e.result for e in first.entries]
    assert len(list((tmp_path / "other").iterdir())) == 3


def test_a_new_submission_and_a_note_show_at_once(
    live: LiveBoard, store: Store, cache: Cache
) -> None:
    name = put(store, cache, trace_lines("m", ALL, SUITE))
    worse = put(store, cache, trace_lines("worse", 2, SUITE))
    signature = only_signature(live, SELF_REPORTED)

    def ranks() -> dict[str, object]:
        table = frame(live.current(), SELF_REPORTED, signature)
        return dict(zip(table["Run"], table["Rank"].astype(object), strict=True))

    assert ranks() == {name: 1, worse: 2}
    flag(name, KEEPER, "copied", store)
    entry = live.current().find(name)
    assert entry is not None
    assert (entry.status, entry.status_reason) == ("flagged", "copied")
    assert ranks() == {worse: 1, name: pd.NA}
    restore(name, KEEPER, "checked", store)
    assert ranks() == {name: 1, worse: 2}
    withdraw(name, ANN, "a bug", store)
    assert ranks() == {worse: 1, name: pd.NA}
    table = frame(live.current(), SELF_REPORTED, signature)
    assert list(table["Status"]) == ["", "withdrawn: a bug"]
    assert live.current() is live.current()


def test_signatures_that_differ_never_share_a_ranking(
    live: LiveBoard, store: Store, cache: Cache
) -> None:
    put(store, cache, trace_lines("a", ALL, SUITE))
    put(store, cache, trace_lines("b", ALL, SUITE))
    put(store, cache, trace_lines("c", ALL, SUITE, catalogue="task"))
    put(store, cache, trace_lines("d", ALL, SUITE, protocol="multi-turn"))
    board = live.current()
    tables = [frame(board, SELF_REPORTED, s) for s in board.signatures(SELF_REPORTED)]
    assert sorted(tables[0]["Model"]) == ["a", "b"]
    assert sorted(len(table) for table in tables) == [1, 1, 2]


def test_runs_here_their_tiers_and_the_reference_rows(
    live: LiveBoard, settings: Settings, store: Store, cache: Cache
) -> None:
    run(settings, "plain", "mine")
    run(settings, "checked", "openai/gpt-4o", fresh=True)
    run(settings, "part", "mine", limit=8)
    run(settings, "floor", "baseline:retrieval")
    put(store, cache, trace_lines("uploaded", ALL, SUITE))
    board = live.current()
    assert board.problems == ()
    tiers = {entry.id: (entry.tier, entry.status) for entry in board.entries}
    upload = store.all()[0].id
    assert tiers == {
        "checked": (VERIFIED, ""),
        "plain": (MADE_HERE, ""),
        "part": (MADE_HERE, "incomplete"),
        "floor": (BASELINE, ""),
        upload: (SELF_REPORTED, ""),
    }
    assert set(TIERS) == {VERIFIED, MADE_HERE, BASELINE, SELF_REPORTED}
    checked = board.find("checked")
    assert checked is not None
    assert checked.fresh is not None
    assert checked.fresh["low"] <= checked.fresh["difference"] <= checked.fresh["high"]
    assert (checked.about["provider"], checked.about["regime"]) == ("OpenAI", "frontier")
    for view, name in ((VERIFIED, "checked"), (MADE_HERE, "plain"), (SELF_REPORTED, upload)):
        whole = next(s for s in board.signatures(view) if "n:200" in s)
        table = frame(board, view, whole, columns=list(COLUMNS))
        rows = table.set_index("Run")
        assert set(rows.index) == {name}
        assert rows.loc[name, "Rank"] == 1
        assert (BASELINE, whole) in board.tables(view)
        references = frame(board, BASELINE, whole).set_index("Run")
        assert references.loc["floor", "Status"] == "reference"
        assert pd.isna(references["Rank"]["floor"])
    (part,) = (s for s in board.signatures(MADE_HERE) if "n:8" in s)
    assert list(frame(board, MADE_HERE, part)["Status"]) == ["incomplete: 8 of 200 tasks"]


def test_a_seed_that_the_secret_does_not_give_verifies_nothing(
    live: LiveBoard, settings: Settings
) -> None:
    folder = run(settings, "made-up", "mine", fresh=True)
    other = settings.runs.parent / "other"
    assert live.current().find("made-up") is not None
    strange = LiveBoard(replace(settings, secret=b"another"), Store(other), Cache(other)).current()
    assert strange.find("made-up") is None
    assert strange.problems[0].startswith("made-up: ")
    assert "another seed" in strange.problems[0]
    (folder / "fresh.json").unlink()
    plain = live.current().find("made-up")
    assert plain is not None
    assert plain.tier == MADE_HERE


def test_a_broken_run_spoils_no_other(live: LiveBoard, settings: Settings) -> None:
    run(settings, "good", "mine")
    for name, content in (("bad", "{"), ("odd", "[]"), ("empty", "")):
        (settings.runs / name).mkdir()
        (settings.runs / name / "run.json").write_text(content)
        (settings.runs / name / "traces.jsonl").write_text("x")
    board = live.current()
    assert [entry.id for entry in board.entries] == ["good"]
    assert len(board.problems) == 3
    shutil.rmtree(settings.runs / "bad")
    assert len(live.current().problems) == 2


def test_a_description_from_another_hand_spoils_no_other(
    live: LiveBoard, store: Store, cache: Cache
) -> None:
    good = put(store, cache, trace_lines("m", ALL, SUITE))
    for name, content in (("0" * 16, "{"), ("1" * 16, "[]"), ("2" * 16, '{"model": "x"}')):
        (store.folder / "about" / f"{name}.json").write_text(content)
    (store.folder / "notes").mkdir()
    (store.folder / "notes" / f"{good}.1.json").write_text("broken")
    board = live.complete()
    assert [entry.id for entry in board.entries] == [good]
    assert len(board.problems) == 3
    assert all("its description lacks" in problem for problem in board.problems)


def test_filters_and_search_hide_rows_and_change_no_rank(
    live: LiveBoard, store: Store, cache: Cache
) -> None:
    put(store, cache, trace_lines("best", ALL, SUITE), About(provider="One", regime="local"))
    put(store, cache, trace_lines("Wörst", 2, SUITE), About(provider="Two", open_weights="yes"))
    board, signature = live.current(), only_signature(live, SELF_REPORTED)

    def models(**chosen: object) -> list[object]:
        return list(frame(board, SELF_REPORTED, signature, **chosen)["Model"])  # type: ignore[arg-type]

    assert models(filters={"provider": ["Two"]}) == ["Wörst"]
    assert list(frame(board, SELF_REPORTED, signature, {"provider": ["Two"]})["Rank"]) == [2]
    assert models(filters={"provider": ["One"], "regime": ["local"]}) == ["best"]
    assert models(filters={"provider": [], "open_weights": ["yes"]}) == ["Wörst"]
    assert models(filters={"open_weights": ["not said"]}) == ["best"]
    assert models(filters={"nothing": ["x"]}) == ["best", "Wörst"]
    assert models(search="wÖRST two") == ["Wörst"]
    assert models(search="<script>") == []
    offered = choices(board, SELF_REPORTED, signature)
    assert tuple(offered) == FILTERS
    assert offered["provider"] == ["One", "Two"]


def test_columns_and_ranking_score_can_be_chosen(
    live: LiveBoard, store: Store, cache: Cache
) -> None:
    put(store, cache, trace_lines("m", 125, SUITE))
    board, signature = live.current(), only_signature(live, SELF_REPORTED)
    ranking = ranking_of(board, SELF_REPORTED, signature)
    assert to_csv([ranking], ["calls"]).splitlines()[0] == (
        'Rank,Last rank,Model,Tier,Calls right,"Calls right, low","Calls right, high",Signature,Run'
    )
    for option in BY_OPTION:
        row = frame(board, SELF_REPORTED, signature, columns=list(COLUMNS), rank_by=option).iloc[0]
        # The interval beside a number is its own, whatever is ranked by.
        assert row["Solved, 95 %"] == between(*wilson(125, 200)[1:])
        for metric in SCORES.values():
            low, high = map(float, row[f"{metric.name}, 95 %"].split("–"))
            assert low <= row[metric.name] <= high
            assert (row[f"{metric.name}, low"], row[f"{metric.name}, high"]) == (low, high)
    assert all(column.meaning.endswith(".") for column in COLUMNS.values())


def test_a_formula_in_a_name_stays_text_in_the_csv(
    live: LiveBoard, store: Store, cache: Cache
) -> None:
    put(store, cache, trace_lines("m", 125, SUITE), About('=cmd|"x"', "@org", provider="+1"))
    ranking = ranking_of(live.current(), SELF_REPORTED, only_signature(live, SELF_REPORTED))
    text = to_csv([ranking], list(COLUMNS))
    read = pd.read_csv(io.StringIO(text), dtype=str).iloc[0]
    assert (read["Model"], read["Organisation"], read["Provider"]) == ('\'=cmd|"x"', "'@org", "'+1")
    assert math.isclose(float(read["Solved"]), 62.5)


def test_foreseen_values_show(live: LiveBoard, store: Store, cache: Cache) -> None:
    name = put(store, cache, trace_lines("m", ALL, SUITE))
    entry = live.current().find(name)
    assert entry is not None
    # The file states every upstream value where an honest one has references.
    assert entry.foreseen > 10


def test_several_models_in_a_file_are_runs_of_their_own(
    live: LiveBoard, store: Store, cache: Cache
) -> None:
    name = put(store, cache, trace_lines("a", ALL, SUITE) + trace_lines("b", 3, SUITE))
    board = live.current()
    assert [entry.id for entry in board.entries] == [f"{name}.1", f"{name}.2"]
    assert [entry.about["model"] for entry in board.entries] == ["a", "b"]


def test_many_visitors_share_one_board(live: LiveBoard, store: Store, cache: Cache) -> None:
    for number in range(4):
        put(store, cache, trace_lines(f"m{number}", 50 * number, SUITE))
    signature = only_signature(live, SELF_REPORTED)
    with ThreadPoolExecutor(8) as pool:
        boards = list(pool.map(lambda _: live.current(), range(50)))
        tables = list(pool.map(lambda b: frame(b, SELF_REPORTED, signature), boards))
    assert len({id(board) for board in boards}) == 1
    assert all(table.equals(tables[0]) for table in tables)


def test_kept_places_are_what_is_computed(settings: Settings, store: Store) -> None:
    fill(settings.submissions.parent, SUITE, 60)
    cache = Cache(settings.scores)
    live = LiveBoard(settings, store, cache)
    signature = only_signature(live, SELF_REPORTED)
    first = live.current().places(SELF_REPORTED, signature)
    (kept,) = (file for file in settings.scores.iterdir() if "places" in file.read_text()[:200])
    again = LiveBoard(settings, store, cache).current()
    assert again.places(SELF_REPORTED, signature) == first
    other = json.loads(kept.read_text().partition("\n")[2])
    kept.write_bytes(sealed(json.dumps(other | {"places": None}).encode()))
    assert LiveBoard(settings, store, cache).current().places(SELF_REPORTED, signature) == first


def test_page_and_command_line_rank_alike_with_baselines_below_all_others(
    live: LiveBoard, settings: Settings
) -> None:
    run(settings, "a model", "mine")
    run(settings, "floor", "baseline:retrieval")
    ask_model(RunOptions("baseline:oracle"), settings.runs / "oracle", io.StringIO(), suite=SUITE)
    board = live.current()
    for option, metric in BY_OPTION.items():
        (signature,) = board.signatures(MADE_HERE)
        rankings = [ranking_of(board, *table, rank_by=option) for table in board.tables(MADE_HERE)]
        places = {entry.id: r.places[entry.id] for r in rankings for entry in r.rows}
        entries = ranked([entry.result for entry in board.entries], metric)[signature]
        names = [Path(entry.result.name).name for entry in entries]
        assert list(places) == names == ["a model", "oracle", "floor"]
        assert [entry.place.rank for entry in entries] == [1, None, None]
        assert [places[name] for name in names] == [entry.place for entry in entries]
