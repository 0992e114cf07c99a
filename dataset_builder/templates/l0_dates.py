"""Level 0: the clock, time zones and calendar arithmetic."""

from dataset_builder.slot import Day, Moment, Pattern, Pool, Whole, pick
from dataset_builder.template import Template, call

_WHY_CLOCK = pick(
    "I'm about to ring a friend", "I don't want to wake our client", "My call is due soon",
    "I have to catch the help desk", "We're planning a live stream", "I want to text my sister",
    "The embassy may still be open", "I need to phone the hotel", "I'm resetting my watch",
    "Our colleague should be at her desk by now", "The stock exchange may have closed",
    "I have to reach the night shift", "My parents just landed", "The match may have started",
)  # fmt: skip
_EVENT = pick(
    "the webinar", "the auction", "the derby", "the product launch", "the hearing", "the concert",
    "the board call", "the ticket sale", "the chess final", "the lecture", "the regatta",
)  # fmt: skip
_PROJECT = pick(
    "the kitchen renovation", "the beta programme", "the excavation", "our sabbatical",
    "the exhibition", "the road repair", "the harvest", "the training plan", "the film shoot",
    "the audit", "the language course", "the crowdfunding campaign", "the book tour",
)  # fmt: skip
_DEADLINE = pick(
    "the contract", "the warranty", "the library loan", "the visa", "the trial period",
    "the lease", "the return window", "the guarantee", "the building permit", "the embargo",
    "the parking permit", "the objection period", "the cooling-off period", "the rail pass",
)  # fmt: skip
_OCCASION = pick(
    "my parents' wedding", "the opening of the bridge", "our first gig", "the school reunion",
    "the christening", "the big storm", "the founding of our club", "the first marathon",
    "the graduation", "the house purchase", "the premiere", "the treaty", "the museum fire",
)  # fmt: skip
_PAPER = pick(
    "the certificate", "the invitation", "the export form", "the invoice template", "the diploma",
    "the shipping notice", "the church bulletin", "the customs declaration", "the concert leaflet",
    "the mail merge", "the visa application", "the medal", "the wedding website",
)  # fmt: skip
_SENDER = pick(
    "the plumber", "the supplier", "the landlord", "the courier", "the dentist's office",
    "the translator", "the notary", "the garage", "the print shop", "my tax adviser",
)  # fmt: skip

