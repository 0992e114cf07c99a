"""The command that publishes: the dataset to a dataset repository of the Hub, the page to a Space."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

import click

from dataset_builder.errors import InputError, why
from dataset_builder.published import hub
from dataset_builder.published.hub_changes import (
    Card,
    Change,
    change_lines,
    changes,
    read_card,
    read_folder,
    refuse_other_suite,
)
from dataset_builder.tasks.irrelevance import irrelevance_suite
from dataset_builder.tasks.task import SUITE_VERSION, Suite
from dataset_builder.tools.tool import Tool

# By these files a repository is known as one that this command may overwrite.
_DATASET_MARK = "croissant.json"
_SPACE_MARK = "comptoolbench.py"


class Defective(Exception):
    """The audit found what keeps a suite from being published."""

    def __init__(self, defects: list[str]) -> None:
        """Each defect as one line."""
        self.defects = defects
        super().__init__(f"the audit found {len(defects)} defects; nothing was uploaded")


@click.command()
@click.option("--repo", metavar="ORG/NAME", help="Publish the seed-42 dataset there.")
@click.option(
    "--space",
    metavar="[ORG/NAME]",
    is_flag=False,
    flag_value="",
    help="Publish the page as a Space there; without a name, under that of --repo.",
)
@click.option("--private", is_flag=True, help="Make a new repository private.")
@click.option(
    "--dry-run",
    is_flag=True,
    help="Build, audit, validate; compare with the Hub where it answers; change nothing.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Write the Space's folder there instead of uploading it.",
)
@click.pass_context
def publish(
    context: click.Context,
    repo: str | None,
    space: str | None,
    private: bool,
    dry_run: bool,
    out: Path | None,
) -> None:
    """Publish the dataset or the Space: build, audit, validate, show what changes, upload.

    One commit, and for the dataset a tag with the suite's version; a failed upload leaves the files
    as they were, and running again goes on from there. The token is that of `hf auth login`, or
    HF_TOKEN; a dry run needs neither token nor network. Exits with 1 where the audit finds a defect.
    """
    from dataset_builder.published.load_suite import published_horizon, published_suite
    from dataset_builder.tools import catalogue

    if out is not None:
        if space is None or repo is not None:
            raise InputError("--out writes the Space's folder: give --space with it, not --repo")
        write_space(out)
        return
    space = repo if space == "" else space
    if repo is None and space is None:
        raise InputError("nothing to publish: give --repo ORG/NAME, --space ORG/NAME, or both")
    if repo is not None:
        try:
            publish_dataset(
                hub.Repo(repo),
                published_suite(),
                catalogue(),
                private,
                dry_run,
                published_horizon(),
            )
        except Defective as error:
            for defect in error.defects:
                click.echo(defect)
            click.echo(f"comptoolbench: {error}", err=True)
            context.exit(1)
    if space is not None:
        publish_space(hub.Repo(space, "space"), private, dry_run)


def publish_dataset(
    repo: hub.Repo,
    suite: Suite,
    tools: Mapping[str, Tool],
    private: bool,
    dry_run: bool,
    horizon: Suite | None = None,
) -> None:
    """Publish the folder of a suite and its procedures, or with ``dry_run`` show what would change.

    Raises Defective, or InputError for everything else that forbids it.
    """
    hub.check_name(repo)
    # Without rights nothing need be built; a dry run asks afterwards.
    user = None if dry_run else hub.user_name(repo)
    files = dataset_files(suite, tools, repo.id, horizon)
    ours = Card(
        SUITE_VERSION,
        suite.digest,
        horizon.digest if horizon else "",
        irrelevance_suite().digest,
    )
    tag = f"v{ours.version}"
    try:
        user = user or _reader(repo)
        state = _state(repo, private)
        is_tagged = state is not None and tag in state.tags
        main = _refuse_other(repo, ours, state, tag)
    except hub.Unreachable as error:
        if not dry_run:
            raise
        _not_compared(error, f"whether {tag} stands there with other tasks")
        return
    edits = changes(files, state.files if state else {}, _DATASET_MARK)
    held = f"suite {main.version}, digest {main.digests}" if main else ""
    _show(repo, user, state, private, held, edits)
    if not edits and is_tagged:
        click.echo(f"version {ours.version}, digest {ours.digests}: published already")
        return
    planned = f"{_planned(edits)}, tag {tag}{' stays' if is_tagged else ''}"
    if dry_run:
        click.echo(f"dry run: nothing was changed; {planned}")
        return
    commit = _upload(repo, state, private, edits, f"Suite {ours.version}, digest {suite.digest}")
    if not is_tagged:
        hub.tag(repo, tag, commit)
    click.echo(f"done: {planned}; commit {commit}")
    click.echo(f'load it with datasets.load_dataset("{repo.id}", revision="{tag}")')


def _refuse_other(repo: hub.Repo, ours: Card, state: hub.State | None, tag: str) -> Card | None:
    """The card that stands on the main branch; InputError where ours may not follow it."""
    if state is None:
        return None
    is_tagged = tag in state.tags
    main = _card(repo, state.head)
    tagged = _card(repo, state.tags[tag]) if is_tagged else None
    refuse_other_suite(ours, tagged, is_tagged, main)
    return main


def _reader(repo: hub.Repo) -> str | None:
    """As whom a dry run looks at the Hub; None: without a login, which sees what is public."""
    try:
        return hub.user_name(repo)
    except hub.NoToken:
        return None


def _not_compared(error: hub.Unreachable, what: str = "") -> None:
    """Say what a dry run could not find out."""
    unknown = ["which files would change", "whether the token may write", *([what] if what else [])]
    click.echo(f"not compared with the Hub ({error})")
    click.echo(f"not checked: {'; '.join(unknown)}")
    click.echo("dry run: nothing was changed")


def dataset_files(
    suite: Suite, tools: Mapping[str, Tool], repo: str, horizon: Suite | None = None
) -> dict[str, bytes]:
    """The dataset folder of suites that pass the audit, made for ORG/NAME and validated."""
    from dataset_builder.published.dataset_folder import write_folder
    from evaluator.audit import audit, rules_of

    suites = [suite, *([] if horizon is None else [horizon]), irrelevance_suite()]
    defects = [
        f"{d.rule:20} {d.task_id or 'the suite':18} {d.detail}"
        for each in suites
        for d in audit(each, tools)
    ]
    if defects:
        raise Defective(defects)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "comptoolbench"
        write_folder(suite, tools, folder, repo, horizon)
        validate_croissant(folder)
        files = read_folder(folder)
    click.echo(
        f"suite {SUITE_VERSION}, digest {suite.digest[:8]}: {len(suite.tasks)} tasks"
        f"{f', {len(horizon.tasks)} procedures' if horizon else ''} and {len(suites[-1].tasks)} requests "
        "without a call, no defect under "
        f"{max(len(rules_of(each)) for each in suites)} rules; Croissant metadata valid; {len(files)} files, "
        f"{sum(map(len, files.values())) / 1e6:.2f} MB"
    )
    return files


def validate_croissant(folder: Path) -> None:
    """InputError where mlcroissant refuses the folder's metadata or cannot stream a record of it."""
    try:
        import mlcroissant
    except ModuleNotFoundError:
        raise InputError(
            "publishing validates with mlcroissant: pip install 'comptoolbench[publish]'"
        ) from None
    try:
        dataset = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
        for record_set in dataset.metadata.record_sets:
            next(iter(dataset.records(record_set.id)))
    except (mlcroissant.ValidationError, mlcroissant.GenerationError, StopIteration) as error:
        reason = " ".join(str(error).split()) or "a record set is empty"
        raise InputError(f"croissant.json is not valid ({reason})") from None


