"""Data Operations: known answers, independent sources, properties, and refusals."""

import json
import statistics

import pandas as pd
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dataset_builder.tools import data_operations as d
from dataset_builder.tools.records import table_formats
from dataset_builder.values.canonical import canonical_json
from tests.samples.tool_call import call

PEOPLE = [
    {"name": "Ada", "age": 36, "city": "Oslo"},
    {"name": "bob", "age": 7.5, "city": "Rome"},
    {"name": "Cy", "age": None, "city": "oslo"},
    {"name": "Dee", "age": 36, "city": "Rome"},
]
SALES = st.lists(
    st.fixed_dictionaries({"shop": st.sampled_from(["N", "S", "W"]), "sold": st.integers(-99, 99)}),
    min_size=1,
    max_size=12,
)
ORDER = {"order": {"items": [{"price": 9.5, "name": "pen"}], "paid": True, "note": None}}


def names(output):
    return [record["name"] for record in output["records"]]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"key": "age"}, ["bob", "Ada", "Dee", "Cy"]),
        ({"key": "AGE", "order": "desc"}, ["Ada", "Dee", "bob", "Cy"]),
        ({"key": "name"}, ["Ada", "bob", "Cy", "Dee"]),
        ({"key": "name", "order": "desc"}, ["Dee", "Cy", "bob", "Ada"]),
    ],
)
def test_sorting(arguments, expected):
    assert names(call(d.data_sort, records=PEOPLE, **arguments)) == expected


@given(SALES, st.sampled_from(["asc", "desc"]))
def test_sorting_is_stable_idempotent_and_that_of_pandas(records, order):
    once = call(d.data_sort, records=records, key="sold", order=order)["records"]
    frame = pd.DataFrame(records).sort_values("sold", ascending=order == "asc", kind="stable")
    assert once == frame.to_dict("records")
    assert call(d.data_sort, records=once, key="sold", order=order)["records"] == once


@pytest.mark.parametrize(
    ("field", "operator", "value", "expected"),
    [
        ("age", "above", "7.5", ["Ada", "Dee"]),
        ("age", "at_least", "7.5", ["Ada", "bob", "Dee"]),
        ("age", "below", "36", ["bob"]),
        ("age", "at_most", "36", ["Ada", "bob", "Dee"]),
        ("age", "equals", "36.0", ["Ada", "Dee"]),
        ("age", "not_equals", "36", ["bob"]),
        ("City", "equals", "OSLO", ["Ada", "Cy"]),
        ("city", "not_equals", "Oslo", ["bob", "Dee"]),
        ("name", "contains", "D", ["Ada", "Dee"]),
        ("name", "above", "bob", ["Cy", "Dee"]),
        ("city", "equals", "Lima", []),
    ],
)
def test_filtering(field, operator, value, expected):
    output = call(d.data_filter, records=PEOPLE, field=field, operator=operator, value=value)
    assert names(output) == expected
    assert output["record_count"] == len(expected)


def test_filtering_by_equality_is_the_default():
    assert names(call(d.data_filter, records=PEOPLE, field="city", value="rome")) == ["bob", "Dee"]


def test_numbers_written_as_text_compare_as_numbers():
    records = [{"size": "9"}, {"size": "10"}, {"size": "big"}]
    output = call(d.data_filter, records=records, field="size", operator="below", value="10")
    assert output["records"] == [{"size": "9"}]


@given(SALES, st.integers(-99, 99))
def test_a_filter_and_its_opposite_share_out_the_records(records, value):
    for one, other in (("above", "at_most"), ("below", "at_least"), ("equals", "not_equals")):
        counts = [
            call(d.data_filter, records=records, field="sold", operator=operator, value=str(value))
            for operator in (one, other)
        ]
        assert sum(output["record_count"] for output in counts) == len(records)


def test_aggregating():
    assert call(
        d.data_aggregate, records=PEOPLE, field="age", function="mean", group_by="city"
    ) == {
        "result": 26.5,
        "groups": [{"group": "Oslo", "value": 36.0}, {"group": "Rome", "value": 21.75}],
        "top_group": "Oslo",
    }
    assert call(
        d.data_aggregate, records=PEOPLE, field="city", function="count", group_by="city"
    ) == {
        "result": 4,
        "groups": [{"group": "Oslo", "value": 2}, {"group": "Rome", "value": 2}],
        "top_group": "Oslo",
    }
    assert call(d.data_aggregate, records=PEOPLE, field="age", function="max") == {
        "result": 36.0,
        "groups": [],
        "top_group": "",
    }


