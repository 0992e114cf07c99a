"""Date & Time tools, against the calendar of the standard library and NumPy."""

import datetime as dt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_builder.tools import date_time as d
from dataset_builder.tools.world import NOW, TODAY
from tests.samples.tool_call import call

DATES = st.dates(dt.date(1, 1, 1), dt.date(9999, 12, 31))
NEAR = st.dates(dt.date(1900, 1, 1), dt.date(2100, 12, 31))


@pytest.mark.parametrize(
    ("arguments", "stamp"),
    [
        ({}, "2026-07-15T09:30:00+00:00"),
        ({"timezone": "Asia/Tokyo"}, "2026-07-15T18:30:00+09:00"),
        ({"timezone": "tokyo"}, "2026-07-15T18:30:00+09:00"),
        ({"timezone": "America/New_York"}, "2026-07-15T05:30:00-04:00"),
        ({"timezone": "Pacific/Kiritimati"}, "2026-07-15T23:30:00+14:00"),
        ({"timezone": "Asia/Kathmandu"}, "2026-07-15T15:15:00+05:45"),
    ],
)
def test_get_current_time(arguments, stamp):
    output = call(d.get_current_time, **arguments)
    assert output == {"datetime": stamp, "date": stamp[:10], "time": stamp[11:16]}
    assert dt.datetime.fromisoformat(stamp) == dt.datetime.fromisoformat(NOW)


@pytest.mark.parametrize(
    ("stated", "from_", "to", "stamp"),
    [
        ("2026-03-05 2:30 pm", "America/New_York", "Europe/London", "2026-03-05T19:30:00+00:00"),
        # Between the American and the European change to summer time.
        ("2026-03-20T14:30", "America/New_York", "Europe/London", "2026-03-20T18:30:00+00:00"),
        ("2026-07-01T23:00", "Europe/Berlin", "Asia/Tokyo", "2026-07-02T06:00:00+09:00"),
        ("2026-01-01T00:30", "Asia/Kolkata", "America/Los_Angeles", "2025-12-31T11:00:00-08:00"),
        ("2026-07-15T18:30:00+09:00", "Asia/Tokyo", "UTC", "2026-07-15T09:30:00+00:00"),
        # An hour that the change to summer time leaves out counts by the time before it.
        ("2026-03-29T02:30", "Europe/Berlin", "UTC", "2026-03-29T01:30:00+00:00"),
    ],
)
def test_convert_timezone(stated, from_, to, stamp):
    output = call(d.convert_timezone, datetime=stated, from_=from_, to=to)
    assert output == {"datetime": stamp, "date": stamp[:10], "time": stamp[11:16]}


@pytest.mark.parametrize(
    ("start", "end", "days", "weeks", "business_days"),
    [
        ("2026-07-15", "2026-07-22", 7, 1.0, 5),
        ("2026-07-15", "2026-07-15", 0, 0.0, 0),
        ("2026-07-18", "2026-07-20", 2, 0.29, 0),
        ("2026-07-20", "2026-07-18", -2, -0.29, 0),
        ("March 5, 2026", "2026-12-25", 295, 42.14, 211),
        ("0001-01-01", "9999-12-31", 3652058, 521722.57, 2608614),
    ],
)
def test_calculate_date_diff(start, end, days, weeks, business_days):
    output = call(d.calculate_date_diff, start_date=start, end_date=end)
    assert output == {"days": days, "weeks": weeks, "business_days": business_days}


