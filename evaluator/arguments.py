"""How right the arguments of one call are: defaults, match rules, values that edges feed (contracts, 6)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import Any

from dataset_builder.kinds import ArgumentError, Kind
from dataset_builder.tool import Parameter, Tool
from evaluator.match import NOTHING_OWN, RIGHT, Own, equal, is_given, same_by_rule, similarity
from evaluator.mentions import Token, read_mentions, tokens

Rule = Mapping[str, Any]
MadeUp = Callable[[str], Iterable[Token]]
# Means of fractions such as 17/20 may miss 0.85 by the last bit.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class ArgumentVerdict:
    """What one argument is worth; ``expected`` or ``actual`` is None where there is none.

    ``is_fed``: an edge feeds it or a part of it.
    """

    name: str
    expected: Any
    actual: Any
    similarity: float
    is_fed: bool = False


@dataclass(frozen=True, slots=True)
class Expected:
    """One right call: its tool (None where the catalogue has none), arguments and match rules."""

    tool: Tool | None
    arguments: Mapping[str, Any]
    rules: Mapping[str, Rule] = field(default_factory=dict)
    fed: frozenset[str] = frozenset()
    """Names of the arguments that edges feed."""

    def parameter(self, name: str) -> Parameter | None:
        """The tool's parameter of that name."""
        return None if self.tool is None else self.tool.parameters.get(name)

    def kind(self, name: str) -> Kind | None:
        """The kind of an argument, where the catalogue knows it."""
        parameter = self.parameter(name)
        return None if parameter is None else parameter.kind

    def rule(self, name: str) -> str | None:
        """The match rule of an argument: ``any_of``, ``mentions``, ``open`` or None."""
        return self.rules[name]["rule"] if name in self.rules else None

    def given(self, name: str, actual: Mapping[str, Any]) -> Any:
        """The value that a call gives an argument, if only by leaving out one that has a default."""
        value = actual.get(name)
        parameter = self.parameter(name)
        if value is None and parameter is not None and not parameter.required:
            return parameter.default
        return value

    def text(self, name: str, value: Any) -> str | None:
        """The text that an argument is, as its tool reads it; None where it is none."""
        kind = self.kind(name)
        try:
            text = value if kind is None else kind.read(value)
        except ArgumentError:
            return None
        return text if isinstance(text, str) else None


def is_right(alike: float) -> bool:
    """Whether a call of this similarity counts as right."""
    return alike >= RIGHT - _ROUNDING


def call_similarity(verdicts: Sequence[ArgumentVerdict]) -> float:
    """Mean over the arguments that count; 1 where neither side has any."""
    return fsum(v.similarity for v in verdicts) / len(verdicts) if verdicts else 1.0


def _all_made_up(text: str) -> Iterable[Token]:
    return tokens(text)


def compare(
    expected: Expected,
    actual: Mapping[str, Any],
    own: Mapping[str, Own] | None = None,
    made_up: MadeUp = _all_made_up,
) -> tuple[ArgumentVerdict, ...]:
    """A verdict on each argument that counts, expected ones first.

    ``actual``: resolved arguments. ``own``: by argument, what the model's own calls gave for its fed
    places (`match`; under a mentions rule by the position of the value that it stands for).
    ``made_up``: the numbers of a text that stand neither in the prompt nor in outputs so far.
    """
    own = own or {}
    names = dict.fromkeys((*expected.arguments, *actual))
    found = (
        _argument(expected, name, actual, own.get(name, NOTHING_OWN), made_up) for name in names
    )
    return tuple(verdict for verdict in found if verdict is not None)


def _argument(
    expected: Expected, name: str, actual: Mapping[str, Any], own: Own, made_up: MadeUp
) -> ArgumentVerdict | None:
    """The verdict on one argument; None where it counts neither for nor against."""
    parameter, rule, is_fed = expected.parameter(name), expected.rule(name), name in expected.fed
    wanted, given = expected.arguments.get(name), actual.get(name)
    if is_fed or (rule is not None and wanted is not None):
        given = expected.given(name, actual)
    elif parameter is not None and not parameter.required and parameter.default is not None:
        wanted = None if _is_default(parameter, wanted) else wanted
        given = None if _is_default(parameter, given) else given
    if wanted is None:
        is_free = parameter is not None and parameter.kind.is_free
        neutral = given is None or is_free or rule == "open"
        return None if neutral else ArgumentVerdict(name, None, given, 0.0)
    alike = 0.0 if given is None else _alike(expected, name, wanted, given, own, made_up)
    return ArgumentVerdict(name, wanted, given, alike, is_fed)


def _is_default(parameter: Parameter, value: Any) -> bool:
    return value is not None and equal(parameter.kind, parameter.default, value)


def _alike(
    expected: Expected, name: str, wanted: Any, given: Any, own: Own, made_up: MadeUp
) -> float:
    kind = expected.kind(name)
    if name not in expected.rules:
        return similarity(kind, wanted, given, own)
    rule = expected.rules[name]
    if rule["rule"] == "open":
        return float(is_given(kind, given))
    if rule["rule"] == "mentions":
        stands_for = {int(path[0]): value for path, value in own.items()}
        return read_mentions(expected.text(name, given), rule["values"], stands_for, made_up).score
    alike = max(same_by_rule(kind, value, given) for value in (wanted, *rule["values"]))
    return max(alike, similarity(kind, wanted, given, own)) if own else alike
