"""A signature in words, for readers who do not know its form."""

from evaluator.traces.signature import fields

_CALLS = {"native": "native tool calls", "json": "calls written as JSON"}
_CATALOGUES = {"full": "all tools offered", "task": "the task's own tools offered"}


def signature_text(signature: str) -> str:
    """What was measured, such as "Multi-turn, 8 tools offered, native tool calls, 60 tasks, suite 3.0.0"."""
    parts = fields(signature)
    protocol = parts.get("protocol", "undeclared").rpartition(".")[0] or "undeclared protocol"
    catalogue = parts.get("catalogue", "undeclared")
    offered = _CATALOGUES.get(catalogue) or (
        f"{catalogue} tools offered" if catalogue.isdigit() else "undeclared catalogue"
    )
    calls = _CALLS.get(parts.get("calls", ""), "undeclared form of calls")
    version = parts.get("ctb", "").partition("+")[0]
    text = f"{protocol}, {offered}, {calls}, {parts.get('n')} tasks, suite {version}"
    return text[:1].upper() + text[1:]
