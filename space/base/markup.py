"""HTML for the page, escaped by construction: text becomes `Markup` only through the functions here.

`tag` and `Markup.format` escape every child and attribute that is not `Markup` already, so nothing
that a visitor uploaded can become an element, an attribute or a script.
"""

from collections.abc import Iterable, Sequence

from markupsafe import Markup, escape

Child = str | int | float | None
"""What stands inside an element: text, which is escaped, or `Markup`. None is left out."""


def tag(name: str, /, *children: Child, **attributes: str | int | None) -> Markup:
    """An element. A trailing underscore of an attribute's name is dropped, other ones are hyphens.

    >>> tag("td", "<b>", class_="number")
    Markup('<td class="number">&lt;b&gt;</td>')
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(escape(child) for child in children if child is not None)
    return Markup(f"<{name}{written}>{inside}</{name}>")


def join(parts: Iterable[Child], separator: str = "") -> Markup:
    """Parts one after another, each escaped."""
    return Markup(escape(separator)).join(escape(part) for part in parts if part is not None)


def badge(text: str, kind: str) -> Markup:
    """A word in a frame. Its colour repeats what the word says."""
    return tag("span", text, class_=f"badge {kind}")


def link(text: Child, address: str, **attributes: str | None) -> Markup:
    """A link to a place of the page itself, or to an https address that was checked on its way in."""
    is_outside = address.startswith("https://")
    if not (is_outside or address.startswith(("?", "#", "download/"))):
        return tag("span", text)
    if is_outside:
        attributes |= {"rel": "noopener noreferrer nofollow ugc", "target": "_blank"}
    return tag("a", text, href=address, **attributes)


def table(
    head: Sequence[Child],
    rows: Iterable[Sequence[Child]],
    caption: str,
    numbers: Iterable[int] = (),
) -> Markup:
    """A table in a frame that scrolls sideways; the first cell of each row is its header.

    ``numbers``: positions of the columns that are set to the right.
    """
    right = frozenset(numbers)

    def place(position: int) -> str | None:
        return "number" if position in right else None

    names = (tag("th", name, scope="col", class_=place(i)) for i, name in enumerate(head))
    body = (
        tag(
            "tr",
            *(
                tag("td", cell, class_=place(i)) if i else tag("th", cell, scope="row")
                for i, cell in enumerate(row)
            ),
        )
        for row in rows
    )
    inside = tag(
        "table",
        tag("caption", caption),
        tag("thead", tag("tr", *names)),
        tag("tbody", *body),
    )
    return scroll(inside, caption)


def scroll(inside: Child, label: str) -> Markup:
    """A frame that scrolls sideways, by keyboard too."""
    return tag("div", inside, class_="scroll", tabindex=0, role="region", aria_label=label)


def notice(text: Child, kind: str = "info") -> Markup:
    """A sentence that stands out; ``kind`` is info, problem or done."""
    role = "alert" if kind == "problem" else "status"
    return tag("div", text, class_=f"notice {kind}", role=role)


def interval_bar(low: float, middle: float, high: float) -> Markup:
    """An interval in [0, 1] as a picture beside the text that says the same."""
    position = f"--low:{100 * low:.1f}%;--middle:{100 * middle:.1f}%;--high:{100 * high:.1f}%"
    return tag("span", class_="interval", style=position, aria_hidden="true")
