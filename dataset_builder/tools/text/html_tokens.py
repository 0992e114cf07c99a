"""HTML as a stream of tags and text, read in one linear pass.

The standard library's parser reads malformed pages differently from release to release and takes
quadratic time over some; outputs here must be the same, and prompt, everywhere.
"""

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

from dataset_builder.tools.tool import ToolError

MAX_TAGS = 5_000
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_ATTRIBUTE = re.compile(
    r"""[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)))?"""
)
_TAG_END = re.compile(r"[\s/=]*>")
# Past the largest character, and past what int() reads.
_HUGE_REFERENCE = re.compile(r"&#[xX]?[0-9a-fA-F]{9,};?")
_RAW = ("script", "style", "textarea", "title")
_RAW_END = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in _RAW}
_BLOCKS = frozenset(
    "address article aside blockquote body br dd div dl dt fieldset figcaption figure footer form h1 "
    "h2 h3 h4 h5 h6 head header hr html li main nav ol option p pre section select table tbody td th "
    "thead title tr ul".split()
)
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_UNSEEN = frozenset(("script", "style", "title"))


class Tag(NamedTuple):
    """A start tag with its attributes, or an end tag."""

    name: str
    ends: bool
    attributes: dict[str, str]


class Document(NamedTuple):
    """What a reader sees of a page: its title, its text line by line, its headings."""

    title: str
    text: str
    headings: list[str]


def unescape(text: str) -> str:
    """Text with its character references resolved."""
    return html.unescape(_HUGE_REFERENCE.sub("\ufffd", text))


def stream(source: str) -> Iterator[Tag | str]:
    """Tags and texts (still escaped) in order; comments and declarations are dropped.

    What follows an unclosed comment or tag is dropped too, as browsers do. ToolError for a source
    with more than MAX_TAGS tags.
    """
    if source.count("<") > MAX_TAGS:
        raise ToolError(f"at most {MAX_TAGS:,} tags are accepted")
    position = 0
    while position < len(source):
        start = source.find("<", position)
        if start < 0:
            break
        if start > position:
            yield source[position:start]
        match = _TAG.match(source, start)
        if match is not None:
            tag, position = _read_tag(source, match)
            if tag is None:
                return
            yield tag
            if tag.name in _RAW_END and not tag.ends:
                end = _RAW_END[tag.name].search(source, position)
                stop = end.start() if end else len(source)
                yield source[position:stop]
                position = stop
        elif source.startswith(("<!", "<?", "</"), start):
            close = "-->" if source.startswith("<!--", start) else ">"
            end_of_comment = source.find(close, start + 2)
            if end_of_comment < 0:
                return
            position = end_of_comment + len(close)
        else:
            yield "<"
            position = start + 1
    yield source[position:]


def _read_tag(source: str, match: re.Match[str]) -> tuple[Tag | None, int]:
    """The tag that a match opens and the position behind it; None where it never closes."""
    position, attributes = match.end(), dict[str, str]()
    while (end := _TAG_END.match(source, position)) is None:
        attribute = _ATTRIBUTE.match(source, position)
        if attribute is None:
            return None, len(source)
        name, *values = attribute.groups()
        value = next((v for v in values if v is not None), "")
        attributes.setdefault(name.lower(), unescape(value))
        position = attribute.end()
    return Tag(match[2].lower(), bool(match[1]), attributes), end.end()


def read(source: str) -> Document:
    """A page as its reader sees it; white space is folded, each block stands on its own line."""
    pieces: dict[str, list[str]] = {"title": [], "text": [], "heading": []}
    headings, heading, unseen = list[str](), "", ""
    for item in stream(source):
        if isinstance(item, str):
            if unseen == "title":
                pieces["title"].append(item)
            if unseen:
                continue
            pieces["text"].append(_flat(item))
            if heading:
                pieces["heading"].append(_flat(item))
            continue
        if item.name in _UNSEEN:
            unseen = "" if item.ends else item.name
        if item.name in _BLOCKS:
            pieces["text"].append("\n")
        if item.name in _HEADINGS:
            if heading and (text := _tidy(pieces["heading"])):
                headings.append(text)
            pieces["heading"] = []
            heading = "" if item.ends else item.name
    lines = "".join(pieces["text"]).split("\n")
    text = "\n".join(line for line in (_tidy([raw]) for raw in lines) if line)
    return Document(_tidy(pieces["title"]), text, headings)


def _flat(text: str) -> str:
    """Line breaks of the source mean no more than spaces."""
    return text.replace("\n", " ").replace("\r", " ")


def _tidy(pieces: list[str]) -> str:
    return " ".join(unescape("".join(pieces)).split())
