"""Level 1, money and markets: shares, currencies, invoices, savings and prices in the shop."""

from dataset_builder.slot import Decimal, Pattern, Pool, Whole, pick
from dataset_builder.template import Template, call

_USE = pick(
    "our investment club", "the morning briefing", "my trading diary", "the finance channel",
    "a chart in class", "my grandmother's portfolio", "the quarterly review", "the shareholders' tea",
    "my column", "the trainee quiz", "the lobby screen", "a bet with my brother",
)  # fmt: skip
_ITEM = pick(
    "hours of proofreading", "garden benches", "boxes of lemons", "site inspections", "oak shelves",
    "litres of olive oil", "violin lessons", "rolls of wallpaper", "guided tours", "bales of straw",
    "catering platters", "car washes", "nights in the guest house", "metres of hedge", "espresso cups",
)  # fmt: skip
_TAX = pick(("19%", 19), ("7%", 7), ("21%", 21), ("25%", 25), ("8.1%", 8.1), ("5.5%", 5.5))
_TERM = pick(
    ("14 days", 14), ("21 days", 21), ("45 days", 45), ("60 days", 60), ("10 days", 10),
    ("75 days", 75),
)  # fmt: skip
_CURRENCY = pick(
    ("euros", "EUR"), ("Swiss francs", "CHF"), ("Canadian dollars", "CAD"), ("Polish zloty", "PLN"),
    ("Norwegian kroner", "NOK"), ("pounds sterling", "GBP"),
)  # fmt: skip
_FOLLOW_UP = pick(
    "Check the bank account", "Look for the incoming payment", "Ring their accounts department",
    "See whether the money has arrived", "Send a thank-you card", "Close the file",
    "Prepare the first dunning letter", "Update the cash forecast", "Book the payment",
)  # fmt: skip
_EARLIER = pick(
    "last winter", "two years ago", "in the spring sale", "at the flea market", "in January",
    "for my old one", "on holiday", "back in 2024", "in the outlet",
)  # fmt: skip

