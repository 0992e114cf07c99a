"""What takes a run elsewhere: its link, how it is cited, its badge, and the run to compare it with."""

from urllib.parse import quote

from markupsafe import Markup

from evaluator.scoring.metrics import SOLVED
from evaluator.scoring.text_tables import percent
from evaluator.traces.signature import parse_signature
from space.base.markup import Child, link, tag
from space.base.sanitize import clean
from space.board.board import Board
from space.board.entry import Entry
from space.html.compare_page import compare_address

_MAX_NAME = 80
_TEX = {char: f"\\{char}" for char in "&%$#_"} | dict.fromkeys("{}\\", "") | {
    "~": "\\textasciitilde ",
    "^": "\\textasciicircum ",
}  # fmt: skip


def sharing(board: Board, entry: Entry) -> Markup:
    """Buttons and folded texts. ``{here}`` in what is copied becomes the page's own address."""
    query = f"?run={quote(entry.id, safe='')}"
    picture = f"badge/{quote(entry.id, safe='')}.svg"
    markdown = f"[![CompToolBench]({{here}}{picture})]({{here}}{query})"
    parts: list[Child] = [
        _compare(board, entry),
        _copy("Copy link", f"{{here}}{query}"),
        _copy("Copy badge (Markdown)", markdown),
        tag("img", src=picture, alt="Badge of this run", height=20),
    ]
    cited = bibtex(entry)
    folded = tag(
        "details", tag("summary", "Cite this run"), tag("pre", cited), _copy("Copy", cited)
    )
    return tag("div", tag("div", *parts, class_="actions"), folded, class_="sharing")


def neighbour(board: Board, entry: Entry) -> Entry | None:
    """The run that stands before it in its ranking, or after the first; the first where it is not ranked."""
    tier, signature = entry.tier, entry.result.signature
    places = board.places(tier, signature)
    ranked = [
        (rank, -other.result.scores[SOLVED.total], other.id, other)
        for other in board.shown(tier, signature)
        if other.is_ranked and other.id in places and (rank := places[other.id].rank) is not None
    ]
    others = [other for *_, other in sorted(ranked, key=lambda item: item[:3])]
    ids = [other.id for other in others]
    place = ids.index(entry.id) if entry.id in ids else None
    if place is None:
        return others[0] if others else None
    near = others[place - 1 : place] if place else others[1:2]
    return near[0] if near else None


def bibtex(entry: Entry) -> str:
    """An entry that says what was measured, and in which run."""
    scores = entry.result.scores
    key = "".join(char for char in entry.id if char.isascii() and char.isalnum())[:40]
    fields = {
        "title": f"{{CompToolBench}}: a run of {tex(entry.about['model'] or 'an unnamed model')}",
        "author": f"{{{who}}}" if (who := tex(entry.about.get("submitter") or "")) else "",
        "year": tex(entry.about.get("date", ""))[:4],
        "howpublished": f"CompToolBench leaderboard, run {tex(entry.id)}, {tex(entry.tier)}",
        "note": f"Suite {tex(parse_signature(entry.result.signature).ctb)}; "
        f"{SOLVED.name} {percent(scores[SOLVED.total])} \\%; signature {tex(entry.result.signature, 300)}",
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@misc{{comptoolbench{key},\n{lines}}}"


def tex(text: str, longest: int = _MAX_NAME) -> str:
    """Text that can end no field and call no command."""
    return "".join(_TEX.get(char, char) for char in clean(text, longest))


def _compare(board: Board, entry: Entry) -> Markup | None:
    other = neighbour(board, entry)
    if other is None or entry.result.apart is not None:
        return None
    name = clean(other.about["model"] or "unnamed", _MAX_NAME)
    return link(f"Compare with {name}", f"?{compare_address([entry.id, other.id])}")


def _copy(label: str, text: str) -> Markup:
    return tag("button", label, type="button", class_="copy", data_copy=text)
