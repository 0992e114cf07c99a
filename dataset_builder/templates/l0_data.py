"""Level 0: records sorted, filtered, aggregated, joined, converted and described."""

from dataset_builder.slot import Numbers, Pool, pick
from dataset_builder.template import Template, call

_SINGLE = pick("readings", "scores", "sales figures", "ratings", "hours", "weights", "distances")
_USE = pick(
    "the chart", "the model", "the heat map", "the ranking", "the dashboard", "the poster",
    "the comparison", "the thesis", "the clustering", "the report card",
)  # fmt: skip
_OCCASION = pick(
    "the audit", "our website", "tonight's meeting", "the annual report", "our files",
    "the press kit", "the hand-over", "the new manager",
)  # fmt: skip
_DOCUMENT = pick(
    "the API gave me", "the kiosk stores", "our partner sent", "I found in the log",
    "the phone app keeps", "the import delivers", "the old server returned",
)  # fmt: skip
_TARGET = pick(("JSON", "json"), ("YAML", "yaml"), ("a Markdown table", "markdown"), ("TSV", "tsv"))

TEMPLATES = (
    Template(
        "records_in_order",
        prompts=(
            "Sort {table.what} by {table.number}, {order} first: {table.rows}",
            "Here are {table.what}: {table.rows} Please put them in order of “{table.number}”, "
            "{order} value first.",
            "{table.rows} - could you sort these records by their {table.number} field, with the "
            "{order} on top?",
            "I need {table.what} ranked by {table.number}, starting with the {order}. {table.rows}",
        ),
        slots={
            "table": Pool("tables"),
            "order": pick(("highest", "desc"), ("lowest", "asc"), ("largest", "desc")),
        },
        steps=(call("data_sort", records="{table.rows}", key="{table.number}", order="{order}"),),
        rich="The records {table.rows} are {table.what}. Arrange them by the values of their field "
        "{table.number}, with the {order} value first.",
    ),
    Template(
        "records_within_limit",
        prompts=(
            "For which of {table.what} is “{table.number}” {limit} {table.limit}? {table.rows}",
            "Filter these records, keeping those where {table.number} is {limit} {table.limit}: "
            "{table.rows}",
            "From {table.what} I only want the ones whose “{table.number}” is {limit} {table.limit}. "
            "Here they are: {table.rows}",
            "{table.rows} Please keep just the rows where the {table.number} value is {limit} "
            "{table.limit}.",
        ),
        slots={
            "table": Pool("tables"),
            "limit": pick(
                ("above", "above"),
                ("below", "below"),
                ("at least", "at_least"),
                ("at most", "at_most"),
            ),
        },
        steps=(
            call(
                "data_filter",
                records="{table.rows}",
                field="{table.number}",
                operator="{limit}",
                value="{table.limit}",
            ),
        ),
        rich="The records {table.rows} are {table.what}. Keep only those whose field {table.number} "
        "holds a value that is {limit} {table.limit}.",
    ),
    Template(
        "records_of_group",
        prompts=(
            "From {table.what}, keep those whose {table.group} {test} “{table.value}”: {table.rows}",
            "{table.rows} Please filter these down to the rows whose {table.group} {test} "
            "“{table.value}”.",
            "Which of these records {verb} if only those count whose {table.group} {test} "
            "“{table.value}”? {table.rows}",
            "I'm only interested in the ones whose {table.group} {test} “{table.value}”. Here are "
            "{table.what}: {table.rows}",
        ),
        slots={
            "table": Pool("grouped_tables"),
            "test": pick(("is", "equals"), ("is not", "not_equals")),
            "verb": pick("stay", "remain", "qualify", "are left"),
        },
        steps=(
            call(
                "data_filter",
                records="{table.rows}",
                field="{table.group}",
                operator="{test}",
                value="{table.value}",
            ),
        ),
        rich="The records {table.rows} are {table.what}. Keep only those whose field {table.group} "
        "{test} “{table.value}”.",
    ),
    Template(
        "figure_per_group",
        prompts=(
            "What is the {figure} “{table.number}” value per {table.group} among {table.what}? "
            "{table.rows}",
            "Group these records by {table.group} and give me the {figure} value of “{table.number}” "
            "for each group: {table.rows}",
            "Per {table.group} I need the {figure} of the field “{table.number}”. Here are "
            "{table.what}: {table.rows}",
            "{table.rows} - {figure} of “{table.number}” per {table.group}, please.",
        ),
        slots={
            "table": Pool("grouped_tables"),
            "figure": pick(
                ("total", "sum"), ("average", "mean"), ("highest", "max"), ("lowest", "min")
            ),
        },
        steps=(
            call(
                "data_aggregate",
                records="{table.rows}",
                field="{table.number}",
                function="{figure}",
                group_by="{table.group}",
            ),
        ),
        rich="The records {table.rows} are {table.what}. Form groups of those that have the same "
        "{table.group}, and compute for each group the {figure} value of the field {table.number}.",
    ),
    Template(
        "values_on_common_scale",
        prompts=(
            "Normalize these {what} to {scale}: {numbers}.",
            "For {use} I need the {what} {numbers} rescaled to {scale}.",
            "Please normalize {numbers}. I need {scale}.",
            "Our {what} are {numbers}. What do they become when I convert them to {scale}?",
        ),
        slots={
            "numbers": Numbers(5, 8, 12, 95),
            "what": _SINGLE,
            "use": _USE,
            "scale": pick(
                ("values between 0 and 1", "min_max"),
                ("z-scores", "z_score"),
                ("proportions that sum to 1", "proportion"),
            ),
        },
        steps=(call("normalize_data", values="{numbers}", method="{scale}"),),
        rich="The numbers are {what}: {numbers}. Bring them all to the same scale by turning them into "
        "{scale}, in the order in which they stand.",
    ),
    Template(
        "lists_joined_on_key",
        prompts=(
            "Merge {pair.left_name} {pair.left} with {pair.right_name} {pair.right} on {pair.key}.",
            "Here is {pair.left_name}: {pair.left} And here is {pair.right_name}: {pair.right} Please "
            "join the second to the first by {pair.key}.",
            "{when} I have to combine {pair.left_name} and {pair.right_name} by {pair.key}. The first "
            "is {pair.left}, the second {pair.right}.",
            "Inner join on {pair.key}, please. Left: {pair.left} Right: {pair.right} It's for {use}.",
        ),
        slots={
            "pair": Pool("table_pairs"),
            "use": _OCCASION,
            "when": pick(
                "Today", "By noon", "Every Monday", "Once a month", "Right now", "As usual"
            ),
        },
        steps=(call("merge_data", left="{pair.left}", right="{pair.right}", key="{pair.key}"),),
        rich="There are two lists of records, first {pair.left} and second {pair.right}. Both have the "
        "field {pair.key}. Join each record of the first with the record of the second that has the "
        "same {pair.key}; records without a partner drop out.",
    ),
    Template(
        "csv_in_other_format",
        prompts=(
            "Convert this {source} to {target}:\n\n{table.csv}",
            "I have {table.what} as {source} and need them as {target}:\n\n{table.csv}",
            "Could you turn the following {source} into {target} for {place}?\n\n{table.csv}",
            "From {source} to {target}, please. These are {table.what}:\n\n{table.csv}",
        ),
        slots={
            "table": Pool("csv_tables"),
            "source": pick(("CSV", "csv")),
            "target": _TARGET,
            "place": pick(
                "the wiki", "the archive", "my colleague", "the import", "the pull request"
            ),
        },
        steps=(call("transform_format", data="{table.csv}", from_="{source}", to="{target}"),),
        rich="A table is given as {source}, with a line of column names at its head. Give the same "
        "table as {target}. The table:\n\n{table.csv}",
    ),
    Template(
        "every_field_described",
        prompts=(
            "Describe every field of these records with summary statistics: {table.rows}",
            "Give me an overview of {table.what}, with count, mean, median, minimum and maximum of "
            "each numeric field: {table.rows}",
            "Before I use it in {use}: profile this dataset field by field and tell me whether values "
            "are missing. {table.rows}",
            "{table.rows} - these are {table.what}. I'd like summary statistics for all the fields at "
            "once.",
        ),
        slots={"table": Pool("tables"), "use": _USE},
        steps=(call("generate_summary_stats", records="{table.rows}"),),
        rich="The records {table.rows} are {table.what}. Describe each of their fields: for numbers the "
        "count, the mean, the median and the extremes, for words how many differ; and count the "
        "missing values.",
    ),
    Template(
        "value_at_path",
        prompts=(
            "What's the value at {item.path} in this JSON? {item.data}",
            "Extract {item.path} from the JSON that {source}: {item.data}",
            "This is the JSON that {source}: {item.data} What does it hold at the path {item.path}?",
            "Please read the path {item.path} from the following object, which is what {source}: "
            "{item.data}",
        ),
        slots={"item": Pool("json_documents"), "source": _DOCUMENT},
        steps=(call("json_extract", data="{item.data}", path="{item.path}"),),
        rich="The JSON object is {item.data}. Follow the path {item.path} into it, positions in lists "
        "counted from 0, and give the value that stands there.",
    ),
)
