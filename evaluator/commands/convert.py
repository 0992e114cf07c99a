"""comptoolbench convert: turn other tools' logs into traces."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dataset_builder.errors import InputError, why
from dataset_builder.published.load_suite import load_suite
from evaluator.commands.asking_options import CatalogueName
from evaluator.commands.options import suite_option
from evaluator.converting.formats import FORMATS
from evaluator.traces.protocols import PROTOCOLS

if TYPE_CHECKING:
    from evaluator.converting.convert import Converted


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, allow_dash=True),
    help="The trace file to write; - prints it.",
)
@click.option(
    "--from", "form", type=click.Choice(tuple(FORMATS)), help="The logs' form. [default: by shape]"
)
@click.option(
    "--task-id-from",
    metavar="FIELD",
    help="Where the task's id stands, dotted. [default: task_id, custom_id, key or id, or the prompt]",
)
@click.option("--model", help="What to call the model. [default: as the log does]")
@click.option("--protocol", type=click.Choice(PROTOCOLS), help="How the model was asked.")
@click.option("--catalogue", type=CatalogueName(), help="The tools that it was offered.")
@suite_option
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@click.pass_context
def convert(
    context: click.Context,
    files: tuple[Path, ...],
    out: Path,
    form: str | None,
    task_id_from: str | None,
    model: str | None,
    protocol: str | None,
    catalogue: str | None,
    suite: str | None,
    force: bool,
) -> None:
    """Turn FILES, logs of conversations in other tools' forms, into a trace file.

    JSON lines, a JSON array or object, or Inspect's .eval. Exits with 1 where conversations were left
    out, and names them.
    """
    from dataset_builder.tools import catalogue as tools
    from evaluator.converting.convert import Told, convert
    from evaluator.traces.trace_log import trace_line

    _refuse_to_replace(out, files, force)
    told = Told(form, task_id_from, model, protocol, catalogue)
    done = convert(files, load_suite(suite), tools(), told)
    for line in _summary(done):
        click.echo(line, err=True)
    if not done.traces:
        raise InputError("no conversation is known to be of a task: nothing was written")
    lines = b"".join(map(trace_line, done.traces))
    if str(out) == "-":
        click.echo(lines, nl=False)
    else:
        _write(out, lines)
    context.exit(1 if done.n_skipped else 0)


def _refuse_to_replace(out: Path, files: tuple[Path, ...], force: bool) -> None:
    if str(out) == "-" or not out.exists():
        return
    if any(file.exists() and out.samefile(file) for file in files):
        raise InputError(f"{out}: is one of the logs; name another file as --out")
    if not force:
        raise InputError(
            f"{out}: is there already; name another file, or add --force to replace it"
        )
    if not out.is_file():
        raise InputError(f"{out}: is no plain file, and is not replaced")


def _write(out: Path, lines: bytes) -> None:
    from dataset_builder.write_files import write_whole

    try:
        write_whole(out, lines)
    except OSError as error:
        raise InputError(f"{out}: cannot be written ({why(error)})") from None


def _summary(done: "Converted") -> list[str]:
    """What was read, what became of it, and what to know about it."""
    from dataset_builder.visible_text import inert

    tasks, models = ({getattr(t, name) for t in done.traces} for name in ("task_id", "model"))
    lines = [f"{file}: {form}, {_counted(n, 'entry')}" for (file, form), n in done.forms.items()]
    counts = [_counted(len(each), noun) for each, noun in ((models, "model"), (tasks, "task"))]
    lines.append(f"{_counted(len(done.traces), 'trace')} of {' on '.join(counts)}")
    if done.n_skipped:
        lines.append(f"left out: {_counted(done.n_skipped, 'conversation')}")
        lines += [f"  {each}" for each in done.skipped]
        if more := done.n_skipped - len(done.skipped):
            lines.append(f"  and {more:,} more")
    if done.differing:
        lines.append(
            f"{done.differing:,} of {_counted(done.with_results, 'conversation')} with results show "
            "others than replay gives; scoring goes by replay"
        )
    if done.reworded:
        lines.append(
            f"{_counted(done.reworded, 'conversation')} taken by the task's id although the prompt is "
            "not the task's"
        )
    unsaid = [n for n in ("model", "protocol", "catalogue") if not _is_said(done, n)]
    if done.traces and unsaid:
        options = ", ".join(f"--{name}" for name in unsaid)
        lines.append(f"not said for every trace: {', '.join(unsaid)}; name it with {options}")
    return [inert(line) for line in lines]


def _is_said(done: "Converted", name: str) -> bool:
    return all(getattr(trace, name) for trace in done.traces)


def _counted(number: int, noun: str) -> str:
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun[:-1]}ies" if noun.endswith("y") else f"{number:,} {noun}s"
