"""The signature: one line that pins what a score measured, so that only like is compared with like.

ctb:3.0.0+1a2b3c4d|seed:42|n:200|protocol:single-turn.1|catalogue:full|calls:native|scorer:2

What a run varies stands behind that, such as ``|faults:20.1``.
"""

from collections.abc import Mapping
from typing import NamedTuple

from dataset_builder.tasks.task import Suite
from evaluator.traces.protocols import CHAT
from evaluator.traces.variations import PLAIN, Variation

SCORER_VERSION = 2
UNDECLARED = "undeclared"
NONE = "none"
"""Of a field that a plain run's line does not have."""

_CALLS = {"native": "native tool calls", "json": "calls written as JSON"}
_CATALOGUES = {"full": "all tools offered", "task": "the task's own tools offered"}


class Signature(NamedTuple):
    """The fields of the line under the names that they bear in it; `str` gives the line."""

    ctb: str = UNDECLARED
    """Version and digest of the suite."""
    seed: str = UNDECLARED
    n: str = UNDECLARED
    """How many tasks are scored."""
    protocol: str = UNDECLARED
    """The protocol and, after a dot, the version of its prompts."""
    catalogue: str = UNDECLARED
    calls: str = UNDECLARED
    scorer: str = UNDECLARED
    endpoint: str = NONE
    """Stands in the line where it is not that of chat completions."""
    scramble: str = NONE
    faults: str = NONE
    withhold: str = NONE

    def __str__(self) -> str:
        left_out = ("endpoint", *Variation._fields)
        return "|".join(
            f"{name}:{value}"
            for name, value in self._asdict().items()
            if value != NONE or name not in left_out
        )

    @property
    def variation(self) -> Variation:
        """What was varied."""
        values = {name: getattr(self, name) for name in Variation._fields}
        return Variation(**{n: value for n, value in values.items() if value != NONE})

    @property
    def suite_version(self) -> str:
        """The suite's version alone."""
        return self.ctb.partition("+")[0]

    @property
    def suite_digest(self) -> str:
        """The beginning of the suite's digest."""
        return self.ctb.partition("+")[2]

    @property
    def protocol_name(self) -> str:
        """The protocol without the version of its prompts."""
        return self.protocol.partition(".")[0]


def suite_label(suite: Suite) -> str:
    """Version and the first eight digits of the digest: ``3.0.0+1a2b3c4d``."""
    return f"{suite.version}+{suite.digest[:8]}"


def signature(
    suite: Suite,
    tasks: int,
    protocol: str | None,
    catalogue: str | None,
    calls: str | None,
    prompt_versions: Mapping[str, int],
    variation: Variation = PLAIN,
    endpoint: str | None = None,
) -> str:
    """The line of a run; what it does not declare is called ``undeclared``.

    ``tasks``: how many are scored.
    """
    version = prompt_versions.get(protocol or "")
    line = Signature(
        ctb=suite_label(suite),
        seed="none" if suite.seed is None else str(suite.seed),
        n=str(tasks),
        protocol=(f"{protocol}.{version}" if protocol and version else protocol) or UNDECLARED,
        catalogue=catalogue or UNDECLARED,
        calls=calls or UNDECLARED,
        scorer=str(SCORER_VERSION),
        endpoint=NONE if endpoint in (None, CHAT) else endpoint,
        **variation.written,
    )
    return str(line)


def parse_signature(line: str) -> Signature:
    """The fields of a line; one that it lacks is undeclared, one that nobody knows is passed over."""
    fields = dict(part.partition(":")[::2] for part in line.split("|"))
    return Signature(**{name: fields[name] for name in Signature._fields if name in fields})


def signature_text(line: str) -> str:
    """What was measured, such as "Multi-turn, 8 tools offered, native tool calls, 60 tasks, suite 3.0.0"."""
    fields = parse_signature(line)
    protocol = "undeclared protocol" if fields.protocol == UNDECLARED else fields.protocol_name
    offered = _CATALOGUES.get(fields.catalogue) or (
        f"{fields.catalogue} tools offered"
        if fields.catalogue.isdigit()
        else "undeclared catalogue"
    )
    calls = _CALLS.get(fields.calls, "undeclared form of calls")
    through = [] if fields.endpoint == NONE else [f"asked through {fields.endpoint}"]
    parts = [protocol, offered, calls, *through, *fields.variation.words]
    text = f"{', '.join(parts)}, {fields.n} tasks, suite {fields.suite_version}"
    return text[:1].upper() + text[1:]
