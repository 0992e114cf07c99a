"""How right one call's arguments are: defaults, match rules, fed values (specification: Arguments).

Each argument is read twice: tolerantly for the paper's weighted score, exactly for step and strict.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import fsum
from typing import Any, NamedTuple

from dataset_builder.tools.tool import Parameter, Tool
from dataset_builder.values.expression import ExpressionError, evaluate, numbers_used
from dataset_builder.values.json_values import ArgumentError
from dataset_builder.values.kinds import Kind
from evaluator.scoring.exact_match import SameNumber, has_no_zone, same, same_fed, without_zone
from evaluator.scoring.mentions import MadeUp, Mentions, made_up_beside, read_mentions
from evaluator.scoring.numbers_in_text import Known
from evaluator.scoring.tolerant_match import NOTHING_FED, RIGHT, FedValues, same_number, similarity

Rule = Mapping[str, Any]
# Means of fractions such as 17/20 may miss 0.85 by the last bit.
_ROUNDING = 1e-9


class ArgumentVerdict(NamedTuple):
    """What one argument is worth; ``expected`` or ``actual`` is None where there is none.

    ``similarity`` is the tolerant reading, ``is_exact`` the exact one. ``is_fed``: an edge feeds it or
    a part of it.
    """

    name: str
    expected: Any
    actual: Any
    similarity: float
    is_exact: bool
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
        """The match rule of an argument: ``mentions``, ``computes`` or None."""
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

    def mentions(
        self, name: str, given: Any, fed: Mapping[int, Any], made_up: Callable[[str], MadeUp]
    ) -> Mentions:
        """What the text that an argument is carries of what its rule lists."""
        rule = self.rules[name]
        unrounded = bool(rule.get("unrounded", False))
        text = self.text(name, given)
        return read_mentions(text, rule["values"], fed, made_up, unrounded=unrounded)


def is_similar(alike: float) -> bool:
    """Whether a call of this similarity is right in the tolerant reading."""
    return alike >= RIGHT - _ROUNDING


def call_similarity(verdicts: Sequence[ArgumentVerdict]) -> float:
    """Mean over the arguments that count; 1 where neither side has any."""
    return fsum(v.similarity for v in verdicts) / len(verdicts) if verdicts else 1.0


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What of a call's surroundings its arguments are judged by.

    ``fed_values``: by argument, what the model's own calls gave for its fed places (`tolerant_match`; under
    a mentions rule by the position of the value that it stands for). ``made_up``: the numbers of a text that
    stand neither in the prompt nor in outputs so far. ``gives_expected``: whether the call gave the
    expected output.
    """

    fed_values: Mapping[str, FedValues] = field(default_factory=dict)
    made_up: Callable[[str], MadeUp] = lambda text: made_up_beside(text, Known())
    gives_expected: Callable[[], bool] = lambda: False


NOTHING_AROUND = Surroundings()


def compare(
    expected: Expected, actual: Mapping[str, Any], around: Surroundings = NOTHING_AROUND
) -> tuple[ArgumentVerdict, ...]:
    """A verdict on each argument that counts, expected ones first; ``actual``: resolved arguments."""
    names = dict.fromkeys((*expected.arguments, *actual))
    verdicts = (_argument(expected, name, actual, around) for name in names)
    return tuple(verdict for verdict in verdicts if verdict is not None)


def _argument(
    expected: Expected, name: str, actual: Mapping[str, Any], around: Surroundings
) -> ArgumentVerdict | None:
    """The verdict on one argument; None where it counts neither for nor against."""
    parameter, is_fed = expected.parameter(name), name in expected.fed
    wanted, given = expected.arguments.get(name), actual.get(name)
    if is_fed or (name in expected.rules and wanted is not None):
        given = expected.given(name, actual)
    elif parameter is not None and not parameter.required and parameter.default is not None:
        wanted = None if _is_default(parameter, wanted) else wanted
        given = None if _is_default(parameter, given) else given
    if wanted is None:
        # A free argument that the step lists is asked for, if only with its default.
        is_open = (
            parameter is not None and parameter.kind.is_free and name not in expected.arguments
        )
        is_neutral = given is None or is_open
        return None if is_neutral else ArgumentVerdict(name, None, given, 0.0, False)
    if given is None:
        return ArgumentVerdict(name, wanted, None, 0.0, False, is_fed)
    alike, is_exact = _read(expected, name, wanted, given, around)
    return ArgumentVerdict(name, wanted, given, alike, is_exact, is_fed)


def _is_default(parameter: Parameter, value: Any) -> bool:
    # Exactly, in either reading: what is only near the default is another value.
    return value is not None and same(parameter.kind, parameter.default, value)


def _read(
    expected: Expected, name: str, wanted: Any, given: Any, around: Surroundings
) -> tuple[float, bool]:
    """An argument in the tolerant and in the exact reading."""
    fed, rule = around.fed_values.get(name, NOTHING_FED), expected.rule(name)
    if rule == "mentions":
        stands_for = {int(path[0]): value for path, value in fed.items()}
        carried = expected.mentions(name, given, stands_for, around.made_up)
        return carried.score, carried.is_exact
    if rule == "computes":
        inputs = expected.rules[name]["inputs"]
        wanted = fed.get((), wanted)
        is_near, is_exact = (_computes(wanted, given, inputs, n) for n in (same_number, same_fed))
        return float(is_near), is_exact
    kind = expected.kind(name)
    if (
        same(kind, wanted, given, fed)
        or _is_same_moment(kind, wanted, given, around)
        or (name not in expected.fed and _is_reordered(kind, wanted, given, around))
    ):
        return 1.0, True
    return similarity(kind, wanted, given, fed), False


def _is_reordered(kind: Kind | None, wanted: Any, given: Any, around: Surroundings) -> bool:
    """Whether a stated list has its items in an order that makes no difference to the output."""
    if kind is None or kind.name != "list" or not around.gives_expected():
        return False
    # To pair items off is costly, so the outcome is asked first.
    return same(replace(kind, name="set"), wanted, given)


def _is_same_moment(kind: Kind | None, wanted: Any, given: Any, around: Surroundings) -> bool:
    """Whether a naive moment was given an offset that it has where the tool takes it to be."""
    if kind is None or kind.name != "datetime" or not isinstance(given, str):
        return False
    try:
        read = kind.canonical(given)
    except ArgumentError:
        return False
    naive = without_zone(read)
    return (
        naive != read
        and has_no_zone(kind, wanted)
        and same(kind, wanted, naive)
        and around.gives_expected()
    )


def _computes(wanted: Any, given: Any, inputs: Sequence[Any], number: SameNumber) -> bool:
    """Whether an expression has the wanted value and is written with all the inputs."""
    try:
        written = numbers_used(str(given))
        value, right = evaluate(str(given)), evaluate(str(wanted))
        needed = [abs(float(item)) for item in inputs]
    except (ExpressionError, TypeError, ValueError):
        return False
    return number(right, value) and all(any(number(n, w) for w in written) for n in needed)
