"""A tab of the page without the others."""

from collections.abc import Callable
from typing import TypeVar

import gradio as gr

from space.services import Services
from space.tabs.components import Frame

Tab = TypeVar("Tab")


def lone_tab(build: Callable[[Services, Frame], Tab], services: Services) -> Tab:
    """The tab, on a page that holds nothing else."""
    with gr.Blocks() as page:
        address, has_started, title = gr.Textbox(), gr.Checkbox(), gr.Textbox()
        wrong, visited = gr.HTML(), gr.State({})
        with gr.Tabs() as tabs, gr.Tab():
            return build(services, Frame(page, address, has_started, title, wrong, visited, tabs))
