"""What the simulated web says about a topic: pages, headlines and the tone in which they are written.

Everything is drawn from a page's address or from the topic's words, so that a search, a fetch and a
raw request tell the same about the same page.
"""

import datetime as dt
import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
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
_TONES = ("positive", "positive", "negative", "negative", "mixed")


@dataclass(frozen=True)
class Page:
    """A web page as its readers know it; ``published`` is an ISO date, ``patterns`` the sentences' own."""

    title: str
    publication: str
    sentences: tuple[str, ...]
    patterns: tuple[str, ...]
    links: tuple[str, ...]
    published: str

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
def _names_to_drop() -> tuple[list[str], list[str], list[str]]:
    """The people that stand in no encyclopedia, such organizations, and the cities."""
    kinds = {n: e["type"] for n, e in load("entities").items() if e.get("fictional")}
    people = [name for name, kind in kinds.items() if kind == "person"]
    return people, [name for name in kinds if name not in people], list(load("cities"))


def _sentences(topic: str, draw: Draw, patterns: Sequence[str]) -> Iterator[str]:
    """The patterns filled in; neighbours name different people, organisations and places."""
    people, firms, cities = _names_to_drop()
    people, firms = draw.sample("people", people, 5), draw.sample("firms", firms, 5)
    cities = draw.sample("cities", cities, 5)
    values = {"topic": topic, "Topic": _start(topic)}
    for i, pattern in enumerate(patterns):
        values |= {
            "person": people[i % 5],
            "organization": firms[i % 5],
            "city": cities[i % 5],
        }
        for name in _figures(pattern):
            low, high, step = _FIGURES[name]
            values[name] = str(step * draw.integer(f"{name}.{i}", low, high))
        yield _start(pattern.format_map(values))


@cache
def _figures(pattern: str) -> tuple[str, ...]:
    """The figures that a sentence gives."""
    return tuple(name for name in _FIGURES if f"{{{name}}}" in pattern)


def _patterns(kind: str, topic: str, draw: Draw, count: int) -> list[str]:
    """``count`` different patterns in the topic's tone, about a third of them neutral."""
    known = load("webtext")[kind]
    tone = draw_for("topic", {"topic": fold(topic)}).choice("tone", _TONES)
    toned = known["positive"] + known["negative"] if tone == "mixed" else known[tone]
    plain = draw.sample("neutral", known["neutral"], count // 3)
    return draw.sample("order", draw.sample("toned", toned, count - len(plain)) + plain, count)


def headlines(topic: str, draw: Draw, count: int) -> list[str]:
    """Different headlines about a topic."""
    return list(_sentences(topic, draw, _patterns("headlines", topic, draw, count)))


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
    host_of(url)
    draw = draw_for("page", {"url": url})
    topic = _topic_at(url)
    patterns = (_title_pattern(url, topic), *_patterns("sentences", topic, draw, 9))
    title, *sentences = _sentences(topic, draw, patterns)
    others, slug = publications(draw, draw.integer("links", 2, 5)), slug_of(topic)
    day = dt.date.fromisoformat(TODAY) - dt.timedelta(days=draw.integer("age", 3, 180))
    return Page(
        title=title,
        publication=site_name(url),
        sentences=tuple(sentences),
        patterns=patterns[1:],
        links=tuple(f"https://www.{other['domain']}/{slug}" for other in others),
        published=day.isoformat(),
    )


def _title_pattern(url: str, topic: str) -> str:
    """No two publications give the same title to pages about a topic."""
    titles = load("webtext")["titles"]
    names = list(_publication_names().values())
    name = site_name(url)
    at = (
        names.index(name)
        if name in names
        else draw_for("site", {"name": name}).integer("at", 0, 99)
    )
    turn = draw_for("topic", {"topic": fold(topic)}).integer("turn", 0, len(titles) - 1)
    return str(titles[(at + turn) % len(titles)])
