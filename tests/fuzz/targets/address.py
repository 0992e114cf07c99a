"""The address of the page and what is said of an upload: anything typed is known, cleaned or refused."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from urllib.parse import parse_qsl

from dataset_builder.errors import InputError
from space.base.sanitize import MAX_TEXT
from space.board.board_columns import CHOICES, COLUMNS
from space.board.page_address import FILTERS, SWITCHES, read_board_query
from space.html.task_query import FILTERS as TASK_FILTERS
from space.html.task_query import ORDERS, read_task_address
from space.submissions.about import About
from tests.fuzz.checks import settled

MOST_FIELDS = 100


def seeds() -> Iterator[bytes]:
    """Addresses that use each field of the board and of the tasks."""
    yield from (f"order=-{name}&columns={name},{name}".encode() for name in list(COLUMNS)[:8])
    yield f"columns={','.join(CHOICES)}&rank_by=strict&search=%F0%9F%98%80+a%00b".encode()
    yield "&".join(f"{name}=1" for name in SWITCHES).encode()
    yield "&".join(f"{name}=a%3Cb&{name}=%ff" for name in FILTERS).encode()
    yield "&".join(f"{name}=x{name}" for name in TASK_FILTERS).encode()
    yield from (f"tab=explore&sort={order}&words=a+b&part=2&of=x".encode() for order in ORDERS)
    yield b"model=a/b&organisation=B&link=https://a.b/c&provider=x&regime=local&open_weights=no"
    yield b"model=oracle&link=javascript:alert(1)&regime=x"
    yield b"task=L1_chain_0049&run=0123456789abcdef&sample=3&mark=%E2%80%AE"


def check(data: bytes) -> None:
    """What an address asks for, and that its own address asks for the same."""
    try:
        pairs = parse_qsl(data.decode(errors="replace"), max_num_fields=MOST_FIELDS)
    except ValueError:
        return
    board = settled(lambda: read_board_query(pairs))
    assert read_board_query(parse_qsl(board.to_query())) == board
    assert set(board.columns) <= set(CHOICES)
    tasks = settled(lambda: read_task_address(pairs))
    again = read_task_address(parse_qsl(tasks.to_query()))
    assert again.to_query() == tasks.to_query()
    assert len(settled(lambda: _about(dict(pairs))).splitlines()) <= 1


def _about(given: Mapping[str, str]) -> str:
    """What is kept of the fields of a form, or what is wrong with them."""
    try:
        about = About(**{f.name: given.get(f.name, "") for f in fields(About)}).checked()
    except InputError as error:
        return str(error)
    assert about.link == "" or about.link.startswith("https://")
    assert all(len(value) <= 3 * MAX_TEXT for value in asdict(about).values())
    return about.model
