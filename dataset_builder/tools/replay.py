"""Replay: execute calls in order against a fresh world, with references resolved."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import Any

from dataset_builder.tools.faults import FAILURES, FORMATS, Faults
from dataset_builder.tools.tool import Output, Tool
from dataset_builder.tools.world import World
from dataset_builder.values.references import resolve, unresolved

# Characters: of all calls that are kept, and of one.
_MOST_KEPT = 20_000_000
_LONGEST_KEPT = 2_000


@dataclass(frozen=True, slots=True)
class Executed:
    """What became of one call: its resolved arguments and its output (None if not executed)."""

    name: str
    arguments: Mapping[str, Any] | None
    output: Output | None
    fault: str | None = None
    """The kind of fault that it met (`dataset_builder.tools.faults`)."""
    token: int | None = field(default=None, compare=False)
    """The same for equal calls whose outcome `Outcomes` has kept; None for all others."""

    @property
    def shown(self) -> Output | None:
        """The output as the caller sees it: in another format where a fault has changed it."""
        if self.output is None or self.fault is None or self.fault not in FORMATS:
            return self.output
        return FORMATS[self.fault](self.output)

    @property
    def error(self) -> str | None:
        """Why there is no usable output, or None."""
        if self.output is None:
            return "not executed"
        error = self.output.get("error")
        return None if error is None else str(error)


class Outcomes:
    """What calls to the tools of one catalogue gave, so that an equal one is not executed again.

    Only calls of tools whose output hangs on nothing but their arguments, and of these the short ones.
    It begins anew where it would hold more than some megabytes.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], Executed] = {}
        self._characters = 0
        self._tokens = count()
        self.generation = 0
        """How often it has begun anew; no token comes again after that."""

    def of(
        self, tool: Tool, arguments: dict[str, Any], usable: Sequence[Output | None]
    ) -> Executed:
        """What a call gives after others gave ``usable`` outputs."""
        resolved, text = arguments, _text_of(arguments)
        if text is None or "{{" in text:
            resolved = resolve(arguments, usable)
            text = _text_of(resolved)
        kept = None if text is None else self._kept.get((tool.name, text))
        if kept is not None:
            return kept
        output = _output(tool, resolved, World())
        given = _text_of(output)
        if text is None or given is None or len(text) + len(given) > _LONGEST_KEPT:
            return Executed(tool.name, resolved, output)
        self._characters += len(text) + len(given)
        if self._characters > _MOST_KEPT:
            self._kept.clear()
            self._characters = len(text) + len(given)
            self.generation += 1
        executed = Executed(tool.name, resolved, output, token=next(self._tokens))
        self._kept[tool.name, text] = executed
        return executed


def _text_of(value: Any) -> str | None:
    """A text that tells 1 from 1.0, from true and from "1"; None for a number too long to be written."""
    try:
        return repr(value)
    except ValueError:
        return None


class Episode:
    """One world and the calls made in it so far."""

    def __init__(
        self,
        tools: Mapping[str, Tool],
        offered: Container[str] | None = None,
        faults: Faults | None = None,
        outcomes: Outcomes | None = None,
    ) -> None:
        """``offered``: the names that may be called; all of ``tools`` where it is None.

        ``outcomes``: those of earlier episodes without faults.
        """
        self._tools = tools
        self._outcomes = outcomes
        self._offered = tools if offered is None else offered
        self._usable: list[Output | None] = []
        self._faults = faults
        self._called: set[str] = set()
        self._faults_met = 0

    @cached_property
    def _world(self) -> World:
        """Most episodes call no tool that acts on it."""
        return World()

    def execute(self, name: str, arguments: Any) -> Executed:
        """Make one call.

        A tool that was not offered, or arguments that are no JSON object, are not executed. An
        unresolvable reference gives an error output.
        """
        executed = self._execute(name, arguments)
        self._usable.append(None if executed.error is not None else executed.output)
        return executed

    def _execute(self, name: str, arguments: Any) -> Executed:
        if not isinstance(arguments, dict):
            return Executed(name, None, None)
        tool = self._tools.get(name)
        if tool is None or name not in self._offered:
            return Executed(name, resolve(arguments, self._usable), None)
        if self._outcomes is not None and self._faults is None and not tool.is_stateful:
            return self._outcomes.of(tool, arguments, self._usable)
        resolved = resolve(arguments, self._usable)
        if self._faults is None:
            return Executed(name, resolved, _output(tool, resolved, self._world))
        return self._execute_with_faults(tool, resolved)

    def _execute_with_faults(self, tool: Tool, resolved: dict[str, Any]) -> Executed:
        # A reference to nothing is no call that was sent.
        sent = all(unresolved(value) is None for value in resolved.values())
        fault = self._fault(tool.name) if sent else None
        if fault is not None and fault in FAILURES:
            executed = Executed(tool.name, resolved, {"error": FAILURES[fault]}, fault)
        else:
            output = _output(tool, resolved, self._world)
            executed = Executed(tool.name, resolved, output, None if "error" in output else fault)
        self._faults_met += executed.fault is not None
        return executed

    def _fault(self, name: str) -> str | None:
        """What happens to a call that is about to be executed, were it right or not."""
        if self._faults is None or name in self._called or self._faults_met >= self._faults.most:
            return None
        self._called.add(name)
        return self._faults.of(name)


def _output(tool: Tool, resolved: Mapping[str, Any], world: World) -> Output:
    """What a tool gives; an error where a reference points at nothing."""
    for argument, value in resolved.items():
        if (missing := unresolved(value)) is not None:
            return {"error": f"{argument}: the reference {missing.reference} points at nothing"}
    return tool(resolved, world)


def replay(
    calls: Iterable[tuple[str, Any]],
    tools: Mapping[str, Tool],
    offered: Container[str] | None = None,
    faults: Faults | None = None,
    outcomes: Outcomes | None = None,
) -> list[Executed]:
    """Execute (name, arguments) pairs in order in a fresh episode; never raises for a bad call."""
    episode = Episode(tools, offered, faults, outcomes)
    return [episode.execute(name, arguments) for name, arguments in calls]
