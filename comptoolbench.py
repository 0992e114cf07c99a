"""CompToolBench: can language models compose tools?

The front door: the public names, loaded when they are first used, and the command line.

    import comptoolbench

    suite = comptoolbench.load_suite()              # the seed-42 suite
    scores = comptoolbench.score("traces.jsonl")    # what `comptoolbench score --json` prints
"""

import os
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

__version__ = "0.1.0"

_PUBLIC = {
    "CompositionEngine": "dataset_builder.tasks.engine",
    "Suite": "dataset_builder.tasks.task",
    "Task": "dataset_builder.tasks.task",
    "audit": "evaluator.audit",
    "catalogue": "dataset_builder.tools",
    "load_suite": "dataset_builder.published.load_suite",
    "read_traces": "evaluator.traces.trace_reader",
    "score": "evaluator.scoring.score_traces",
    "score_task": "evaluator.scoring.score",
    "system_prompt": "evaluator.asking.prompts",
    "widened": "evaluator.asking.prompts",
}
__all__ = [*_PUBLIC, "main"]

# Command → module that holds it and its line in --help (written here so that --help imports nothing).
_COMMANDS = {
    "build": ("dataset_builder.commands", "Write the dataset folder of a seed."),
    "audit": ("evaluator.commands.audit", "Check a suite against every rule."),
    "tasks": ("dataset_builder.commands", "List tasks, or show one with its graph."),
    "tools": ("dataset_builder.commands", "List the tools, or show one."),
    "models": ("evaluator.commands.models", "List known models and which can run here now."),
    "run": ("evaluator.commands.run", "Ask a model and record its traces."),
    "horizon": ("evaluator.commands.horizon", "Find how many calls a model can compose."),
    "mcp": ("evaluator.commands.mcp", "Serve tasks to any agent over MCP, and record its calls."),
    "score": ("evaluator.commands.score", "Score traces offline."),
    "explain": ("evaluator.commands.explain", "Show why a run's answers score what they do."),
    "leaderboard": ("evaluator.commands.leaderboard", "Rank runs."),
    "compare": ("evaluator.commands.compare", "Compare runs pair by pair."),
    "ablate": ("evaluator.commands.ablate", "Score runs under other weights."),
    "report": ("evaluator.commands.report", "Write tables and figures as one page."),
    "export": ("evaluator.commands.export", "Print a run's scores in another format."),
    "convert": ("evaluator.commands.convert", "Turn other tools' logs into traces."),
    "publish": ("space.publishing.command", "Publish the dataset or the page on the Hub."),
    "control": ("evaluator.commands.control_and_sweep", "Run the level-0 control experiment."),
    "sweep": (
        "evaluator.commands.control_and_sweep",
        "Run a model over catalogues of several sizes.",
    ),
    "annotate": ("evaluator.commands.annotate", "Check tasks by hand, and measure agreement."),
    "space": ("space.page.command", "Open the leaderboard page."),
}

# Commands that wait for others, perhaps for days, with requests and answers in their hands.
_WAITING = {"run", "horizon", "mcp", "publish", "control", "sweep", "space"}


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'comptoolbench' has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_PUBLIC])


class _Commands(click.Group):
    """The commands, each imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        command: click.Command = getattr(import_module(_COMMANDS[name][0]), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        from dataset_builder.did_you_mean import did_you_mean

        name = args[0]
        if not name.startswith("-") and name not in _COMMANDS:
            ctx.fail(f"No such command {name!r}{did_you_mean(name, _COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="comptoolbench")
@click.pass_context
def _cli(context: click.Context) -> None:
    """Measure whether language models can compose tools."""
    if context.invoked_subcommand not in _WAITING:
        from dataset_builder.rare_cycles import rare_looks_for_cycles

        context.with_resource(rare_looks_for_cycles())


def _shadowed() -> str | None:
    """A package of ours whose name another one of the same name hides."""
    home = Path(__file__).resolve().parent
    for name in ("croissant", "dataset_builder", "evaluator", "space"):
        spec = find_spec(name)
        origin = Path(spec.origin).resolve() if spec and spec.origin else None
        if origin is None or origin.parent.parent != home:
            where = origin or "a folder without __init__.py"
            return (
                f"another package called {name!r} ({where}) hides the one that comptoolbench needs: "
                "run from another folder, or rename yours"
            )
    return None


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; exits with 0 (fine), 1 (found what it looks for) or 2 (bad input)."""
    # The matrices of the statistics are thin: dividing one among threads costs a hundred times what it
    # saves as soon as a core is busy with something else. The numbers are the same bits.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if sys.flags.optimize > 1:
        click.echo(
            "comptoolbench: tools are read from docstrings, which python -OO and PYTHONOPTIMIZE=2 leave out",
            err=True,
        )
        sys.exit(2)
    if problem := _shadowed():
        click.echo(f"comptoolbench: {problem}", err=True)
        sys.exit(2)
    from dataset_builder.errors import InputError, why
    from dataset_builder.visible_text import inert

    try:
        # Outside of standalone mode click gives the code of Context.exit back as a value.
        code = _cli.main(arguments, prog_name="comptoolbench", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except InputError as error:
        # What is wrong with strangers' files is said in their words.
        click.echo(inert(f"comptoolbench: {error}"), err=True)
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("comptoolbench: stopped", err=True)
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        # A file that cannot be read or written is, where no command says more of it, the user's. Only
        # what is printed goes to a place without a name.
        where = error.filename or "standard output"
        click.echo(f"comptoolbench: {where}: cannot be used ({why(error)})", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
