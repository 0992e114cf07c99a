"""Level 2, office: records, deadlines, the handbook and the calendar."""

from dataset_builder.slot import Day, Moment, Pattern, Pool, Whole, pick
from dataset_builder.template import Template, call, mentions

# No days: at 14 weeks or more neither contract ends on a date that the prompt states.
_UNIT = pick("weeks", "months")
_USE = pick(
    "the quarterly review", "tomorrow's stand-up", "the sales meeting", "the credit check",
    "the delivery plan", "our auditor", "the thank-you letters", "the customer survey",
    "the warehouse team", "the dunning run", "the key account talk", "the board pack",
)  # fmt: skip
_BLOCK = Pattern(
    "{what} {about}",
    {
        "what": pick("Prepare", "Rehearse", "Finish", "Read through", "Draft", "Plan", "Sort out"),
        "about": pick(
            "the tender", "the keynote", "the budget talk", "the site visit", "the client workshop",
            "the interview questions", "the training day", "the press call",
        ),
    },
)  # fmt: skip
_CHORE = Pattern(
    "{do} {what}",
    {
        "do": pick("Order", "Print", "Proofread", "Collect", "Update", "Pack", "Check"),
        "what": pick(
            "the name badges", "the floor plans", "the price lists", "the contracts",
            "the hand-outs", "the sample boxes", "the seating chart", "the safety sheets",
        ),
    },
)  # fmt: skip

