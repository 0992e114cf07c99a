"""A small catalogue and a way to write tasks over it, so that the scorer's tests depend on no other tool."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from dataset_builder.tasks.task import Alternative, Edge, Level, Step, Suite, Task
from dataset_builder.tools.define_tool import tool
from dataset_builder.tools.replay import replay
from dataset_builder.tools.tool import Catalogue, Output, ToolError
from dataset_builder.tools.world import World
from dataset_builder.values.parameter_types import (
    FREE,
    UNORDERED,
    Boolean,
    Date,
    Email,
    Integer,
    Number,
    Object,
    Place,
    Prose,
    Unit,
    Verbatim,
)
from dataset_builder.values.references import references
from evaluator.traces.trace import Call, Trace

CELSIUS = {"berlin": 36, "paris": 25, "rome": 31, "oslo": 12, "cairo": 44, "lima": 19}


@tool("External Services")
def weather(city: Place) -> Output:
    """Weather of a city.

    Args:
        city: City.

    Returns:
        temperature_c (number, °C): air temperature
        condition (string): in a word
    """
    celsius = CELSIUS.get(city.casefold())
    if celsius is None:
        raise ToolError(f"no such city as {city[:20]}")
    return {"temperature_c": celsius, "condition": "clear" if celsius > 30 else "cloudy"}


@tool("External Services")
def forecast(place: Place, days: Annotated[Integer, FREE] = 1) -> Output:
    """Tomorrow's weather.

    Args:
        place: City.
        days: How many.

    Returns:
        celsius (number, °C): air temperature
    """
    return {"celsius": CELSIUS.get(place.casefold(), 0)}


@tool("Math & Statistics")
def convert(value: Number, to: Unit, digits: Integer = 2) -> Output:
    """Degrees Celsius in another unit.

    Args:
        value: Degrees Celsius.
        to: Unit.
        digits: Decimals.

    Returns:
        result (number): the same temperature
    """
    return {"result": round(value * 1.8 + 32 if to == "fahrenheit" else value + 273.15, digits)}


@tool("Math & Statistics")
def to_fahrenheit(degrees: Number) -> Output:
    """Degrees Fahrenheit.

    Args:
        degrees: Degrees Celsius.

    Returns:
        fahrenheit (number, °F): the same temperature
    """
    return {"fahrenheit": round(degrees * 1.8 + 32, 2)}


@tool("Math & Statistics")
def add(a: Number, b: Number) -> Output:
    """The sum of two numbers.

    Args:
        a: One.
        b: Other.

    Returns:
        sum (number): the sum
    """
    return {"sum": a + b}


@tool("Math & Statistics")
def hottest(values: Annotated[list[Number], UNORDERED]) -> Output:
    """The largest of some numbers.

    Args:
        values: Numbers.

    Returns:
        maximum (number): the largest
    """
    if not values:
        raise ToolError("values: at least one is needed")
    return {"maximum": max(values), "count": len(values)}


@tool("Math & Statistics")
def trend(values: list[Number], note: Prose = "") -> Output:
    """Last minus first.

    Args:
        values: Numbers in order.
        note: Remark.

    Returns:
        change (number): last minus first
    """
    return {"change": values[-1] - values[0] if values else 0}


@tool("Communication")
def send(to: Email, body: Prose, subject: Prose = "", urgent: Boolean = False) -> Output:
    """Send a mail.

    Args:
        to: Address.
        body: Text.
        subject: Subject.
        urgent: Whether it is.

    Returns:
        status (string): sent
    """
    return {"status": "sent"}


@tool("Text Processing")
def count(text: Verbatim) -> Output:
    """Characters of a text.

    Args:
        text: Text.

    Returns:
        characters (integer): how many
    """
    return {"characters": len(text)}


@tool("Productivity")
def plan(day: Date, details: Object, title: Prose = "Plan") -> Output:
    """Plan a day.

    Args:
        day: Date.
        details: Anything.
        title: Title.

    Returns:
        plan_id (string): id
    """
    return {"plan_id": f"P-{day}"}


@tool("Date & Time")
def now() -> Output:
    """The time.

    Returns:
        time (string): the time
    """
    return {"time": "09:30"}


@tool("State Management")
def keep(name: Verbatim, text: Verbatim, world: World) -> Output:
    """Keep a text.

    Args:
        name: Name.
        text: Text.

    Returns:
        kept (boolean): whether
    """
    world.memories[name] = text
    return {"kept": True}


@tool("State Management")
def recall(name: Verbatim, world: World) -> Output:
    """A kept text.

    Args:
        name: Name.

    Returns:
        text (string): the text
    """
    if name not in world.memories:
        raise ToolError(f"nothing is kept as {name[:20]}")
    return {"text": world.memories[name]}


TOOLS = Catalogue(
    [
        weather,
        forecast,
        convert,
        to_fahrenheit,
        add,
        hottest,
        trend,
        send,
        count,
        plan,
        now,
        keep,
        recall,
    ]
)


def step(
    tool_name: str,
    /,
    match: Mapping[str, Mapping[str, Any]] | None = None,
    alternatives: Sequence[Alternative] = (),
    after: Sequence[int] = (),
    **arguments: Any,
) -> dict[str, Any]:
    """An expected call; ``{{1.field}}`` as a whole argument or item is an edge, under mentions too."""
    return {
        "tool": tool_name,
        "arguments": arguments,
        "match": dict(match or {}),
        "alternatives": tuple(alternatives),
        "after": tuple(after),
    }


def mentions(*values: Any) -> dict[str, Any]:
    """A text that must carry these values, references among them."""
    return {"rule": "mentions", "values": list(values)}


def _edges(value: Any, argument: str) -> Iterator[Edge]:
    if isinstance(value, dict) and value.get("rule") == "mentions":
        for item in value["values"]:
            yield from _edges(item, argument)
    elif isinstance(value, list | dict):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _edges(item, f"{argument}.{key}")
    elif isinstance(value, str):
        for _, number, path in references(value):
            yield Edge(argument, f"step_{number}", ".".join(path))


def make_task(
    level: int,
    *steps: Mapping[str, Any],
    prompt: str = "",
    number: int = 1,
    optional: Sequence[Mapping[str, Any]] = (),
    offered: Sequence[str] | None = None,
    template: str = "t",
) -> Task:
    """A task whose ground truth comes from executing its steps."""
    done: list[Step] = []
    calls: list[tuple[str, Any]] = []
    for position, spec in enumerate(steps, 1):
        edges = tuple(e for name, value in spec["arguments"].items() for e in _edges(value, name))
        arguments = {n: _written(v) for n, v in spec["arguments"].items()}
        calls.append((spec["tool"], arguments))
        executed = replay(calls, TOOLS)
        last = executed[-1]
        assert last.error is None, last.error
        assert last.arguments is not None
        assert last.output is not None
        outputs = [item.output for item in executed[:-1]]
        match = dict(spec["match"])
        for name, value in spec["arguments"].items():
            if isinstance(value, dict) and value.get("rule") == "mentions":
                resolved = replay([*calls[:-1], ("x", {"v": value["values"]})], TOOLS)[-1]
                assert resolved.arguments is not None
                match[name] = mentions(*resolved.arguments["v"])
        assert all(output is not None for output in outputs)
        depends = [e.source for e in edges] + [f"step_{n}" for n in spec["after"]]
        done.append(
            Step(
                step_id=f"step_{position}",
                tool=spec["tool"],
                arguments=last.arguments,
                depends_on=tuple(dict.fromkeys(depends)),
                output=last.output,
                edges=edges,
                match=match,
                alternatives=spec["alternatives"],
            )
        )
    names = tuple(offered or TOOLS)
    return Task(
        task_id=Level(level).task_id(number),
        level=Level(level),
        prompt=prompt,
        schemas=tuple(TOOLS[name].schema_json for name in names),
        offered=names,
        steps=tuple(done),
        metadata={
            "optional_calls": list(optional),
            "pattern": "p",
            "categories": ["c"],
            "template": template,
        },
    )


def _written(value: Any) -> Any:
    if isinstance(value, dict) and value.get("rule") == "mentions":
        return "\n".join(str(item) for item in value["values"])
    return value


def call(name: str, /, **arguments: Any) -> Call:
    """A call as a model makes it."""
    return Call(name, arguments)


def trace(task: Task, *calls: Call, **fields: Any) -> Trace:
    """A trace on a task."""
    return Trace(task.task_id, calls, **fields)


def suite(*tasks: Task) -> Suite:
    """A suite of these tasks."""
    return Suite("3.0.0", 42, tasks)
