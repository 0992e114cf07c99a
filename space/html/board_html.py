"""The board as HTML: one table with a ranking for each tier and setting, or what to do first."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from markupsafe import Markup

from evaluator.scoring.metrics import BY_OPTION
from evaluator.traces.signature import signature_text
from space.base.markup import Child, badge, join, link, notice, scroll, tag
from space.base.tiers import BASELINE, MADE_HERE, SELF_REPORTED, TIERS, VERIFIED
from space.board.board import Board
from space.board.board_columns import COLUMNS
from space.board.board_table import Ranking, Shown, is_large_first, shown_rows
from space.board.page_address import BoardQuery
from space.html.board_cells import SPENT, TIER_KINDS, column_class, row

PAGE_ROWS = 100
"""How many rows are shown before somebody asks for more."""
VIEW_LABELS = {VERIFIED: "Verified", MADE_HERE: "Made here", SELF_REPORTED: "Self-reported"}
_TIER_LABELS = {**VIEW_LABELS, BASELINE: "Reference"}
_EMPTY = {
    "": "No model has been run yet. Run one or upload traces under “Run or submit”; on your own machine "
    "`make demo` makes the first runs and `comptoolbench run MODEL` any other.",
    VERIFIED: "There is no verified run yet. A run is verified when the maintainers or this page made "
    "it, it is complete, and it answered fresh tasks as well.",
    MADE_HERE: "There is no run on this machine yet. `make demo` makes the first ones, "
    "`comptoolbench run MODEL` any other.",
    SELF_REPORTED: "Nobody has published traces yet. Yours can be the first: see “Run or submit”.",
}
_READING = {
    "Rank": "A rank counts within one tier and one setting. 1–2 means that the run may be first or second: "
    "it cannot be told apart from another (95 %, on the same tasks, differences resampled by template).",
    "Interval": "The small numbers and the bar under a score are its own 95 % interval, whatever is ranked "
    "by; all bars run from 0 to 100. Of Solved it is Wilson's, of the others a resampling of tasks by "
    "template.",
    "Setting": "What was measured: the suite, how many of its tasks, whether the model saw the outputs of "
    "its calls (multi-turn) or not (single-turn), and which tools it was offered. Its signature says so "
    "in one line; only runs of one signature are ranked together.",
}


class BoardPage(NamedTuple):
    """The board as it is shown."""

    html: Markup
    total: int
    """How many rows there are in all."""


def skeleton() -> Markup:
    """What stands there until the board comes."""
    bars = [tag("i") for _ in range(9)]
    label = tag("p", "The board is being read …", role="status")
    return tag("div", label, *bars, class_="skeleton")


def failed() -> Markup:
    """What stands there when the board cannot be shown."""
    return notice("The board cannot be shown. Load the page again in a minute.", "problem")


def board_html(board: Board, query: BoardQuery, rows: int = PAGE_ROWS) -> BoardPage:
    """The board as an address sets it, at most so many rows of it, and the marked one."""
    shown = shown_rows(board, query)
    parts: list[Child] = [_notes(board)]
    if board.is_empty(query.view) and not board.waiting:
        reference = " What follows are reference rows." if shown.total else ""
        parts.append(tag("div", notice(f"{_EMPTY[query.view]}{reference}")))
    if shown.total:
        columns = shown.filled(query.columns)
        parts += [_compare(), _table(shown, query, columns, max(rows, _marked(shown, query)))]
        parts.append(_held_back(shown))
        parts.append(_column_meanings(query, columns))
    elif board.tables(query.view):
        parts.append(tag("div", notice("No run passes these filters."), class_="board"))
    else:
        parts.append(tag("div", class_="board"))
    return BoardPage(join([*parts, _meanings()]), shown.total)


def _marked(shown: Shown, query: BoardQuery) -> int:
    """The position of the marked row, from 1 on; 0 where there is none."""
    ids = [entry.id for ranking in shown.rankings for entry in ranking.rows]
    return ids.index(query.mark) + 1 if query.mark in ids else 0


def _notes(board: Board) -> Markup | None:
    """What is not on the board yet, or cannot be."""
    notes: list[Child] = []
    if board.trouble:
        notes.append(notice(board.trouble, "problem"))
    if board.waiting:
        notes.append(notice(f"{board.waiting} runs are being scored and will appear here."))
    if board.problems:
        items = [tag("li", problem) for problem in board.problems[:50]]
        count = "1 run" if len(board.problems) == 1 else f"{len(board.problems)} runs"
        summary = tag("summary", f"{count} cannot be read and are left out")
        notes.append(tag("details", summary, tag("ol", *items, class_="problems")))
    return join(notes) if notes else None


def _compare() -> Markup:
    """Where the link to a comparison of the ticked runs appears."""
    return tag(
        "p",
        tag("span", "Tick two rows or more to compare them."),
        tag("a", "Compare", href="?tab=compare", hidden="hidden"),
        class_="compare",
        aria_live="polite",
    )


def _table(shown: Shown, query: BoardQuery, columns: Sequence[str], rows: int) -> Markup:
    names = [*columns, "spark"]
    head = tag("tr", *(_header(name, query) for name in ("rank", "model", *columns)), _SPARK_HEADER)
    bodies = []
    for ranking in shown.rankings:
        part = ranking.rows[:rows]
        rows -= len(part)
        if part:
            lines = [
                row(names, entry, ranking.places[entry.id], entry.id == query.mark)
                for entry in part
            ]
            bodies.append(tag("tbody", _group(ranking, len(names) + 2), *lines))
    inside = tag("table", _caption(shown, query, columns), tag("thead", head), *bodies)
    return tag("div", scroll(inside, "Leaderboard"), class_="board")


def _caption(shown: Shown, query: BoardQuery, columns: Sequence[str]) -> Markup:
    said = f"Scores in per cent, with 95 % intervals; ranked by: {BY_OPTION[query.rank_by].name}."
    if {*SPENT} & {*columns} and any(r.tier == SELF_REPORTED for r in shown.rankings):
        said += " † self-reported."
    return tag("caption", tag("span", said))


_SPARK_HEADER = tag("th", "L0–L3", scope="col", class_="spark", title="Solved at each level.")


def _header(name: str, query: BoardQuery) -> Markup:
    """A column's name, by which the table is ordered on a click, and again the other way round."""
    column = COLUMNS[name]
    current = query.order or "rank"
    is_current = current.removeprefix("-") == name
    order = f"-{name}" if current == name else "" if name == "rank" else name
    direction = None
    if is_current:
        is_descending = is_large_first(name) != current.startswith("-")
        direction = "descending" if is_descending else "ascending"
    words = link(
        column.label,
        f"?{replace(query, order=order).to_query()}",
        data_order=order,
        data_column=name,
        title=column.meaning,
    )
    place = name if name in ("rank", "model") else column_class(name)
    return tag("th", words, scope="col", class_=place, aria_sort=direction)


