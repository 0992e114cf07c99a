"""Level 1, dates and times: weekdays, deadlines, time zones and what they are written down for."""

from dataset_builder.slot import Day, Moment, Pattern, Pool, Whole, pick
from dataset_builder.template import Template, call, mentions

_PHRASE = Pattern(
    "{n} {unit} from {then}",
    {"n": Whole(3, 48), "unit": pick("days", "weeks", "months"), "then": pick("now", "today")},
)
_CHORE = Pattern(
    "{do} {what}",
    {
        "do": pick("Renew", "Review", "Extend", "Photocopy", "File", "Read through", "Discuss"),
        "what": pick(
            "the parking permit", "the rental agreement", "the boat insurance", "the allotment lease",
            "the heating contract", "the fishing licence", "the maintenance contract",
            "the cleaning contract", "the club licence", "the storage agreement", "the loan papers",
        ),
    },
)  # fmt: skip
_BROADCAST = pick(
    "the livestream", "the auction", "the ticket sale", "the chess final", "the product launch",
    "the webinar", "the season premiere", "the eclipse broadcast", "the charity concert",
    "the online exam", "the press conference", "the draw",
)  # fmt: skip
_ALARM = pick(
    "Log in and test the sound", "Open the stream", "Get the credit card ready", "Tell the others",
    "Close all other windows", "Join with the camera off", "Put the kettle on", "Wake the kids",
    "Have the questions at hand", "Switch on the projector", "Start the recording",
)  # fmt: skip
_BLOCK = pick(
    "Watch party", "Quiet hour", "Online exam", "Remote jury", "Livestream", "Guest lecture",
    "Ticket sale", "Chess final", "Premiere", "Auction", "Virtual tour",
)  # fmt: skip
_UNIT = pick(
    ("days", "days"), ("weeks", "weeks"), ("months", "months"), ("working days", "business_days")
)
_STYLE = pick(
    ("in US style", "us"), ("in the European format", "european"),
    ("in the short style with the month abbreviated", "short"),
    ("in the long style with the month spelled out", "long"),
    ("in the full style with the weekday", "full"),
)  # fmt: skip
_GOAL = pick(
    "the wedding", "the marathon", "the exam", "our move", "the premiere", "the big trip",
    "my retirement", "the village fair", "the election", "the school reunion", "the concert",
)  # fmt: skip

