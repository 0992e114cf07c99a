"""Pictures of a run for other people's pages: a badge, and a preview of 1200 × 630 pixels."""

from functools import lru_cache

from markupsafe import Markup

from dataset_builder.tasks.task import SUITE_LEVELS
from evaluator.scoring.metrics import SOLVED
from evaluator.scoring.text_tables import percent
from evaluator.traces.signature import signature_text
from space.base.markup import tag
from space.base.sanitize import clean
from space.base.tiers import WITHDRAWN
from space.board.board import Board
from space.board.entry import Entry

_SVG = "http://www.w3.org/2000/svg"
_CHARACTER = 7
"""Pixels that a character of the badge takes at most, on average."""
_MAX_NAME, _MAX_SETTING = 36, 90
_BARS_TOP, _BAR_HEIGHT, _BAR_STEP, _BAR_LEFT, _BAR_WIDTH = 340, 30, 54, 330, 620


def badge_svg(board: Board, entry: Entry) -> Markup:
    """What share is solved and which rank that is, 20 pixels high."""
    words = [f"{_solved(entry)} solved", place_words(board, entry)]
    if entry.status == WITHDRAWN:
        words = ["run withdrawn"]
    left, right = "CompToolBench", " · ".join(filter(None, words))
    widths = [_CHARACTER * len(text) + 14 for text in (left, right)]
    title = f"{clean(entry.about['model'] or 'unnamed', _MAX_NAME)}: {right}"
    return tag(
        "svg",
        tag("title", title),
        tag("rect", width=sum(widths), height=20, rx=3, fill="#3b4048"),
        tag("rect", x=widths[0], width=widths[1], height=20, rx=3, fill="#1d4ed8"),
        _text(left, widths[0] / 2, 14, 11, "#fff", "middle"),
        _text(right, widths[0] + widths[1] / 2, 14, 11, "#fff", "middle"),
        xmlns=_SVG, width=sum(widths), height=20, role="img", aria_label=title,
    )  # fmt: skip


def preview_png(board: Board, entry: Entry) -> bytes:
    """What is shown of a run where its address is shared."""
    return _png(str(preview_svg(board, entry)))


def preview_svg(board: Board, entry: Entry) -> Markup:
    """The picture that `preview_png` paints."""
    solved = f"{_solved(entry)} solved" if entry.status != WITHDRAWN else "This run was withdrawn"
    setting = clean(signature_text(entry.result.signature), _MAX_SETTING)
    parts = [
        tag("rect", width=1200, height=630, fill="#fff"),
        tag("rect", width=1200, height=12, fill="#1d4ed8"),
        _text("CompToolBench", 60, 90, 34, "#56606b"),
        _text(clean(entry.about["model"] or "unnamed", _MAX_NAME), 60, 170, 54, "#111"),
        _text(solved, 60, 250, 54, "#1d4ed8"),
        _text(place_words(board, entry) or entry.tier, 60, 300, 28, "#56606b"),
        *(() if entry.status == WITHDRAWN else _bars(entry)),
        _text(setting, 60, 600, 22, "#56606b"),
    ]
    return tag("svg", *parts, xmlns=_SVG, width=1200, height=630)


def place_words(board: Board, entry: Entry) -> str:
    """Its rank among the runs of its tier that were asked alike; empty for one that is not ranked."""
    place = board.places(entry.tier, entry.result.signature).get(entry.id)
    if place is None or place.rank is None:
        return ""
    runs = sum(other.is_ranked for other in board.shown(entry.tier, entry.result.signature))
    return f"rank {place.range} of {runs}, {entry.tier}"


def _solved(entry: Entry) -> str:
    return f"{percent(entry.result.scores[SOLVED.total])} %"


def _bars(entry: Entry) -> list[Markup]:
    """The share solved at each level."""
    bars = []
    for number, level in enumerate(SUITE_LEVELS):
        share = entry.result.scores["levels"].get(f"L{level.value}", {}).get(SOLVED.field)
        top = _BARS_TOP + number * _BAR_STEP
        ends = {"x": _BAR_LEFT, "y": top, "height": _BAR_HEIGHT, "rx": 4}
        bars += [
            _text(level.title, 60, top + 23, 26, "#111"),
            tag("rect", width=_BAR_WIDTH, fill="#e5e7eb", **ends),
            tag("rect", width=round(_BAR_WIDTH * (share or 0)), fill="#1d4ed8", **ends),
            _text(f"{percent(share)} %", _BAR_LEFT + _BAR_WIDTH + 20, top + 23, 26, "#111"),
        ]
    return bars


def _text(text: str, x: float, y: int, size: int, fill: str, anchor: str = "start") -> Markup:
    return tag(
        "text", text, x=f"{x:g}", y=y, fill=fill, font_size=size, text_anchor=anchor,
        font_family="DejaVu Sans, Verdana, sans-serif",
    )  # fmt: skip


@lru_cache(maxsize=256)
def _png(svg: str) -> bytes:
    import vl_convert

    painted: bytes = vl_convert.svg_to_png(svg)
    return painted