def _group(ranking: Ranking, width: int) -> Markup:
    """The line over a ranking that says whose runs they are and what was measured."""
    signature = tag(
        "details", tag("summary", "signature"), tag("code", ranking.signature), class_="signature"
    )
    words = tag(
        "span",
        tag("b", _TIER_LABELS[ranking.tier]),
        f" · {signature_text(ranking.signature)} ",
        signature,
    )
    return tag("tr", tag("th", words, colspan=width, scope="rowgroup"), class_="group")


def _held_back(shown: Shown) -> Markup | None:
    """What the switches over the table would show."""
    counts = [
        (shown.incomplete, "incomplete run", "incomplete runs"),
        (shown.references, "reference row", "reference rows"),
    ]
    said = [f"{count} {one if count == 1 else many}" for count, one, many in counts if count]
    return tag("p", f"Not shown: {' and '.join(said)}.", class_="fine") if said else None


def _meanings() -> Markup:
    """The tiers, and how ranks and intervals are read, one click away."""
    tiers = [
        part
        for name, meaning in TIERS.items()
        for part in (tag("dt", badge(_TIER_LABELS[name], TIER_KINDS[name])), tag("dd", meaning))
    ]
    reading = [
        part for name, text in _READING.items() for part in (tag("dt", name), tag("dd", text))
    ]
    return join(
        [
            _details("What the tiers mean", tiers),
            _details("How ranks and intervals are read", reading),
        ]
    )


def _column_meanings(query: BoardQuery, filled: Sequence[str]) -> Markup:
    items = []
    for name in ("rank", "model", *query.columns):
        is_said = name in ("rank", "model") or name in filled
        nobody = "" if is_said else " Not shown: no run here says it."
        items += [tag("dt", COLUMNS[name].label), tag("dd", f"{COLUMNS[name].meaning}{nobody}")]
    return _details("What the columns mean", items)


def _details(title: str, items: Sequence[Child]) -> Markup:
    return tag("details", tag("summary", title), tag("dl", *items, class_="facts"))
