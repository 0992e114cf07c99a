"""Communication: messages, notifications, tasks, meetings and reminders (paper, Table 3)."""

from typing import Annotated, Literal

from dataset_builder.tools.blank_text import refuse_blank
from dataset_builder.tools.define_tool import tool
from dataset_builder.tools.tool import Output, ToolError
from dataset_builder.values.draw import Draw
from dataset_builder.values.parameter_types import (
    FREE,
    UNORDERED,
    Date,
    DateTime,
    Email,
    Integer,
    Name,
    Object,
    Prose,
    Said,
    Url,
)

MAX_MINUTES = 24 * 60
MAX_ATTENDEES = 200


@tool("Communication")
def send_email(to: Email, body: Prose, draw: Draw, subject: Annotated[Prose, FREE] = "") -> Output:
    """Send an e-mail to one address.

    Args:
        to: Recipient's e-mail address.
        body: Text of the e-mail.
        subject: Subject line. Default none.

    Returns:
        message_id (string): identifier of the message
        thread_id (string): identifier of the conversation that it opens
    """
    refuse_blank(body=body)
    return {
        "message_id": f"<{draw.token('message_id', 16)}@mail.brightwave.example>",
        "thread_id": f"thr-{draw.token('thread_id', 10)}",
    }


@tool("Communication")
def send_message(recipient: Name, text: Prose, draw: Draw) -> Output:
    """Send a chat message to a colleague or channel, not by e-mail.

    Args:
        recipient: Person or channel, such as #general.
        text: The message.

    Returns:
        message_id (string): identifier of the message
        permalink (string): link to the message
    """
    refuse_blank(recipient=recipient, text=text)
    room = draw.token("room", 8)
    stamp = draw.integer("stamp", 10**9, 10**10 - 1)
    return {
        "message_id": f"msg-{draw.token('message_id', 10)}",
        "permalink": f"https://chat.brightwave.example/{room}/p{stamp}",
    }


@tool("Communication")
def create_notification(
    message: Prose,
    draw: Draw,
    priority: Annotated[
        Literal["low", "normal", "high"],
        Said(
            low=("low-priority", "unimportant"),
            normal=("normal-priority", "ordinary"),
            high=("high-priority", "urgent", "top priority"),
        ),
    ] = "normal",
) -> Output:
    """Show a push notification on the user's own devices right away.

    Args:
        message: Text to show.
        priority: Default normal.

    Returns:
        notification_id (string): identifier of the notification
        device_count (integer): devices that it was pushed to
    """
    refuse_blank(message=message)
    return {
        "notification_id": f"ntf-{draw.token('notification_id', 10)}",
        "device_count": draw.integer("device_count", 1, 4),
    }


@tool("Communication")
def create_task(
    title: Prose, draw: Draw, due_date: Date | None = None, assignee: Name | None = None
) -> Output:
    """Add a task to the to-do list.

    Args:
        title: What is to be done.
        due_date: Day it is due. Default none.
        assignee: Who does it. Default the user.

    Returns:
        task_id (string): identifier of the task
        url (string): link to the task
    """
    refuse_blank(title=title)
    number = draw.integer("task_id", 10_000, 99_999)
    return {"task_id": f"TASK-{number}", "url": f"https://tasks.brightwave.example/t/{number}"}


@tool("Communication")
def schedule_meeting(
    attendees: Annotated[list[Email], UNORDERED],
    start: DateTime,
    draw: Draw,
    duration_minutes: Integer = 30,
    title: Annotated[Prose, FREE] = "Meeting",
) -> Output:
    """Set up a video meeting and e-mail invitations to its attendees.

    Args:
        attendees: E-mail addresses to invite.
        start: Date and time.
        duration_minutes: Default 30.
        title: Default Meeting.

    Returns:
        meeting_id (string): identifier of the meeting
        join_url (string): link of the video call
    """
    if not 1 <= len(attendees) <= MAX_ATTENDEES:
        raise ToolError(f"attendees: from 1 to {MAX_ATTENDEES} addresses are accepted")
    if not 1 <= duration_minutes <= MAX_MINUTES:
        raise ToolError(f"duration_minutes: must lie between 1 and {MAX_MINUTES}")
    code = draw.token("join_url", 10)
    return {
        "meeting_id": f"mtg-{draw.token('meeting_id', 10)}",
        "join_url": f"https://meet.brightwave.example/{code[:3]}-{code[3:7]}-{code[7:]}",
    }


@tool("Communication")
def send_webhook(url: Url, payload: Object, draw: Draw) -> Output:
    """Notify another system by posting a JSON payload to its webhook.

    Args:
        url: Address of the webhook.
        payload: JSON object to deliver.

    Returns:
        delivery_id (string): identifier of the delivery
        status_code (integer, HTTP): what the receiver answered
        response_time_ms (integer, ms): until it answered
    """
    if not url.startswith(("http://", "https://")):
        raise ToolError("url: a webhook is reached by http or https")
    return {
        "delivery_id": f"dlv-{draw.token('delivery_id', 12)}",
        "status_code": draw.choice("status_code", (200, 200, 201, 202, 204)),
        "response_time_ms": draw.integer("response_time_ms", 38, 940),
    }


@tool("Communication")
def set_reminder(text: Prose, remind_at: DateTime, draw: Draw) -> Output:
    """Remind the user of something at a given time.

    Args:
        text: What to be reminded of.
        remind_at: Date and time of the alert.

    Returns:
        reminder_id (string): identifier of the reminder
    """
    refuse_blank(text=text)
    return {"reminder_id": f"rem-{draw.token('reminder_id', 10)}"}
