"""Explore, Compare, Figures and Validate: the tabs that say why, and how sure one can be.

They are filled when somebody opens them, so that the page shows its board first.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import gradio as gr

from space.annotations.annotations import Annotations
from space.base.login import visitor
from space.base.visitors import Visitor
from space.services import Services
from space.tabs.compare_tab import (
    CompareTab,
    compare_address,
    compare_tab,
    show_compare,
    wire_compare,
)
from space.tabs.explore_tab import (
    ExploreTab,
    explore_address,
    explore_tab,
    read_query,
    show_explore,
    wire_explore,
)
from space.tabs.figures_tab import (
    FiguresTab,
    figures_address,
    figures_tab,
    show_figures,
    wire_figures,
)
from space.tabs.validate_tab import ValidateTab, show_validate, validate_tab, wire_validate

EXPLORE, COMPARE, FIGURES, VALIDATE = "explore", "compare", "figures", "validate"
_QUICK: dict[str, Any] = {
    "api_visibility": "private",
    "show_progress": "hidden",
    "concurrency_limit": None,
}


@dataclass(frozen=True)
class InsightTabs:
    """The four tabs, and what the page fills them with when its address asks for one."""

    places: dict[str, gr.Tab]
    explore: ExploreTab
    compare: CompareTab
    figures: FiguresTab
    validate: ValidateTab
    annotations: Annotations

    @property
    def shown(self) -> list[Any]:
        """What `start` fills."""
        parts = (self.explore, self.compare, self.figures, self.validate)
        return [component for part in parts for component in part.shown]

    def start(
        self, services: Services, pairs: list[tuple[str, str]], who: Visitor
    ) -> tuple[str | None, tuple[Any, ...]]:
        """The tab that an address asks for, None for another one, and what stands in `shown`."""
        asked = dict(reversed(pairs))
        tab = EXPLORE if "task" in asked else asked.get("tab")
        filled: dict[str, tuple[Any, ...]] = {}
        if tab == EXPLORE:
            # A run alone is the address of the run's own page.
            run = asked.get("run") or asked.get("of", "")
            filled[EXPLORE] = show_explore(services, {**asked, "run": run})
        elif tab == COMPARE:
            filled[COMPARE] = show_compare(
                services, [value for name, value in pairs if name == "with"]
            )
        elif tab == FIGURES:
            filled[FIGURES] = show_figures(services, asked)
        elif tab == VALIDATE:
            filled[VALIDATE] = show_validate(services, self.annotations, who.name)
        sizes = {
            EXPLORE: len(self.explore.shown),
            COMPARE: len(self.compare.shown),
            FIGURES: len(self.figures.shown),
            VALIDATE: len(self.validate.shown),
        }
        shown: list[Any] = []
        for name, size in sizes.items():
            shown += filled.get(name, (gr.skip(),) * size)
        return next(iter(filled), None), tuple(shown)


def insight_tabs(services: Services) -> InsightTabs:
    """Build the tabs; `wire_insight` brings them to life."""
    with gr.Tab("Explore", id=EXPLORE) as at_explore:
        explore = explore_tab()
    with gr.Tab("Compare", id=COMPARE) as at_compare:
        compare = compare_tab()
    with gr.Tab("Figures", id=FIGURES) as at_figures:
        figures = figures_tab()
    with gr.Tab("Validate", id=VALIDATE) as at_validate:
        validate = validate_tab()
    places = {
        EXPLORE: at_explore,
        COMPARE: at_compare,
        FIGURES: at_figures,
        VALIDATE: at_validate,
    }
    kept = wire_validate(validate, services)
    return InsightTabs(places, explore, compare, figures, validate, kept)


def wire_insight(
    insight: InsightTabs,
    services: Services,
    address: gr.Textbox,
    tabs: gr.Tabs,
    *links: gr.HTML,
) -> None:
    """Fill a tab when it is opened; ``links``: other parts of the page with links to tasks."""
    explore, compare = insight.explore, insight.compare
    figures, validate = insight.figures, insight.validate
    wire_explore(explore, services, address)
    wire_compare(compare, services, address)
    wire_figures(figures, services, address)

    def at_explore(task: str, run: str, sample: int, *values: Any) -> tuple[Any, ...]:
        asked = {"task": task, "run": run or "", "sample": str(sample or 0)}
        return *show_explore(services, asked, read_query(values)), explore_address(asked)

    def at_compare(names: list[str] | None) -> tuple[Any, ...]:
        return *show_compare(services, names or []), compare_address(names or [])

    def at_figures(view: str, setting: str | None) -> tuple[Any, ...]:
        if setting:
            # They are drawn already.
            return *(gr.skip(),) * len(figures.shown), figures_address(view, setting)
        return *show_figures(services, {}), urlencode({"tab": FIGURES})

    def at_validate(
        task: str, request: gr.Request, profile: gr.OAuthProfile | None
    ) -> tuple[Any, ...]:
        where = urlencode({"tab": VALIDATE})
        if task:
            # What is answered and not yet saved stays.
            return *(gr.skip(),) * len(validate.shown), where
        who = visitor(services.settings, request, profile)
        return *show_validate(services, insight.annotations, who.name), where

    opened: Mapping[str, tuple[Any, list[Any], list[Any]]] = {
        EXPLORE: (at_explore, explore.inputs, explore.shown),
        COMPARE: (at_compare, [compare.runs], compare.shown),
        FIGURES: (at_figures, [figures.view, figures.setting], figures.shown),
        VALIDATE: (at_validate, [validate.task], validate.shown),
    }
    for name, (fill, inputs, outputs) in opened.items():
        insight.places[name].select(fill, inputs, [*outputs, address], **_QUICK)

    def open_task(event: gr.EventData) -> tuple[Any, ...]:
        asked = {name: str(event._data.get(name, "")) for name in ("task", "run")}
        return *show_explore(services, asked), gr.Tabs(selected=EXPLORE), explore_address(asked)

    for source in (compare.page, *links):
        source.select(open_task, None, [*explore.shown, tabs, address], **_QUICK)
