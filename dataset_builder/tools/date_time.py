"""Date & Time: the clock of the episode, time zones and calendar arithmetic (paper, Table 3)."""

import calendar
import datetime as dt
import re
from functools import cache
from importlib import resources
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from dataset_builder.tools.define_tool import tool
from dataset_builder.tools.tool import Output, ToolError
from dataset_builder.tools.world import NOW, TODAY
from dataset_builder.values import canonical
from dataset_builder.values.canonical import MONTHS, WEEKDAYS, fold
from dataset_builder.values.parameter_types import Date, DateTime, Integer, Name, Said, Timezone

# More than the days from year 1 to year 9999.
MAX_AMOUNT = 4_000_000
MAX_DATE_LENGTH = 100

_RELATIVE_DAYS = {
    "today": 0,
    "tomorrow": 1,
    "yesterday": -1,
    "the day after tomorrow": 2,
    "the day before yesterday": -2,
}
_SPAN = re.compile(r"(in )?([0-9]{1,6}) (day|week|month|year)s?( ago| from now| from today)?")
_NAMED_DAY = re.compile(rf"(next|last) ({'|'.join(WEEKDAYS).casefold()})")
_WEEKDAY_BEFORE = re.compile(rf"({'|'.join(WEEKDAYS).casefold()}),? (.+)")
_YEAR_LAST = re.compile(r"([0-9]{1,2})([-/.])([0-9]{1,2})\2([0-9]{4})")


@tool("Date & Time")
def get_current_time(timezone: Timezone = "UTC") -> Output:
    """Current date and time in a time zone.

    Args:
        timezone: IANA name such as Europe/Berlin. Default UTC.

    Returns:
        datetime (string, ISO 8601 with offset): date and time, to the second
        date (string, YYYY-MM-DD): the date there
        time (string, HH:MM): the time of day there, 24 hours
    """
    return _moment(dt.datetime.fromisoformat(NOW).astimezone(_zone(timezone)))


@tool("Date & Time")
def convert_timezone(datetime: DateTime, from_: Timezone, to: Timezone) -> Output:
    """Convert a local date and time from one time zone to another.

    Args:
        datetime: Local date and time, such as 2026-03-05T14:30:00.
        from: IANA name of the zone it is in.
        to: IANA name of the zone wanted.

    Returns:
        datetime (string, ISO 8601 with offset): the same instant in the other zone
        date (string, YYYY-MM-DD): the date there
        time (string, HH:MM): the time of day there, 24 hours
    """
    stated = dt.datetime.fromisoformat(datetime)
    source = _zone(from_)
    try:
        if stated.tzinfo is None:
            stated = stated.replace(tzinfo=source)
        elif stated.astimezone(source).replace(tzinfo=None) != stated.replace(tzinfo=None):
            raise ToolError(f"the offset of {datetime} is not that of {from_} then")
        return _moment(stated.astimezone(_zone(to)))
    except OverflowError:
        raise ToolError("the result leaves the years 1 to 9999") from None


@tool("Date & Time")
def calculate_date_diff(start_date: Date, end_date: Date) -> Output:
    """Days from one date to another, negative where the end comes first.

    Args:
        start_date: First date (YYYY-MM-DD).
        end_date: Second date (YYYY-MM-DD).

    Returns:
        days (integer): calendar days
        weeks (number): calendar days / 7, to two decimals
        business_days (integer, Mondays to Fridays): those from the start date up to the day before the end
    """
    start, end = dt.date.fromisoformat(start_date), dt.date.fromisoformat(end_date)
    days = (end - start).days
    return {
        "days": days,
        "weeks": round(days / 7, 2),
        "business_days": _business_days_before(end) - _business_days_before(start),
    }


@tool("Date & Time")
def format_date(
    date: Date,
    style: Annotated[
        Literal["full", "long", "short", "us", "european"],
        Said(
            full=("with the weekday", "including the weekday", "with the day of the week"),
            long=("month spelled out", "month written out", "month name"),
            short=("abbreviated month", "month abbreviated"),
            us=("MM/DD/YYYY", "US style", "American style", "US format", "American format"),
            european=("DD.MM.YYYY", "European style", "European format"),
        ),
    ],
) -> Output:
    """Write a date in another style.

    Args:
        date: The date (YYYY-MM-DD).
        style: full (Monday, March 2, 2026), long (March 2, 2026), short (Mar 2, 2026), us
            (03/02/2026) or european (02.03.2026).

    Returns:
        text (string): the date as written
    """
    day = dt.date.fromisoformat(date)
    year, month = f"{day.year:04}", MONTHS[day.month - 1]
    long = f"{month} {day.day}, {year}"
    styles = {
        "full": f"{WEEKDAYS[day.weekday()]}, {long}",
        "long": long,
        "short": f"{month[:3]} {day.day}, {year}",
        "us": f"{day.month:02}/{day.day:02}/{year}",
        "european": f"{day.day:02}.{day.month:02}.{year}",
    }
    return {"text": styles[style]}


@tool("Date & Time")
def parse_date(text: Name) -> Output:
    """Turn a written or relative date into a calendar date.

    Args:
        text: Such as 5th of March 2026, next Friday, tomorrow or in 3 weeks.

    Returns:
        date (string, YYYY-MM-DD): the date
        quarter (integer, 1 to 4): the quarter of the year it falls into
        iso_week (integer, 1 to 53): the ISO 8601 week it falls into
        day_of_year (integer, 1 to 366): 1 is January 1
    """
    if len(text) > MAX_DATE_LENGTH:
        raise ToolError(f"at most {MAX_DATE_LENGTH} characters are read")
    day = _parse(fold(text))
    if day is None:
        raise ToolError(f"'{text}' is no date that can be read")
    return {
        "date": day.isoformat(),
        "quarter": (day.month + 2) // 3,
        "iso_week": day.isocalendar().week,
        "day_of_year": day.timetuple().tm_yday,
    }


