"""Level 1, what is remembered and who is signed in: recalled first, then used."""

from dataset_builder.slot import Day, Moment, Pattern, Pool, pick
from dataset_builder.template import Template, call

_VISIT = pick(
    "a wedding", "a football match", "the book fair", "a concert", "a job interview", "a trade show",
    "the Christmas market", "a language course", "my godson's christening", "a chess tournament",
)  # fmt: skip
_ALERT = Pattern(
    "{what} {state} {where}",
    {
        "what": pick(
            "The payment gateway", "The order queue", "The backup job", "The label printer",
            "The login page", "The map service", "The invoice export",
        ),
        "state": pick("is down", "is slow", "is back to normal", "needs a restart", "has stopped"),
        "where": pick(
            "in the Lisbon office", "on the new server", "since the last update", "for all customers",
            "in the test environment", "after the power cut",
        ),
    },
)  # fmt: skip
_NOTE = Pattern(
    "{do} {what} {when}",
    {
        "do": pick("Bring", "Return", "Order", "Photograph", "Look for", "Pack", "Ask Pavel about"),
        "what": pick(
            "the blue folder", "the spare keys", "the safety goggles", "the old contract",
            "the tripod", "a new label roll", "the guest list", "the torque wrench",
        ),
        "when": pick("tomorrow", "before lunch", "on Friday", "after the visit", "next week"),
    },
)  # fmt: skip
_TALK = pick(
    "My webinar", "The customer call", "The training", "The board meeting", "The interview",
    "The kick-off", "The product demo", "The panel discussion", "The audit",
)  # fmt: skip
_LENGTH = pick(("45 minutes", 45), ("60 minutes", 60), ("20 minutes", 20), ("90 minutes", 90))
_MILESTONE = pick(
    "we get the permit", "the trade fair opens", "the first test ends", "the parts arrive",
    "the press kit is ready", "the new site goes live", "the crew starts",
)  # fmt: skip

TEMPLATES = (
    Template(
        "way_from_home",
        prompts=(
            "You remember my home city under “{key}”. Get me the route from there to {city} {mode}. "
            "I'm going there for {visit}.",
            "I want to go to {city} for {visit}, {mode}. Recall where I live (the key is “{key}”) and "
            "look up the way from that city.",
            "How far is it from my home to {city} {mode}? My home city is in your memory as “{key}”. "
            "The reason for the trip is {visit}.",
            "Please recall the city remembered as “{key}” and get directions from it to {city} {mode}; "
            "it's for {visit}.",
        ),
        slots={
            "key": pick("home_city"),
            "city": Pool("european_cities"),
            "visit": _VISIT,
            "mode": pick(
                ("by car", "driving"), ("by bike", "cycling"), ("by public transport", "transit")
            ),
        },
        steps=(
            call("retrieve_memory", key="{key}"),
            call("get_directions", origin="{1.value}", destination="{city}", mode="{mode}"),
        ),
    ),
    Template(
        "days_to_launch",
        prompts=(
            "How many days lie between {day} and our launch date? You remember it under “{key}”.",
            "If {milestone} on {day}, how many days are left until the launch? The launch date is in "
            "your memory, the key is “{key}”.",
            "Recall the launch date I had you remember as “{key}” and count the days from {day} to it.",
            "From {day}, when {milestone}, how many days remain until the date you remember as “{key}”?",
        ),
        slots={
            "key": pick("launch_date"),
            "day": Day("2026-07-16", "2026-09-25"),
            "milestone": _MILESTONE,
        },
        steps=(
            call("retrieve_memory", key="{key}"),
            call("calculate_date_diff", start_date="{day}", end_date="{1.value}"),
        ),
    ),
    Template(
        "alert_to_usual_channel",
        prompts=(
            "Post “{text}” in our alert channel. You remember the channel's name as “{key}”.",
            "Send the message “{text}” to the chat channel that I had you remember under “{key}”.",
            "The people in the alert channel should see this message: “{text}”. Recall the name of "
            "the channel: its key is “{key}”.",
            "Recall the channel stored in your memory as “{key}” and post this there: “{text}”",
        ),
        slots={"key": pick("alert_channel"), "text": _ALERT},
        steps=(
            call("retrieve_memory", key="{key}"),
            call("send_message", recipient="{1.value}", text="{text}"),
        ),
    ),
    Template(
        "meeting_with_manager",
        prompts=(
            "Invite my manager to a meeting on {start}, {length}. You remember the address under "
            "“{key}”.",
            "Set up a video meeting of {length} with my manager, starting on {start}. The e-mail "
            "address is in your memory as “{key}”.",
            "I need to talk to my manager: schedule a meeting for {start}, {length}. Recall the address "
            "by the key “{key}”.",
            "Recall the address remembered as “{key}” and send that person an invitation to a meeting, "
            "{start}, {length}.",
        ),
        slots={
            "key": pick("manager_email"),
            "start": Moment("2026-07-20", "2027-03-31"),
            "length": _LENGTH,
        },
        steps=(
            call("retrieve_memory", key="{key}"),
            call(
                "schedule_meeting",
                attendees=["{1.value}"],
                start="{start}",
                duration_minutes="{length}",
            ),
        ),
    ),
    Template(
        "time_at_remembered_office",
        prompts=(
            "{what} is on {start}, {near.zone} time. What time is that at the office whose time zone "
            "you remember under “{key}”?",
            "Recall our office's time zone (key “{key}”) and convert {start} from {near.zone} time to "
            "it.",
            "What will the clocks in the office show when it's {start} in {near.zone}? The office's "
            "time zone is in your memory as “{key}”.",
            "Please convert {start}, {near.zone} time, to the time zone that you remember as “{key}”. "
            "{what} is at that time.",
        ),
        slots={
            "key": pick("office_timezone"),
            "what": _TALK,
            "start": Moment("2026-08-01", "2027-06-30"),
            "near": Pool("zones_near"),
        },
        steps=(
            call("retrieve_memory", key="{key}"),
            call("convert_timezone", datetime="{start}", from_="{near.zone}", to="{1.value}"),
        ),
    ),
    Template(
        "time_in_own_zone",
        prompts=(
            "{what} is announced for {start}, {far.zone} time. Look up the time zone of my account and "
            "tell me what time that is for me.",
            "Convert {start} from {far.zone} time to my own time zone. My account settings tell you "
            "which one that is.",
            "When will {start} {far.zone} time be on my clock? Take my time zone from the session.",
            "Check which time zone I'm signed in with, then convert {start}, {far.zone} time, to it.",
        ),
        slots={
            "what": _TALK,
            "start": Moment("2026-08-01", "2027-06-30"),
            "far": Pool("zones_far"),
        },
        steps=(
            call("get_session_context"),
            call("convert_timezone", datetime="{start}", from_="{far.zone}", to="{1.timezone}"),
        ),
    ),
    Template(
        "note_to_own_mailbox",
        prompts=(
            "E-mail “{body}” to my own address. You can see it in my account.",
            "Send me an e-mail that says “{body}”. Take the address from the account I'm signed in with.",
            "Please mail “{body}” to myself; my e-mail address is the one in my profile.",
            "Look up the e-mail address of my account and mail this text to it: “{body}”",
        ),
        slots={"body": _NOTE},
        steps=(
            call("get_session_context"),
            call("send_email", to="{1.email}", body="{body}"),
        ),
    ),
)