@given(SALES, st.sampled_from(["sum", "mean", "min", "max", "count"]))
def test_aggregates_are_those_of_pandas(records, function):
    frame = pd.DataFrame(records)
    output = call(
        d.data_aggregate, records=records, field="sold", function=function, group_by="shop"
    )
    assert output["result"] == pytest.approx(frame["sold"].agg(function))
    assert {g["group"]: g["value"] for g in output["groups"]} == pytest.approx(
        frame.groupby("shop")["sold"].agg(function).to_dict()
    )
    best = max(group["value"] for group in output["groups"])
    assert {"group": output["top_group"], "value": best} in output["groups"]


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("min_max", [0.0, 0.5, 1.0]),
        ("z_score", [-1.224745, 0.0, 1.224745]),
        ("proportion", [0.166667, 0.333333, 0.5]),
    ],
)
def test_normalizing(method, expected):
    assert call(d.normalize_data, values=[1, 2, 3], method=method) == {"normalized": expected}
    assert call(d.normalize_data, values=[1, 2, 3])["normalized"] == [0.0, 0.5, 1.0]


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=9, unique=True))
def test_normalized_values_are_those_of_scipy(values):
    if statistics.pstdev(values) > 1e-3:
        scores = call(d.normalize_data, values=values, method="z_score")["normalized"]
        assert scores == pytest.approx(stats.zscore(values).tolist(), abs=1e-5)
    scaled = call(d.normalize_data, values=values)["normalized"]
    assert (min(scaled), max(scaled)) == (0, 1)


@pytest.mark.parametrize("values", [[5e-324, 1e-323], [1e100, -1e100, 1], [1e-300, 1e99], [0, 0.1]])
@pytest.mark.parametrize("method", ["min_max", "z_score", "proportion"])
def test_extreme_values_stay_finite(values, method):
    output = call(d.normalize_data, values=values, method=method)
    assert "error" in output or all(abs(value) <= 2 for value in output["normalized"])


def test_joining():
    right = [{"City": "Rome", "name": "SPQR"}, {"City": "Lima"}, {"City": "rome", "mayor": "Gia"}]
    output = call(d.merge_data, left=PEOPLE, right=right, key="city")
    assert output["records"][:2] == [
        {"name": "bob", "age": 7.5, "city": "Rome", "name_right": "SPQR"},
        {"name": "bob", "age": 7.5, "city": "Rome", "mayor": "Gia"},
    ]
    # Ada and Cy on the left, Lima on the right.
    assert (output["record_count"], output["unmatched"]) == (4, 3)


@given(SALES, SALES)
def test_joins_are_those_of_pandas(left, right):
    output = call(d.merge_data, left=left, right=right, key="shop")
    frame = pd.DataFrame(left).merge(
        pd.DataFrame(right), on="shop", how="inner", suffixes=("", "_right")
    )
    assert output["record_count"] == len(frame)
    assert sorted(map(canonical_json, output["records"])) == sorted(
        map(canonical_json, frame.to_dict("records"))
    )


CSV = 'name,age,note\nAda,36,"a, b"\n"Bo ""B""",007,\nCy,-1.50,yes'


@pytest.mark.parametrize(
    ("to", "expected"),
    [
        (
            "json",
            '[{"name": "Ada", "age": 36, "note": "a, b"}, '
            '{"name": "Bo \\"B\\"", "age": "007", "note": ""}, '
            '{"name": "Cy", "age": -1.5, "note": "yes"}]',
        ),
        ("tsv", 'name\tage\tnote\nAda\t36\ta, b\n"Bo ""B"""\t007\t\nCy\t-1.5\tyes'),
        (
            "yaml",
            '- name: Ada\n  age: 36\n  note: "a, b"\n- name: "Bo \\"B\\""\n  age: "007"\n  note: ""\n'
            '- name: Cy\n  age: -1.5\n  note: "yes"',
        ),
        (
            "markdown",
            "| name | age | note |\n| --- | --- | --- |\n| Ada | 36 | a, b |\n"
            '| Bo "B" | 007 |  |\n| Cy | -1.5 | yes |',
        ),
    ],
)
def test_transforming(to, expected):
    assert call(d.transform_format, data=CSV, from_="csv", to=to) == {
        "result": expected,
        "record_count": 3,
    }


CELL = (
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.text(st.sampled_from("aé,\"\n|: -#'\t"))
)
TABLE = st.lists(
    st.dictionaries(st.sampled_from(["a", "b c", "on", "1"]), CELL, min_size=1), min_size=1
)


@given(TABLE)
def test_yaml_and_json_are_read_back_by_other_parsers(records):
    assert yaml.safe_load(table_formats.write(records, "yaml")) == records
    assert json.loads(table_formats.write(records, "json")) == records


@given(TABLE)
def test_separated_tables_come_back(records):
    for form in ("csv", "tsv"):
        text = table_formats.write(records, form)
        again = table_formats.read(text, form)
        # A cell is trimmed when it is read; then reading and writing undo each other.
        assert table_formats.read(table_formats.write(again, form), form) == again
        assert len(again) == len(records)


def test_describing():
    records = [*PEOPLE, {"name": "Eve", "age": 10, "gone": None}]
    assert call(d.generate_summary_stats, records=records) == {
        "summary": "name: count 5, different 5, most common Ada (1)\n"
        "age: count 4, mean 22.375, median 23, min 7.5, max 36\n"
        "city: count 4, different 3, most common Rome (2)",
        "fields": [
            {"field": "age", "count": 4, "mean": 22.375, "median": 23.0, "min": 7.5, "max": 36}
        ],
        "missing_values": 7,
    }


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=20))
def test_figures_are_those_of_pandas(values):
    output = call(d.generate_summary_stats, records=[{"x": value} for value in values])["fields"][0]
    described = pd.Series(values).describe()
    for ours, theirs in (("mean", "mean"), ("median", "50%"), ("min", "min"), ("max", "max")):
        assert output[ours] == pytest.approx(described[theirs], rel=1e-9, abs=1e-6)


