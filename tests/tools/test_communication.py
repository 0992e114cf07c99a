"""Communication tools: what they answer, what leaves the answer alone, what they refuse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_builder.tools import communication as c
from dataset_builder.tools.world import World

CALLS = [
    (c.send_email, {"to": "iris@media.news", "body": "The report is attached."}),
    (c.send_message, {"recipient": "#general", "text": "Lunch is here."}),
    (c.create_notification, {"message": "The backup is done."}),
    (c.create_task, {"title": "Renew the certificate"}),
    (
        c.schedule_meeting,
        {"attendees": ["a@b.example", "c@d.example"], "start": "2026-08-03T10:00"},
    ),
    (c.send_webhook, {"url": "https://hooks.example.com/x", "payload": {"order": 48213}}),
    (c.set_reminder, {"text": "Call Henrike", "remind_at": "2026-08-03T16:30"}),
]

ORDINARY = {tool.name: arguments for tool, arguments in CALLS}


def call(tool, arguments):
    return tool(arguments, World())


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
def test_answers_bear_every_documented_field_and_no_argument(tool, arguments):
    output = call(tool, arguments)
    assert set(output) == set(tool.returns)
    assert not [v for v in output.values() if v in arguments.values()]


@pytest.mark.parametrize(
    ("tool", "changed"),
    [
        (c.send_email, {"to": "oscar@media.news"}),
        (c.send_email, {"body": "The report is missing."}),
        (c.send_email, {"subject": "Report"}),
        (c.send_message, {"recipient": "#random"}),
        (c.create_notification, {"priority": "high"}),
        (c.create_task, {"due_date": "2026-08-01"}),
        (c.create_task, {"assignee": "Priya"}),
        (c.schedule_meeting, {"attendees": ["a@b.example"]}),
        (c.schedule_meeting, {"duration_minutes": 45}),
        (c.send_webhook, {"payload": {"order": 48214}}),
        (c.set_reminder, {"remind_at": "2026-08-03T16:31"}),
    ],
)
def test_another_argument_gives_another_identifier(tool, changed):
    arguments = ORDINARY[tool.name]
    identifier = next(iter(tool.returns))
    assert call(tool, arguments)[identifier] != call(tool, arguments | changed)[identifier]


@pytest.mark.parametrize(
    ("tool", "spelt"),
    [
        (c.send_email, {"to": " IRIS@media.news", "subject": ""}),
        (c.send_email, {"body": "The report  is attached.\n"}),
        (c.send_message, {"recipient": "#General "}),
        (c.create_notification, {"priority": "normal"}),
        (c.schedule_meeting, {"attendees": ["C@d.example", "a@b.example"], "duration_minutes": 30}),
        (c.schedule_meeting, {"start": "3 August 2026 at 10 am", "title": "Meeting"}),
        (c.send_webhook, {"url": "HTTPS://hooks.example.com:443/x", "payload": {"order": 48213.0}}),
        (c.set_reminder, {"remind_at": "August 3, 2026 4:30 pm"}),
    ],
)
def test_the_same_request_spelt_otherwise_gives_the_same_answer(tool, spelt):
    arguments = ORDINARY[tool.name]
    assert call(tool, arguments) == call(tool, arguments | spelt)


@pytest.mark.parametrize(
    ("tool", "wrong", "why"),
    [
        (c.send_email, {"to": "iris"}, "no e-mail address"),
        (c.send_email, {"body": " \n"}, "body: the text is empty"),
        (c.send_email, {"body": "\ud800"}, "surrogate"),
        (c.send_email, {"body": "x" * 100_001}, "at most"),
        (c.send_message, {"recipient": ""}, "recipient: the text is empty"),
        (c.create_notification, {"priority": "screaming"}, "expected one of low, normal, high"),
        (c.create_task, {"title": ""}, "title: the text is empty"),
        (c.create_task, {"due_date": "0000-01-01"}, "no date"),
        (c.schedule_meeting, {"attendees": []}, "from 1 to 200"),
        (c.schedule_meeting, {"attendees": ["a@b.example"] * 201}, "from 1 to 200"),
        (c.schedule_meeting, {"attendees": ["nobody"]}, "no e-mail address"),
        (c.schedule_meeting, {"duration_minutes": 0}, "between 1 and 1440"),
        (c.schedule_meeting, {"duration_minutes": 1e300}, "whole number"),
        (c.schedule_meeting, {"start": "tomorrow"}, "no date and time"),
        (c.send_webhook, {"url": "ftp://hooks.example.com"}, "http or https"),
        (c.send_webhook, {"payload": [1]}, "expected an object"),
        (c.send_webhook, {"payload": {"x": float("nan")}}, "out of range"),
        (c.set_reminder, {"text": None}, "required argument is missing"),
    ],
)
def test_a_wrong_argument_is_named(tool, wrong, why):
    output = call(tool, ORDINARY[tool.name] | wrong)
    assert set(output) == {"error"}
    assert why in output["error"]


@given(st.dictionaries(st.text(max_size=8), st.integers() | st.text(max_size=20), max_size=5))
def test_webhooks_are_answered_with_success(payload):
    output = call(c.send_webhook, {"url": "hooks.example.com", "payload": payload})
    assert output["status_code"] in (200, 201, 202, 204)
    assert 0 < output["response_time_ms"] < 1000
