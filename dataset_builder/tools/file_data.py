"""File & Data: the episode's files, reports, spreadsheets and the event log (paper, Table 3)."""

from typing import Annotated, Literal

from dataset_builder.tools.blank_text import refuse_blank
from dataset_builder.tools.define_tool import tool
from dataset_builder.tools.records.records import check_size, fields
from dataset_builder.tools.tool import Output, ToolError
from dataset_builder.tools.world import TODAY, World
from dataset_builder.values.canonical import MONTHS
from dataset_builder.values.draw import Draw
from dataset_builder.values.parameter_types import FREE, Object, Prose, Said, Verbatim

MAX_FILES = 500
MAX_PATH_CHARACTERS = 255


@tool("File & Data")
def read_file(path: Verbatim, world: World) -> Output:
    """Read a text file of the workspace.

    Args:
        path: Absolute path, such as /notes/todo.txt.

    Returns:
        content (string): the whole text
        line_count (integer): lines of the text
        size_bytes (integer, bytes): length in UTF-8
    """
    content = world.files.get(_clean_path(path))
    if content is None:
        raise ToolError(f"path: there is no file '{path[:60]}'")
    return {
        "content": content,
        "line_count": content.count("\n") + (content != "" and not content.endswith("\n")),
        "size_bytes": len(content.encode()),
    }


@tool("File & Data")
def write_file(path: Verbatim, content: Verbatim, world: World, draw: Draw) -> Output:
    """Save text in a file of the workspace, replacing a file already there.

    Args:
        path: Absolute path, such as /notes/todo.txt.
        content: Text to save.

    Returns:
        version_id (string): identifier of this state of the file
        bytes_written (integer, bytes): length in UTF-8
    """
    cleaned = _clean_path(path)
    if len(world.files) >= MAX_FILES and cleaned not in world.files:
        raise ToolError(f"the workspace is full: it holds at most {MAX_FILES} files")
    world.files[cleaned] = content
    return {
        "version_id": f"ver-{draw.token('version_id', 12)}",
        "bytes_written": len(content.encode()),
    }


@tool("File & Data")
def list_files(directory: Verbatim, world: World) -> Output:
    """List the files in a directory and its subdirectories.

    Args:
        directory: Absolute path; / for the whole workspace.

    Returns:
        files (array of string): absolute paths in alphabetical order
        total_bytes (integer, bytes): length of all files in UTF-8
    """
    prefix = "/" if directory == "/" else _clean_path(directory.rstrip("/")) + "/"
    files = sorted(path for path in world.files if path.startswith(prefix))
    if not files:
        raise ToolError(f"directory: there is no directory '{directory[:60]}'")
    return {
        "files": files,
        "total_bytes": sum(len(world.files[path].encode()) for path in files),
    }


def _clean_path(path: str) -> str:
    """The path as files are kept under it; ToolError where it is not absolute and plain."""
    if len(path) > MAX_PATH_CHARACTERS:
        raise ToolError(f"a path may have at most {MAX_PATH_CHARACTERS} characters")
    if not path.startswith("/"):
        raise ToolError("a path must be absolute, such as /notes/todo.txt")
    if any(part.strip() in ("", ".", "..") for part in path.split("/")[1:]) or min(path) < " ":
        raise ToolError(f"'{path[:60]}' is no plain path, such as /notes/todo.txt")
    return path


@tool("File & Data")
def generate_report(content: Prose, draw: Draw, title: Annotated[Prose, FREE] = "Report") -> Output:
    """Lay out findings as a dated plain-text report.

    Args:
        content: The findings.
        title: Default Report.

    Returns:
        report (string): the laid-out text
        report_id (string): identifier, which the report bears
    """
    refuse_blank(content=content)
    report_id = f"RPT-{draw.integer('report_id', 100_000, 999_999)}"
    year, month, day = (int(part) for part in TODAY.split("-"))
    heading = " ".join(title.split()) or "Report"
    lines = (
        heading,
        "=" * min(len(heading), 60),
        f"{report_id}, {day} {MONTHS[month - 1]} {year}",
        "",
        content.strip(),
        "",
        "End of report",
    )
    return {"report": "\n".join(lines), "report_id": report_id}


@tool("File & Data")
def create_spreadsheet(
    rows: list[Object], draw: Draw, title: Annotated[Prose, FREE] = "Untitled"
) -> Output:
    """Create an online spreadsheet from records, one row each below a header row.

    Args:
        rows: Records that map column to value.
        title: Default Untitled.

    Returns:
        url (string): link to the spreadsheet
        used_range (string): from the first to the last cell, such as A1:C9
        cell_count (integer): cells in it, header included
    """
    check_size(rows)
    columns = len(fields(rows))
    if not columns:
        raise ToolError("rows: at least one record with a column is needed")
    return {
        "url": f"https://sheets.brightwave.example/d/{draw.token('url', 20)}",
        "used_range": f"A1:{_column_letters(columns)}{len(rows) + 1}",
        "cell_count": columns * (len(rows) + 1),
    }


def _column_letters(number: int) -> str:
    """What a spreadsheet calls its n-th column: A, B, …, Z, AA, AB, …"""
    letters = ""
    while number:
        number, place = divmod(number - 1, 26)
        letters = chr(ord("A") + place) + letters
    return letters


@tool("File & Data")
def log_event(
    event: Prose,
    draw: Draw,
    level: Annotated[
        Literal["debug", "info", "warning", "error"],
        Said(
            debug=("debugging",),
            info=("informational",),
            warning=("warn",),
        ),
    ] = "info",
) -> Output:
    """Append an entry to the application's event log.

    Args:
        event: What happened.
        level: Default info.

    Returns:
        entry_id (string): identifier of the entry
    """
    refuse_blank(event=event)
    return {"entry_id": f"log-{draw.token('entry_id', 12)}"}
