"""The report as one HTML page that opens offline: style and figures are inside, no script, no request."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from importlib import resources

from evaluator.report.content import Section


def page(
    title: str,
    measured: Sequence[str],
    sections: Sequence[Section],
    limits: Sequence[str],
    images: Mapping[str, str],
) -> str:
    """The page; ``images``: the SVG of each figure by its name.

    All text is escaped. Figures are images in data addresses, where nothing in them can run.
    """
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    template = resources.files(__package__).joinpath("page.html.j2").read_text("utf-8")
    encoded = {name: b64encode(svg.encode()).decode() for name, svg in images.items()}
    return environment.from_string(template).render(
        title=title, measured=measured, sections=sections, limits=limits, images=encoded
    )
