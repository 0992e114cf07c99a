"""The signature: one line that pins what a score measured, so that only like is compared with like."""

from collections.abc import Mapping

from dataset_builder.tasks.task import Suite

SCORER_VERSION = 2


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
) -> str:
    """``ctb:3.0.0+1a2b3c4d|seed:42|n:200|protocol:single-turn.1|catalogue:full|calls:native|scorer:2``.

    ``tasks``: how many are scored. What a run does not declare is called ``undeclared``.
    """
    version = prompt_versions.get(protocol or "")
    asked = f"{protocol}.{version}" if protocol and version else protocol
    fields = {
        "ctb": suite_label(suite),
        "seed": "none" if suite.seed is None else suite.seed,
        "n": tasks,
        "protocol": asked or "undeclared",
        "catalogue": catalogue or "undeclared",
        "calls": calls or "undeclared",
        "scorer": SCORER_VERSION,
    }
    return "|".join(f"{name}:{value}" for name, value in fields.items())


def fields(line: str) -> dict[str, str]:
    """The fields of a signature by their names."""
    return dict(part.split(":", 1) for part in line.split("|") if ":" in part)
