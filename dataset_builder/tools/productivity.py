"""Productivity: calendar, contacts, invoices, links and pictures (paper, Table 3)."""

import datetime as dt
from decimal import Decimal
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

from dataset_builder.tools.blank_text import refuse_blank
from dataset_builder.tools.define_tool import tool
from dataset_builder.tools.tool import Output, ToolError
from dataset_builder.tools.world import TODAY
from dataset_builder.values.draw import Draw
from dataset_builder.values.parameter_types import (
    Currency,
    DateTime,
    Email,
    Integer,
    Name,
    Number,
    Object,
    Prose,
    Url,
)
from dataset_builder.values.rounding import EXACT, to_places

MAX_MINUTES = 7 * 24 * 60
MAX_TOTAL = 10**12
MAX_PAYMENT_DAYS = 365
MAX_URL_CHARACTERS = 8_000


@tool("Productivity")
def create_calendar_event(
    title: Prose,
    start: DateTime,
    draw: Draw,
    duration_minutes: Integer = 60,
    location: Name | None = None,
) -> Output:
    """Block time in the user's own calendar without inviting anybody.

    Args:
        title: Name of the event.
        start: Date and time.
        duration_minutes: Default 60.
        location: Where it takes place. Default none.

    Returns:
        event_id (string): identifier of the event
        url (string): link to the event
    """
    refuse_blank(title=title)
    if not 1 <= duration_minutes <= MAX_MINUTES:
        raise ToolError(f"duration_minutes: must lie between 1 and {MAX_MINUTES:,}")
    return {
        "event_id": f"evt-{draw.token('event_id', 10)}",
        "url": f"https://calendar.brightwave.example/e/{draw.token('url', 12)}",
    }


@tool("Productivity")
def create_contact(
    name: Name,
    draw: Draw,
    email: Email | None = None,
    phone: Name | None = None,
    company: Name | None = None,
) -> Output:
    """Save a person in the address book.

    Args:
        name: Full name.
        email: E-mail address. Default none.
        phone: Telephone number. Default none.
        company: Employer. Default none.

    Returns:
        contact_id (string): identifier of the contact
        vcard (string, vCard 4.0): the contact as text for other address books
    """
    refuse_blank(name=name)
    properties = {"FN": name, "EMAIL": email, "TEL": phone, "ORG": company}
    lines = [f"{key}:{_vcard_text(value)}" for key, value in properties.items() if value]
    return {
        "contact_id": f"con-{draw.token('contact_id', 10)}",
        "vcard": "\n".join(["BEGIN:VCARD", "VERSION:4.0", *lines, "END:VCARD"]),
    }


def _vcard_text(value: str) -> str:
    """The value with the characters escaped that separate values in a vCard (RFC 6350, 3.4)."""
    for character in ("\\", ",", ";"):
        value = value.replace(character, "\\" + character)
    return value


@tool("Productivity")
def create_invoice(
    customer: Name,
    unit_price: Number,
    draw: Draw,
    quantity: Number = 1,
    tax_percent: Number = 0,
    currency: Currency = "USD",
    payment_days: Integer = 30,
) -> Output:
    """Issue an invoice dated today for one item.

    Args:
        customer: Person or company to bill.
        unit_price: Net price of one unit.
        quantity: Units sold. Default 1.
        tax_percent: Tax added to the net price. Default 0.
        currency: Currency code. Default USD.
        payment_days: Days until it is due. Default 30.

    Returns:
        invoice_number (string): identifier of the invoice
        tax_amount (number, in currency): tax contained in the total
        total (number, in currency): amount to pay, tax included
        due_date (string, YYYY-MM-DD): last day to pay
    """
    refuse_blank(customer=customer)
    if unit_price < 0 or quantity <= 0:
        raise ToolError("the unit price must not be negative, and the quantity above zero")
    if not 0 <= tax_percent <= 100:
        raise ToolError("tax_percent: must lie between 0 and 100")
    if not 0 <= payment_days <= MAX_PAYMENT_DAYS:
        raise ToolError(f"payment_days: must lie between 0 and {MAX_PAYMENT_DAYS}")
    net = EXACT.multiply(_written(unit_price), _written(quantity))
    tax = EXACT.divide(EXACT.multiply(net, _written(tax_percent)), Decimal(100))
    total = EXACT.add(net, tax)
    if total > MAX_TOTAL:
        raise ToolError(f"the total would exceed {MAX_TOTAL:,}")
    due = dt.date.fromisoformat(TODAY) + dt.timedelta(days=payment_days)
    return {
        "invoice_number": f"INV-{TODAY[:4]}-{draw.integer('invoice_number', 10_000, 99_999)}",
        "tax_amount": float(to_places(tax, 2)),
        "total": float(to_places(total, 2)),
        "due_date": due.isoformat(),
    }


def _written(number: float) -> Decimal:
    """The decimal number that was written, free of binary rounding."""
    return Decimal(repr(number))


@tool("Productivity")
def generate_url(base_url: Url, parameters: Object) -> Output:
    """Build a URL with query parameters, percent-encoded and sorted by name.

    Args:
        base_url: Address that the parameters are added to.
        parameters: Query parameters by name.

    Returns:
        url (string): the complete address
    """
    pairs = [
        f"{quote(name, safe='')}={quote(value, safe='')}"
        for name in sorted(parameters)
        for value in _query_values(name, parameters[name])
    ]
    if not pairs:
        raise ToolError("parameters: at least one is needed")
    parts = urlsplit(base_url)
    query = "&".join([parts.query, *pairs] if parts.query else pairs)
    url = urlunsplit((parts.scheme, parts.netloc, parts.path, query, parts.fragment))
    if len(url) > MAX_URL_CHARACTERS:
        raise ToolError(f"the URL would exceed {MAX_URL_CHARACTERS:,} characters")
    return {"url": url}


def _query_values(name: str, value: Any) -> list[str]:
    """What stands behind the equals signs: a list gives one parameter for each item."""
    values = value if isinstance(value, list) else [value]
    return [_query_text(name, item) for item in values]


def _query_text(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        # 5 and 5.0 are the same number, so they must give the same address.
        return str(int(value)) if value == int(value) and abs(value) < 2**53 else f"{value:.12g}"
    raise ToolError(
        f"parameters: '{name[:40]}' must be text, a number, a boolean or a list of them"
    )


@tool("Productivity")
def generate_image(prompt: Prose, draw: Draw) -> Output:
    """Create a picture from a description.

    Args:
        prompt: What the picture shows.

    Returns:
        image_url (string): link to the picture
        seed (integer): number that reproduces it
    """
    refuse_blank(prompt=prompt)
    return {
        "image_url": f"https://images.brightwave.example/{draw.token('image_url', 24)}.png",
        "seed": draw.integer("seed", 10**6, 10**9),
    }
