"""An upload to the page: a scorecard or sentences, and nothing of the visitor's is markup."""

import re
from collections.abc import Iterator

from dataset_builder.errors import InputError
from space.html.upload_check_page import draft_page, problems
from space.submissions.store import submission_files
from space.submissions.upload_check import Draft, declared, parse, read_upload
from tests.fuzz.answers import rows
from tests.fuzz.checks import settled
from tests.samples.small_suite import small_suite
from tests.samples.submitted_files import trace_lines

_HOSTILE = "<script>\"'&\\u202e{{1.x}}"
# What the page itself never writes: markup that a visitor smuggled in.
_MARKUP = re.compile(r"<(?:script|img|iframe|svg onload)|javascript:", re.IGNORECASE)


def seeds() -> Iterator[bytes]:
    """Whole files, single rows, rows with raw messages and markup, rows with what looks like a key."""
    whole = trace_lines("openai/m", 3)
    yield whole.encode()
    yield from (line.encode() for line in whole.splitlines()[:3])
    key = "sk-" + "a" * 30
    yield trace_lines("m<img src=x>", 1, response=_HOSTILE, provider=_HOSTILE, note=key).encode()
    yield trace_lines("m", 1, protocol=None, catalogue=None).encode()
    yield from list(rows())[::20]


def check(data: bytes) -> None:
    """The page of an upload, pasted or as a file, and the files that it would be published as."""
    suite = small_suite()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        page = settled(lambda: _refused(data))
    else:
        draft, page = settled(lambda: _read(text))
        if draft is not None:
            submission_files(draft.content, {"model": draft.runs[0].scores["model"]})
            page += draft_page(draft, suite)
    assert page
    assert not _MARKUP.search(page), page


def _read(text: str) -> tuple[Draft | None, str]:
    try:
        return read_upload(text, small_suite()), "scored"
    except InputError as error:
        return None, problems(error)


def _refused(data: bytes) -> str:
    try:
        return str(declared(parse(data, small_suite(), "f"), "", ""))
    except InputError as error:
        return problems(error)
