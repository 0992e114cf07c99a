"""Gradio's Blocks, but silent about what visitors typed."""

from typing import Any

import gradio as gr


class Page(gr.Blocks):
    """Blocks that do not write a visitor's input, a key perhaps, to the log."""

    def validate_inputs(self, block_fn: Any, inputs: list[Any]) -> None:
        """Refuse a request with too few values, as a tab sends that was loaded before an update.

        Gradio itself would print all values that came.
        """
        if len(inputs) < len(block_fn.inputs):
            raise gr.Error("The page has changed: load it again.", print_exception=False)
