"""Arguments for every tool: ordinary ones, taken from the templates, and a list of hostile values.

`python tests/tools/tool_cases.py` prints how many hostile inputs there are and the slowest of them.
"""

import json
import time
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from dataset_builder.tools import catalogue
from dataset_builder.tools.tool import Field, Output, Tool
from dataset_builder.tools.world import World

Arguments = dict[str, Any]
Cases = dict[str, list[Arguments]]

HUGE = 50_000_000
LONGEST_ERROR = 1_000


def nested(depth: int, opening: Any = None) -> Any:
    """Lists in lists, or objects in objects."""
    value: Any = 1
    for _ in range(depth):
        value = [value] if opening is None else {opening: value}
    return value


HOSTILE: tuple[Any, ...] = (
    # Nothing, and what is not what it looks like.
    None,
    "",
    " ",
    "\n\t\r",
    "\0",
    "\u200b\ufeff",
    "null",
    "NaN",
    "{{1.temperature_c}}",
    "{0.__class__}",
    "%s%n%x",
    "'; DROP TABLE products; --",
    "../../../../etc/passwd",
    "file:///etc/passwd",
    "http://[::1",
    "http://user:secret@127.0.0.1:99999/%zz?q=%",
    "//",
    "://",
    "a@b@c",
    "__import__('os').system('true')",
    # Wrong types.
    True,
    False,
    [],
    {},
    [[]],
    [None],
    [{}],
    {"": None},
    {"a": []},
    [1, "a", None, True, {"b": []}],
    {"__proto__": {"a": 1}},
    b"bytes",
    ("a", "tuple"),
    # Numbers.
    0,
    -0.0,
    -1,
    1e308,
    -1e308,
    5e-324,
    2**31,
    2**63,
    2**64,
    -(2**63) - 1,
    10**9,
    -(10**9),
    10**300,
    10**400,
    10**5000,
    float("nan"),
    float("inf"),
    float("-inf"),
    [float("nan"), 1.0],
    [float("inf"), float("-inf")],
    [1e308, 1e308],
    [0, 0],
    [5e-324, 1e308],
    "1e999999999",
    "9" * 5000,
    "10**10**9",
    "2 ^ 1000000000",
    "9" * 400 + " * " + "9" * 400,
    "1/0",
    "0 ** -1",
    "(-8) ** 0.5",
    "factorial(1000000000)",
    "-" * 50_000 + "1",
    "(" * 50_000 + "1" + ")" * 50_000,
    "1+" * 40_000 + "1",
    # Regular expressions.
    "(a+)+$",
    "(a|a)*b",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    r"(\w+\s?)*!",
    "(?:a?){1000}a{1000}",
    "((((a{1000}){1000}){1000}){1000})",
    r"(?P<x>a)(?P=x)",
    "(?=a)(?<!b)",
    "[",
    "(",
    "\\",
    "*",
    # Texts that are not written as one writes.
    "\ud800",
    "a\udfffb",
    "\u202eabc\u202c",
    "\u200fשלום\u200e",
    "مرحبا بالعالم",
    "e\u0301" * 1000,
    "Z" + "\u0301" * 50_000,
    "👩‍👩‍👧‍👦" * 100,
    "İıſß",
    "ﷺ" * 5000,
    "\U0010ffff",
    "٣٤٫٥",
    "½",
    "<" * 50_000,
    "<a href='" * 10_000,
    "<!--" * 20_000,
    "&amp;" * 20_000,
    "a," * 50_000,
    "\n" * 100_000,
    '"' * 50_001,
    "a b " * 25_000,
    "a" * 99_999 + "!",
    "Sentence one. " * 7_000,
    # Dates and places that are not there.
    "0000-00-00",
    "0000-01-01",
    "0001-01-01",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31",
    "9999-12-31T23:59:59-12:00",
    "10000-01-01",
    "-0001-12-31",
    "2023-02-29",
    "2026-07-15T24:00:60",
    "2026-07-15T12:00:00+99:99",
    "٢٠٢٦-٠٧-١٥",
    "Mars/Olympus_Mons",
    "../../UTC",
    "XXX",
    "999.999.999.999",
    "::ffff:0:0",
    # Too deep.
    nested(17),
    nested(17, "a"),
    nested(5_000),
    nested(5_000, "a"),
    "[" * 90_000,
    "[" * 900 + "]" * 900,
    '{"a":' * 900 + "1" + "}" * 900,
    "<div>" * 20_000,
    # Too large.
    "a" * HUGE,
    "9" * HUGE,
    "[" * HUGE,
    "\u0301" * 10_000_000,
    [1] * 1_000_000,
    list(range(9_999)),
    ["a" * 1000] * 5_000,
    [0.1] * 10_000,
    [{"a": 1}] * 10_000,
    [[1] * 1000] * 1000,
    {str(key): key for key in range(100_000)},
    [{"a": "b" * 10_000}] * 100,
    {"a": "a" * 10_000_000},
)