TEMPLATES = (
    Template(
        "weekday_of_relative_date",
        prompts=(
            "A note that I wrote this morning says “{phrase}”. Which calendar date does that mean, and "
            "what day of the week is it?",
            "Turn the phrase “{phrase}” into a calendar date and tell me the weekday of that date.",
            "Our landlord has just written that he will come “{phrase}”. What calendar date is that, "
            "and which day of the week does it fall on?",
            "“{phrase}”, says the message that came in a minute ago. Work out the calendar date, then "
            "the weekday.",
        ),
        slots={"phrase": _PHRASE},
        steps=(
            call("parse_date", text="{phrase}"),
            call("get_weekday", date="{1.date}"),
        ),
    ),
    Template(
        "chore_at_relative_date",
        prompts=(
            "“{title}” is due “{phrase}”, as the note from today says. Work out which calendar date "
            "that is and put the task on my to-do list with that due date.",
            "Resolve “{phrase}” to a calendar date and add “{title}” to my to-dos, due on that date.",
            "The letter of this morning says “{phrase}”. Which date do they mean? Please make that the "
            "due date of a new task, “{title}”.",
            "I've just written “{phrase}” next to “{title}” on my notepad. Turn the former into a "
            "calendar date and create a task named after the latter that is due on it.",
        ),
        slots={"phrase": _PHRASE, "title": _CHORE},
        steps=(
            call("parse_date", text="{phrase}"),
            call("create_task", title="{title}", due_date="{1.date}"),
        ),
    ),
    Template(
        "deadline_in_style",
        prompts=(
            "What date is {n} {unit} after {day}? Write it {style}.",
            "Count {n} {unit} on from {day} and write the date you arrive at, {style}.",
            "The clock started on {day} and runs for {n} {unit}. Add that up and write the resulting "
            "date {style}.",
            "{day} plus {n} {unit}: which date is that? For the letter it has to be written {style}.",
        ),
        slots={
            "day": Day("2026-01-05", "2027-12-20"),
            "n": Whole(3, 48),
            "unit": _UNIT,
            "style": _STYLE,
        },
        steps=(
            call("add_duration", date="{day}", amount="{n}", unit="{unit}"),
            call("format_date", date="{1.date}", style="{style}"),
        ),
    ),
    Template(
        "deadline_on_todo_list",
        prompts=(
            "Work out the date {n} {unit} after {day} and put “{title}” on my to-do list, due then.",
            "The contract was signed on {day}. Find the date {n} {unit} after that and give me a task "
            "“{title}” that is due on it.",
            "New to-do: “{title}”. It's due {n} {unit} later than {day}, so work out that date first.",
            "Add {n} {unit} to {day}. I need a task called “{title}” with that date as its due date.",
        ),
        slots={
            "day": Day("2026-07-01", "2027-06-30"),
            "n": Whole(3, 48),
            "unit": _UNIT,
            "title": _CHORE,
        },
        steps=(
            call("add_duration", date="{day}", amount="{n}", unit="{unit}"),
            call("create_task", title="{title}", due_date="{1.date}"),
        ),
    ),
    Template(
        "days_to_go_there",
        prompts=(
            "What is today's date in {place.zone}, and how many days are left from then until {goal} "
            "on {day}?",
            "Get the current date in {place.zone} and count the days from it to {day}. That's when "
            "{goal} is.",
            "My cousin in {place.zone} is counting the days to {goal} on {day}. Which date is it over "
            "there now, and how many days remain from that date?",
            "{goal} is on {day}. Check today's date in {place.zone}, then tell me the number of days "
            "between the two.",
        ),
        slots={
            "place": Pool("zones_far"),
            "goal": _GOAL,
            "day": Day("2026-08-10", "2027-12-20"),
        },
        steps=(
            call("get_current_time", timezone="{place.zone}"),
            call("calculate_date_diff", start_date="{1.date}", end_date="{day}"),
        ),
    ),
    Template(
        "reminder_across_zones",
        prompts=(
            "{what} starts on {start}, {far.zone} time. Convert that to {near.zone} time and remind me "
            "at the converted moment: “{text}”",
            "When {what} begins it's {start} in {far.zone}. What is that in {near.zone}? Set a reminder "
            "for exactly that time, with the text “{text}”",
            "Please turn {start} from {far.zone} time into {near.zone} time and set a reminder for it "
            "that says “{text}”. It's about {what}.",
            "I live in {near.zone}, but {what} is announced for {start} {far.zone} time. Work out my "
            "local time and set a reminder for it: “{text}”",
        ),
        slots={
            "what": _BROADCAST,
            "start": Moment("2026-08-01", "2027-06-30"),
            "far": Pool("zones_far"),
            "near": Pool("zones_near"),
            "text": _ALARM,
        },
        steps=(
            call("convert_timezone", datetime="{start}", from_="{far.zone}", to="{near.zone}"),
            call("set_reminder", text="{text}", remind_at="{1.datetime}"),
        ),
    ),
    Template(
        "event_across_zones",
        prompts=(
            "Convert {start} from {far.zone} time to {near.zone} time and block {length} from then on "
            "in my calendar as “{title}”.",
            "“{title}” begins on {start} by the clocks of {far.zone}. Put it in my calendar for "
            "{length}, but at the {near.zone} time, so convert the start first.",
            "My calendar needs an entry “{title}” of {length}. The start is {start} in {far.zone}; "
            "convert it to {near.zone} time and use that.",
            "{start} in {far.zone}, what's that in {near.zone}? Enter “{title}” in my calendar at the "
            "converted time, {length} long.",
        ),
        slots={
            "start": Moment("2026-08-01", "2027-06-30"),
            "far": Pool("zones_far"),
            "near": Pool("zones_near"),
            "title": _BLOCK,
            "length": pick(("45 minutes", 45), ("90 minutes", 90), ("120 minutes", 120)),
        },
        steps=(
            call("convert_timezone", datetime="{start}", from_="{far.zone}", to="{near.zone}"),
            call(
                "create_calendar_event",
                title="{title}",
                start="{1.datetime}",
                duration_minutes="{length}",
            ),
        ),
    ),
    Template(
        "local_hour_by_chat",
        prompts=(
            "We present on {start}, {near.zone} time. Work out what time that is in {far.zone} and "
            "send {person.name} a chat message with the time there, in 24-hour form.",
            "Convert {start} from {near.zone} to {far.zone} time, please, and message the time there "
            "(24-hour clock) to {person.name} on chat.",
            "{person.name} is in {far.zone} and dials in to our call on {start}, {near.zone} time. What "
            "do the clocks in {far.zone} say then? Send the time as a chat message to {person.name}, "
            "24-hour style.",
            "Tell {person.name} by chat at what local time in {far.zone} (24-hour clock) our session of "
            "{start}, {near.zone} time, takes place. You'll have to convert it.",
        ),
        slots={
            "start": Moment("2026-08-01", "2027-06-30"),
            "near": Pool("zones_near"),
            "far": Pool("zones_far"),
            "person": Pool("people"),
        },
        steps=(
            call("convert_timezone", datetime="{start}", from_="{near.zone}", to="{far.zone}"),
            call("send_message", recipient="{person.name}", text=mentions("{1.time}")),
        ),
    ),
    Template(
        "weekday_in_other_language",
        prompts=(
            "On which day of the week does {day} fall? Translate the name of that weekday into "
            "{language}.",
            "Find the weekday of {day} and give me its name in {language} as well.",
            "For an invitation: what day of the week is {day}? Please translate the name of that day "
            "into {language}.",
            "{day}: look up the weekday, then translate that word into {language}.",
        ),
        slots={"day": Day("2026-08-01", "2029-12-31"), "language": Pool("target_languages")},
        steps=(
            call("get_weekday", date="{day}"),
            call("translate_text", text="{1.weekday}", target_language="{language}"),
        ),
    ),
)
