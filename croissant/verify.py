"""Compare the files of a folder with the hashes that its Croissant document states."""

import hashlib
import json
from pathlib import Path


def differing(document: Path) -> list[str]:
    """The listed files, of those beside ``document``, that are missing or whose SHA-256 is another.

    Sorted paths. Raises OSError where the document cannot be read and ValueError where it is none.
    """
    if not document.is_file():
        raise ValueError("is no plain file")
    try:
        listed = {
            str(file["@id"]): str(file["sha256"])
            for file in json.loads(document.read_text("utf-8"))["distribution"]
        }
    except (KeyError, TypeError, RecursionError):
        raise ValueError("its distribution does not list files with their SHA-256") from None
    return sorted(path for path, sha256 in listed.items() if _sha256(document, path) != sha256)


def _sha256(document: Path, path: str) -> str | None:
    """None for what is no plain file inside the document's folder: a device could be read forever."""
    folder = document.parent.resolve()
    file = (folder / path).resolve()
    if not file.is_relative_to(folder) or not file.is_file():
        return None
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