@lru_cache(maxsize=1)
def ordinary() -> Cases:
    """Arguments that the templates' tasks expect, for each tool: every call that needs no earlier one."""
    from dataset_builder.tasks.engine import CompositionEngine
    from dataset_builder.tasks.ground_truth import Degenerate

    engine = CompositionEngine(1)
    cases: Cases = {name: [] for name in catalogue()}
    for index, template in enumerate(engine.templates):
        for variant in range(50):
            try:
                task = engine.make(template, "task", index, variant)
                break
            except Degenerate:
                continue
        else:
            raise AssertionError(f"{template.name}: no variant makes a task")
        for step in task.steps:
            arguments = dict(step.arguments)
            is_new = arguments not in cases[step.tool]
            if is_new and "error" not in catalogue()[step.tool](arguments, World()):
                cases[step.tool].append(arguments)
    return cases


def hostile(cases: Cases) -> Iterator[tuple[str, str, Arguments]]:
    """Tool, which parameter, arguments: each hostile value in each place, and in all at once."""
    for name, tool in catalogue().items():
        for parameter in tool.parameters.values():
            wraps = parameter.kind.json_type in ("array", "object")
            for value in HOSTILE:
                yield name, parameter.name, {**cases[name][0], parameter.name: value}
                if wraps:
                    yield name, parameter.name, {**cases[name][0], parameter.name: [value]}
                    yield name, parameter.name, {**cases[name][0], parameter.name: {"key": value}}
                    yield name, parameter.name, {**cases[name][0], parameter.name: [{"key": value}]}
        for value in HOSTILE:
            yield name, "every parameter", dict.fromkeys(tool.parameters, value)


def shown(value: Any) -> str:
    """A hostile value in a few ASCII characters, without walking through all of it."""
    if isinstance(value, list | dict):
        return f"{type(value).__name__} of {len(value):,}"
    if isinstance(value, int) and abs(value) > 10**300:
        return f"integer of {value.bit_length():,} bits"
    text = ascii(value[:40]) if isinstance(value, str) else ascii(value)
    return f"{text} ({len(value):,} characters)" if isinstance(value, str) else text


def fault(tool: Tool, output: Any) -> str | None:
    """What is wrong with an output: neither an error text nor exactly the documented fields."""
    if not isinstance(output, dict):
        return f"a {type(output).__name__} is no JSON object"
    if set(output) == {"error"} and "error" not in tool.returns:
        error = output["error"]
        is_sentence = isinstance(error, str) and 0 < len(error.strip()) <= LONGEST_ERROR
        return None if is_sentence and _is_json(output) else f"no error text: {str(error)[:300]!r}"
    return undocumented(tool, output)


def undocumented(tool: Tool, output: Output) -> str | None:
    """How an output differs from the fields and types that the tool documents."""
    if set(output) != set(tool.returns):
        return f"the fields {list(output)}, documented are {list(tool.returns)}"
    for field in tool.returns.values():
        if not _is_of(field, output[field.name]):
            return f"{field} is {str(output[field.name])[:300]}"
    return None if _is_json(output) else "no JSON in UTF-8"


def _is_of(field: Field, value: Any) -> bool:
    if field.type.startswith("array of "):
        kind = field.type.removeprefix("array of ")
        return isinstance(value, list) and all(_IS[kind](item) for item in value)
    return _IS[field.type](value)


_IS: Mapping[str, Any] = {
    "string": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
}


def _is_json(output: Output) -> bool:
    """Whether it is JSON that any reader takes: finite numbers, whole characters, not too deep."""
    try:
        json.dumps(output, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, TypeError, RecursionError):
        return False
    return True


def main() -> None:
    """Try all hostile inputs; print how many and which took longest."""
    times = []
    for name, where, arguments in hostile(ordinary()):
        began = time.perf_counter()
        problem = fault(catalogue()[name], catalogue()[name](arguments, World()))
        seconds = time.perf_counter() - began
        times.append((seconds, f"{name}, {where} = {shown(arguments.get(where))}"))
        if problem:
            print(f"{times[-1][1]}: {problem}")
    print(f"hostile inputs: {len(times):,}")
    for seconds, call in sorted(times)[:-11:-1]:
        print(f"{1000 * seconds:8.1f} ms  {call}")


if __name__ == "__main__":
    main()
