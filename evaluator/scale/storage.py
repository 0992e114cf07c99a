"""Files by path or address (s3://, gs://, https://, ...), read in pieces and written whole."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from dataset_builder.errors import InputError, why
from dataset_builder.write_files import write_whole

PACKED = {"gz": "gzip", "zst": "zstd", "bz2": "bz2"}
"""The ends of packed files' names, and how they are packed."""


class Place(NamedTuple):
    """A file or folder: a local path, or the address of one elsewhere."""

    address: str

    def __str__(self) -> str:
        """The address without a login or a signature, which may stand in one."""
        if self.is_local:
            return self.address
        return re.sub(r"(?<=://)[^/@]*@|(?<=\w)\?.*", "", self.address, flags=re.DOTALL)

    @property
    def is_local(self) -> bool:
        """Whether it is a path on this machine."""
        return "://" not in self.address

    def inside(self, name: str) -> "Place":
        """A file in this folder."""
        return Place(f"{self.address.rstrip('/')}/{name}")


def place_of(text: str) -> Place:
    """The place of what somebody wrote; InputError where it is nothing."""
    if not text or "\0" in text:
        raise InputError("expected a path or an address, got an empty one")
    return Place(re.sub(r"^(?:file|local)://", "", text))


def open_place(place: Place) -> BinaryIO:
    """A file, opened for reading from any position; for `with`, inside of `told`."""
    stream: BinaryIO = _system(place).open(_path(place), "rb")
    return stream


@contextmanager
def unpacked(place: Place) -> Iterator[BinaryIO]:
    """A packed file, opened for reading what it holds; OSError where it is damaged or cut short."""
    import pyarrow as pa

    # Arrow's, since fsspec's gives the rows of a .zst up to where it was cut, and no error.
    codec = PACKED[place.address.rpartition(".")[2].lower()]
    with (
        open_place(place) as stream,
        pa.PythonFile(stream, mode="r") as file,
        pa.CompressedInputStream(file, codec) as inner,
        BufferedReader(inner) as lines,
    ):
        yield lines


def read_range(place: Place, start: int, end: int) -> bytes:
    """The bytes from ``start`` up to, not including, ``end``; fewer where the file ends before."""
    content: bytes = _system(place).cat_file(_path(place), start, end)
    return content


def size_of(place: Place) -> int | None:
    """The bytes of a plain file; None for a folder. InputError where there is neither."""
    with told(place, "read"):
        about = _system(place).info(_path(place))
        if about["type"] == "directory":
            return None
        if about["type"] != "file":
            raise InputError(f"{place}: is no plain file")
        return int(about["size"])


def files_under(folder: Place) -> list[Place]:
    """All files of a folder and of those in it, in the order of their names."""
    with told(folder, "read"):
        system = _system(folder)
        found = sorted(system.find(_path(folder)))
        return [Place(each if folder.is_local else system.unstrip_protocol(each)) for each in found]


def names_in(folder: Place) -> list[str]:
    """The names of the files of a folder, sorted; none where there is no such folder yet."""
    with told(folder, "read"):
        system, path = _system(folder), _path(folder)
        system.invalidate_cache()
        if not system.exists(path):
            return []
        return sorted(each.rpartition("/")[2] for each in system.ls(path, detail=False))


def make_folder(folder: Place) -> None:
    """Make a folder where there is none."""
    with told(folder, "written"):
        _system(folder).makedirs(_path(folder), exist_ok=True)


def read_if_there(place: Place) -> bytes | None:
    """The bytes of a file; None where there is none."""
    with told(place, "read"):
        try:
            content: bytes = _system(place).cat_file(_path(place))
        except FileNotFoundError:
            return None
        return content


def write_place(place: Place, content: bytes) -> None:
    """Put a file there at once: renamed into its place, or one whole put to an object store."""
    with told(place, "written"):
        if place.is_local:
            write_whole(Path(place.address), content)
        else:
            _system(place).pipe_file(_path(place), content)


def remove(place: Place) -> None:
    """Remove a file."""
    with told(place, "written"):
        _system(place).rm_file(_path(place))


def _system(place: Place) -> Any:
    return _found(place)[0]


def _path(place: Place) -> str:
    return str(_found(place)[1])


def _found(place: Place) -> tuple[Any, str]:
    """The fsspec file system of a place, and its path there."""
    import fsspec

    if place.is_local:
        return fsspec.filesystem("file"), str(Path(place.address).absolute())
    system, path = fsspec.url_to_fs(place.address)
    return system, path


@contextmanager
def told(place: Place, done: str) -> Iterator[None]:
    """Has what goes wrong with a file said in one sentence; ``done``: read or written."""
    try:
        yield
    except InputError:
        raise
    except ImportError as error:
        protocol = place.address.partition("://")[0]
        raise InputError(
            f"{place}: addresses of {protocol} take a package that is not installed ({error})"
        ) from None
    except OSError as error:
        raise InputError(f"{place}: cannot be {done} ({why(error)})") from None
    except Exception as error:
        # What a store's own client raises (no login, no such bucket) has no class in common.
        if place.is_local:
            raise
        said = " ".join(str(error).split())[:200] or type(error).__name__
        raise InputError(f"{place}: cannot be {done} ({said})") from None
