"""Level 0: calendar, contacts, invoices, links and pictures."""

from dataset_builder.slot import Decimal, Moment, Pattern, Pool, Whole, pick
from dataset_builder.template import Template, call

_BLOCK = pick(
    "Deep work", "Dentist", "Parents' evening", "Piano lesson", "Tax return", "Swimming",
    "Read the thesis", "Bike service", "Language exam", "School play", "Blood donation",
    "Portfolio review", "Rehearsal", "Garden inspection", "Eye test", "Paint the shed",
)  # fmt: skip
_GATHERING = pick(
    "Information evening", "Piano recital", "Open rehearsal", "Annual meeting", "Drawing course",
    "Job interview", "Charity breakfast", "Chess evening", "First aid course", "Book launch",
    "Neighbourhood meeting", "Flat viewing", "Product demo", "Wine tasting",
)  # fmt: skip
_PLACE = pick(
    "Blue Heron Studio", "Café Lindqvist", "Villa Amaranth", "Room Ada", "Hall C", "Atelier Nord",
    "St Olave's School", "Lindgren Library", "Kestrel House", "Hotel Astoria",
)  # fmt: skip
_LENGTH = pick(("45 minutes", 45), ("90 minutes", 90), ("120 minutes", 120), ("30 minutes", 30))
_ITEM = pick(
    "hours of bookkeeping", "oak chairs", "day passes", "litres of olive oil", "site visits",
    "hours of interpreting", "boxes of tea", "room nights", "printed banners", "training days",
    "crates of apples", "wall tiles", "hours of tuning", "sacks of coffee", "guided tours",
)  # fmt: skip
_CURRENCY = pick(
    ("euros", "EUR"), ("Swiss francs", "CHF"), ("Canadian dollars", "CAD"), ("pounds", "GBP"),
    ("Norwegian kroner", "NOK"), ("Australian dollars", "AUD"), ("Polish zloty", "PLN"),
)  # fmt: skip
_TAX = pick(("7", 7), ("19", 19), ("8.1", 8.1), ("25", 25), ("5.5", 5.5), ("21", 21), ("13", 13))
_DAYS = pick(("14 days", 14), ("21 days", 21), ("45 days", 45), ("60 days", 60), ("10 days", 10))

