"""A task as a picture file: request, graph and calls in one SVG that stands for itself, on white and on dark.

`python -m space.html.task_picture FILE` writes the one of the documents (README, dataset card).
"""

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap

from markupsafe import Markup

from dataset_builder.tasks.task import Suite, Task
from space.base.markup import tag
from space.html.hero import example
from space.html.task_graph import graph

PREVIEW_SIZE = (1200, 630)
"""Pixels of the picture that stands beside a link."""
_SANS = "system-ui, 'Segoe UI', 'Liberation Sans', 'DejaVu Sans', Roboto, sans-serif"
_MONO = "ui-monospace, 'Liberation Mono', 'DejaVu Sans Mono', Menlo, monospace"
_STYLE = (
    f"text{{font-family:{_SANS};fill:#1f2937}}"
    f".graph text{{font-family:{_MONO};font-size:12px}}"
    ".graph .label text{font-size:11px}.graph .step .literals{font-size:10px;fill:#56606b}"
    ".graph .label rect{fill:#fff}.graph .step rect{fill:#eef2ff;stroke:#1d4ed8;stroke-width:1.2}"
    ".graph .flow{fill:none;stroke:#56606b;stroke-width:1.4}.graph .head{fill:#56606b}"
    ".soft{fill:#56606b}"
)
_LINE = 20
_MARGIN = 20
_CHARACTER = 7.1
"""The mean width of a letter of the request, in type of 15 pixels."""


def task_picture(task: Task) -> str:
    """An SVG file: what is asked, and below it the graph with its calls."""
    drawn = graph(task)
    width, height = _size(drawn)
    whole = max(width + 2 * _MARGIN, 560)
    lines = wrap(f"“{task.prompt}”", int((whole - 2 * _MARGIN) / _CHARACTER))
    top = _MARGIN + _LINE * len(lines)
    parts = [
        *_text(lines, _MARGIN, _MARGIN + 12, 15),
        _placed(drawn, (whole - width) / 2, top, 1),
    ]
    return _file(parts, whole, round(top + height + _MARGIN / 2), rx=12)


def preview(suite: Suite) -> str:
    """An SVG file of `PREVIEW_SIZE`: what the benchmark asks, beside an example of it."""
    task = example(suite)
    drawn = graph(task)
    width, height = _size(drawn)
    scale = min(620 / width, 530 / height)
    about = [
        f"{len(suite.tasks)} tasks, from a single call",
        "to graphs of calls.",
        "Every score can be",
        "computed again.",
    ]
    parts = [
        *_text(["CompToolBench"], 60, 150, 52, "bold"),
        *_text(["Can a language model", "compose tools?"], 60, 230, 36),
        *_text(about, 60, 360, 26, kind="soft"),
        _placed(drawn, 1170 - width * scale, (630 - height * scale) / 2, scale),
    ]
    return _file(parts, *PREVIEW_SIZE)


def preview_png(suite: Suite) -> bytes:
    """`preview` as PNG."""
    import vl_convert

    png: bytes = vl_convert.svg_to_png(preview(suite))
    return png


def _size(drawn: Markup) -> tuple[int, int]:
    """Width and height of a graph, which begins with them."""
    width, height = re.findall(r"\d+", drawn.partition('viewBox="0 0 ')[2])[:2]
    return int(width), int(height)


def _placed(drawn: Markup, x: float, y: float, scale: float) -> Markup:
    return tag("g", drawn, transform=f"translate({x:.0f} {y:.0f}) scale({scale:.3f})")


def _text(
    lines: Sequence[str],
    x: float,
    y: float,
    size: int,
    weight: str = "normal",
    kind: str | None = None,
) -> list[Markup]:
    """Lines of text, one below the other."""
    step = round(size * 1.33)
    return [
        tag(
            "text",
            line,
            x=round(x),
            y=round(y + i * step),
            font_size=size,
            font_weight=weight,
            class_=kind,
        )
        for i, line in enumerate(lines)
    ]


def _file(parts: Sequence[Markup], width: int, height: int, rx: int = 0) -> str:
    """A whole SVG file on a ground of its own."""
    ground = tag("rect", x=0, y=0, width=width, height=height, rx=rx, fill="#fff")
    style = tag("style", Markup(_STYLE))
    box = f"0 0 {width} {height}"
    size = {"width": width, "height": height}
    inside = (style, ground, *parts)
    return f"{tag('svg', *inside, xmlns='http://www.w3.org/2000/svg', viewBox=box, **size)}\n"


if __name__ == "__main__":
    from dataset_builder.published.load_suite import published_suite

    Path(sys.argv[1]).write_text(
        task_picture(example(published_suite())), encoding="utf-8", newline="\n"
    )
