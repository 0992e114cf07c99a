"""What the simulated web says about a topic: pages, headlines and the tone in which they are written.

Everything is drawn from a page's address or from the topic's words, so that a search, a fetch and a
raw request tell the same about the same page.
"""

import datetime as dt
import html
import re
from functools import cache, cached_property, lru_cache
from urllib.parse import unquote, urlsplit

from dataset_builder.tools.simulated.host_names import host_of, split_host
from dataset_builder.tools.tool import ToolError
from dataset_builder.tools.world import TODAY, draw_for
from dataset_builder.values.canonical import fold
from dataset_builder.values.draw import Draw
from dataset_builder.values.facts import load

MAX_TOPIC_WORDS = 12
MAX_TOPIC_CHARACTERS = 80
_LONGEST_NAME = 4
_WORD = re.compile(r"[^\W_]+")
# What a sentence may give: from, to, in steps of.
_FIGURES = {
    "percent": (12, 78, 1),
    "amount": (3, 240, 1),
    "count": (12, 480, 10),
    "year": (2027, 2032, 1),
}
# Which draw gives the names for a hole.
_NAMED = {"person": "people", "organization": "firms", "city": "cities"}
_HOLE = re.compile(r"\{(\w+)\}")
_TONES = ("positive", "positive", "negative", "negative", "mixed")


class Page:
    """A web page as its readers know it. What nobody reads of it is not made: a search shows little."""

    def __init__(self, url: str) -> None:
        """The page at a canonical URL; ToolError where the URL has no valid host."""
        host_of(url)
        self._url = url
        self._draw = draw_for("page", {"url": url})
        self._topic = _topic_at(url)
        self._writer = _Writer(self._topic, self._draw)

    @cached_property
    def title(self) -> str:
        """No two publications give the same one to pages about a topic."""
        return self._writer.write(0, _title_pattern(self._url, self._topic))

    @cached_property
    def publication(self) -> str:
        """The name of the site."""
        return site_name(self._url)

    @cached_property
    def patterns(self) -> list[str]:
        """What each sentence is made of."""
        return _patterns("sentences", self._topic, self._draw, 9)

    def sentence(self, number: int) -> str:
        """The sentence made of the pattern of that 0-based number."""
        return self._writer.write(number + 1, self.patterns[number])

    @cached_property
    def sentences(self) -> list[str]:
        """The whole text."""
        return [self.sentence(number) for number in range(len(self.patterns))]

    @cached_property
    def links(self) -> list[str]:
        """Pages of other publications about the topic."""
        others = publications(self._draw, self._draw.integer("links", 2, 5))
        return [f"https://www.{other['domain']}/{slug_of(self._topic)}" for other in others]

    @cached_property
    def published(self) -> str:
        """An ISO date."""
        age = dt.timedelta(days=self._draw.integer("age", 3, 180))
        return (dt.date.fromisoformat(TODAY) - age).isoformat()

    @property
    def paragraphs(self) -> list[str]:
        """Three sentences each."""
        return [" ".join(self.sentences[i : i + 3]) for i in range(0, len(self.sentences), 3)]

    @property
    def html(self) -> str:
        """The page as a server sends it."""
        paragraphs = "\n".join(f"<p>{html.escape(p, quote=False)}</p>" for p in self.paragraphs)
        links = "\n".join(f'<li><a href="{link}">{site_name(link)}</a></li>' for link in self.links)
        title = html.escape(self.title, quote=False)
        return (
            f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<title>{title}</title>\n</head>\n<body>\n'
            f"<h1>{title}</h1>\n{paragraphs}\n<h2>Read more</h2>\n<ul>\n{links}\n</ul>\n</body>\n</html>"
        )


@lru_cache(maxsize=1)
def _proper_names() -> dict[str, str]:
    """Folded spelling → the spelling with capitals, for the names that a topic may hold."""
    names = [*load("cities"), *load("entities"), *load("webtext")["proper_words"]]
    names += [city["country"] for city in load("cities").values()]
    names += [stock["company"] for stock in load("stocks").values()]
    common = load("webtext")["common_words"]
    return {fold(name): name for name in names if fold(name) not in common}


@lru_cache(maxsize=64)
def topic_of(query: str) -> str:
    """The first words of a query as they stand inside a sentence, names with their capitals."""
    words, written = fold(query).split()[:MAX_TOPIC_WORDS], list[str]()
    while words:
        sizes = range(min(_LONGEST_NAME, len(words)), 0, -1)
        size = next((n for n in sizes if " ".join(words[:n]) in _proper_names()), 1)
        name = " ".join(words[:size])
        written.append(_proper_names().get(name, name))
        words = words[size:]
    return " ".join(written)[:MAX_TOPIC_CHARACTERS].strip()