TEMPLATES = (
    Template(
        "time_blocked_in_calendar",
        prompts=(
            "Block {length} in my calendar for “{title}” on {start}.",
            "Put “{title}” in my calendar: {start}, {length}.",
            "Calendar entry, please: “{title}”, {start}, lasts {length}.",
            "I need {length} to myself on {start}. Please block that in my calendar as “{title}”.",
        ),
        slots={
            "title": _BLOCK,
            "start": Moment("2026-07-20", "2027-05-31"),
            "length": _LENGTH,
        },
        steps=(
            call(
                "create_calendar_event",
                title="{title}",
                start="{start}",
                duration_minutes="{length}",
            ),
        ),
        rich="The user's own calendar should get an entry named “{title}” that starts on {start} and "
        "takes {length}. Nobody is invited.",
    ),
    Template(
        "event_at_place",
        prompts=(
            "Add “{title}” to my calendar, {start} at {place}, for {length}.",
            "Please enter “{title}” in my calendar. It starts on {start}, takes {length} and is at "
            "{place}.",
            "My calendar needs a new event: “{title}”, {start}, {length}, location {place}.",
            "“{title}” is on {start} at {place} and will take {length}. Can you put it in my "
            "calendar?",
        ),
        slots={
            "title": _GATHERING,
            "start": Moment("2026-07-20", "2027-05-31"),
            "length": _LENGTH,
            "place": _PLACE,
        },
        steps=(
            call(
                "create_calendar_event",
                title="{title}",
                start="{start}",
                duration_minutes="{length}",
                location="{place}",
            ),
        ),
        rich="The user's own calendar should get an entry named “{title}”. It starts on {start}, takes "
        "{length} and is held at the location {place}. Nobody is invited.",
    ),
    Template(
        "person_in_address_book",
        prompts=(
            "Save {person.name} in my address book: {person.email}, phone {phone}, company {person.company}.",
            "New contact: {person.name} of {person.company}, e-mail {person.email}, phone {phone}.",
            "I met {person.name} at the fair. Please add a contact with the e-mail address "
            "{person.email}, the phone number {phone} and {person.company} as the company.",
            "Could you store {person.name}'s details as a contact? Works for {person.company}, mail "
            "{person.email}, telephone {phone}.",
        ),
        slots={
            "person": Pool("people"),
            "phone": Pattern("+44 20 7946 {n}", {"n": Whole(1002, 9989)}),
        },
        steps=(
            call(
                "create_contact",
                name="{person.name}",
                email="{person.email}",
                phone="{phone}",
                company="{person.company}",
            ),
        ),
        rich="The address book should get an entry for a person with the full name {person.name}, the "
        "e-mail address {person.email}, the telephone number {phone} and the employer {person.company}.",
    ),
    Template(
        "invoice_with_tax",
        prompts=(
            "Invoice {customer} for {quantity} {item} at {price} {currency} each, plus {tax}% tax, due "
            "in {days}.",
            "Please issue an invoice to {customer}: {quantity} {item}, {price} {currency} apiece net, "
            "{tax} percent tax, payable within {days}.",
            "{customer} has to be billed. {quantity} {item}, unit price {price} {currency}, tax rate "
            "{tax}%, payment term {days}. Can you create the invoice?",
            "Make out an invoice for {quantity} {item} ({price} {currency} per unit before {tax}% "
            "tax) to {customer}. They have {days} to pay.",
        ),
        slots={
            "customer": Pool("companies"),
            "quantity": Whole(4, 48),
            "item": _ITEM,
            "price": Decimal(11.2, 184.9),
            "currency": _CURRENCY,
            "tax": _TAX,
            "days": _DAYS,
        },
        steps=(
            call(
                "create_invoice",
                customer="{customer}",
                unit_price="{price}",
                quantity="{quantity}",
                tax_percent="{tax}",
                currency="{currency}",
                payment_days="{days}",
            ),
        ),
        rich="{customer} is to be billed for {quantity} {item}. The net price of one unit is {price} "
        "{currency}, {tax} percent of tax come on top, and the invoice is due after {days}.",
    ),
    Template(
        "address_with_query",
        prompts=(
            "Add the query parameters {query.parameters} to {base} and give me the full URL.",
            "Build a link to {base} with these parameters: {query.parameters}.",
            "I need the complete address of {base} with {query.parameters} as query parameters.",
            "What does the URL look like if I attach {query.parameters} as query parameters to {base}?",
        ),
        slots={"base": Pool("page_addresses"), "query": Pool("query_parameters")},
        steps=(call("generate_url", base_url="{base}", parameters="{query.parameters}"),),
        rich="Take the address {base} and add query parameters to it, each with its name and its value: "
        "{query.parameters}. Give the complete address, encoded where it has to be.",
    ),
    Template(
        "picture_of_scene",
        prompts=(
            "Create a picture: “{scene}”",
            "Please generate an image for my {use} from this description: “{scene}”",
            "I'd love an image of “{scene}” for the {use}.",
            "Draw me “{scene}”. It's going on a {use}.",
        ),
        slots={
            "scene": Pattern(
                "{what} {where}, {style}",
                {
                    "what": pick(
                        "a fox reading a newspaper",
                        "an old tram",
                        "three lighthouses",
                        "a bakery on wheels",
                        "a sleeping dragon",
                        "a beekeeper",
                        "two kayaks",
                        "a cat in a space suit",
                    ),
                    "where": pick(
                        "in a snowy square",
                        "at sunset",
                        "under a glass dome",
                        "by a mountain lake",
                        "in heavy rain",
                        "on a tiny island",
                        "between sunflowers",
                    ),
                    "style": pick(
                        "as a woodcut",
                        "in watercolour",
                        "as a paper collage",
                        "in pastel colours",
                        "like a 1930s travel poster",
                        "as a pencil sketch",
                        "in flat blue tones",
                    ),
                },
            ),
            "use": pick(
                "birthday card",
                "blog header",
                "tote bag",
                "market stall sign",
                "flyer",
                "mug",
                "book cover",
                "classroom wall",
                "calendar page",
                "band T-shirt",
            ),
        },
        steps=(call("generate_image", prompt="{scene}"),),
        rich="Create a picture from scratch. What it shows: “{scene}”. Give the link to it.",
    ),
)
