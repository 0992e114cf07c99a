"""Gradio's Blocks, but silent about what visitors typed, and fetching nothing for them."""

from typing import Any

import gradio as gr
from gradio_client.utils import is_http_url_like


class SilentBlocks(gr.Blocks):
    """Blocks that do not write a visitor's input, a key perhaps, to the log."""

    def validate_inputs(self, block_fn: Any, inputs: list[Any]) -> None:
        """Refuse a request with too few values, or with an address in place of a file.

        The former a tab sends that was loaded before an update; Gradio itself would print all values
        that came. The latter Gradio would download, however much it is.
        """
        if len(inputs) < len(block_fn.inputs):
            raise gr.Error("The page has changed: load it again.", print_exception=False)
        if _names_an_address(inputs):
            raise gr.Error("Give a file, not the address of one.", print_exception=False)


def _names_an_address(values: list[Any]) -> bool:
    """Whether what Gradio takes for a file, anywhere in JSON values, lies elsewhere."""
    pending: list[Any] = [values]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            if isinstance(path := value.get("path"), str) and is_http_url_like(path):
                return True
            pending.extend(value.values())
        elif isinstance(value, list):
            pending.extend(value)
    return False