def slug_of(topic: str) -> str:
    """The topic as the last part of an address; empty where it holds no letter or digit."""
    return "-".join(_WORD.findall(re.sub("['’]", "", fold(topic))))


def _start(text: str) -> str:
    """Text with a capital where a sentence begins."""
    return text[:1].upper() + text[1:]


@cache
def _names_to_drop() -> dict[str, list[str]]:
    """The people that stand in no encyclopedia, such organizations, and the cities, by the hole's name."""
    kinds = {n: e["type"] for n, e in load("entities").items() if e.get("fictional")}
    people = [name for name, kind in kinds.items() if kind == "person"]
    firms = [name for name in kinds if name not in people]
    return {"person": people, "organization": firms, "city": list(load("cities"))}


class _Writer:
    """Fills patterns in; neighbours name different people, organisations and places."""

    def __init__(self, topic: str, draw: Draw) -> None:
        self._topic = topic
        self._draw = draw
        self._drawn: dict[str, list[str]] = {}

    def write(self, place: int, pattern: str) -> str:
        """The sentence that a pattern gives at a 0-based place of the text."""
        filled = {name: self._filled(name, place) for name in _holes(pattern)}
        return _start(pattern.format_map(filled))

    def _filled(self, name: str, place: int) -> str:
        """What stands in a hole of that name."""
        if name in _FIGURES:
            low, high, step = _FIGURES[name]
            return str(step * self._draw.integer(f"{name}.{place}", low, high))
        if name in _NAMED:
            return self._names(name)[place % 5]
        return _start(self._topic) if name == "Topic" else self._topic

    def _names(self, name: str) -> list[str]:
        """Five different people, firms or cities: drawn once, and only for a text that names any."""
        if name not in self._drawn:
            self._drawn[name] = self._draw.sample(_NAMED[name], _names_to_drop()[name], 5)
        return self._drawn[name]


@cache
def _holes(pattern: str) -> list[str]:
    """The names in braces of a pattern."""
    return _HOLE.findall(pattern)


@lru_cache(maxsize=64)
def _topic_draw(topic: str) -> Draw:
    """What all pages about a topic share: the four that a search shows, too."""
    return draw_for("topic", {"topic": fold(topic)})


def _patterns(kind: str, topic: str, draw: Draw, count: int) -> list[str]:
    """``count`` different patterns in the topic's tone, about a third of them neutral."""
    known = load("webtext")[kind]
    tone = _topic_draw(topic).choice("tone", _TONES)
    toned = known["positive"] + known["negative"] if tone == "mixed" else known[tone]
    plain = draw.sample("neutral", known["neutral"], count // 3)
    return draw.sample("order", draw.sample("toned", toned, count - len(plain)) + plain, count)


def headlines(topic: str, draw: Draw, count: int) -> list[str]:
    """Different headlines about a topic."""
    writer = _Writer(topic, draw)
    patterns = _patterns("headlines", topic, draw, count)
    return [writer.write(place, pattern) for place, pattern in enumerate(patterns)]


def publications(draw: Draw, count: int) -> list[dict[str, str]]:
    """Different publications: ``name`` and ``domain``."""
    return draw.sample("publications", load("webtext")["publications"], count)


@cache
def _publication_names() -> dict[str, str]:
    """Their names by their domains."""
    return {one["domain"]: one["name"] for one in load("webtext")["publications"]}


@lru_cache(maxsize=256)
def site_name(url: str) -> str:
    """The name of the site that a URL belongs to; ToolError for a URL without a valid host."""
    host = host_of(url)
    known = _publication_names().get(host.removeprefix("www."))
    if known is not None:
        return known
    try:
        label = split_host(host).domain.partition(".")[0]
    except ToolError:
        label = host.partition(".")[0]
    return " ".join(part.capitalize() for part in re.split(r"[-_]", label) if part)


def _topic_at(url: str) -> str:
    """What the last part of a URL that is no number says; the site's name where there is none."""
    for segment in reversed(unquote(urlsplit(url).path).split("/")):
        words = _WORD.findall(segment.rpartition(".")[0] or segment)
        if not all(word.isdigit() for word in words) and words != ["index"]:
            return topic_of(" ".join(words))
    return site_name(url)


@lru_cache(maxsize=256)
def page_at(url: str) -> Page:
    """The page at a canonical URL, about what the URL's last part says; ToolError without a valid host."""
    return Page(url)


def _title_pattern(url: str, topic: str) -> str:
    """Which title a page has; it hangs on the site and on the topic."""
    titles = load("webtext")["titles"]
    names = list(_publication_names().values())
    name = site_name(url)
    at = (
        names.index(name)
        if name in names
        else draw_for("site", {"name": name}).integer("at", 0, 99)
    )
    turn = _topic_draw(topic).integer("turn", 0, len(titles) - 1)
    return str(titles[(at + turn) % len(titles)])
