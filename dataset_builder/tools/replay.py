"""Replay: execute calls in order against a fresh world, with references resolved."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dataset_builder.tools.faults import FAILURES, FORMATS, Faults
from dataset_builder.tools.tool import Output, Tool
from dataset_builder.tools.world import World
from dataset_builder.values.references import resolve, unresolved


@dataclass(frozen=True, slots=True)
class Executed:
    """What became of one call: its resolved arguments and its output (None if not executed)."""

    name: str
    arguments: Mapping[str, Any] | None
    output: Output | None
    fault: str | None = None
    """The kind of fault that it met (`dataset_builder.tools.faults`)."""

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


class Episode:
    """One world and the calls made in it so far."""

    def __init__(
        self,
        tools: Mapping[str, Tool],
        offered: Container[str] | None = None,
        faults: Faults | None = None,
    ) -> None:
        """``offered``: the names that may be called; all of ``tools`` where it is None."""
        self._tools = tools
        self._offered = tools if offered is None else offered
        self._world = World()
        self._usable: list[Output | None] = []
        self._faults = faults
        self._called: set[str] = set()
        self._faults_met = 0

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
        resolved = resolve(arguments, self._usable)
        tool = self._tools.get(name)
        if tool is None or name not in self._offered:
            return Executed(name, resolved, None)
        for argument, value in resolved.items():
            if (missing := unresolved(value)) is not None:
                error = f"{argument}: the reference {missing.reference} points at nothing"
                return Executed(name, resolved, {"error": error})
        fault = self._fault(name)
        if fault is not None and fault in FAILURES:
            executed = Executed(name, resolved, {"error": FAILURES[fault]}, fault)
        else:
            output = tool(resolved, self._world)
            executed = Executed(name, resolved, output, None if "error" in output else fault)
        self._faults_met += executed.fault is not None
        return executed

    def _fault(self, name: str) -> str | None:
        """What happens to a call that is about to be executed, were it right or not."""
        if self._faults is None or name in self._called or self._faults_met >= self._faults.most:
            return None
        self._called.add(name)
        return self._faults.of(name)


def replay(
    calls: Iterable[tuple[str, Any]],
    tools: Mapping[str, Tool],
    offered: Container[str] | None = None,
    faults: Faults | None = None,
) -> list[Executed]:
    """Execute (name, arguments) pairs in order in a fresh episode; never raises for a bad call."""
    episode = Episode(tools, offered, faults)
    return [episode.execute(name, arguments) for name, arguments in calls]
