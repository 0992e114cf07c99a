"""String Utilities: replace, split, join, cut, restyle and search text (paper, Table 3)."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Annotated, Literal

import re2

from dataset_builder.tools.define_tool import tool
from dataset_builder.tools.tool import MAX_OUTPUT_CHARACTERS, Output, ToolError
from dataset_builder.values.parameter_types import Integer, Said, Verbatim

MAX_PATTERN_CHARACTERS = 500
MAX_SEARCH_STEPS = 5_000_000
_PATTERN_MEMORY = 1 << 18
# Letters whose NFKD form is not a Latin letter with marks.
_LATIN = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ı": "i"}
    | {"Æ": "Ae", "Œ": "Oe", "Ø": "O", "Đ": "D", "Ð": "D", "Ł": "L", "Þ": "Th", "ẞ": "SS"}
)


@tool("String Utilities")
def string_replace(text: Verbatim, find: Verbatim, replacement: Verbatim = "") -> Output:
    """Replace every occurrence of a literal string in a text, upper and lower case distinguished.

    Args:
        text: Text to change.
        find: String to look for.
        replacement: Default empty, which deletes.

    Returns:
        result (string): the changed text
        replacements (integer): occurrences replaced
    """
    if not find:
        raise ToolError("find: the string is empty")
    count = text.count(find)
    if len(text) + count * (len(replacement) - len(find)) > MAX_OUTPUT_CHARACTERS:
        raise ToolError(f"the output would exceed {MAX_OUTPUT_CHARACTERS:,} characters")
    return {"result": text.replace(find, replacement), "replacements": count}


@tool("String Utilities")
def split_text(text: Verbatim, separator: Verbatim) -> Output:
    """Split a text at every occurrence of a separator.

    Args:
        text: Text to split.
        separator: String between the parts.

    Returns:
        parts (array of string): spaces around the parts are kept
        part_count (integer): how many
    """
    if not separator:
        raise ToolError("separator: the string is empty")
    parts = text.split(separator)
    return {"parts": parts, "part_count": len(parts)}


@tool("String Utilities")
def join_texts(texts: list[Verbatim], separator: Verbatim = " ") -> Output:
    """Join texts into one, in the given order.

    Args:
        texts: Texts to join.
        separator: String put between them. Default one space.

    Returns:
        result (string): the joined text
    """
    if not texts:
        raise ToolError("texts: the list is empty")
    if sum(map(len, texts)) + len(separator) * (len(texts) - 1) > MAX_OUTPUT_CHARACTERS:
        raise ToolError(f"the output would exceed {MAX_OUTPUT_CHARACTERS:,} characters")
    return {"result": separator.join(texts)}


@tool("String Utilities")
def truncate_text(text: Verbatim, max_length: Integer, ending: Verbatim = "...") -> Output:
    """Cut a text to a maximum number of characters, its ending mark included.

    Args:
        text: Text to cut.
        max_length: Most characters of the result.
        ending: Mark put where text was cut. Default "...".

    Returns:
        result (string): the text, cut where it was longer
        removed_characters (integer): characters of the text that are gone
    """
    if max_length < max(1, len(ending)):
        raise ToolError("max_length: must be at least 1 and leave room for the ending")
    if len(text) <= max_length:
        return {"result": text, "removed_characters": 0}
    beginning = text[: max_length - len(ending)]
    return {"result": beginning + ending, "removed_characters": len(text) - len(beginning)}


@tool("String Utilities")
def slugify(text: Verbatim) -> Output:
    """Turn a title into a URL slug: lower-case ASCII words joined by hyphens.

    Args:
        text: Title to turn into a slug.

    Returns:
        slug (string): accents are dropped, apostrophes too
    """
    plain = unicodedata.normalize("NFKD", text.translate(_LATIN)).lower()
    plain = re.sub(r"['’]", "", plain).encode("ascii", "ignore").decode()
    slug = "-".join(re.findall(r"[a-z0-9]+", plain))
    if not slug:
        raise ToolError("text: it holds no letter or digit that a slug could keep")
    return {"slug": slug}


_Case = Annotated[
    Literal["upper", "lower", "title", "sentence", "snake", "camel", "pascal"],
    Said(
        upper=("upper case", "uppercase", "upper-case", "capital letters", "all caps"),
        lower=("lower case", "lowercase", "lower-case", "small letters"),
        title=("title case", "each word capitalized", "every word capitalized"),
        sentence=("sentence case",),
        snake=("snake case", "snake_case"),
        camel=("camel case", "camelCase"),
        pascal=("pascal case", "PascalCase"),
    ),
]


@tool("String Utilities")
def case_convert(text: Verbatim, case: _Case) -> Output:
    """Change the letter case or naming style of a text.

    Args:
        text: Text to change.
        case: Style of the result.

    Returns:
        result (string): the text in that style
    """
    return {"result": _STYLES[case](text)}


def _name_parts(text: str) -> list[str]:
    """The lower-case words of a text or of an identifier in any naming style."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", text)
    parts = re.findall(r"[^\W_]+", re.sub(r"['’]", "", spaced).lower())
    if not parts:
        raise ToolError("text: it holds no word to build a name from")
    return parts


