"""What the page shows, without a browser: markup is inert, addresses and settings agree, texts are true."""

import csv
import io
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markupsafe import Markup

from dataset_builder.published.load_suite import load_suite
from evaluator.scoring.metrics import BY_OPTION
from evaluator.traces.signature import signature_text
from space.base.markup import join, link, table, tag
from space.base.settings import Settings
from space.base.tiers import SELF_REPORTED, VERIFIED, VIEWS
from space.base.visitors import Visitor
from space.board.board import Board, first_view
from space.board.board_columns import CHOICES, COLUMNS
from space.board.board_table import shown_rows, to_csv
from space.board.page_address import FILTERS, BoardQuery, read_board_query
from space.board.publish_run import publish
from space.html.board_html import board_html
from space.html.run_page import run_page
from space.html.upload_check_page import draft_page, problems
from space.services import Services, open_services
from space.submissions.about import About
from space.submissions.upload_check import read_upload
from space.tabs.about_tab import about, api_text
from space.tabs.paper_tab import paper_page
from tests.samples.small_suite import small_suite
from tests.samples.submitted_files import trace_lines
from tests.stand_ins.html_reader import ReadPage

SUITE = small_suite()
HOSTILE = (
    "<img src=x onerror=alert(1)></td><script>alert(1)</script> {{1.a}} ${alert(1)} "
    "\"'`[x](javascript:1)"
)
LOCAL = Visitor("local", "127.0.0.1", is_maintainer=True)


def site_with(folder: Path, *models: tuple[str, int], **about: str) -> Services:
    """A site over a few submissions."""
    site = open_services(Settings(SUITE, folder / "runs", folder / "submissions"))
    for model, right in models:
        draft = read_upload(trace_lines(model, right), SUITE)
        publish(draft, About(**about), LOCAL, site.store, site.cache, needs_login=False)
    return site


# Markup ---------------------------------------------------------------------------------------


@given(st.text())
def test_text_is_text_wherever_it_stands(text: str) -> None:
    page = tag("p", text, title=text, data_run=text) + table((text, text), [(text, text)], text)
    harmless = ReadPage(tag("p", "", title="", data_run="") + table(("", ""), [("", "")], ""))
    read = ReadPage(page)
    assert (read.names, read.attributes) == (harmless.names, harmless.attributes)


@pytest.mark.parametrize(
    ("address", "is_link"),
    [
        ("https://example.org/a", True),
        ("?run=1", True),
        ("download/leaderboard.csv", True),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("//example.org", False),
        ("http://example.org", False),
    ],
)
def test_only_plain_addresses_become_links(address: str, is_link: bool) -> None:
    assert (("a", "href") in ReadPage(link("x", address)).attributes) == is_link


def test_parts_are_joined_escaped() -> None:
    assert join(["<", None, Markup("<b>")], "&") == "&lt;&amp;<b>"


# Addresses ------------------------------------------------------------------------------------

words = st.text("abc Ž/&=+?%#", min_size=1, max_size=8).map(str.strip).filter(bool)
queries = st.builds(
    BoardQuery,
    view=st.sampled_from(("", *VIEWS)),
    rank_by=st.sampled_from(tuple(BY_OPTION)),
    order=st.sampled_from(("", "calls", "-calls", "-model", "horizon")),
    references=st.booleans(),
    incomplete=st.booleans(),
    mark=st.sampled_from(("", "run", "a b")),
    search=words.map(lambda text: " ".join(text.split())) | st.just(""),
    filters=st.dictionaries(
        st.sampled_from(FILTERS),
        st.lists(words.map(lambda t: " ".join(t.split())), min_size=1, max_size=3, unique=True).map(
            tuple
        ),
    ),
    columns=st.sets(st.sampled_from(sorted(CHOICES)), min_size=1).map(
        lambda chosen: tuple(name for name in CHOICES if name in chosen)
    ),
)


@given(queries)
def test_an_address_says_the_setting_and_nothing_else(query: BoardQuery) -> None:
    again = read_board_query(parse_qsl(query.to_query()))
    assert again == query


def test_the_default_setting_has_no_address() -> None:
    assert BoardQuery().to_query() == ""


@given(
    st.lists(
        st.tuples(
            st.sampled_from(
                (
                    "view",
                    "rank_by",
                    "columns",
                    "regime",
                    "search",
                    "order",
                    "mark",
                    "references",
                    "x",
                )
            ),
            st.text(),
        )
    )
)
@example([("regime", "local"), ("regime", " ")])
def test_any_address_gives_a_setting(pairs: list[tuple[str, str]]) -> None:
    query = read_board_query(pairs)
    assert query.view in ("", *VIEWS)
    assert query.rank_by in BY_OPTION
    assert query.columns
    assert set(query.columns) <= set(CHOICES)
    assert query.order.removeprefix("-") in ("", *COLUMNS)
    assert "\n" not in query.search
    assert read_board_query(parse_qsl(query.to_query())) == query


# The board ------------------------------------------------------------------------------------


def test_the_board_states_the_signature_over_each_ranking(tmp_path: Path) -> None:
    site = site_with(tmp_path, ("half", 4), ("whole", 8))
    page, total = board_html(site.board.complete(), BoardQuery(SELF_REPORTED))
    assert total == 2
    text = ReadPage(page).text
    signature = site.board.current().signatures(SELF_REPORTED)[0]
    assert text.index(signature) < text.index("whole") < text.index("half")
    assert "single-turn" in signature


