"""Level 3, markets and finance: shares and currencies, their moves compared, noted and sent on."""

from dataset_builder.slot import Decimal, Pool, Whole, pick
from dataset_builder.template import Template, call, mentions

_PLACES = pick(("one decimal place", 1), ("two decimal places", 2), ("3 decimal places", 3))
_CHANNEL = pick(
    "#treasury", "#market-watch", "#procurement", "#fx-desk", "#finance-team", "#board-prep",
    "#investments", "#pricing", "#export-sales", "#cash-flow",
)  # fmt: skip
_MONEY = pick(
    ("Swiss francs", "CHF"), ("Norwegian kroner", "NOK"), ("Polish zloty", "PLN"),
    ("pounds sterling", "GBP"), ("Danish kroner", "DKK"), ("Turkish lira", "TRY"),
    ("South African rand", "ZAR"), ("Indian rupees", "INR"), ("Thai baht", "THB"),
)  # fmt: skip

TEMPLATES = (
    Template(
        "price_gap_rounded",
        prompts=(
            "By how many percent is {two.company} ({two.symbol}) priced above or below "
            "{one.company} ({one.symbol}) right now? Take {one.symbol}'s current share price as "
            "the base, and round the percentage to {places}.",
            "Get the current share prices of {one.company} ({one.symbol}) and {two.company} "
            "({two.symbol}). Going from the first price to the second, what is the change in "
            "percent, rounded to {places}?",
            "One share of {one.symbol} against one share of {two.symbol}: by how many percent "
            "does the latter cost more or less than the former today? Please round that to "
            "{places}.",
            "Quick comparison for the investment club. {one.symbol}'s latest price is the old "
            "value, {two.symbol}'s latest price the new one; I want the percentage change between "
            "them, rounded to {places}.",
        ),
        slots={"one": Pool("us_shares"), "two": Pool("us_shares"), "places": _PLACES},
        steps=(
            call("get_stock_price", symbol="{one.symbol}"),
            call("get_stock_price", symbol="{two.symbol}"),
            call("percentage_change", old_value="{1.price}", new_value="{2.price}"),
            call("round_number", number="{3.percent_change}", decimals="{places}"),
        ),
    ),
    Template(
        "price_and_volume_gap",
        prompts=(
            "Put {two.company} ({two.symbol}) next to {one.company} ({one.symbol}): by how many "
            "percent does its current share price differ, and by how many percent does today's "
            "trading volume differ? {one.symbol} is the base both times.",
            "Fetch the quotes of {one.symbol} and {two.symbol}. Then I need two percentage "
            "changes from {one.symbol} to {two.symbol}: one of the prices and one of the volumes "
            "traded today.",
            "How does {two.symbol} compare with {one.symbol} today? Give me the percentage by "
            "which its price is higher or lower and the percentage by which its traded volume is "
            "higher or lower, each measured against {one.symbol}.",
            "{one.company} ({one.symbol}) is our benchmark. Look up its share price and volume "
            "and those of {two.company} ({two.symbol}), and work out in percent how far "
            "{two.symbol} is from the benchmark, for price and volume separately.",
        ),
        slots={"one": Pool("us_shares"), "two": Pool("us_shares")},
        steps=(
            call("get_stock_price", symbol="{one.symbol}"),
            call("get_stock_price", symbol="{two.symbol}"),
            call("percentage_change", old_value="{1.price}", new_value="{2.price}"),
            call("percentage_change", old_value="{1.volume}", new_value="{2.volume}"),
        ),
    ),
    Template(
        "mean_volume_of_three",
        prompts=(
            "How many shares of {one.symbol}, {two.symbol} and {three.symbol} have changed hands "
            "today? Work out the arithmetic mean of the three volumes and write it with thousands "
            "separators and {places}.",
            "For the liquidity slide I need the average trading volume today of {one.company} "
            "({one.symbol}), {two.company} ({two.symbol}) and {three.company} ({three.symbol}), "
            "as text with thousands separators and {places}.",
            "Look up today's traded volume of {one.symbol}, of {two.symbol} and of "
            "{three.symbol}, average the three, and format that average with thousands separators "
            "and {places}.",
            "Mean of today's volumes of {one.symbol}, {two.symbol} and {three.symbol}, please, "
            "formatted with thousands separators and {places}.",
        ),
        slots={
            "one": Pool("us_shares"),
            "two": Pool("us_shares"),
            "three": Pool("us_shares"),
            "places": pick(
                ("zero decimals", 0), ("0 decimals", 0), ("one decimal", 1), ("two decimals", 2)
            ),
        },
        steps=(
            call("get_stock_price", symbol="{one.symbol}"),
            call("get_stock_price", symbol="{two.symbol}"),
            call("get_stock_price", symbol="{three.symbol}"),
            call("statistical_analysis", numbers=["{1.volume}", "{2.volume}", "{3.volume}"]),
            call("format_number", number="{4.mean}", decimals="{places}"),
        ),
    ),
    Template(
        "savings_against_a_share",
        prompts=(
            "Suppose I put the current price of one {one.company} share ({one.symbol}) into "
            "savings at {rate} percent a year, compounded yearly, for {years} years. By how many "
            "percent is today's price of {two.symbol} above or below what I'd have in the end?",
            "What would the price of one {one.symbol} share grow to in {years} years at {rate} "
            "percent compound interest a year? And from that final amount to the current price of "
            "{two.symbol}, what's the percentage change?",
            "A thought experiment for class: take the latest {one.symbol} price as the starting "
            "amount, let it earn {rate} percent compound interest a year over {years} years, then "
            "look up {two.symbol} and tell me how far, in percent, its price is from that final "
            "amount (final amount = base).",
            "Look up {one.symbol} and {two.symbol}. Compound the {one.symbol} price at {rate} "
            "percent a year for {years} years, and give me the percentage change from the "
            "resulting amount to the {two.symbol} price.",
        ),
        slots={
            "one": Pool("us_shares"),
            "two": Pool("us_shares"),
            "rate": Decimal(1.5, 6.5, 1),
            "years": Whole(3, 18),
        },
        steps=(
            call("get_stock_price", symbol="{one.symbol}"),
            call("compound_interest", principal="{1.price}", annual_rate="{rate}", years="{years}"),
            call("get_stock_price", symbol="{two.symbol}"),
            call("percentage_change", old_value="{2.final_amount}", new_value="{3.price}"),
        ),
    ),
    Template(
        "share_for_foreign_investor",
        prompts=(
            "A client who counts in {money} asks about {share.company} ({share.name}). Message "
            "{person.name} on chat with three unrounded figures: the latest share price, its "
            "percentage change since the last close, and the exchange rate from the currency of "
            "the listing into {money}.",
            "Check {share.name}: latest price, percentage change from the previous close to that "
            "price, and how many {money} one unit of the listing's currency is worth. Send price, "
            "percentage and rate to {person.name} as a chat message, all unrounded.",
            "Please look up the {share.company} share ({share.name}), calculate by how many "
            "percent it has moved since its last close, and get the exchange rate from its "
            "listing currency to {money}. Then ping {person.name} with the price, the percentage "
            "and the rate, none of them rounded.",
            "{share.name} for our portfolio in {money}: get the quote, the percent move from "
            "previous close to current price, and the rate that turns its currency into {money}; "
            "chat message to {person.name} with the unrounded price, move and rate.",
        ),
        slots={
            "share": Pool("facts/stocks"),
            "person": Pool("people"),
            "money": _MONEY,
        },
        steps=(
            call("get_stock_price", symbol="{share.name}"),
            call("percentage_change", old_value="{1.previous_close}", new_value="{1.price}"),
            call("get_exchange_rate", from_="{1.currency}", to="{money}"),
            call(
                "send_message",
                recipient="{person.name}",
                text=mentions("{1.price}", "{2.percent_change}", "{3.rate}", unrounded=True),
            ),
        ),
    ),
    Template(
        "distance_to_target_price",
        prompts=(
            "Check {share.company} ({share.symbol}) for me. By how many percent has it moved from "
            "its last close to its current price, and by how many percent would it still have to "
            "move from the current price to my target of ${share.target}? Send both percentages, "
            "unrounded, to my phone as a {priority} push notification.",
            "My target for {share.symbol} is ${share.target}. Get the quote, work out the "
            "percentage change since the previous close and the percentage change from the "
            "current price to the target, and show me both, unrounded, in a {priority} "
            "notification on my devices.",
            "{priority} push notification to my devices, please, with two unrounded percentages "
            "on {share.symbol}: today's move (previous close to current price) and the way from "
            "the current price to ${share.target}.",
            "Where does {share.company} ({share.symbol}) stand? I want today's percentage move "
            "against the last close, plus the percentage change that would take the current price "
            "to ${share.target}, both unrounded in one {priority} push notification on my own "
            "devices.",
        ),
        slots={
            "share": Pool("share_targets"),
            "priority": pick(("high-priority", "high"), ("low-priority", "low")),
        },
        steps=(
            call("get_stock_price", symbol="{share.symbol}"),
            call("percentage_change", old_value="{1.previous_close}", new_value="{1.price}"),
            call("percentage_change", old_value="{1.price}", new_value="{share.target}"),
            call(
                "create_notification",
                message=mentions("{2.percent_change}", "{3.percent_change}", unrounded=True),
                priority="{priority}",
            ),
        ),
    ),
    Template(
        "currency_moves_since_yesterday",
        prompts=(
            "Has the {base.currency} moved against the {one.currency} and the {two.currency} "
            "since yesterday? Get both exchange rates for one {base.currency}, calculate for each "
            "the percentage change from yesterday's closing rate to today's rate, and post the "
            "two unrounded percentages in {channel}.",
            "We earn in one currency, the {base.currency}, and spend in the {one.currency} and "
            "the {two.currency}. For each pair, {base.currency} to {one.currency} and "
            "{base.currency} to {two.currency}, work out by how many percent today's exchange "
            "rate differs from yesterday's close; then message both percentages to {channel} "
            "without rounding them.",
            "Morning currency check: {base.currency} into {one.currency}, {base.currency} into "
            "{two.currency}. I need the percentage change of each rate since yesterday's close, "
            "and a chat message to {channel} that gives the two percentages unrounded.",
            "Please tell the people in the {channel} channel by how many percent the exchange "
            "rate from the {base.currency} to the {one.currency} has changed against yesterday's "
            "close, and the same for the {base.currency} to the {two.currency}. Unrounded, "
            "please.",
        ),
        slots={
            "base": Pool("traded_currencies"),
            "one": Pool("traded_currencies"),
            "two": Pool("traded_currencies"),
            "channel": _CHANNEL,
        },
        steps=(
            call("get_exchange_rate", from_="{base.currency}", to="{one.currency}"),
            call("get_exchange_rate", from_="{base.currency}", to="{two.currency}"),
            call("percentage_change", old_value="{1.previous_rate}", new_value="{1.rate}"),
            call("percentage_change", old_value="{2.previous_rate}", new_value="{2.rate}"),
            call(
                "send_message",
                recipient="{channel}",
                text=mentions("{3.percent_change}", "{4.percent_change}", unrounded=True),
            ),
        ),
    ),
    Template(
        "price_and_news_mood",
        prompts=(
            "Get the latest news headlines on “{share.company}” and their sentiment score, and "
            "look up the current price of {share.symbol}. Post the score and the price in "
            "{channel}.",
            "Does the news fit the quote? For “{share.company}”, fetch the news headlines and "
            "measure their sentiment score; for {share.symbol}, fetch the share price. Then "
            "message both numbers to {channel}.",
            "Message to {channel}, please: the current {share.symbol} share price, and the "
            "sentiment score of the latest news headlines about “{share.company}”.",
            "News check on “{share.company}”: run the headlines through a sentiment analysis, add "
            "what one {share.symbol} share costs now, and share score and price in the {channel} "
            "chat.",
        ),
        slots={"share": Pool("us_shares"), "channel": _CHANNEL},
        steps=(
            call("get_news_headlines", topic="{share.company}"),
            call("sentiment_analysis", text="{1.headlines}"),
            call("get_stock_price", symbol="{share.symbol}"),
            call("send_message", recipient="{channel}", text=mentions("{2.score}", "{3.price}")),
        ),
    ),
    Template(
        "share_note_with_news",
        prompts=(
            "I need a short note on {share.company}. From the {share.symbol} quote, work out the "
            "percentage change from the last close to the current price; from the news headlines "
            "on “{share.company}”, work out the sentiment score. Write both figures, unrounded, "
            "into a report and email the report itself to {person.email}.",
            "Get the {share.symbol} quote and the percentage change since its previous close. Get "
            "the latest news headlines about “{share.company}” and the sentiment score of those "
            "headlines. Make a report of the unrounded percentage and score, and send that report "
            "as an email to {person.email}.",
            "Someone at {person.email} wants a report about {share.symbol}. It should state, "
            "without rounding, today's percentage change (previous close to current price) and "
            "the sentiment score of the news headlines on “{share.company}”. Email it to that "
            "address with the report as the body and nothing else.",
        ),
        slots={"share": Pool("us_shares"), "person": Pool("people")},
        steps=(
            call("get_stock_price", symbol="{share.symbol}"),
            call("get_news_headlines", topic="{share.company}"),
            call("percentage_change", old_value="{1.previous_close}", new_value="{1.price}"),
            call("sentiment_analysis", text="{2.headlines}"),
            call(
                "generate_report",
                content=mentions("{3.percent_change}", "{4.score}", unrounded=True),
            ),
            call("send_email", to="{person.email}", body="{5.report}"),
        ),
    ),
)