def publish_space(repo: hub.Repo, private: bool, dry_run: bool) -> None:
    """Publish the page, or with ``dry_run`` show what that would change; InputError as above."""
    from space.publishing.bundle import space_files

    hub.check_name(repo)
    user = None if dry_run else hub.user_name(repo)
    files = space_files()
    click.echo(f"the page: {_files(len(files))}, {sum(map(len, files.values())) / 1e6:.2f} MB")
    try:
        user = user or _reader(repo)
        state = _state(repo, private)
    except hub.Unreachable as error:
        if not dry_run:
            raise
        _not_compared(error)
        return
    edits = changes(files, state.files if state else {}, _SPACE_MARK)
    _show(repo, user, state, private, "", edits)
    if not edits:
        click.echo("published already")
    elif dry_run:
        click.echo(f"dry run: nothing was changed; {_planned(edits)}")
    else:
        commit = _upload(repo, state, private, edits, "Publish the page")
        click.echo(f"done: {_planned(edits)}; commit {commit}")


def write_space(out: Path) -> None:
    """Write the Space's folder to a new place."""
    from space.publishing.bundle import space_files

    files = space_files()
    try:
        out.mkdir(parents=True)
        for path, content in files.items():
            (out / path).parent.mkdir(parents=True, exist_ok=True)
            (out / path).write_bytes(content)
    except FileExistsError:
        raise InputError(f"{out} exists already: choose another --out") from None
    except OSError as error:
        raise InputError(f"{out}: cannot be written ({why(error)})") from None
    click.echo(f"{out}: {len(files)} files, {sum(map(len, files.values())) / 1e6:.2f} MB")
    click.echo("it starts with: pip install -r requirements.txt && python app.py")


def _state(repo: hub.Repo, private: bool) -> hub.State | None:
    state = hub.repo_state(repo)
    if private and state is not None and not state.private:
        raise InputError(f"{repo.kind} {repo.id} is public already: --private is for a new one")
    return state


def _card(repo: hub.Repo, commit: str) -> Card | None:
    if "README.md" not in hub.read_files(repo, commit):
        return None
    return read_card(hub.download(repo, "README.md", commit).read_bytes())


def _show(
    repo: hub.Repo,
    user: str | None,
    state: hub.State | None,
    private: bool,
    held: str,
    edits: tuple[Change, ...],
) -> None:
    is_private = private if state is None else state.private
    absent = "new" if user else "new, or private and not shown without a token"
    what = [absent] if state is None else []
    what += ["private" if is_private else "public", *([held] if held else [])]
    count = _files(len(edits))
    who = f"as {user}" if user else "without a login"
    click.echo(f"{repo.kind} {repo.id} ({', '.join(what)}), {who}: {count} to change")
    for line in change_lines(edits):
        click.echo(f"  {line}")
    if user is None:
        click.echo("not checked: whether you may write there, since no token is at hand")


def _upload(
    repo: hub.Repo,
    state: hub.State | None,
    private: bool,
    edits: tuple[Change, ...],
    message: str,
) -> str:
    """The commit that holds the files now."""
    if state is None:
        hub.create(repo, private)
    elif not edits:
        return state.head
    files = {change.path: change.content for change in edits}
    return hub.commit_files(repo, files, message, state.head if state else None)


def _planned(edits: tuple[Change, ...]) -> str:
    return f"{_files(len(edits))} in one commit" if edits else "no file left to upload"


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"
