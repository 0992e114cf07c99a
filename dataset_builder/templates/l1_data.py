"""Level 1, the company database and tables of records: rows first, figures and orders from them."""

from dataset_builder.slot import Decimal, Numbers, Pool, Whole, pick
from dataset_builder.template import Template, call

_PURPOSE = pick(
    "It's for the board paper", "Our controller wants it", "I'm checking last year's figures",
    "The works council asked", "I'm preparing the budget", "We have an audit on Friday",
    "It's for a footnote", "The consultant needs it", "I have to fill in a questionnaire",
)  # fmt: skip
_ORDER = pick(("ascending", "asc"), ("descending", "desc"))
_FUNCTION = pick(("total", "sum"), ("average", "mean"), ("highest", "max"), ("lowest", "min"))

TEMPLATES = (
    Template(
        "spread_in_database",
        prompts=(
            "Get the {data.number} figures from the {data.table} table of our database where the "
            "{data.column} is {data.value}, and give me their {basis} standard deviation. {why}.",
            "{why}. In the company database, table {data.table}, take the column {data.number} for all "
            "rows whose {data.column} is {data.value}. What's the {basis} standard deviation?",
            "How much do the values of {data.number} scatter in the {data.table} table for {data.column} "
            "{data.value}? Query the database and work out the {basis} standard deviation. {why}.",
            "{why}, so query the {data.table} table (column {data.number}, only rows with {data.column} "
            "= {data.value}) and compute the {basis} standard deviation of what you get.",
        ),
        slots={
            "data": Pool("database_figures"),
            "basis": pick("sample", "population"),
            "why": _PURPOSE,
        },
        steps=(
            call(
                "database_query",
                table="{data.table}",
                column="{data.number}",
                filter_column="{data.column}",
                filter_value="{data.value}",
            ),
            call("standard_deviation", numbers="{1.values}", basis="{basis}"),
        ),
    ),
    Template(
        "percentile_in_database",
        prompts=(
            "What's the {percent} percentile of {data.number} in the {data.table} table of our database, "
            "counting only rows whose {data.column} is {data.value}?",
            "Query the company database, table {data.table}, for the {data.number} values where "
            "{data.column} is {data.value}, then work out their {percent} percentile.",
            "{why}. Take the column {data.number} from the {data.table} table, rows with {data.column} = "
            "{data.value} only, and find the {percent} percentile of these figures.",
            "I need the {percent} percentile of the {data.number} column in our {data.table} table for "
            "the rows whose {data.column} is {data.value}. {why}.",
        ),
        slots={
            "data": Pool("database_figures"),
            "percent": pick(("90th", 90), ("75th", 75), ("25th", 25), ("10th", 10), ("80th", 80)),
            "why": _PURPOSE,
        },
        steps=(
            call(
                "database_query",
                table="{data.table}",
                column="{data.number}",
                filter_column="{data.column}",
                filter_value="{data.value}",
            ),
            call("percentile", numbers="{1.values}", percent="{percent}"),
        ),
    ),
    Template(
        "extremes_in_database",
        prompts=(
            "Get all values of {data.number} from the {data.table} table of our database where "
            "{data.column} is {data.value}. What's the range between the smallest and the largest? "
            "{why}.",
            "{why}. Look into the company database, table {data.table}: what are the minimum and the "
            "maximum in the column {data.number} for rows with {data.column} = {data.value}?",
            "Query the {data.table} table for the {data.number} figures whose {data.column} is "
            "{data.value} and tell me the lowest, the highest and the gap between them. {why}.",
            "{why}, so take the column {data.number} of our {data.table} table, only the rows where "
            "{data.column} is {data.value}, and find the extremes: the least and the greatest figure.",
        ),
        slots={"data": Pool("database_figures"), "why": _PURPOSE},
        steps=(
            call(
                "database_query",
                table="{data.table}",
                column="{data.number}",
                filter_column="{data.column}",
                filter_value="{data.value}",
            ),
            call("min_max", numbers="{1.values}"),
        ),
    ),
    Template(
        "grouped_in_database",
        prompts=(
            "Take all rows of the {data.table} table in our database and aggregate them: I want the "
            "{function} {data.number} for each {data.group}. {why}.",
            "{why}. What's the {function} of {data.number} per {data.group} in the {data.table} table? "
            "Read the rows from the company database and aggregate them.",
            "Query the whole {data.table} table, then group the records by {data.group} and give me the "
            "{function} {data.number} of every group. {why}.",
            "{why}, so fetch the records of the {data.table} table and work out the {function} "
            "{data.number}, grouped by {data.group}.",
        ),
        slots={"data": Pool("database_groups"), "function": _FUNCTION, "why": _PURPOSE},
        steps=(
            call("database_query", table="{data.table}"),
            call(
                "data_aggregate",
                records="{1.records}",
                field="{data.number}",
                function="{function}",
                group_by="{data.group}",
            ),
        ),
    ),
    Template(
        "sorted_from_database",
        prompts=(
            "List the rows of the {data.table} table whose {data.column} is {data.value}, sorted by "
            "“{data.key}” in {order} order. {why}.",
            "{why}. From our database I need the {data.table} with {data.column} {data.value}; sort "
            "these records by “{data.key}”, {order}.",
            "Query the company database for all {data.table} where {data.column} = {data.value} and put "
            "the records in {order} order of “{data.key}”. {why}.",
            "{why}, so get the {data.table} whose {data.column} is {data.value} out of the database and "
            "sort them by “{data.key}” ({order}).",
        ),
        slots={"data": Pool("database_sorts"), "order": _ORDER, "why": _PURPOSE},
        steps=(
            call(
                "database_query",
                table="{data.table}",
                filter_column="{data.column}",
                filter_value="{data.value}",
            ),
            call("data_sort", records="{1.records}", key="{data.key}", order="{order}"),
        ),
    ),
    Template(
        "filtered_from_database",
        prompts=(
            "Read the {data.table} table of our database and keep only the records with {data.number} "
            "{operator} {data.limit}. {why}.",
            "{why}. Which records in the {data.table} table of the company database have {data.number} "
            "{operator} {data.limit}? Fetch the table and filter it.",
            "Get all rows of the {data.table} table and filter them: {data.number} has to be {operator} "
            "{data.limit}. {why}.",
            "{why}, so query the whole {data.table} table and narrow the records down to those whose "
            "{data.number} is {operator} {data.limit}.",
        ),
        slots={
            "data": Pool("database_limits"),
            "operator": pick("above", "below", ("at least", "at_least"), ("at most", "at_most")),
            "why": _PURPOSE,
        },
        steps=(
            call("database_query", table="{data.table}"),
            call(
                "data_filter",
                records="{1.records}",
                field="{data.number}",
                operator="{operator}",
                value="{data.limit}",
            ),
        ),
    ),
    Template(
        "spreadsheet_from_database",
        prompts=(
            "Get the {data.table} whose {data.column} is {data.value} from the company database and put "
            "the records into a spreadsheet. {why}.",
            "{why}. Please make a spreadsheet of all rows in the {data.table} table where {data.column} "
            "is {data.value}.",
            "I need a spreadsheet with the records of the {data.table} table in our database, only those "
            "with {data.column} = {data.value}. {why}.",
            "{why}, so query the database for {data.table} with {data.column} {data.value} and create a "
            "spreadsheet from the rows.",
        ),
        slots={"data": Pool("database_filters"), "why": _PURPOSE},
        steps=(
            call(
                "database_query",
                table="{data.table}",
                filter_column="{data.column}",
                filter_value="{data.value}",
            ),
            call("create_spreadsheet", rows="{1.records}"),
        ),
    ),
    Template(
        "total_against_last_time",
        prompts=(
            "I have {data.what} as JSON records: {data.rows}. Aggregate them to the {function} of the "
            "field “{data.number}”. It was {data.last} {before}: by how many percent has it changed?",
            "{data.rows} Please aggregate the field “{data.number}” of these records to its {function} "
            "and tell me by how many percent it has changed: {before} it was {data.last}.",
            "The {function} of “{data.number}” was {data.last} {before}. For the new {function}, "
            "aggregate these records, and then give me the percentage change: {data.rows}",
            "The figures for {data.what} are in these records: {data.rows}. What {function} does the "
            "field “{data.number}” have when you aggregate them, and what's the percentage change from "
            "the {data.last} that it was {before}?",
        ),
        slots={
            "data": Pool("tallies"),
            "function": pick(("total", "sum"), "sum"),
            "before": pick("last time", "a year ago", "the time before", "in my first report"),
        },
        steps=(
            call(
                "data_aggregate",
                records="{data.rows}",
                field="{data.number}",
                function="{function}",
            ),
            call("percentage_change", old_value="{data.last}", new_value="{1.result}"),
        ),
    ),
    Template(
        "mean_against_last_time",
        prompts=(
            "Our {what} this time: {numbers}. Work out the mean and tell me by how many percent it has "
            "changed from last time's mean of {old}.",
            "Last time the mean of our {what} was {old}. The new ones are {numbers}. What's the mean now, "
            "and what's the percentage change against last time?",
            "Average these {what} first: {numbers}. Then give me the change in percent from the old "
            "average, {old}, to the new one.",
            "{numbers} are the latest {what}. I need their arithmetic mean and, from the previous mean "
            "of {old} to that, the percentage change.",
        ),
        slots={
            "what": pick(
                "exam scores",
                "delivery times in minutes",
                "daily call counts",
                "weekly page counts",
                "commute times in minutes",
                "waiting times in minutes",
                "humidity readings in percent",
                "noise readings in decibels",
                "daily ticket counts",
                "meeting lengths in minutes",
            ),
            "numbers": Numbers(5, 9, 21, 95),
            "old": Decimal(31.5, 84.5, 1),
        },
        steps=(
            call("statistical_analysis", numbers="{numbers}"),
            call("percentage_change", old_value="{old}", new_value="{1.mean}"),
        ),
    ),
    Template(
        "trend_against_target",
        prompts=(
            "{series.what}, oldest first: {numbers}. Work out the {window}-{series.period} moving "
            "average and tell me the percentage change from our target of {target} to its latest value.",
            "Smooth {series.what} with a moving average over {window} {series.period}s. The figures, in "
            "order, are {numbers}. By how many percent does the last average differ from the target, "
            "{target}? Take the change from the target to the average.",
            "Our target for {series.what} is {target}. Here are the figures, oldest first: {numbers}. I "
            "want the {window}-{series.period} moving average and the change in percent from the target "
            "to its most recent value.",
            "Moving average with a window of {window} for {series.what} ({numbers}, oldest first), then "
            "the percentage change from {target}, which we aim for, to the latest average, please.",
        ),
        slots={
            "series": Pool("time_series"),
            "numbers": Numbers(6, 9, 110, 890),
            "window": Whole(3, 5),
            "target": Whole(205, 795, 5),
        },
        steps=(
            call("moving_average", numbers="{numbers}", window="{window}"),
            call("percentage_change", old_value="{target}", new_value="{1.latest}"),
        ),
    ),
)
