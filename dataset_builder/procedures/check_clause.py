"""What a clause has to be: every hole stated in every wording, known quantities, right English."""

import re
from collections import Counter
from collections.abc import Mapping

from dataset_builder.procedures.grammar import SAME, Clause, Given, Quantities
from dataset_builder.tasks.call_template import Mentions
from dataset_builder.tasks.slot import Pool
from dataset_builder.tasks.template import check_call
from dataset_builder.tasks.template_error import ErrorPlace, TemplateError
from dataset_builder.tasks.tool_overlaps import overlaps
from dataset_builder.tools.tool import Tool

_HOLE = re.compile(r"\{([^{}]*)\}")
_ARTICLE = re.compile(r"\b(an?) (\{|[A-Za-z]+)", re.IGNORECASE)
# Sounded otherwise than spelt.
_CONSONANT_SOUNDS = ("uni", "use", "eur", "one", "url", "utc", "utf")
_VOWEL_SOUNDS = ("hour", "honest", "xml", "html", "http", "sms", "rss", "md5")
_APPOSITION = re.compile(r"\bthe ((?:[\w-]+ )?[\w-]+) \{([^{}]*)\}")
_BEFORE_RESULTS = frozenset(
    "of in from to at on for with between as over about by through into for that has and is".split()
)
_PLURAL = re.compile(
    r"\b(?:an?|this|that|each|every) (?:[a-z]+ )?(days|weeks|months|years|values)\b"
)


def check_clause(clause: Clause, quantities: Quantities, catalogue: Mapping[str, Tool]) -> None:
    """Raise TemplateError unless the clause can be asked, executed and spoken of."""
    with ErrorPlace("call"):
        check_call(clause.call, catalogue)
    holes = set(clause.call.slot_names())
    _check_holes(clause, holes, quantities, catalogue[clause.tool])
    sayable = holes | {name for slot in clause.slots.items() for name in _fields(*slot)}
    for hole in sorted(clause.quoted - sayable):
        raise TemplateError(f"quoted: {hole} is no hole and no slot")
    with ErrorPlace("wordings"):
        if len(set(clause.wordings)) < 3:
            raise TemplateError("fewer than three different ones")
    for number, text in enumerate(clause.wordings, 1):
        with ErrorPlace(f"wordings {number}"):
            _check_wording(text, holes, sayable)
            _check_apposition(text, clause)
            if clause.tool in text and "_" in clause.tool:
                raise TemplateError("it names the tool")
            _check_cues(text, clause.tool)
    if clause.is_free and clause.gives:
        raise TemplateError("gives: what hangs on free wording never flows on")
    if twice := [n for n, count in Counter(g.noun for g in clause.gives).items() if count > 1]:
        raise TemplateError(f"gives: two fields are called {twice[0]!r}")
    for given in clause.gives:
        with ErrorPlace(f"gives.{given.field}"):
            _check_given(given, clause, quantities, catalogue[clause.tool], sayable)


def _fields(name: str, slot: object) -> set[str]:
    """The ways to write a slot in braces."""
    if isinstance(slot, Pool) and slot.fields:
        return {f"{name}.{field}" for field in slot.fields}
    return {name}


def _takes_text(clause: Clause, hole: str, tool: Tool) -> bool:
    """Whether a result becomes a whole text argument, whose digits nobody could tell."""
    properties = tool.schema["function"]["parameters"]["properties"]
    return any(
        properties[name]["type"] == "string"
        and not isinstance(clause.call.arguments[name], Mentions)
        for name in clause.arguments_of(hole)
    )


def _check_holes(clause: Clause, holes: set[str], quantities: Quantities, tool: Tool) -> None:
    drawn = {name for slot in clause.slots.items() for name in _fields(*slot)}
    for hole in sorted(holes - drawn - clause.takes.keys()):
        raise TemplateError(f"call: neither a slot nor a quantity fills {{{hole}}}")
    for hole, quantity in clause.takes.items():
        with ErrorPlace(f"takes.{hole}"):
            if hole not in holes:
                raise TemplateError("the call has no such hole")
            wanted = quantity.removeprefix(SAME).partition("/")[0]
            if wanted not in quantities.broader:
                raise TemplateError(f"there is no quantity {wanted}")
            if _takes_text(clause, hole, tool) and quantities.fits("number", wanted):
                raise TemplateError(f"a text takes no number, which {wanted} may be")
    for hole in clause.several:
        if hole not in clause.result_holes:
            raise TemplateError(f"several.{hole}: only a hole that takes results, and no slot")


def _check_wording(text: str, holes: set[str], sayable: set[str]) -> None:
    stated = Counter(_HOLE.findall(text))
    if unknown := stated.keys() - sayable:
        raise TemplateError(f"{', '.join(sorted(unknown))} is no hole and no slot")
    if unsaid := holes - stated.keys():
        raise TemplateError(f"{', '.join(sorted(unsaid))} is not stated in {text!r}")
    if not re.match(r"[a-z]", text) or text.endswith("."):
        raise TemplateError("a wording begins with a small letter and ends without a full stop")
    _check_english(text)


def _check_apposition(text: str, clause: Clause) -> None:
    """A noun right before a hole reads well with a literal ("the city Oslo") and badly with a result."""
    for words, hole in _APPOSITION.findall(text):
        if hole in clause.takes and words.split()[-1] not in _BEFORE_RESULTS:
            raise TemplateError(
                f"'the {words}' stands right before {{{hole}}}, which a result may fill"
            )


def _check_cues(text: str, tool: str) -> None:
    """Where another tool meets the same need, a cue word in the wording itself has to decide."""
    fixed = _HOLE.sub("", text)
    for entry in overlaps().get(tool, ()):
        if not entry.outputs and not entry.decided(fixed):
            raise TemplateError(
                f"no word decides for {tool} against {entry.twin} ({', '.join(entry.cues[:6])} …)"
            )


def _check_english(text: str) -> None:
    for article, word in _ARTICLE.findall(text):
        if word == "{":
            raise TemplateError(f"an article stands before a hole in {text!r}")
        lower = word.lower()
        vowel = lower[0] in "aeiou" and not lower.startswith(_CONSONANT_SOUNDS)
        vowel = vowel or lower.startswith(_VOWEL_SOUNDS)
        if article.lower() != ("an" if vowel else "a"):
            raise TemplateError(f"'{article} {word}' has the wrong article")
    if match := _PLURAL.search(text):
        raise TemplateError(f"'{match[0]}' does not agree in number")


def _check_given(
    given: Given, clause: Clause, quantities: Quantities, tool: Tool, sayable: set[str]
) -> None:
    if given.field.partition(".")[0] not in tool.returns:
        raise TemplateError(f"{tool.name} returns no such field")
    if given.quantity == "same":
        if not any(quantity.startswith(SAME) for quantity in clause.takes.values()):
            raise TemplateError("the call takes no results of one same quantity")
    elif given.quantity.partition("/")[0] not in quantities.broader:
        raise TemplateError(f"there is no quantity {given.quantity}")
    if re.match(r"(?:the|an?) ", given.noun) or given.noun != given.noun.strip():
        raise TemplateError("a noun stands without article")
    if not given.phrase:
        return
    if not given.phrase.startswith("the "):
        raise TemplateError("a phrase begins with 'the'")
    holes = set(_HOLE.findall(given.phrase))
    if unknown := holes - sayable:
        raise TemplateError(f"phrase: {', '.join(sorted(unknown))} is no hole and no slot")
    if not holes and tool.parameters:
        raise TemplateError("a phrase without a hole would name the results of two calls")
    _check_english(given.phrase)
