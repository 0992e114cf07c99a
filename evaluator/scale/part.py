"""A part: the scores of one unit's rows as a Parquet file, named by what it was made of."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from itertools import islice
from typing import Any

from dataset_builder.tasks.task import SUITE_VERSION, Suite
from evaluator.scoring.diagnostics import output_tokens
from evaluator.scoring.verdict import TaskScore
from evaluator.scoring.write_scores import row_columns
from evaluator.traces.asked_form import AskedForm
from evaluator.traces.signature import SCORER_VERSION
from evaluator.traces.trace import Trace

_FORMAT = "1"
_GROUP = 16_384
_KEY = b"comptoolbench.key"
PartRow = Mapping[str, Any]


def key_of(input_digest: str, suite: Suite) -> str:
    """What a part hangs on, as 32 digits: its input, the suites, the scorer, its own form."""
    made_of = (_FORMAT, input_digest, suite.digest, SUITE_VERSION, str(SCORER_VERSION))
    return hashlib.sha256("\n".join(made_of).encode()).hexdigest()[:32]


def name_of(key: str) -> str:
    """The file of a part."""
    return f"part-{key}.parquet"


def key_in(name: str) -> str | None:
    """The key of a part by its name; None for a file that is not called like one."""
    found = re.fullmatch(r"part-([0-9a-f]{32})\.parquet", name)
    return found and found[1]


def part_row(line: int, trace: Trace, score: TaskScore) -> PartRow:
    """A row of a part (specification: Scores at scale)."""
    return {
        "model": trace.model,
        **score.to_row(),
        "fault": score.fault,
        "line": line,
        "protocol": trace.protocol,
        "catalogue": trace.catalogue,
        "asked": _asked(trace.extra.get("asked") or {}),
        "output_tokens": output_tokens(trace.usage),
        "cost_usd": trace.cost_usd,
    }


def _asked(asked: Mapping[str, Any]) -> str | None:
    """What is known of how a row was asked, as JSON text; None where it says nothing."""
    said = {name: asked[name] for name in AskedForm._fields if asked.get(name) is not None}
    return json.dumps(said) if said else None


def part_of(rows: Iterable[PartRow], key: str) -> bytes:
    """The bytes of a part."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    ours = [("model", pa.string()), *row_columns(), ("fault", pa.string()), ("line", pa.int64())]
    ours += [(name, pa.string()) for name in ("protocol", "catalogue", "asked")]
    ours += [("output_tokens", pa.int64()), ("cost_usd", pa.float64())]
    schema = pa.schema(ours, metadata={_KEY: key})
    sink, pending = BytesIO(), iter(rows)
    with pq.ParquetWriter(sink, schema, compression="zstd", write_page_checksum=True) as writer:
        while group := list(islice(pending, _GROUP)):
            writer.write_table(pa.Table.from_pylist(group, schema=schema))
    return sink.getvalue()


def rows_in(content: bytes) -> int:
    """How many rows a part has."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    return int(pq.read_metadata(pa.BufferReader(content)).num_rows)


def rows_of_part(content: bytes, key: str) -> Iterator[Mapping[str, list[Any]]]:
    """The columns of a part, some thousand rows at a time; ValueError where it is damaged."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        parquet = pq.ParquetFile(pa.BufferReader(content), page_checksum_verification=True)
        if (parquet.schema_arrow.metadata or {}).get(_KEY) != key.encode():
            raise ValueError("was made of something else")
        for batch in parquet.iter_batches(_GROUP, use_threads=False):
            yield batch.to_pydict()
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"is damaged ({error})") from None
