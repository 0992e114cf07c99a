"""Data Operations: sort, filter, join, reshape and describe records (paper, Table 3)."""

import math
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from operator import eq, ge, gt, itemgetter, le, lt, ne
from typing import Annotated, Any, Literal

from dataset_builder.tools.define_tool import tool
from dataset_builder.tools.records import table_formats
from dataset_builder.tools.records.records import (
    Record,
    as_number,
    check_size,
    columns_of,
    field_of,
    fields,
    is_number,
    join,
    number,
    same_key,
    sort_key,
    statistics_of,
    text,
)
from dataset_builder.tools.tool import Output, ToolError
from dataset_builder.values.canonical import fold
from dataset_builder.values.parameter_types import UNORDERED, Name, Number, Object, Said, Verbatim
from dataset_builder.values.references import Unresolved, dig
from dataset_builder.values.rounding import significant

_JSON_TYPES = {str: "string", bool: "boolean", int: "number", float: "number"} | {
    list: "array",
    dict: "object",
}
_SEGMENT = re.compile(r"\[(\d{1,6})\]|\.?([^.\[\]]+)")


@tool("Data Operations")
def data_sort(
    records: list[Object],
    key: Name,
    order: Annotated[
        Literal["asc", "desc"],
        Said(
            asc=(
                "ascending",
                "lowest",
                "smallest",
                "cheapest",
                "earliest",
                "oldest",
                "alphabetical",
            ),
            desc=("descending", "highest", "largest", "most expensive", "latest", "newest"),
        ),
    ] = "asc",
) -> Output:
    """Sort records by one field.

    Args:
        records: Records to sort.
        key: Field to sort by.
        order: Default asc.

    Returns:
        records (array of object): in order; those without the field last
    """
    field = field_of(records, key)
    having = [record for record in records if record.get(field) is not None]
    lacking = [record for record in records if record.get(field) is None]
    having.sort(key=lambda record: sort_key(record[field]), reverse=order == "desc")
    return {"records": having + lacking}


_Operator = Annotated[
    Literal["equals", "not_equals", "above", "below", "at_least", "at_most", "contains"],
    Said(
        equals=("equal to", "exactly", "is", "are"),
        not_equals=("not", "other than", "except"),
        above=("over", "more than", "greater than", "higher than", "exceeding", "after"),
        below=("under", "less than", "fewer than", "lower than", "cheaper than", "before"),
        at_least=("or more", "no less than", "minimum of", "or higher"),
        at_most=("or less", "no more than", "up to", "maximum of", "or lower", "or fewer"),
        contains=("containing", "contain", "with the word", "mentions", "mentioning"),
    ),
]
_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "equals": eq,
    "not_equals": ne,
    "above": gt,
    "below": lt,
    "at_least": ge,
    "at_most": le,
}


@tool("Data Operations")
def data_filter(
    records: list[Object], field: Name, value: Name, operator: _Operator = "equals"
) -> Output:
    """Keep the records whose field meets a condition.

    Args:
        records: Records to filter.
        field: Field to test.
        value: Number or text to compare with, written as text.
        operator: Default equals.

    Returns:
        records (array of object): those kept, in their order
        record_count (integer): how many were kept
    """
    name = field_of(records, field)
    matching = [r for r in records if r.get(name) is not None and _meets(r[name], operator, value)]
    return {"records": matching, "record_count": len(matching)}


def _meets(cell: Any, operator: str, value: str) -> bool:
    """Numbers compare as numbers, all else as text without regard to case."""
    if operator == "contains":
        return fold(value) in fold(text(cell))
    left, right = as_number(cell), as_number(value)
    if left is not None and right is not None:
        return _COMPARE[operator](left, right)
    if is_number(cell) and operator not in ("equals", "not_equals"):
        raise ToolError(f"value: {value[:40]!r} is no number to compare with")
    return _COMPARE[operator](fold(text(cell)), fold(value))


_Function = Annotated[
    Literal["sum", "mean", "min", "max", "count"],
    Said(
        sum=("total", "add up", "altogether"),
        mean=("average",),
        min=("minimum", "lowest", "smallest", "cheapest"),
        max=("maximum", "highest", "largest", "biggest"),
        count=("how many", "number of"),
    ),
]
_AGGREGATE: Mapping[str, Callable[[list[Any]], float]] = {
    "sum": math.fsum,
    "mean": lambda values: math.fsum(values) / len(values),
    "min": min,
    "max": max,
}


@tool("Data Operations")
def data_aggregate(
    records: Annotated[list[Object], UNORDERED],
    field: Name,
    function: _Function,
    group_by: Name | None = None,
) -> Output:
    """Compute one figure from a field of records, overall and per group.

    Args:
        records: Records to aggregate.
        field: Field with the values.
        function: Figure to compute.
        group_by: Field whose values form the groups. Default no groups.

    Returns:
        result (number): the figure over all records
        groups (array of object, group and value): in order of first appearance
        top_group (string): group with the highest value, empty without groups
    """
    name = field_of(records, field)
    by = None if group_by is None else field_of(records, group_by)
    having = [record for record in records if record.get(name) is not None]
    if not having:
        raise ToolError(f"no record has a value in {name[:40]!r}")
    groups = [] if by is None else _groups(having, name, by, function)
    return {
        "result": _figure([record[name] for record in having], function),
        "groups": groups,
        "top_group": max(groups, key=itemgetter("value"))["group"] if groups else "",
    }


