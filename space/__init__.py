"""The page: a Gradio leaderboard over the evaluator's functions; no formula and no typed-in number here."""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType


class _NoStubs:
    """Imports Gradio without the stubs for editors that it writes into its own folder each time.

    They take half of its import, which a visitor waits for when a Space wakes up.
    """

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != "gradio.component_meta":
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return spec
        run = spec.loader.exec_module

        def run_without_stubs(module: ModuleType) -> None:
            run(module)
            vars(module)["create_or_modify_pyi"] = lambda *_: None

        vars(spec.loader)["exec_module"] = run_without_stubs
        return spec


sys.meta_path.insert(0, _NoStubs())
