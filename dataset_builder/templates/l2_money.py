"""Level 2, money: shares, rates, savings, invoices and shop prices side by side."""

from dataset_builder.slot import Decimal, Pattern, Pool, Whole, pick
from dataset_builder.template import Template, call, mentions

_CURRENCY = pick(
    ("euros", "EUR"), ("Swiss francs", "CHF"), ("British pounds", "GBP"), ("Swedish kronor", "SEK")
)
_TITLE = Pattern(
    "{what} {when}",
    {
        "what": pick(
            "Exchange rates", "Currency overview", "Treasury note", "Rates for the price list",
            "Foreign currency watch", "Travel cash guide", "Import desk rates",
        ),
        "when": pick("July", "summer", "mid-year", "this week", "for the board", "for purchasing"),
    },
)  # fmt: skip

TEMPLATES = (
    Template(
        "one_share_against_another",
        prompts=(
            "By how many percent is the latest share price of {two.company} ({two.symbol}) above "
            "or below that of {one.company} ({one.symbol})? Count {one.symbol} as the old value.",
            "Get the latest prices of {one.symbol} and {two.symbol}, then the percentage change "
            "from the first price to the second.",
            "If I swapped one share of {one.company} ({one.symbol}) for one of {two.company} "
            "({two.symbol}), by what percentage would the price per share change? Use the latest "
            "prices.",
            "Share prices, please: {one.symbol} as the base, {two.symbol} as the new value. "
            "What's the change in percent?",
        ),
        slots={"one": Pool("us_shares"), "two": Pool("us_shares")},
        steps=(
            call("get_stock_price", symbol="{one.symbol}"),
            call("get_stock_price", symbol="{two.symbol}"),
            call("percentage_change", old_value="{1.price}", new_value="{2.price}"),
        ),
    ),
    Template(
        "price_range_of_three_shares",
        prompts=(
            "Look up the latest prices of {one.symbol}, {two.symbol} and {three.symbol} and give "
            "me the lowest, the highest and the range.",
            "I follow {one.company} ({one.symbol}), {two.company} ({two.symbol}) and "
            "{three.company} ({three.symbol}). Within which range do the three share prices lie "
            "right now? Minimum, maximum and the distance between them, please.",
            "What are the smallest and the largest price among the shares {one.symbol}, "
            "{two.symbol} and {three.symbol} at the moment, and what is their range?",
            "Three tickers: {one.symbol}, {two.symbol}, {three.symbol}. Fetch the current price of "
            "each and report the minimum, the maximum and the range of these prices.",
        ),
        slots={
            "one": Pool("us_shares"),
            "two": Pool("us_shares"),
            "three": Pool("us_shares"),
        },
        steps=(
            call("get_stock_price", symbol="{one.symbol}"),
            call("get_stock_price", symbol="{two.symbol}"),
            call("get_stock_price", symbol="{three.symbol}"),
            call("min_max", numbers=["{1.price}", "{2.price}", "{3.price}"]),
        ),
    ),
    Template(
        "rates_in_a_report",
        prompts=(
            "What are today's exchange rates from the {a.currency}, from the {b.currency} and "
            "from the {c.currency} into the {base.currency}? Put the three rates into a report "
            "titled “{title}”.",
            "Please draw up a report called “{title}” with today's exchange rates from the "
            "{a.currency} to the {base.currency}, from the {b.currency} to the {base.currency} and "
            "from the {c.currency} to the {base.currency}.",
            "Today's rates, each into the {base.currency}: {a.currency}, {b.currency}, "
            "{c.currency}. Write them up as a report with the title “{title}”.",
            "Our books are kept in one currency, the {base.currency}, but we buy in three others: "
            "{a.currency}, {b.currency} and {c.currency}. Get the rate from each of these into "
            "ours and lay the rates out in a report, title “{title}”.",
        ),
        slots={
            "a": Pool("traded_currencies"),
            "b": Pool("traded_currencies"),
            "c": Pool("traded_currencies"),
            "base": Pool("traded_currencies"),
            "title": _TITLE,
        },
        steps=(
            call("get_exchange_rate", from_="{a.currency}", to="{base.currency}"),
            call("get_exchange_rate", from_="{b.currency}", to="{base.currency}"),
            call("get_exchange_rate", from_="{c.currency}", to="{base.currency}"),
            call(
                "generate_report",
                title="{title}",
                content=mentions("{1.rate}", "{2.rate}", "{3.rate}"),
            ),
        ),
    ),
    Template(
        "two_invoices_reported",
        prompts=(
            "Invoice {one} for {x} {money} and {two} for {y} {money}, then e-mail both invoice "
            "numbers to {person.email}.",
            "Please issue two invoices, one to {one} for {x} {money} and one to {two} for {y} "
            "{money}. When that's done, mail the two invoice numbers to {person.name} at "
            "{person.email}.",
            "{person.name} in accounting is waiting for two invoice numbers. Bill {one} {x} "
            "{money} and {two} {y} {money}, and send both numbers by e-mail to {person.email}.",
            "Two bills to write today: {x} {money} for {one}, {y} {money} for {two}. Send the "
            "numbers of both invoices by e-mail to {person.email}.",
        ),
        slots={
            "one": Pool("companies"),
            "two": Pool("companies"),
            "x": Decimal(140, 9800, 2),
            "y": Decimal(140, 9800, 2),
            "money": _CURRENCY,
            "person": Pool("people"),
        },
        steps=(
            call("create_invoice", customer="{one}", unit_price="{x}", currency="{money}"),
            call("create_invoice", customer="{two}", unit_price="{y}", currency="{money}"),
            call(
                "send_email",
                to="{person.email}",
                body=mentions("{1.invoice_number}", "{2.invoice_number}"),
            ),
        ),
    ),
    Template(
        "two_savings_offers",
        prompts=(
            "I can put {sum} euros into a savings plan for {years} years, either at {low} percent "
            "or at {high} percent compound interest a year. By what percentage does the final "
            "amount grow if I take the second offer instead of the first?",
            "Two offers for {sum} euros over {years} years with compound interest: {low} percent a "
            "year, or {high} percent a year. Work out both final amounts and the percentage change "
            "from the first to the second.",
            "My bank pays {low} percent compound interest a year, the one across the street "
            "{high} percent. With {sum} euros and {years} years, how much more, in percent, would "
            "I end up with across the street than at my bank?",
            "Compound interest question: {sum} euros, {years} years. Final amount at {low} "
            "percent a year, final amount at {high} percent a year, and by how many percent the "
            "latter exceeds the former.",
        ),
        slots={
            "sum": Whole(2000, 48_000, 250),
            "years": Whole(5, 25),
            "low": Decimal(1.1, 2.4, 2),
            "high": Decimal(2.6, 4.9, 2),
        },
        steps=(
            call("compound_interest", principal="{sum}", annual_rate="{low}", years="{years}"),
            call("compound_interest", principal="{sum}", annual_rate="{high}", years="{years}"),
            call("percentage_change", old_value="{1.final_amount}", new_value="{2.final_amount}"),
        ),
    ),
    Template(
        "market_brief_by_chat",
        prompts=(
            "Morning brief for {person.name}: the latest price of {share.symbol}, today's "
            "exchange rate from the {a.currency} to the {b.currency} and the temperature in "
            "{city.name}. All three in one chat message, please.",
            "Send {person.name} a chat message with three things: the current temperature in "
            "{city.name}, the latest share price of {share.company} ({share.symbol}) and today's "
            "rate from the {a.currency} to the {b.currency}.",
            "{person.name} lands in {city.name} soon and always asks the same: how warm is it "
            "there, where does {share.symbol} trade, and what's the rate from the {a.currency} to "
            "the {b.currency}? Look it all up and message the three figures to {person.name} in "
            "the chat.",
        ),
        slots={
            "person": Pool("people"),
            "share": Pool("us_shares"),
            "a": Pool("traded_currencies"),
            "b": Pool("traded_currencies"),
            "city": Pool("facts/cities"),
        },
        steps=(
            call("get_stock_price", symbol="{share.symbol}"),
            call("get_exchange_rate", from_="{a.currency}", to="{b.currency}"),
            call("get_weather", city="{city.name}"),
            call(
                "send_message",
                recipient="{person.name}",
                text=mentions("{1.price}", "{2.rate}", "{3.temperature_c}"),
            ),
        ),
    ),
    Template(
        "shopping_list_statistics",
        prompts=(
            "Search the web shop for “{one}”, “{two}” and “{three}” and take the price of the best "
            "match each time. What do the three come to in total, and what is their average?",
            "I'd like to buy three things: “{one}”, “{two}”, “{three}”. Find the top product for "
            "each in the shop and tell me the sum and the mean of the three prices.",
            "Shop search, one query each: “{one}”, “{two}” and “{three}”. Then the total and the "
            "mean price of the three top products, please.",
            "For the office raffle we need prizes. Look in the shop for “{one}”, for “{two}” and "
            "for “{three}”, and work out sum, mean and median of the prices of the best matches.",
        ),
        slots={
            "one": Pool("shop_shelves"),
            "two": Pool("shop_shelves"),
            "three": Pool("shop_shelves"),
        },
        steps=(
            call("search_products", query="{one}"),
            call("search_products", query="{two}"),
            call("search_products", query="{three}"),
            call("statistical_analysis", numbers=["{1.price}", "{2.price}", "{3.price}"]),
        ),
    ),
    Template(
        "cheaper_of_two_products",
        prompts=(
            "Which costs less in the web shop: the best match for “{one}” or the best match for "
            "“{two}”?",
            "I can afford only one this month. Search the shop for “{one}” and for “{two}” and "
            "tell me which of the two top products is cheaper.",
            "Compare the prices of the top products that the shop lists for “{one}” and “{two}”. "
            "Which one is the better deal for a small budget?",
            "“{one}” or “{two}” as a birthday present? Look both up in the shop and go by the "
            "price of the best match: the cheaper one wins.",
        ),
        slots={"one": Pool("shop_shelves"), "two": Pool("shop_shelves")},
        steps=(
            call("search_products", query="{one}"),
            call("search_products", query="{two}"),
        ),
        optional=(call("min_max", numbers=["{1.price}", "{2.price}"]),),
    ),
)