def test_an_empty_view_and_an_empty_filter_say_what_they_are(tmp_path: Path) -> None:
    site = site_with(tmp_path, ("half", 4))
    board = site.board.complete()
    assert "no verified run yet" in board_html(board, BoardQuery(VERIFIED))[0]
    query = BoardQuery(SELF_REPORTED, search="nobody")
    assert board_html(board, query) == (board_html(board, query)[0], 0)
    assert "No run passes these filters" in board_html(board, query)[0]


def test_rows_beyond_the_limit_are_counted_and_left_out(tmp_path: Path) -> None:
    site = site_with(tmp_path, ("a", 4), ("b", 5), ("c", 6))
    page, total = board_html(site.board.complete(), BoardQuery(SELF_REPORTED), rows=2)
    assert (page.count('scope="row"'), total) == (2, 3)


def test_the_first_view_is_the_most_trusted_that_holds_a_run(tmp_path: Path) -> None:
    assert first_view(site_with(tmp_path / "a").board.complete()) == VERIFIED
    assert first_view(site_with(tmp_path / "b", ("m", 1)).board.complete()) == SELF_REPORTED


def csv_of(board: Board, query: BoardQuery) -> str:
    return to_csv(shown_rows(board, query).rankings, query.columns)


def test_the_csv_holds_what_the_table_shows(tmp_path: Path) -> None:
    site = site_with(tmp_path, ("=cmd|'/c calc'!A1", 4), ("plain", 8))
    board = site.board.complete()
    rows = list(csv.DictReader(io.StringIO(csv_of(board, BoardQuery(SELF_REPORTED)))))
    assert [row["Model"] for row in rows] == ["plain", "'=cmd|'/c calc'!A1"]
    assert {row["Signature"] for row in rows} == set(board.signatures(SELF_REPORTED))
    assert len(list(csv.reader(io.StringIO(csv_of(board, BoardQuery(VERIFIED)))))) == 1


# Hostile text ---------------------------------------------------------------------------------


def test_hostile_names_add_no_element_to_any_page(tmp_path: Path) -> None:
    pages = []
    for number, name in enumerate(("plain", HOSTILE)):
        site = site_with(
            tmp_path / str(number), (name, 4), organisation=name, provider=name, model=name
        )
        board = site.board.complete()
        entry = board.entries[0]
        notes = ({"event": "flagged", "by": name, "at": name, "reason": name},)
        draft = read_upload(trace_lines(name, 4, response=[{"content": name}]), SUITE)
        query = BoardQuery(SELF_REPORTED, columns=CHOICES)
        pages.append(
            join(
                [
                    board_html(board, query)[0],
                    run_page(board, entry, SUITE, notes),
                    draft_page(draft, SUITE),
                ]
            )
        )
    plain, hostile = map(ReadPage, pages)
    assert (hostile.names, hostile.attributes) == (plain.names, plain.attributes)
    assert "<script>alert(1)</script>" in hostile.text


def test_every_problem_is_listed_with_its_line() -> None:
    bad = '{\n[]\n{"task_id": "<b>", "calls": []}\n'
    with pytest.raises(Exception, match="pasted text:1") as caught:
        read_upload(bad, SUITE)
    page = ReadPage(problems(caught.value))  # type: ignore[arg-type]
    assert re.findall(r"pasted text:(\d)", page.text) == ["1", "2", "3"]
    assert "b" not in page.names


# Texts ----------------------------------------------------------------------------------------


def test_the_about_text_fills_every_number_and_its_example_scores() -> None:
    text = about(SUITE)
    assert not re.findall(r"\$[a-z]", text)
    assert f"{len(SUITE.tasks)} tasks" in text
    example = text.partition("```json\n")[2].partition("\n```")[0]
    scores = read_upload(example, SUITE).runs[0].scores
    own = next(row for row in scores["tasks"] if row["error"] != "missing")
    assert own["strict"]


def test_the_documentation_is_the_text_of_the_page() -> None:
    written = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
    said = api_text(load_suite()).partition("\n")[2].replace("\n### ", "\n## ")
    assert written == f"# The API of the page\n{said}"


def test_the_papers_rows_are_all_there_and_marked() -> None:
    page = ReadPage(paper_page())
    assert page.text.count("2.0.0") >= 27
    assert "not comparable" in page.text
    assert "Claude Sonnet 4" in page.text


@pytest.mark.parametrize(
    ("signature", "text"),
    [
        (
            "ctb:3.0.0+1a2b3c4d|seed:42|n:200|protocol:single-turn.1|catalogue:full|calls:native|scorer:1",
            "Single-turn, all tools offered, native tool calls, 200 tasks, suite 3.0.0",
        ),
        (
            "ctb:3.0.0+1a2b3c4d|seed:42|n:9|protocol:undeclared|catalogue:undeclared|calls:native|scorer:1",
            "Undeclared protocol, undeclared catalogue, native tool calls, 9 tasks, suite 3.0.0",
        ),
    ],
)
def test_a_signature_is_said_in_words(signature: str, text: str) -> None:
    assert signature_text(signature) == text


def test_gradio_writes_nothing_into_its_own_folder() -> None:
    """A Gradio that does this otherwise would start slowly again, and nobody would notice."""
    code = "import space, gradio.component_meta as m; print(m.create_or_modify_pyi.__module__)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "space"
