"""Refusal of blank text: what a message, a title or a key must not be."""

from dataset_builder.tools.tool import ToolError


def refuse_blank(**texts: str) -> None:
    """ToolError that names the first parameter whose text says nothing."""
    for parameter, text in texts.items():
        if not text.strip():
            raise ToolError(f"{parameter}: the text is empty")
