"""What strangers give us, made harmless: limits of uploads, visible text, links."""

from pathlib import Path
from urllib.parse import urlsplit

from dataset_builder.errors import InputError, why
from dataset_builder.visible_text import clean as clean
from evaluator.traces.model_name import is_reserved, name_problem
from space.base.limits import MAX_ROWS, MAX_UPLOAD_BYTES

MAX_TEXT = 100
"""Characters of a name that is shown."""
_BLOCK = 2**20


def read_limited(source: Path | str) -> bytes:
    """The bytes of an uploaded file, or of a pasted text; InputError where it is too much.

    The caller says of what: no message here names it.

    At most `MAX_UPLOAD_BYTES` are ever held, and the file is left at the first sign of too much.
    """
    if isinstance(source, str):
        content = source.encode("utf-8", "replace")
        _check_size(len(content))
        _check_rows(content.count(b"\n"))
        _check_nul(content)
        return content
    try:
        _check_size(source.stat().st_size)
        parts, size, rows = [], 0, 0
        with source.open("rb") as file:
            while block := file.read(_BLOCK):
                size, rows = size + len(block), rows + block.count(b"\n")
                _check_size(size)
                _check_rows(rows)
                _check_nul(block)
                parts.append(block)
    except OSError as error:
        raise InputError(f"cannot be read ({why(error)})") from None
    return b"".join(parts)


def _check_size(size: int) -> None:
    if size > MAX_UPLOAD_BYTES:
        raise InputError(
            f"is larger than {MAX_UPLOAD_BYTES // 2**20} MB: leave out the raw responses, "
            "or give it in parts"
        )


def _check_rows(rows: int) -> None:
    if rows > MAX_ROWS:
        raise InputError(f"has more than {MAX_ROWS:,} lines: give it in parts")


def _check_nul(content: bytes) -> None:
    if b"\0" in content:
        raise InputError("holds a NUL byte: expected UTF-8 text, one JSON object a line")


def check_name(name: str) -> None:
    """InputError for what no model may be called, or what readers take for a built-in agent's name."""
    shown = repr(clean(name, 60))
    if is_reserved(name):
        raise InputError(f"model: {shown} is what a built-in agent is called: name yours")
    if problem := name_problem(name):
        raise InputError(f"model {shown}: {problem}")


def clean_link(text: str) -> str:
    """An https address, or nothing where the text is empty; InputError for anything else."""
    address = text.strip()
    if not address:
        return ""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
        is_fine = parts.scheme == "https" and "." in host and parts.username is None
        is_fine = is_fine and parts.port in (None, 443)
    except ValueError:
        is_fine = False
    plain = (
        address.isascii() and address.isprintable() and not set(address) & set(" \"'<>`\\()[]{}|^")
    )
    if not is_fine or not plain or len(address) > 300:
        raise InputError("the link is no plain https address of at most 300 characters")
    # However it was written: the page links only what begins so.
    return f"https{address[len('https') :]}"
