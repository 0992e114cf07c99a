"""Commands that need no model: build, tasks, tools."""

import time
from dataclasses import dataclass
from pathlib import Path

import click

from dataset_builder.did_you_mean import did_you_mean
from dataset_builder.errors import InputError
from dataset_builder.published.load_suite import load_suite
from dataset_builder.seeds import Seeds
from dataset_builder.tasks.engine import COUNTS, CompositionEngine
from dataset_builder.tasks.irrelevance import irrelevance_suite
from dataset_builder.tasks.task import SEED
from dataset_builder.visible_text import clean, inert


class Counts(click.ParamType[tuple[int, ...]]):
    """Four whole numbers, one for each level."""

    name = "L0,L1,L2,L3"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """The numbers as a tuple."""
        if isinstance(value, tuple):
            return value
        parts = str(value).split(",")
        if len(parts) != len(COUNTS) or not all(part.strip().isdecimal() for part in parts):
            self.fail("expected four whole numbers such as 48,64,40,48", param, ctx)
        return tuple(map(int, parts))


@click.command()
@click.option("--seed", type=int, help=f"Seed of the suite. [default: {SEED}]")
@click.option("--seeds", type=Seeds(), help="Several, such as 1-20: a folder of each in --out.")
@click.option(
    "--workers", type=int, help="With --seeds: processes that share the work. [default: 1]"
)
@click.option(
    "--counts", type=Counts(), default=COUNTS, help="Tasks a level. [default: 48,64,40,48]"
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("comptoolbench"),
    show_default=True,
    help="The dataset folder.",
)
def build(
    seed: int | None,
    seeds: tuple[int, ...] | None,
    workers: int | None,
    counts: tuple[int, ...],
    out: Path,
) -> None:
    """Write the dataset folder of a seed: Parquet files, card, Croissant.

    Procedures and requests that no tool serves are in it.
    """
    if seeds is None:
        if workers is not None:
            raise InputError("--workers goes with --seeds")
        click.echo(BuildSeed(counts, out)(SEED if seed is None else seed))
        if out.name == "comptoolbench":
            click.echo('load it beside the folder with datasets.load_dataset("comptoolbench")')
        return
    if seed is not None:
        raise InputError("expected --seed or --seeds, got both")
    from dataset_builder.published.dataset_folder import MARK
    from dataset_builder.workers import in_order, shared_out

    if (out / MARK).exists():
        raise InputError(f"{out}: is a dataset folder itself; name another --out for many")
    task = BuildSeed(counts, out, is_one_of_many=True)
    for line in in_order(shared_out(task, seeds, 1 if workers is None else workers)):
        click.echo(line)


@dataclass(frozen=True)
class BuildSeed:
    """Writes the dataset folder of a seed, of many as ``out/seed-7``; picklable."""

    counts: tuple[int, ...]
    out: Path
    is_one_of_many: bool = False

    def __call__(self, seed: int) -> str:
        """What was written, in a line; InputError where it cannot be."""
        from dataset_builder.procedures.rungs import horizon_suite
        from dataset_builder.published.dataset_folder import write_folder

        started = time.perf_counter()
        engine = CompositionEngine(seed, counts=self.counts)
        suite = engine.generate_suite()
        if not suite.tasks:
            raise InputError("a suite needs at least one task")
        horizon = horizon_suite(seed)
        folder = self.out / f"seed-{seed}" if self.is_one_of_many else self.out
        files = write_folder(suite, engine.catalogue, folder, horizon=horizon)
        size = sum(file.size for file in files)
        return (
            f"{folder}: {len(suite.tasks)} tasks, {len(horizon.tasks)} procedures, "
            f"{len(irrelevance_suite().tasks)} requests without a call, "
            f"{len(engine.catalogue)} tools, {size / 1e6:.1f} MB of data, digests "
            f"{suite.digest[:8]} and {horizon.digest[:8]}, "
            f"{time.perf_counter() - started:.1f} s"
        )


@click.group(invoke_without_command=True)
@click.option("--suite", help="Dataset folder, file or Hub id. [default: seed 42, in memory]")
@click.pass_context
def tasks(context: click.Context, suite: str | None) -> None:
    """List the tasks, or show one."""
    context.obj = suite
    if context.invoked_subcommand is None:
        for task in load_suite(suite).tasks:
            prompt = clean(task.prompt, 90)
            click.echo(inert(f"{task.task_id:18} {task.metadata['pattern']:24} {prompt}"))


@tasks.command("show")
@click.argument("task_id")
@click.option("--suite", help="Dataset folder, file or Hub id. [default: seed 42, in memory]")
@click.pass_context
def show_task(context: click.Context, task_id: str, suite: str | None) -> None:
    """Show one task: prompt, offered tools, graph, and where every value comes from."""
    from dataset_builder.tasks.task_text import task_text
    from dataset_builder.tools import catalogue

    known = load_suite(suite or context.obj).by_id
    if task_id not in known:
        raise InputError(
            f"there is no task {task_id!r} (`comptoolbench tasks` lists them)"
            f"{did_you_mean(task_id, known)}"
        )
    click.echo(inert(task_text(known[task_id], catalogue())))


@click.group(invoke_without_command=True)
@click.pass_context
def tools(context: click.Context) -> None:
    """List the tools by category, or show one."""
    from dataset_builder.tools import catalogue

    if context.invoked_subcommand is None:
        for category, names in catalogue().by_category.items():
            click.echo(f"{category} ({len(names)})")
            for name in names:
                click.echo(f"  {name:22} {catalogue()[name].summary}")


@tools.command("show")
@click.argument("name")
def show_tool(name: str) -> None:
    """Show one tool: arguments, kinds, output fields."""
    from dataset_builder.tools import catalogue
    from dataset_builder.tools.tool_text import tool_text

    if name not in catalogue():
        raise InputError(
            f"there is no tool {name!r} (`comptoolbench tools` lists them)"
            f"{did_you_mean(name, catalogue())}"
        )
    click.echo(tool_text(catalogue()[name]))
