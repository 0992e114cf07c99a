"""Level 0: messages, notifications, tasks, meetings and reminders."""

from dataset_builder.slot import Day, Moment, Pattern, Pool, pick
from dataset_builder.template import Template, call

_NEWS = Pattern(
    "{what} {has} {when}. {ask}",
    {
        "what": pick(
            "The delivery of the display stands", "Our walk through the new site", "The fire drill",
            "The photo session", "The board review", "The maintenance of the heat pump",
            "The tasting for the summer party", "The hand-over of the keys", "The stock count",
        ),
        "has": pick("has been moved to", "will now take place on", "is confirmed for"),
        "when": pick(
            "Tuesday at 10:00", "Friday morning", "Wednesday at 16:30", "Monday after lunch",
            "Thursday at 09:15", "Saturday at noon",
        ),
        "ask": pick(
            "Please tell me if that does not suit you.", "Could you let the others know?",
            "Bring the signed forms, please.", "I will send the agenda tomorrow.",
            "We meet at the main entrance.", "Thank you for your patience.",
        ),
    },
)  # fmt: skip
_SUBJECT = pick(
    "New date", "Change of plan", "Schedule update", "Please note the new time", "Updated timing",
    "Heads-up about the date", "Calendar change", "Short notice", "Confirmed appointment",
)  # fmt: skip
_CHAT = Pattern(
    "{what} {state}, {ask}",
    {
        "what": pick(
            "The coffee machine on the third floor", "The staging server", "The label printer",
            "The projector in room Ada", "The delivery lift", "The scanner at dock 4",
            "The badge reader at the side door", "The shared drive", "The dishwasher",
            "The ticket machine", "The booking calendar", "The air conditioning",
        ),
        "state": pick("is out of order", "works again", "is being repaired", "has been replaced"),
        "ask": pick(
            "just so you know", "please spread the word", "thanks for waiting",
            "tell me if you notice anything odd", "sorry for the noise", "more news tomorrow",
        ),
    },
)  # fmt: skip
_ALERT = Pattern(
    "{what}: {state}",
    {
        "what": pick(
            "Freezer", "Sauna", "Greenhouse", "Tank 2", "Kiln", "Incubator", "Oven", "Aquarium",
            "Server room", "Wine cellar", "Tortoise house", "Cold store", "Smoker",
        ),
        "state": pick(
            "temperature too high", "temperature back to normal", "temperature dropping",
            "door left open", "check the thermostat", "target temperature reached",
            "sensor offline", "fan stopped", "humidity too low",
        ),
    },
)  # fmt: skip
_CHORE = Pattern(
    "{do} {what}",
    {
        "do": pick("Review", "Proofread", "Print", "Archive", "Update", "Send out", "Translate"),
        "what": pick(
            "the tenancy agreement", "the wedding programme", "the safety data sheets",
            "the fire safety rules", "the insurance papers", "the speakers' contracts",
            "the spare parts list", "the exhibition labels", "the tax documents", "the site plans",
        ),
    },
)  # fmt: skip
_ERRAND = Pattern(
    "{do} {whom}",
    {
        "do": pick("Call", "Ring back", "Write to", "Thank", "Make an appointment with", "Visit"),
        "whom": pick(
            "the dentist", "the roofer", "Aunt Margit", "the piano teacher", "the vet", "the baker",
            "the tax adviser", "Professor Ito", "the violin maker", "the bike mechanic",
        ),
    },
)  # fmt: skip
_MEETING = Pattern(
    "{what}{about}",
    {
        "what": pick("Kick-off", "Review", "Planning", "Retrospective", "Workshop", "Hand-over"),
        "about": pick(
            ": autumn catalogue", ": packaging redesign", ": Rotterdam warehouse", ": app relaunch",
            ": hiring plan", ": energy audit", ": data centre move", ": supplier contracts",
        ),
    },
)  # fmt: skip
_LENGTH = pick(("45 minutes", 45), ("90 minutes", 90), ("20 minutes", 20), ("75 minutes", 75))