@pytest.mark.parametrize(
    ("style", "text"),
    [
        ("full", "Sunday, July 5, 2026"),
        ("long", "July 5, 2026"),
        ("short", "Jul 5, 2026"),
        ("us", "07/05/2026"),
        ("european", "05.07.2026"),
    ],
)
def test_format_date(style, text):
    assert call(d.format_date, date="5 July 2026", style=style) == {"text": text}


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("today", TODAY),
        ("tomorrow", "2026-07-16"),
        ("Yesterday", "2026-07-14"),
        ("the day after tomorrow", "2026-07-17"),
        ("next Friday", "2026-07-17"),
        ("next Wednesday", "2026-07-22"),
        ("last Wednesday", "2026-07-08"),
        ("last Sunday", "2026-07-12"),
        ("in 3 weeks", "2026-08-05"),
        ("45 days from now", "2026-08-29"),
        ("1 month from today", "2026-08-15"),
        ("2 years ago", "2024-07-15"),
        ("5th of March 2026", "2026-03-05"),
        ("the 5th of March 2026", "2026-03-05"),
        ("March 5th, 2026", "2026-03-05"),
        ("5 Mar 2026", "2026-03-05"),
        ("Sept. 9, 2025", "2025-09-09"),
        ("2026/3/5", "2026-03-05"),
        ("2026-03-05T14:00", "2026-03-05"),
        ("Wednesday, July 15, 2026", "2026-07-15"),
        ("25/12/2026", "2026-12-25"),
        ("12/25/2026", "2026-12-25"),
        ("05/05/2026", "2026-05-05"),
        ("5.3.2026", "2026-03-05"),
    ],
)
def test_parse_date(text, date):
    output = call(d.parse_date, text=text)
    assert set(output) == set(d.parse_date.returns)
    assert output["date"] == date


@pytest.mark.parametrize(
    ("date", "quarter", "iso_week", "day_of_year"),
    [
        ("2026-01-01", 1, 1, 1),
        ("2027-01-01", 1, 53, 1),
        ("2024-12-31", 4, 1, 366),
        ("2026-07-15", 3, 29, 196),
    ],
)
def test_parse_date_places_the_date_in_its_year(date, quarter, iso_week, day_of_year):
    expected = {"date": date, "quarter": quarter, "iso_week": iso_week, "day_of_year": day_of_year}
    assert call(d.parse_date, text=date) == expected


@pytest.mark.parametrize(
    ("date", "amount", "unit", "reached"),
    [
        ("2026-07-15", 10, "days", "2026-07-25"),
        ("2026-07-15", -3, "weeks", "2026-06-24"),
        ("2026-01-31", 1, "months", "2026-02-28"),
        ("2024-01-31", 1, "months", "2024-02-29"),
        ("2026-01-31", -2, "months", "2025-11-30"),
        ("2024-02-29", 1, "years", "2025-02-28"),
        ("2024-02-29", 4, "years", "2028-02-29"),
        ("2026-07-17", 1, "business_days", "2026-07-20"),
        ("2026-07-18", 1, "business_days", "2026-07-20"),
        ("2026-07-18", -1, "business_days", "2026-07-17"),
        ("2026-07-18", 0, "business_days", "2026-07-18"),
        ("0001-01-01", 3652058, "days", "9999-12-31"),
    ],
)
def test_add_duration(date, amount, unit, reached):
    assert call(d.add_duration, date=date, amount=amount, unit=unit) == {"date": reached}


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        (d.get_current_time, {"timezone": "Mars/Olympus"}, "no time zone"),
        (d.get_current_time, {"timezone": "../../etc/passwd"}, "no time zone"),
        (
            d.convert_timezone,
            {"datetime": "2026-07-15T18:30:00+08:00", "from": "Asia/Tokyo", "to": "UTC"},
            "is not that of Asia/Tokyo",
        ),
        (
            d.convert_timezone,
            {"datetime": "0001-01-01T00:00", "from": "Asia/Tokyo", "to": "UTC"},
            "leaves the years",
        ),
        (
            d.convert_timezone,
            {"datetime": "9999-12-31T23:00", "from": "America/New_York", "to": "UTC"},
            "leaves the years",
        ),
        (
            d.convert_timezone,
            {"datetime": "2026-07-15", "from": "UTC", "to": "UTC"},
            "no date and time",
        ),
        (d.get_weekday, {"date": "0000-01-01"}, "no date of the calendar"),
        (d.get_weekday, {"date": "2026-02-30"}, "no date of the calendar"),
        (d.get_weekday, {"date": "07/05/2026"}, "no date"),
        (d.format_date, {"date": TODAY, "style": "%s" * 1000}, "expected one of full"),
        (d.parse_date, {"text": "05/07/2026"}, "cannot be told apart"),
        (d.parse_date, {"text": "Friday, July 15, 2026"}, "2026-07-15 is a Wednesday"),
        (d.parse_date, {"text": "31/02/2026"}, "no date that can be read"),
        (d.parse_date, {"text": "00/00/0000"}, "no date that can be read"),
        (d.parse_date, {"text": "3 days"}, "no date that can be read"),
        (d.parse_date, {"text": "in 3 days from now"}, "no date that can be read"),
        (d.parse_date, {"text": ""}, "no date that can be read"),
        (d.parse_date, {"text": "999999 years from now"}, "leaves the years"),
        (d.parse_date, {"text": "1" * 100_000}, "at most 100 characters"),
        (d.add_duration, {"date": TODAY, "amount": 10**9, "unit": "days"}, "between"),
        (d.add_duration, {"date": TODAY, "amount": 4_000_000, "unit": "weeks"}, "leaves the years"),
        (d.add_duration, {"date": TODAY, "amount": -2026, "unit": "years"}, "leaves the years"),
        (
            d.add_duration,
            {"date": "0001-01-01", "amount": -1, "unit": "business_days"},
            "leaves the years",
        ),
        (d.add_duration, {"date": TODAY, "amount": 1.5, "unit": "days"}, "whole number"),
    ],
)
def test_refusal_says_what_is_wrong(tool, arguments, message):
    output = call(tool, **arguments)
    assert set(output) == {"error"}
    assert message in output["error"]