def _pascal(text: str) -> str:
    return "".join(part[0].upper() + part[1:] for part in _name_parts(text))


def _camel(text: str) -> str:
    first, *others = _name_parts(text)
    return first + "".join(part[0].upper() + part[1:] for part in others)


def _title(text: str) -> str:
    return re.sub(r"[^\W_]+(?:['’][^\W_]+)*", lambda m: m[0][0].upper() + m[0][1:].lower(), text)


def _sentence(text: str) -> str:
    """The first letter of each sentence large, all others small."""
    start = re.compile(r"(^\s*|[.!?]\s+)([^\w\s]*)(\w)")
    return start.sub(lambda m: m[1] + m[2] + m[3].upper(), text.lower())


_STYLES: Mapping[str, Callable[[str], str]] = {
    "upper": str.upper,
    "lower": str.lower,
    "title": _title,
    "sentence": _sentence,
    "snake": lambda text: "_".join(_name_parts(text)),
    "camel": _camel,
    "pascal": _pascal,
}


@tool("String Utilities")
def regex_match(text: Verbatim, pattern: Verbatim) -> Output:
    """Find all matches of a regular expression in a text.

    Args:
        text: Text to search.
        pattern: Regular expression in RE2 syntax.

    Returns:
        matches (array of string): whole matches in order
        match_count (integer): how many
        first_match (string): empty where there is none
    """
    compiled = _compiled(pattern)
    steps = len(text.encode()) * compiled.programsize
    matches: list[str] = []
    if steps > MAX_SEARCH_STEPS:
        raise ToolError("the pattern is too large for a text of that length")
    for match in compiled.finditer(text):
        matches.append(match.group())
        # Each match starts a search of its own, which may read the text to its end.
        if steps * len(matches) > MAX_SEARCH_STEPS:
            raise ToolError("the pattern has too many matches for a text of that length")
    return {
        "matches": matches,
        "match_count": len(matches),
        "first_match": matches[0] if matches else "",
    }


def _compiled(pattern: str) -> "re2._Regexp":
    """The pattern for RE2, whose time is linear in the text; ToolError where it is none."""
    if not pattern:
        raise ToolError("pattern: it is empty")
    if len(pattern) > MAX_PATTERN_CHARACTERS:
        raise ToolError(f"pattern: at most {MAX_PATTERN_CHARACTERS} characters are accepted")
    options = re2.Options()
    options.max_mem = _PATTERN_MEMORY
    options.never_capture = True
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error:
        raise ToolError("pattern: it is no valid or too large an RE2 expression") from None