def _groups(records: list[Record], name: str, by: str, function: str) -> list[Record]:
    """The figure of each group; records without the field ``by`` form the group ``null``."""
    labels: dict[str, str] = {}
    members: dict[str, list[Any]] = defaultdict(list)
    for record in records:
        key = same_key(record.get(by))
        labels.setdefault(key, text(record.get(by)))
        members[key].append(record[name])
    return [
        {"group": labels[key], "value": _figure(values, function)}
        for key, values in members.items()
    ]


def _figure(values: list[Any], function: str) -> float:
    if function == "count":
        return len(values)
    return significant(_AGGREGATE[function](list(map(number, values))))


@tool("Data Operations")
def normalize_data(
    values: list[Number],
    method: Annotated[
        Literal["min_max", "z_score", "proportion"],
        Said(
            min_max=("min-max", "0 to 1", "between 0 and 1", "from 0 to 1"),
            z_score=("z-score", "z-scores", "standard scores"),
            proportion=("proportions", "shares", "sum to 1", "add up to 1"),
        ),
    ] = "min_max",
) -> Output:
    """Rescale a list of numbers to a common range.

    Args:
        values: Numbers to rescale.
        method: Onto 0 to 1, z-scores (population) or shares of the sum. Default min_max.

    Returns:
        normalized (array of number): in the order of the values
    """
    numbers = [float(number(value)) for value in values]
    if not numbers:
        raise ToolError("values: the list is empty")
    if method == "min_max":
        shift, scale = min(numbers), max(numbers) - min(numbers)
    elif method == "z_score":
        shift, scale = statistics.fmean(numbers), statistics.pstdev(numbers)
    elif min(numbers) < 0:
        raise ToolError("values: shares of a sum need values of at least 0")
    else:
        shift, scale = 0.0, math.fsum(numbers)
    if scale == 0:
        raise ToolError("values: they do not differ from each other or from 0")
    return {"normalized": [round((value - shift) / scale, 6) + 0.0 for value in numbers]}


@tool("Data Operations")
def merge_data(left: list[Object], right: list[Object], key: Name) -> Output:
    """Join two lists of records on a field they share (inner join).

    Args:
        left: First records.
        right: Records with further fields.
        key: Field that both have.

    Returns:
        records (array of object): joined records in the order of the first list
        record_count (integer): joined records
        unmatched (integer): records of either list without a partner
    """
    merged, unmatched = join(left, right, key)
    return {"records": merged, "record_count": len(merged), "unmatched": unmatched}


@tool("Data Operations")
def transform_format(
    data: Verbatim,
    from_: Literal["csv", "tsv", "json"],
    to: Annotated[Literal["csv", "tsv", "json", "yaml", "markdown"], Said(markdown=("table",))],
) -> Output:
    """Convert tabular data from one text format to another.

    Args:
        data: Table with a header line, or JSON array of objects.
        from: Format of the data.
        to: Format of the result.

    Returns:
        result (string): the table in that format
        record_count (integer): rows, header aside
    """
    if from_ == to:
        raise ToolError("to: the data are in this format already")
    records = table_formats.read(data, from_)
    return {"result": table_formats.write(records, to), "record_count": len(records)}


@tool("Data Operations")
def generate_summary_stats(records: Annotated[list[Object], UNORDERED]) -> Output:
    """Describe every field of a list of records; statistical_analysis takes plain numbers.

    Args:
        records: Records to describe.

    Returns:
        summary (string): a line per field
        fields (array of object, field, count, mean, median, min and max): numeric fields only
        missing_values (integer): fields that a record lacks or holds as null
    """
    check_size(records)
    columns = columns_of(records)
    if not columns:
        raise ToolError("records: there is no field to describe")
    figures = {
        name: statistics_of(values)
        for name, values in columns.items()
        if all(map(is_number, values))
    }
    lines = [
        f"{name}: {_numeric_line(figures[name]) if name in figures else _text_line(values)}"
        for name, values in columns.items()
    ]
    return {
        "summary": "\n".join(lines),
        "fields": [{"field": name, **its_figures} for name, its_figures in figures.items()],
        "missing_values": len(records) * len(fields(records)) - sum(map(len, columns.values())),
    }


def _numeric_line(figures: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.10g}" for name, value in figures.items())


def _text_line(values: list[Any]) -> str:
    counts = Counter(map(text, values))
    commonest, times = counts.most_common(1)[0]
    return f"count {len(values)}, different {len(counts)}, most common {commonest[:60]} ({times})"


@tool("Data Operations")
def json_extract(data: Object, path: Verbatim) -> Output:
    """Get the value at a path inside a JSON object.

    Args:
        data: JSON object.
        path: Such as order.items[0].price.

    Returns:
        value (string, text or JSON): text as it is, anything else as compact JSON
        type (string): string, number, boolean, null, object or array
    """
    value = dig(data, _segments(path))
    if isinstance(value, Unresolved):
        raise ToolError(f"path: there is no {path[:60]!r} in the object")
    return {"value": text(value), "type": _JSON_TYPES.get(type(value), "null")}


def _segments(path: str) -> list[str]:
    """The steps of a dotted path; ``$.`` before it and ``[0]`` within are understood."""
    plain = path.strip().removeprefix("$")
    matches = list(_SEGMENT.finditer(plain)) if len(plain) <= 500 else []
    if not matches or "".join(match[0] for match in matches) != plain:
        raise ToolError("path: expected names and [positions], such as order.items[0].price")
    return [match[1] or match[2] for match in matches]