@given(DATES, DATES)
def test_differences_are_antisymmetric_and_lead_back(start, end):
    there = call(d.calculate_date_diff, start_date=start.isoformat(), end_date=end.isoformat())
    back = call(d.calculate_date_diff, start_date=end.isoformat(), end_date=start.isoformat())
    assert there == {name: -value for name, value in back.items()}
    reached = call(d.add_duration, date=start.isoformat(), amount=there["days"], unit="days")
    assert reached == {"date": end.isoformat()}


@given(NEAR, NEAR, st.integers(-3000, 3000))
def test_business_days_agree_with_numpy(start, end, amount):
    difference = call(d.calculate_date_diff, start_date=start.isoformat(), end_date=end.isoformat())
    # A backward span leaves out its other end in NumPy, so only forward spans compare.
    if start <= end:
        assert difference["business_days"] == np.busday_count(start, end)
    reached = call(d.add_duration, date=start.isoformat(), amount=amount, unit="business_days")
    if amount:
        # A weekend counts as the business day that lies behind it, seen in the direction of travel.
        expected = (
            np.busday_offset(start, amount, roll="backward")
            if amount > 0
            else np.busday_offset(start, amount, roll="forward")
        )
        assert reached["date"] == str(expected)


@given(DATES)
def test_weekday_agrees_with_zellers_congruence(date):
    month, year = (date.month + 9) % 12 + 3, date.year - (date.month < 3)
    number = (date.day + 13 * (month + 1) // 5 + year + year // 4 - year // 100 + year // 400) % 7
    expected = "Saturday Sunday Monday Tuesday Wednesday Thursday Friday".split()[number]
    output = call(d.get_weekday, date=date.isoformat())
    assert output == {"weekday": expected, "is_weekend": number < 2}


@given(DATES, st.sampled_from(["full", "long", "short", "european"]))
def test_a_formatted_date_is_read_back(date, style):
    text = call(d.format_date, date=date.isoformat(), style=style)["text"]
    assert call(d.parse_date, text=text)["date"] == date.isoformat()


@given(
    st.datetimes(dt.datetime(1980, 1, 1), dt.datetime(2060, 1, 1)).map(
        lambda moment: moment.replace(microsecond=0)
    ),
    st.sampled_from(["Asia/Kolkata", "Asia/Tokyo", "America/Phoenix", "Africa/Lagos", "UTC"]),
    st.sampled_from(["Europe/Berlin", "America/New_York", "Australia/Sydney"]),
)
def test_there_and_back_is_the_same_time(moment, from_, to):
    stated = moment.isoformat()
    there = call(d.convert_timezone, datetime=stated, from_=from_, to=to)["datetime"]
    back = call(d.convert_timezone, datetime=there, from_=to, to=from_)["datetime"]
    assert back[:19] == stated


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_text_is_read_or_refused(text):
    assert set(call(d.parse_date, text=text)) in (set(d.parse_date.returns), {"error"})