TEMPLATES = (
    Template(
        "time_in_zone",
        prompts=(
            "What time is it in {place.zone} right now?",
            "{why}. What's the current time in {place.zone}?",
            "{why}, so please tell me what time it is in {place.zone} at the moment.",
            "Current time in {place.zone}? {why}.",
        ),
        slots={"place": Pool("zones_far"), "why": _WHY_CLOCK},
        steps=(call("get_current_time", timezone="{place.zone}"),),
        rich="Give the date and the time of day that it is at this moment in the time zone of "
        "{place.zone}.",
    ),
    Template(
        "time_across_zones",
        prompts=(
            "{event} starts on {start}, {here.zone} time. What time is that in {there.zone}?",
            "Please convert {start} from {here.zone} time to {there.zone} time.",
            "My calendar has {event} on {start}, {here.zone} time. When does it begin for our people "
            "in {there.zone}, by their clocks?",
            "{start} in {here.zone}: what date and time is that in {there.zone}?",
        ),
        slots={
            "event": _EVENT,
            "start": Moment("2026-08-01", "2027-06-30"),
            "here": Pool("zones_near"),
            "there": Pool("zones_far"),
        },
        steps=(
            call("convert_timezone", datetime="{start}", from_="{here.zone}", to="{there.zone}"),
        ),
        rich="A local date and time, {start}, is given in the time zone of {here.zone}. Express the "
        "same instant as local date and time in the time zone of {there.zone}.",
    ),
    Template(
        "days_between_dates",
        prompts=(
            "How many days are there between {first} and {last}?",
            "{project} began on {first} and ends on {last}. How many days is that?",
            "Days from {first} to {last}?",
            "We started {project} on {first} and will be done by {last}. Could you count the days "
            "between the two dates?",
        ),
        slots={
            "first": Day("2025-01-10", "2026-06-30"),
            "last": Day("2026-07-20", "2027-12-20"),
            "project": _PROJECT,
        },
        steps=(call("calculate_date_diff", start_date="{first}", end_date="{last}"),),
        rich="Count the calendar days that lie between the start date {first} and the end date {last}.",
    ),
    Template(
        "business_days_between_dates",
        prompts=(
            "How many business days lie between {first} and {last}?",
            "We scheduled {project} from {first} to {last}. How many working days, Monday to Friday, "
            "lie in between?",
            "Number of weekdays (Mondays to Fridays) from {first} until {last}, please.",
            "For the staffing plan: {project} runs from {first} to {last}. How many working days is "
            "that, leaving out weekends?",
        ),
        slots={
            "first": Day("2026-08-01", "2026-12-20"),
            "last": Day("2027-01-10", "2027-09-30"),
            "project": _PROJECT,
        },
        steps=(call("calculate_date_diff", start_date="{first}", end_date="{last}"),),
        rich="The first date is {first} and the second {last}. Count the Mondays to Fridays from the "
        "first up to the second.",
    ),
    Template(
        "date_in_regional_style",
        prompts=(
            "Write {date} in {style}.",
            "Dates on {paper} have to be in {style}. How do I write {date} there?",
            "I need {date} for {paper}, written in {style}.",
            "{date} in {style}, please.",
        ),
        slots={
            "date": Day("2026-01-10", "2027-12-20"),
            "style": pick(
                ("US style (MM/DD/YYYY)", "us"),
                ("European style (DD.MM.YYYY)", "european"),
                ("American format, MM/DD/YYYY", "us"),
                ("European format with dots, DD.MM.YYYY", "european"),
            ),
            "paper": _PAPER,
        },
        steps=(call("format_date", date="{date}", style="{style}"),),
        rich="Take the date {date} and write it as text in {style}, without changing the day.",
    ),
    Template(
        "date_with_weekday",
        prompts=(
            "Write {date} out in full, {style}, for {paper}.",
            "On {paper} I'd like {date} written out {style}.",
            "Please format {date} as a full date {style}; it goes on {paper}.",
            "How is {date} written {style}, month, day and year?",
        ),
        slots={
            "date": Day("2026-01-10", "2027-12-20"),
            "style": pick(
                ("with the weekday", "full"),
                ("including the weekday", "full"),
                ("with the day of the week", "full"),
            ),
            "paper": _PAPER,
        },
        steps=(call("format_date", date="{date}", style="{style}"),),
        rich="Take the date {date} and write it as text in its fullest form, {style} in front of "
        "month, day and year.",
    ),
    Template(
        "relative_date",
        prompts=(
            "In a note from today {sender} promises delivery “{when}”. Which calendar date is that?",
            "What date is “{when}”, counting from today?",
            "“{when}”: which calendar date does that mean?",
            "Today {sender} wrote that everything will be settled “{when}”. Please turn that into a "
            "proper date.",
        ),
        slots={
            "sender": _SENDER,
            "when": Pattern(
                "in {n} {unit}", {"n": Whole(2, 18), "unit": pick("days", "weeks", "months")}
            ),
        },
        steps=(call("parse_date", text="{when}"),),
        rich="The relative expression “{when}” counts from today. Turn it into the calendar date that "
        "it means.",
    ),
    Template(
        "written_date_in_calendar",
        prompts=(
            "The letter is dated “{written}”. Which ISO week is that?",
            "“{written}” is what it says on the parcel slip. Which calendar week does it fall into?",
            "Which quarter of the year does the date written as “{written}” belong to?",
            "I typed in “{written}” from an old ledger. What day of the year is it, and which ISO "
            "week?",
        ),
        slots={
            "written": Pattern(
                "{day} of {month} {year}",
                {
                    "day": pick("2nd", "3rd", "5th", "8th", "11th", "14th", "17th", "22nd", "26th"),
                    "month": pick(
                        "January",
                        "February",
                        "March",
                        "April",
                        "May",
                        "June",
                        "July",
                        "August",
                        "September",
                        "October",
                        "November",
                        "December",
                    ),
                    "year": Whole(2019, 2027),
                },
            )
        },
        steps=(call("parse_date", text="{written}"),),
        rich="A date is written as “{written}”. Read it and tell its calendar date, the quarter and "
        "the ISO week that it falls into, and which day of the year it is.",
    ),
    Template(
        "date_after_a_span",
        prompts=(
            "What date is {amount} {unit} after {start}?",
            "{deadline} begins on {start} and lasts {amount} {unit}. On which date does it end?",
            "{start} plus {amount} {unit}: what date do I get?",
            "I have to act within {amount} {unit} of {start}, or {deadline} lapses. Which date is the "
            "last one?",
        ),
        slots={
            "amount": Whole(4, 48),
            "unit": pick(
                ("days", "days"),
                ("weeks", "weeks"),
                ("months", "months"),
                ("business days", "business_days"),
                ("working days", "business_days"),
            ),
            "start": Day("2026-07-16", "2027-06-30"),
            "deadline": _DEADLINE,
        },
        steps=(call("add_duration", date="{start}", amount="{amount}", unit="{unit}"),),
        rich="Start from the date {start} and go {amount} {unit} forward. Give the date that is "
        "reached.",
    ),
    Template(
        "weekday_of_date",
        prompts=(
            "What day of the week was {date}?",
            "{date} was the day of {occasion}. Which weekday was it?",
            "I'm writing about {occasion} on {date}. What weekday did that fall on?",
            "Was {date} a weekday or a weekend day?",
        ),
        slots={"date": Day("1974-01-01", "2024-12-31"), "occasion": _OCCASION},
        steps=(call("get_weekday", date="{date}"),),
        rich="Find out on which day of the week the date {date} fell, and whether that was a weekend.",
    ),
)