@pytest.mark.parametrize(
    ("path", "value", "kind"),
    [
        ("order.items[0].price", "9.5", "number"),
        ("$.order.items.0.name", "pen", "string"),
        ("order.paid", "true", "boolean"),
        ("order.note", "null", "null"),
        (" order.items ", '[{"price":9.5,"name":"pen"}]', "array"),
        ("order.items[0]", '{"price":9.5,"name":"pen"}', "object"),
    ],
)
def test_extracting(path, value, kind):
    assert call(d.json_extract, data=ORDER, path=path) == {"value": value, "type": kind}
    assert call(d.json_extract, data=json.dumps(ORDER), path=path)["value"] == value


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        (d.data_sort, {"records": [], "key": "a"}, "no record has a field 'a'"),
        (d.data_sort, {"records": [{"A": 1, "a ": 2}], "key": "a"}, "no record has a field"),
        (d.data_sort, {"records": ["x"], "key": "a"}, "item 0: expected an object"),
        (d.data_filter, {"records": PEOPLE, "field": "zip", "value": "1"}, "field 'zip'"),
        (
            d.data_filter,
            {"records": PEOPLE, "field": "age", "operator": "above", "value": "old"},
            "'old' is no number",
        ),
        (d.data_aggregate, {"records": PEOPLE, "field": "name", "function": "sum"}, "not a number"),
        (
            d.data_aggregate,
            {"records": [{"a": None}], "field": "a", "function": "sum"},
            "no record has a value",
        ),
        (
            d.data_aggregate,
            {"records": [{"a": 1e200}], "field": "a", "function": "sum"},
            "out of range",
        ),
        (d.normalize_data, {"values": []}, "empty"),
        (d.normalize_data, {"values": [2, 2]}, "differ"),
        (d.normalize_data, {"values": [0, 0], "method": "proportion"}, "differ"),
        (d.normalize_data, {"values": [-1, 2], "method": "proportion"}, "at least 0"),
        (d.normalize_data, {"values": [1e300, 2]}, "out of range"),
        (d.merge_data, {"left": PEOPLE, "right": [{"a": 1}], "key": "a"}, "field 'a'"),
        (
            d.merge_data,
            {"left": [{"k": 1}] * 5000, "right": [{"k": 1}] * 5000, "key": "k"},
            "more than 50,000",
        ),
        (
            d.merge_data,
            {"left": [{"k": 1, "a": 1}], "right": [{"k": 1, "a": 2, "a_right": 3}], "key": "k"},
            "'a_right'",
        ),
        (d.transform_format, {"data": "a\n1", "from": "csv", "to": "csv"}, "already"),
        (d.transform_format, {"data": "a,b\n1", "from": "csv", "to": "json"}, "row 2 has 1 cells"),
        (d.transform_format, {"data": "a,a\n1,2", "from": "csv", "to": "json"}, "each column once"),
        (d.transform_format, {"data": 'a\n"1', "from": "csv", "to": "json"}, "not closed"),
        (d.transform_format, {"data": "a,b", "from": "csv", "to": "json"}, "no record"),
        (d.transform_format, {"data": "", "from": "tsv", "to": "json"}, "no record"),
        (d.transform_format, {"data": "[1]", "from": "json", "to": "csv"}, "expected an object"),
        (d.transform_format, {"data": "hello", "from": "json", "to": "csv"}, "no JSON array"),
        (d.transform_format, {"data": "[" * 99_999, "from": "json", "to": "csv"}, "nesting"),
        (d.transform_format, {"data": '[{"a": NaN}]', "from": "json", "to": "csv"}, "out of range"),
        (d.generate_summary_stats, {"records": []}, "no field"),
        (d.generate_summary_stats, {"records": [{"a": 1}, {"a": 1e200}]}, "out of range"),
        (d.json_extract, {"data": ORDER, "path": "order.price"}, "'order.price'"),
        (d.json_extract, {"data": ORDER, "path": "order..x"}, "expected names"),
        (d.json_extract, {"data": ORDER, "path": ""}, "expected names"),
        (d.json_extract, {"data": ORDER, "path": "a." * 9_999 + "b"}, "expected names"),
        (d.json_extract, {"data": "[1]", "path": "0"}, "expected an object"),
    ],
)
def test_refusals(tool, arguments, says):
    assert says in call(tool, **arguments)["error"]


@pytest.mark.parametrize(
    "tool", [d.data_sort, d.data_filter, d.data_aggregate, d.merge_data, d.generate_summary_stats]
)
@given(TABLE)
def test_any_records_give_the_documented_fields_or_an_error(tool, records):
    arguments = {"key": "a", "field": "a", "value": "5", "function": "sum", "group_by": "b c"}
    output = call(tool, records=records, left=records, right=records, **arguments)
    assert set(output) in (set(tool.returns), {"error"})
