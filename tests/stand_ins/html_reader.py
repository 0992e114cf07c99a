"""What a browser would read in a page's HTML, without a browser."""

from html.parser import HTMLParser


class ReadPage(HTMLParser):
    """The elements of a page, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        """Name and attributes of each element, in order."""
        self._texts: list[str] = []
        # A piece of `Markup` would escape what is added to it.
        self.feed(str(html))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self._texts.append(data)

    @property
    def names(self) -> set[str]:
        """The names of all elements."""
        return {name for name, _ in self.tags}

    @property
    def attributes(self) -> set[tuple[str, str]]:
        """The names of all attributes, each with its element's."""
        return {(name, attribute) for name, attributes in self.tags for attribute in attributes}

    @property
    def text(self) -> str:
        """All text, as it is written."""
        return "".join(self._texts)

    @property
    def words(self) -> str:
        """All text, one space between words and between elements."""
        return " ".join(" ".join(self._texts).split())