TEMPLATES = (
    Template(
        "move_since_close",
        prompts=(
            "By how many percent has the {stock.company} share ({stock.name}) moved since its last "
            "close? It's for {use}.",
            "Fetch the price and the previous close of {stock.name} and work out the percentage change "
            "from that close to now. I need it for {use}.",
            "How is {stock.company} ({stock.name}) doing today? For {use} I want the percentage change "
            "between yesterday's closing price and the latest one.",
            "Ticker {stock.name}, for {use}: get the quote and tell me the change from the previous "
            "close to the current price in percent.",
        ),
        slots={"stock": Pool("facts/stocks"), "use": _USE},
        steps=(
            call("get_stock_price", symbol="{stock.name}"),
            call("percentage_change", old_value="{1.previous_close}", new_value="{1.price}"),
        ),
    ),
    Template(
        "rate_of_listing_currency",
        prompts=(
            "In which currency is {stock.company} ({stock.name}) traded? Get me the exchange rate from "
            "that currency to the {to}.",
            "Look up the trading currency of the share {stock.name}, then the rate from it to the {to}.",
            "I might buy {stock.company}, ticker {stock.name}. Find out what currency its price is "
            "quoted in, and how that currency stands today: I need its exchange rate to the {to}.",
            "Quote for {stock.name}, please, and after that the exchange rate from the currency of the "
            "quote into the {to}.",
        ),
        slots={
            "stock": Pool("facts/stocks"),
            "to": pick(
                ("Indian rupee", "INR"),
                ("Turkish lira", "TRY"),
                ("Polish złoty", "PLN"),
                ("Hungarian forint", "HUF"),
                ("Brazilian real", "BRL"),
                ("Mexican peso", "MXN"),
                ("South African rand", "ZAR"),
                ("Thai baht", "THB"),
                ("Danish krone", "DKK"),
                ("Czech koruna", "CZK"),
                ("Israeli shekel", "ILS"),
                ("Norwegian krone", "NOK"),
            ),
        },
        steps=(
            call("get_stock_price", symbol="{stock.name}"),
            call("get_exchange_rate", from_="{1.currency}", to="{to}"),
        ),
    ),
    Template(
        "rate_since_yesterday",
        prompts=(
            "By how many percent has the rate from the {a.currency} to the {b.currency} changed since "
            "yesterday's close?",
            "Get today's and yesterday's exchange rate from the {a.currency} to the {b.currency} and "
            "give me the percentage change.",
            "Has the {a.currency} gained or lost against the {b.currency} since yesterday? Look up both "
            "rates of that pair and work out the percentage change from the old one to the new one.",
            "{a.currency} into {b.currency}: fetch the rate, then the change in percent from "
            "yesterday's rate to today's.",
        ),
        slots={"a": Pool("traded_currencies"), "b": Pool("traded_currencies")},
        steps=(
            call("get_exchange_rate", from_="{a.currency}", to="{b.currency}"),
            call("percentage_change", old_value="{1.previous_rate}", new_value="{1.rate}"),
        ),
    ),
    Template(
        "invoice_and_weekday",
        prompts=(
            "Invoice {customer} for {quantity} {thing} at {price} {currency} each plus {tax} tax, due "
            "in {term}. On which day of the week does that invoice fall due?",
            "Please bill {customer}: {quantity} {thing}, {price} {currency} apiece, {tax} tax, payable "
            "within {term}. Then tell me the weekday of the due date.",
            "We have to issue an invoice to {customer} for {quantity} {thing}, unit price {price} "
            "{currency} net, tax rate {tax}, payment term {term}. Is its due date a working day? Give "
            "me the weekday.",
            "Create the invoice for {customer} ({quantity} {thing}, {price} {currency} per unit, {tax} "
            "tax on top, {term} to pay) and look up which day of the week the due date is.",
        ),
        slots={
            "customer": Pool("companies"),
            "quantity": Whole(4, 48),
            "thing": _ITEM,
            "price": Decimal(11.2, 184.9),
            "currency": _CURRENCY,
            "tax": _TAX,
            "term": _TERM,
        },
        steps=(
            call(
                "create_invoice",
                customer="{customer}",
                unit_price="{price}",
                quantity="{quantity}",
                tax_percent="{tax}",
                currency="{currency}",
                payment_days="{term}",
            ),
            call("get_weekday", date="{1.due_date}"),
        ),
    ),
    Template(
        "invoice_and_follow_up",
        prompts=(
            "Make out an invoice to {customer} for {quantity} {thing} at {price} {currency} each, no tax, "
            "payable in {term}, and put “{title}” on my to-do list for the due date of that invoice.",
            "Bill {customer} for {quantity} {thing}: {price} {currency} per unit, tax-free, due in "
            "{term}. Add the task “{title}” to my to-dos, due on the day the invoice is due.",
            "Issue an invoice to {customer} ({quantity} {thing}, {price} {currency} per unit, zero-rated, "
            "{term} to pay). Then create a task “{title}” with the invoice's due date.",
            "New invoice: {customer}, {quantity} {thing}, unit price {price} {currency}, without tax, "
            "payment term {term}. When it's issued, set up the to-do “{title}” for its due date.",
        ),
        slots={
            "customer": Pool("companies"),
            "quantity": Whole(4, 48),
            "thing": _ITEM,
            "price": Decimal(11.2, 184.9),
            "currency": _CURRENCY,
            "term": _TERM,
            "title": _FOLLOW_UP,
        },
        steps=(
            call(
                "create_invoice",
                customer="{customer}",
                unit_price="{price}",
                quantity="{quantity}",
                currency="{currency}",
                payment_days="{term}",
            ),
            call("create_task", title="{title}", due_date="{1.due_date}"),
        ),
    ),
    Template(
        "savings_in_percent",
        prompts=(
            "I put {sum} euros into an account that pays {rate}% a year, compounded yearly. What will "
            "it have grown to after {years} years, and what percentage change is that on my deposit?",
            "With compound interest at {rate}% a year, what do {sum} euros become in {years} years? "
            "Tell me the percentage change from the deposit to the final amount as well.",
            "A bond of {sum} euros earns {rate}% compound interest per year for {years} years. Work out "
            "the final amount and by how many percent it exceeds the {sum} I start with.",
            "{sum} euros, {years} years, {rate}% interest a year, compounded annually: find the final "
            "amount and then the overall growth from start to end in percent.",
        ),
        slots={
            "sum": Whole(1_500, 60_000, 500),
            "rate": Decimal(1.1, 6.9, 1),
            "years": Whole(3, 25),
        },
        steps=(
            call("compound_interest", principal="{sum}", annual_rate="{rate}", years="{years}"),
            call("percentage_change", old_value="{sum}", new_value="{1.final_amount}"),
        ),
    ),
    Template(
        "shop_price_since_then",
        prompts=(
            "Search the shop for “{old.query}”. I paid {old.price} dollars {when}; by how many percent "
            "has the price changed from that to the price of the best match?",
            "{when} I spent {old.price} dollars. Look for “{old.query}” in the web shop and give me "
            "the percentage change from what I paid to the price of the top product.",
            "What does the shop's best match for “{old.query}” cost, and how big is the change in "
            "percent from the {old.price} dollars I spent {when} to that price?",
            "Product search: “{old.query}”. Take the price of the top product and tell me the "
            "percentage change from the {old.price} dollars that I paid {when}.",
        ),
        slots={"old": Pool("earlier_prices"), "when": _EARLIER},
        steps=(
            call("search_products", query="{old.query}"),
            call("percentage_change", old_value="{old.price}", new_value="{1.price}"),
        ),
    ),
    Template(
        "gift_to_remember",
        prompts=(
            "Find the best “{gift.query}” in the shop for at most {gift.limit} dollars and remember "
            "the name of that product under the key “{key}”.",
            "Look for “{gift.query}” in the web shop, {gift.limit} dollars at most. Keep the name of "
            "the top product in your memory as “{key}”.",
            "I need a present. Search the shop for “{gift.query}” up to {gift.limit} dollars, and "
            "remember which product comes first: the key is “{key}”, the value its name.",
            "Shop search for “{gift.query}”, no more than {gift.limit} dollars. Store the top product's "
            "name in memory under “{key}”.",
        ),
        slots={
            "gift": Pool("gift_limits"),
            "key": Pattern(
                "{what} {who}",
                {
                    "what": pick("gift for", "present for", "birthday idea for", "surprise for"),
                    "who": pick(
                        "Priya",
                        "Uncle Tom",
                        "Grandma",
                        "the twins",
                        "Marek",
                        "my boss",
                        "Lena",
                        "the neighbours",
                        "Hugo",
                        "Aunt Silvia",
                        "the coach",
                        "Dad",
                    ),
                },
            ),
        },
        steps=(
            call("search_products", query="{gift.query}", max_price="{gift.limit}"),
            call("store_memory", key="{key}", value="{1.top_product}"),
        ),
    ),
)