@tool("Date & Time")
def add_duration(
    date: Date,
    amount: Integer,
    unit: Annotated[
        Literal["days", "weeks", "months", "years", "business_days"],
        Said(
            days=("day",),
            weeks=("week",),
            months=("month",),
            years=("year",),
            business_days=("business day", "working days", "working day"),
        ),
    ],
) -> Output:
    """The date that lies some days, weeks, months or years after (or before) a date.

    Args:
        date: Where to start (YYYY-MM-DD).
        amount: How many units to go; negative goes back.
        unit: The unit; business_days are Monday to Friday.

    Returns:
        date (string, YYYY-MM-DD): the date reached; in a shorter month its last day
    """
    return {"date": _shift(dt.date.fromisoformat(date), amount, unit).isoformat()}


@tool("Date & Time")
def get_weekday(date: Date) -> Output:
    """Day of the week of a date.

    Args:
        date: The date (YYYY-MM-DD).

    Returns:
        weekday (string): its English name
        is_weekend (boolean): whether it is a Saturday or Sunday
    """
    number = dt.date.fromisoformat(date).weekday()
    return {"weekday": WEEKDAYS[number], "is_weekend": number >= 5}


@cache
def _zone(name: str) -> ZoneInfo:
    """The zone by the tables of the tzdata package: those of the system differ between machines."""
    path = resources.files("tzdata").joinpath("zoneinfo", *name.split("/"))
    with path.open("rb") as table:
        return ZoneInfo.from_file(table, key=name)


def _moment(moment: dt.datetime) -> Output:
    stamp = moment.isoformat(timespec="seconds")
    return {"datetime": stamp, "date": stamp[:10], "time": stamp[11:16]}


def _from_ordinal(ordinal: int) -> dt.date:
    if not 1 <= ordinal <= dt.date.max.toordinal():
        raise ToolError("the date leaves the years 1 to 9999")
    return dt.date.fromordinal(ordinal)


def _shift(day: dt.date, amount: int, unit: str) -> dt.date:
    if abs(amount) > MAX_AMOUNT:
        raise ToolError(f"amount must lie between -{MAX_AMOUNT:,} and {MAX_AMOUNT:,}")
    if unit in ("months", "years"):
        month = day.year * 12 + day.month - 1 + amount * (12 if unit == "years" else 1)
        if not 12 <= month < 12 * 10_000:
            raise ToolError("the date leaves the years 1 to 9999")
        year, month = month // 12, month % 12 + 1
        return dt.date(year, month, min(day.day, calendar.monthrange(year, month)[1]))
    if unit == "business_days":
        return _shift_business_days(day, amount)
    return _from_ordinal(day.toordinal() + amount * (7 if unit == "weeks" else 1))


def _business_days_before(day: dt.date) -> int:
    """How many Mondays to Fridays lie before a day, from Monday, January 1 of year 1 on."""
    weeks, days = divmod(day.toordinal() - 1, 7)
    return 5 * weeks + min(days, 5)


def _shift_business_days(day: dt.date, amount: int) -> dt.date:
    if amount == 0:
        return day
    # From a weekend, the first business day forward is the Monday after it.
    from_weekend = day.weekday() >= 5 and amount > 0
    weeks, days = divmod(_business_days_before(day) + amount - from_weekend, 5)
    return _from_ordinal(7 * weeks + days + 1)


def _parse(text: str) -> dt.date | None:
    """The date that folded text means; None where it means none."""
    today = dt.date.fromisoformat(TODAY)
    if text in _RELATIVE_DAYS:
        return today + dt.timedelta(days=_RELATIVE_DAYS[text])
    if match := _NAMED_DAY.fullmatch(text):
        weekday = [day.casefold() for day in WEEKDAYS].index(match[2])
        ahead = (weekday - today.weekday() - 1) % 7 + 1
        behind = (today.weekday() - weekday - 1) % 7 + 1
        return today + dt.timedelta(days=ahead if match[1] == "next" else -behind)
    if match := _SPAN.fullmatch(text):
        # Either "in 3 days" or "3 days ago", not both and not neither.
        if bool(match[1]) == bool(match[4]):
            return None
        amount = int(match[2])
        return _shift(today, -amount if match[4] == " ago" else amount, f"{match[3]}s")
    if match := _WEEKDAY_BEFORE.fullmatch(text):
        day = _parse_calendar(match[2])
        if day and WEEKDAYS[day.weekday()].casefold() != match[1]:
            raise ToolError(f"{day.isoformat()} is a {WEEKDAYS[day.weekday()]}")
        return day
    return _parse_calendar(text)


def _parse_calendar(text: str) -> dt.date | None:
    if match := _YEAR_LAST.fullmatch(text):
        return _parse_year_last(int(match[1]), int(match[3]), int(match[4]), match[2])
    for read in (canonical.date, canonical.datetime):
        try:
            return dt.date.fromisoformat(read(text.removeprefix("the "))[:10])
        except ValueError:
            continue
    return None


def _parse_year_last(first: int, second: int, year: int, separator: str) -> dt.date | None:
    """A date of digits with the year last; ToolError where its day may be its month."""
    readings = [(first, second)] if separator == "." else [(first, second), (second, first)]
    days = {
        dt.date(year, month, day)
        for day, month in readings
        if year and 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]
    }
    if len(days) > 1:
        raise ToolError("day and month cannot be told apart; write the month as a word")
    return min(days, default=None)