TEMPLATES = (
    Template(
        "mail_to_person",
        prompts=(
            "Send an e-mail to {person.email} saying “{body}”",
            "E-mail {person.first} ({person.email}) this: “{body}”",
            "Could you write to {person.name} by e-mail? The address is {person.email}, the text is "
            "“{body}”",
            "Mail {person.email}: “{body}”",
        ),
        slots={"person": Pool("people"), "body": _NEWS},
        steps=(call("send_email", to="{person.email}", body="{body}"),),
        rich="A message should go by electronic mail to {person.name}, whose address is "
        "{person.email}. The text of the message is “{body}”",
    ),
    Template(
        "mail_with_subject",
        prompts=(
            "Send {person.first} an e-mail at {person.email} with the subject “{subject}” and the text "
            "“{body}”",
            "E-mail to {person.email}. Subject: “{subject}”. Body: “{body}”",
            "Please e-mail {person.name} ({person.email}). The subject line is “{subject}” and the "
            "message reads “{body}”",
            "I'd like this to go out by e-mail to {person.email} under the subject “{subject}”: “{body}”",
        ),
        slots={"person": Pool("people"), "subject": _SUBJECT, "body": _NEWS},
        steps=(call("send_email", to="{person.email}", subject="{subject}", body="{body}"),),
        rich="A message should go by electronic mail to the address {person.email}. Its subject line is "
        "“{subject}” and its text is “{body}”",
    ),
    Template(
        "chat_to_person",
        prompts=(
            "Message {person.name} on the company chat: “{text}”",
            "Send {person.name} a chat message that says “{text}”",
            "Drop {person.name} a quick message in the chat: “{text}”",
            "Could you ping {person.name} on chat for me? “{text}”",
        ),
        slots={"person": Pool("people"), "text": _CHAT},
        steps=(call("send_message", recipient="{person.name}", text="{text}"),),
        rich="A short message should reach {person.name} through the chat, not by mail. Its text is "
        "“{text}”",
    ),
    Template(
        "chat_to_channel",
        prompts=(
            "Post “{text}” in {channel}.",
            "Please tell everyone in the {channel} channel: “{text}”",
            "Send a message to {channel}: “{text}”",
            "{channel} should see this: “{text}”. Can you post it there?",
        ),
        slots={
            "text": _CHAT,
            "channel": pick(
                "#facilities",
                "#general",
                "#it-help",
                "#warehouse",
                "#front-desk",
                "#third-floor",
                "#logistics",
                "#studio",
                "#announcements",
                "#berlin-office",
            ),
        },
        steps=(call("send_message", recipient="{channel}", text="{text}"),),
        rich="The chat channel {channel} should receive a message whose text is “{text}”",
    ),
    Template(
        "alert_on_my_devices",
        prompts=(
            "Push this to my phone with {priority} priority: “{message}”",
            "Show me a notification on my devices that reads “{message}”, {priority} priority.",
            "Pop up a {priority}-priority notification for me: “{message}”",
            "I'm away from the screen. Send a push notification with {priority} priority to my own "
            "devices, text “{message}”",
        ),
        slots={"message": _ALERT, "priority": pick("high", "low")},
        steps=(call("create_notification", message="{message}", priority="{priority}"),),
        rich="A note that reads “{message}” should appear on the user's own devices right away. Its "
        "priority is {priority}.",
    ),
    Template(
        "chore_with_due_date",
        prompts=(
            "Put “{title}” on my to-do list, due {due}.",
            "New to-do for me: “{title}”. It's due on {due}.",
            "Please add a task called “{title}” with the due date {due}.",
            "I mustn't forget this one, so add it to my tasks: “{title}”, to be done by {due}.",
        ),
        slots={"title": _CHORE, "due": Day("2026-07-20", "2027-03-31")},
        steps=(call("create_task", title="{title}", due_date="{due}"),),
        rich="The to-do list should get a new entry. What is to be done: “{title}”. It is due on {due}.",
    ),
    Template(
        "chore_for_colleague",
        prompts=(
            "Assign a task to {person.name}: “{title}”, due {due}.",
            "“{title}” should be done by {due}. Please create a task for that and assign it to "
            "{person.name}.",
            "Add “{title}” to the to-do list for {person.name}. Due date: {due}.",
            "Please set up a task, “{title}”, assigned to {person.name} and due on {due}.",
        ),
        slots={
            "title": _CHORE,
            "person": Pool("people"),
            "due": Day("2026-07-20", "2027-03-31"),
        },
        steps=(call("create_task", title="{title}", due_date="{due}", assignee="{person.name}"),),
        rich="The to-do list should get a new entry for {person.name}, who is to do it. What is to be "
        "done: “{title}”. It is due on {due}.",
    ),
    Template(
        "meeting_of_three",
        prompts=(
            "Set up a video meeting with {a.email} and {b.email} on {start} for {length}. Title: "
            "“{title}”",
            "Please invite {a.email} and {b.email} to a meeting called “{title}”, {start}, {length}.",
            "Schedule “{title}” with {a.first} ({a.email}) and {b.first} ({b.email}): {start}, "
            "{length}. Both should get an invitation.",
            "I need a call with {a.email} and {b.email}. It starts on {start}, takes {length} and is "
            "called “{title}”. Send the invitations, please.",
        ),
        slots={
            "a": Pool("people"),
            "b": Pool("people"),
            "start": Moment("2026-07-20", "2027-03-31"),
            "length": _LENGTH,
            "title": _MEETING,
        },
        steps=(
            call(
                "schedule_meeting",
                attendees=["{a.email}", "{b.email}"],
                start="{start}",
                duration_minutes="{length}",
                title="{title}",
            ),
        ),
        rich="A video meeting with the title “{title}” is to be arranged. It starts on {start} and "
        "takes {length}. Invitations go to the addresses {a.email} and {b.email}.",
    ),
    Template(
        "event_to_webhook",
        prompts=(
            "Deliver the payload {event.payload} to the webhook at {target}.",
            "Notify the webhook {target}. Payload: {event.payload}",
            "Our partner listens for webhooks on {target}. Please send it {event.payload}",
            "Fire a webhook to {target} with this JSON: {event.payload}",
        ),
        slots={"event": Pool("event_payloads"), "target": Pool("webhook_addresses")},
        steps=(call("send_webhook", url="{target}", payload="{event.payload}"),),
        rich="Another system takes notice through its webhook, whose address is {target}. Deliver this "
        "JSON object to it: {event.payload}",
    ),
    Template(
        "reminder_at_time",
        prompts=(
            "Remind me on {when}: “{text}”",
            "Set a reminder for {when} that says “{text}”",
            "Could you remind me of something on {when}? It should read “{text}”",
            "Reminder, {when}: “{text}”",
        ),
        slots={"text": _ERRAND, "when": Moment("2026-07-20", "2027-05-31")},
        steps=(call("set_reminder", text="{text}", remind_at="{when}"),),
        rich="The user wants to be reminded of something on {when}. What to be reminded of: “{text}”",
    ),
)
