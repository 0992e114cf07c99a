"""Level 3, data and statistics: tables of the company database queried, joined, measured and shared."""

from dataset_builder.slot import Pool, pick
from dataset_builder.template import Template, call, mentions

TEMPLATES = (
    Template(
        "column_median_and_range",
        prompts=(
            "In the company database, list the {rows.column} figures of the {rows.table} table "
            "for all rows whose {rows.by} is “{rows.is}”. Work out the median of those numbers "
            "and their range (largest minus smallest), and message both to {person.name}.",
            "Database question: table {rows.table}, {rows.by} = “{rows.is}”, figures of the "
            "column {rows.column}. What is the median of those numbers, and how wide is the gap "
            "between the smallest and the largest? Send {person.name} the two numbers in a chat "
            "message.",
            "{person.name} wants to know the median {rows.column} in our {rows.table} table and "
            "the range between the lowest and the highest, counting only rows with “{rows.is}” as "
            "their {rows.by}. Query the database for that column's figures, compute the two "
            "statistics and put them in a chat message to {person.name}.",
            "Please read the {rows.column} figures from the database table {rows.table}, only "
            "where {rows.by} is “{rows.is}”. From that list of numbers I need the median and the "
            "distance from the minimum to the maximum, both sent to {person.name} by chat "
            "message.",
        ),
        slots={"rows": Pool("table_columns"), "person": Pool("people")},
        steps=(
            call(
                "database_query",
                table="{rows.table}",
                column="{rows.column}",
                filter_column="{rows.by}",
                filter_value="{rows.is}",
            ),
            call("statistical_analysis", numbers="{1.values}"),
            call("min_max", numbers="{1.values}"),
            call(
                "send_message", recipient="{person.name}", text=mentions("{2.median}", "{3.range}")
            ),
        ),
    ),
    Template(
        "group_medians_compared",
        prompts=(
            "Compare two groups in the {rows.table} table of the database: rows whose {rows.by} "
            "is “{rows.first}” and rows whose {rows.by} is “{rows.second}”. List the "
            "{rows.column} figures of each group, get the median of each list, and message "
            "{person.name} by how many percent the median changes from “{rows.first}” to "
            "“{rows.second}”.",
            "Query the database table {rows.table} twice for its {rows.column} figures, once with "
            "{rows.by} “{rows.first}” and once with {rows.by} “{rows.second}”. By how many "
            "percent is the median of the second list above or below the median of the first? "
            "Send the percentage to {person.name} in a chat message.",
            "{person.name} asked on chat how “{rows.first}” and “{rows.second}” compare. In the "
            "database, table {rows.table}, filter {rows.by} for each of the two, list the "
            "{rows.column} figures, take the median of either list, and reply to {person.name} in "
            "a chat message with the percentage change from the “{rows.first}” median to the "
            "“{rows.second}” median.",
        ),
        slots={"rows": Pool("compared_groups"), "person": Pool("people")},
        steps=(
            call(
                "database_query",
                table="{rows.table}",
                column="{rows.column}",
                filter_column="{rows.by}",
                filter_value="{rows.first}",
            ),
            call(
                "database_query",
                table="{rows.table}",
                column="{rows.column}",
                filter_column="{rows.by}",
                filter_value="{rows.second}",
            ),
            call("statistical_analysis", numbers="{1.values}"),
            call("statistical_analysis", numbers="{2.values}"),
            call("percentage_change", old_value="{3.median}", new_value="{4.median}"),
            call("send_message", recipient="{person.name}", text=mentions("{5.percent_change}")),
        ),
    ),
    Template(
        "leading_group_of_joined_tables",
        prompts=(
            "From the database I need the complete {orders} rows whose {by} is “{status}” and the "
            "whole {other.table} table. Join the two on {other.key}, with the {orders} as the "
            "left side, then compute the {function} {other.field} per {other.group}, and message "
            "{person.name} which {other.group} comes out on top.",
            "Which {other.group} leads among the {orders} with {by} “{status}”, going by "
            "{function} {other.field}? Query the database for those {orders} (left) and for all "
            "{other.table} (right), merge left and right on the field {other.key}, aggregate by "
            "{other.group}, and tell {person.name} the leader in a chat message.",
            "Please pull two things from the database: first the {orders} table filtered to {by} "
            "“{status}”, second the unfiltered {other.table} table. Merge the second into the "
            "first on {other.key}, so that the {orders} stay on the left. Then group by "
            "{other.group}, take the {function} {other.field} of each group, and send "
            "{person.name} a chat message naming the group with the highest value.",
        ),
        slots={
            "orders": pick("orders"),
            "by": pick("status"),
            "status": pick("delivered", "shipped", "pending", "cancelled"),
            "other": Pool("joined_tables"),
            "function": pick(("total", "sum"), ("average", "mean")),
            "person": Pool("people"),
        },
        steps=(
            call(
                "database_query",
                table="{orders}",
                filter_column="{by}",
                filter_value="{status}",
            ),
            call("database_query", table="{other.table}"),
            call("merge_data", left="{1.records}", right="{2.records}", key="{other.key}"),
            call(
                "data_aggregate",
                records="{3.records}",
                field="{other.field}",
                function="{function}",
                group_by="{other.group}",
            ),
            call("send_message", recipient="{person.name}", text=mentions("{4.top_group}")),
        ),
    ),
    Template(
        "sorted_sheet_and_leader",
        prompts=(
            "Get the complete {rows.table} rows with {rows.by} “{rows.is}” from the database. Put "
            "those rows into a spreadsheet, sorted by {rows.column} in {order} order, and email "
            "{person.email} its link and the name of the {rows.group} with the highest {function} "
            "{rows.column} among the rows.",
            "The sales desk ({person.email}) needs an email with a link and a name. The link: a "
            "spreadsheet of the database table {rows.table}, complete rows but only those with "
            "“{rows.is}” as {rows.by}, in {order} order of {rows.column}. The name: the "
            "{rows.group} that has the highest {function} {rows.column} in the same rows.",
            "Query our database for the full {rows.table} rows whose {rows.by} is “{rows.is}”, "
            "then do two things with the rows: sort them by {rows.column} ({order}) and make a "
            "spreadsheet of the sorted rows; and aggregate the {function} {rows.column} by "
            "{rows.group}. Mail the spreadsheet's link and the top {rows.group} to "
            "{person.email}.",
            "Please take the complete rows of the database table {rows.table} whose {rows.by} "
            "equals “{rows.is}”, sort them by {rows.column} ({order}), turn the sorted rows into "
            "a spreadsheet, find the {rows.group} with the highest {function} {rows.column} too, "
            "and email the link and that {rows.group} to {person.email}.",
        ),
        slots={
            "rows": Pool("grouped_rows"),
            "order": pick(("ascending", "asc"), ("descending", "desc")),
            "function": pick(("total", "sum"), ("average", "mean")),
            "person": Pool("people"),
        },
        steps=(
            call(
                "database_query",
                table="{rows.table}",
                filter_column="{rows.by}",
                filter_value="{rows.is}",
            ),
            call("data_sort", records="{1.records}", key="{rows.column}", order="{order}"),
            call(
                "data_aggregate",
                records="{1.records}",
                field="{rows.column}",
                function="{function}",
                group_by="{rows.group}",
            ),
            call("create_spreadsheet", rows="{2.records}"),
            call("send_email", to="{person.email}", body=mentions("{3.top_group}", "{4.url}")),
        ),
    ),
)