TEMPLATES = (
    Template(
        "one_salary_against_another",
        prompts=(
            "In the {table} table of the company database, query the {salary} of the person whose "
            "{name} is {one} and, separately, that of {two}. By how many percent does the second "
            "salary differ from the first?",
            "Database question: get the {salary} of {one} and the {salary} of {two} from the "
            "{table} table, one query for each {name}. What is the percentage change from {one} "
            "to {two}?",
            "Read the {salary} column of the {table} table for the {name} {one}, then once more "
            "for the {name} {two}. If {one} got what {two} gets, what would the change be in "
            "percent?",
            "Pay gap check. Query the {table} table twice by {name}: {salary} of {one}, {salary} "
            "of {two}. Then give me the percentage by which the latter is above or below the "
            "former.",
        ),
        slots={
            "one": Pool("employee_names"),
            "two": Pool("employee_names"),
            "table": pick("employees"),
            "salary": pick("salary"),
            "name": pick("name"),
        },
        steps=(
            call(
                "database_query",
                table="{table}",
                column="{salary}",
                filter_column="{name}",
                filter_value="{one}",
            ),
            call(
                "database_query",
                table="{table}",
                column="{salary}",
                filter_column="{name}",
                filter_value="{two}",
            ),
            call("percentage_change", old_value="{1.values.0}", new_value="{2.values.0}"),
        ),
    ),
    Template(
        "orders_with_their_customers",
        prompts=(
            "From the company database, get the {orders} whose {row.order_field} is "
            "{row.order_value} and the {customers} whose {row.customer_field} is "
            "{row.customer_value}. Join the two lists on the {key} field, orders on the left. "
            "It's for {use}.",
            "For {use}: query the {orders} table for {row.order_field} {row.order_value}, query "
            "the {customers} table for {row.customer_field} {row.customer_value}, and merge the "
            "first result with the second on {key}.",
            "Please prepare a list for {use}. Take the rows of the {orders} table with the "
            "{row.order_field} {row.order_value}, take the rows of the {customers} table with the "
            "{row.customer_field} {row.customer_value}, and join the orders with the customers by "
            "their common {key} field.",
        ),
        slots={
            "row": Pool("matched_orders"),
            "orders": pick("orders"),
            "customers": pick("customers"),
            "key": pick("customer"),
            "use": _USE,
        },
        steps=(
            call(
                "database_query",
                table="{orders}",
                filter_column="{row.order_field}",
                filter_value="{row.order_value}",
            ),
            call(
                "database_query",
                table="{customers}",
                filter_column="{row.customer_field}",
                filter_value="{row.customer_value}",
            ),
            call("merge_data", left="{1.records}", right="{2.records}", key="{key}"),
        ),
    ),
    Template(
        "range_of_list_prices",
        prompts=(
            "Query the {price} column of the {table} table in our database three times, once for "
            "each {product}: {one}, {two} and {three}. What are the lowest figure, the highest "
            "and the range?",
            "What do the {one}, the {two} and the {three} cost according to the {table} table of "
            "the company database? One query per {product}, please, reading the {price} column; "
            "then the minimum, the maximum and the range of the three.",
            "From the database ({table} table, {price} column) I need the figure for each "
            "{product} on this list: {one}; {two}; {three}. One query each, then the smallest "
            "price, the largest price and the range.",
        ),
        slots={
            "one": Pool("database_products"),
            "two": Pool("database_products"),
            "three": Pool("database_products"),
            "table": pick("products"),
            "product": pick("product"),
            "price": pick("price"),
        },
        steps=(
            *(
                call(
                    "database_query",
                    table="{table}",
                    column="{price}",
                    filter_column="{product}",
                    filter_value=item,
                )
                for item in ("{one}", "{two}", "{three}")
            ),
            call("min_max", numbers=["{1.values.0}", "{2.values.0}", "{3.values.0}"]),
        ),
    ),
    Template(
        "ends_of_two_contracts",
        prompts=(
            "Contract A starts on {a} and ends {m} {x} later, contract B starts on {b} and ends "
            "{n} {y} later. How many days is it from the end of A to the end of B? (Negative if B "
            "ends first.)",
            "Work out two dates, {m} {x} after {a} and {n} {y} after {b}, and then the number of "
            "days from the first date to the second.",
            "My lease begins on {a} and runs out {m} {x} later; hers begins on {b} and runs out "
            "{n} {y} later. How many days after my lease does hers run out? A negative number is "
            "fine.",
            "Add {m} {x} to {a} and {n} {y} to {b}. How many days is it from the first result to "
            "the second?",
        ),
        slots={
            "a": Day("2026-09-01", "2026-11-28"),
            "b": Day("2026-09-01", "2026-11-28"),
            "m": Whole(14, 40),
            "n": Whole(14, 40),
            "x": _UNIT,
            "y": _UNIT,
        },
        steps=(
            call("add_duration", date="{a}", amount="{m}", unit="{x}"),
            call("add_duration", date="{b}", amount="{n}", unit="{y}"),
            call("calculate_date_diff", start_date="{1.date}", end_date="{2.date}"),
        ),
    ),
    Template(
        "mean_project_length",
        prompts=(
            "Three building projects ran from {a} to {b}, from {c} to {d} and from {e} to {f}. How "
            "many days did each take, and what are the mean and the median of the three?",
            "Please calculate the days from {a} to {b}, from {c} to {d} and from {e} to {f}, and "
            "then the average and the median of those three numbers of days.",
            "We want to know how long our renovations take. Our last three: {a} until {b}, {c} "
            "until {d}, {e} until {f}. Give me the mean and the median length in days.",
        ),
        slots={
            "a": Day("2025-01-07", "2025-02-27"),
            "b": Day("2025-05-01", "2025-11-28"),
            "c": Day("2025-03-03", "2025-04-28"),
            "d": Day("2025-07-01", "2025-12-18"),
            "e": Day("2025-08-04", "2025-09-29"),
            "f": Day("2026-01-07", "2026-06-26"),
        },
        steps=(
            call("calculate_date_diff", start_date="{a}", end_date="{b}"),
            call("calculate_date_diff", start_date="{c}", end_date="{d}"),
            call("calculate_date_diff", start_date="{e}", end_date="{f}"),
            call("statistical_analysis", numbers=["{1.days}", "{2.days}", "{3.days}"]),
        ),
    ),
    Template(
        "newer_handbook_article",
        prompts=(
            "What does our company handbook say about “{one}”, and what about “{two}”? Tell me "
            "which of the two articles was updated more recently.",
            "Look up “{one}” and “{two}” in the handbook. Which article was revised last?",
            "I'm updating the onboarding folder. Get the handbook articles on “{one}” and “{two}” "
            "and tell me which of them changed last.",
            "Of the handbook's articles on “{one}” and on “{two}”, which has gone longer without "
            "an update?",
        ),
        slots={"one": Pool("handbook_titles"), "two": Pool("handbook_titles")},
        steps=(
            call("knowledge_base_query", query="{one}"),
            call("knowledge_base_query", query="{two}"),
        ),
        optional=(
            call("calculate_date_diff", start_date="{1.updated}", end_date="{2.updated}"),
            call("calculate_date_diff", start_date="{2.updated}", end_date="{1.updated}"),
        ),
    ),
    Template(
        "links_to_event_and_task",
        prompts=(
            "Block {length} in my calendar on {start} for “{event}” and put “{task}” on the to-do "
            "list, due {due}. Then send {person.name} a chat message with the links to both "
            "entries.",
            "Two entries, please: a calendar event “{event}” ({start}, {length}) and a task "
            "“{task}” with the due date {due}. Message the link of the event and the link of the "
            "task to {person.name} in the chat.",
            "I need {length} to myself for “{event}” on {start}; block that in my calendar. Also "
            "add the task “{task}”, due on {due}. {person.name} should get both links in one chat "
            "message.",
        ),
        slots={
            "event": _BLOCK,
            "task": _CHORE,
            "start": Moment("2026-07-20", "2027-02-26"),
            "length": pick(("45 minutes", 45), ("90 minutes", 90), ("75 minutes", 75)),
            "due": Day("2026-07-20", "2027-03-31"),
            "person": Pool("people"),
        },
        steps=(
            call(
                "create_calendar_event",
                title="{event}",
                start="{start}",
                duration_minutes="{length}",
            ),
            call("create_task", title="{task}", due_date="{due}"),
            call("send_message", recipient="{person.name}", text=mentions("{1.url}", "{2.url}")),
        ),
    ),
)
