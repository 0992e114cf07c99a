"""The text of what a server of the Model Context Protocol answers."""

from mcp_types import ContentBlock, TextContent


def text_of(content: ContentBlock) -> str:
    """The text; AssertionError for a picture or a sound."""
    assert isinstance(content, TextContent)
    return content.text
