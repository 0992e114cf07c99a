"""Other people's logs: any file is converted into traces, or refused in a sentence."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from dataset_builder.errors import InputError
from dataset_builder.tools import catalogue
from evaluator.converting.convert import Converted, convert
from tests.fuzz.answers import suite
from tests.fuzz.checks import is_read_back, settled

# A long prompt of no task is looked for in the published ladder too, which is made once in a process.
_OF_NO_TASK = b"""\
{"messages": [{"role": "user", "content": "%s"}, {"role": "assistant", "content": "!"}]}
""" % (b"procedure " * 100)
SAMPLES = Path(__file__).parents[2] / "samples" / "conversations"
_FOLDER = tempfile.TemporaryDirectory(prefix="fuzzed-logs-")
_FILE = Path(_FOLDER.name) / "log"


def seeds() -> Iterator[bytes]:
    """The first conversations of a log of every form, and one that is of no task."""
    yield _OF_NO_TASK
    for file in sorted(SAMPLES.glob("*.json*")):
        lines = file.read_bytes().splitlines()
        yield from (lines[:3] if file.suffix == ".jsonl" else [b"\n".join(lines)])


def check(data: bytes) -> None:
    """The traces of a log, each as a reader takes it, and what is said of the rest."""
    _FILE.write_bytes(data)
    done = settled(_converted)
    if isinstance(done, str):
        assert done.startswith((str(_FILE), "the log")), done
        return
    assert all(map(is_read_back, done.traces))
    assert done.n_skipped >= len(done.skipped)


def _converted() -> Converted | str:
    try:
        return convert([_FILE], suite(), catalogue())
    except InputError as error:
        return str(error)
