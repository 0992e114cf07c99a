"""The address of the page: whatever stands in it, something known is shown."""

from collections.abc import Iterator
from urllib.parse import parse_qsl

from space.board.board_columns import CHOICES, COLUMNS
from space.board.page_address import FILTERS, SWITCHES, read_board_query
from space.html.task_query import FILTERS as TASK_FILTERS
from space.html.task_query import ORDERS, read_task_address
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
