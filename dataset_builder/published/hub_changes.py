"""What publishing a folder would change in a repository of the Hub, and whether it may."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dataset_builder.errors import InputError
from dataset_builder.published import hub
from dataset_builder.published.columns import HORIZON
from dataset_builder.tasks.irrelevance import IRRELEVANCE

# What the Hub itself puts into a repository; whatever else stands there has to be ours.
_OF_THE_HUB = (".gitattributes",)
_TEMPLATE = (*_OF_THE_HUB, "README.md")
_SHOWN = 40


@dataclass(frozen=True)
class Change:
    """One file that publishing would write or remove."""

    path: str
    content: bytes | None
    """None where the file would be removed."""
    before: int | None
    """Its size on the Hub in bytes, None where it is not there."""

    @property
    def kind(self) -> str:
        """add, change or remove."""
        if self.content is None:
            return "remove"
        return "add" if self.before is None else "change"


@dataclass(frozen=True)
class Card:
    """What a dataset card's YAML says of the suite under it."""

    version: str
    digest: str
    horizon: str = ""
    """The digest of its procedures; empty where it has none."""
    irrelevance: str = ""
    """The digest of its requests without a call; empty where it has none."""

    @property
    def digests(self) -> str:
        """The first digits of its digests."""
        return " and ".join(
            digest[:8] for digest in (self.digest, self.horizon, self.irrelevance) if digest
        )


def read_folder(folder: Path) -> dict[str, bytes]:
    """Path → content of every file of a folder, in order of the paths."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def changes(
    local: Mapping[str, bytes], remote: Mapping[str, hub.RemoteFile], mark: str
) -> tuple[Change, ...]:
    """What makes the repository equal to the folder.

    ``mark`` names the file by which a repository is known as one of ours; InputError where there
    are files and not that one, since they would be removed.
    """
    if mark not in remote and (strange := sorted(remote.keys() - set(_TEMPLATE))):
        raise InputError(
            f"the repository holds files that are not ours ({_listed(strange)}): choose another name"
        )
    return tuple(_changes(local, remote))


def _changes(local: Mapping[str, bytes], remote: Mapping[str, hub.RemoteFile]) -> Iterator[Change]:
    for path in sorted(local.keys() | remote.keys()):
        remote_file = remote.get(path)
        before = remote_file.size if remote_file else None
        if path in local:
            if remote_file is None or not remote_file.holds(local[path]):
                yield Change(path, local[path], before)
        elif path not in _OF_THE_HUB:
            yield Change(path, None, before)


def change_lines(planned: Sequence[Change]) -> list[str]:
    """A line for each change, or above forty for each kind of change and folder."""
    if len(planned) <= _SHOWN:
        return [f"{change.kind:7} {change.path}  ({_sizes(change)})" for change in planned]
    sizes: dict[tuple[str, str], list[int]] = {}
    for change in planned:
        folder, slash, _ = change.path.partition("/")
        size = change.before if change.content is None else len(change.content)
        sizes.setdefault((change.kind, folder + slash), []).append(size or 0)
    return [
        f"{kind:7} {place}  ({f'{len(every)} files, ' if place[-1] == '/' else ''}{_size(sum(every))})"
        for (kind, place), every in sorted(sizes.items())
    ]


def read_card(text: bytes) -> Card | None:
    """The version and digests of a card's YAML; None where it is not a card of ours."""
    import yaml

    try:
        _, front, _ = text.decode().split("---\n", 2)
        data = yaml.safe_load(front)
        apart = (str(data.get(f"{config}_digest", "")) for config in (HORIZON, IRRELEVANCE))
        return Card(str(data["version"]), str(data["digest"]), *apart)
    except (ValueError, KeyError, TypeError, yaml.YAMLError):
        return None


def refuse_other_suite(ours: Card, tagged: Card | None, is_tagged: bool, main: Card | None) -> None:
    """InputError where these rows may not stand under this version.

    ``tagged`` is the card at our version's tag, if there is such a tag; ``main`` that of the main
    branch. A version that was uploaded and not yet tagged counts as published.
    """
    published = tagged if is_tagged else main
    if (is_tagged and published is None) or (
        published is not None and published.version == ours.version and published != ours
    ):
        digest = published.digests if published else "unknown"
        raise InputError(
            f"version {ours.version} is published with digest {digest}, and this build has "
            f"{ours.digests}: changed tasks need a new suite version"
        )
    if main is not None and _order(main.version) > _order(ours.version):
        raise InputError(
            f"version {main.version} is published, which is newer than this build's {ours.version}"
        )


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) if part.isdecimal() else 0 for part in version.split("."))


def _sizes(change: Change) -> str:
    if change.content is None:
        return _size(change.before or 0)
    now = _size(len(change.content))
    return now if change.before is None else f"{_size(change.before)} to {now}"


def _size(count: int) -> str:
    return f"{count} B" if count < 1000 else f"{count / 1000:.1f} kB"


def _listed(names: list[str]) -> str:
    return ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
