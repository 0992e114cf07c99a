"""Level 0: weather, air, money, places, routes, translations, shopping and news."""

from dataset_builder.slot import Pattern, Pool, pick
from dataset_builder.template import Template, call

_PLAN = pick(
    "I'm about to leave for the airport", "We have guests from there", "I'm packing my suitcase",
    "My daughter is on a school trip there", "I've promised a friend to look it up",
    "We're filming outdoors", "I want to know before I call my parents",
    "Our courier is on the road there", "I'm curious", "I'd like to go out for a run",
)  # fmt: skip
_CARE = pick(
    "I'd like to go out for a run", "We want to eat on the balcony", "My eyes are itching",
    "Our window is open", "I'm deciding whether to wear a mask", "We're taking the baby outside",
    "The hills look hazy today", "I'm planning an outdoor class", "Our team plays at noon",
)  # fmt: skip
_LANGUAGE = pick("German", "French", "Spanish", "Italian", "Portuguese")
_READER = pick(
    "our landlord", "a pen friend", "the hotel", "my neighbour", "the supplier", "a guest",
    "the front desk", "my aunt", "the tour group", "a customer",
)  # fmt: skip
_GIFT = pick(
    "my sister", "my father", "the office", "a colleague who's leaving", "my nephew", "our hostel",
    "a friend", "my girlfriend", "the clubhouse", "my niece", "the new flat", "our school",
)  # fmt: skip
_NEWS_TOPIC = Pattern(
    "{what} in {where}",
    {
        "what": pick(
            "heat pumps", "night trains", "electric ferries", "school meals", "wind power",
            "cycling infrastructure", "vertical farming", "home insulation", "public libraries",
            "drone delivery", "battery storage", "water management", "street music", "beekeeping",
            "rail strikes", "rent control", "museum funding", "ocean research", "plastic bans",
        ),
        "where": pick(
            "Norway", "Portugal", "Canada", "Japan", "Kenya", "Chile", "Ireland", "Poland", "India",
            "Scotland", "Denmark", "Mexico", "the Netherlands", "Australia", "Finland", "Greece",
        ),
    },
)  # fmt: skip

TEMPLATES = (
    Template(
        "weather_now",
        prompts=(
            "{question} in {city.name} right now?",
            "{plan}. {question} in {city.name} at the moment?",
            "Current conditions in {city.name}, please. {question} there?",
            "Could you check the weather in {city.name} for me? {plan}.",
        ),
        slots={
            "city": Pool("facts/cities"),
            "plan": _PLAN,
            "question": pick(
                "How warm is it",
                "How windy is it",
                "How humid is it",
                "What's the weather like",
                "Is the sky clear or cloudy",
                "What's the temperature",
            ),
        },
        steps=(call("get_weather", city="{city.name}"),),
        rich="Report the present weather in the city of {city.name}: temperature, sky, humidity and "
        "wind.",
    ),
    Template(
        "rate_between_currencies",
        prompts=(
            "What's today's exchange rate from the {base.currency} to the {quote.currency}?",
            "What's the {base.currency} worth against the {quote.currency} today? I need the exchange "
            "rate.",
            "I'm wiring money abroad. Please look up the exchange rate from the {base.currency} to "
            "the {quote.currency}.",
            "{base.currency} to {quote.currency}: what's the exchange rate now, and what was it at "
            "yesterday's close?",
        ),
        slots={"base": Pool("traded_currencies"), "quote": Pool("traded_currencies")},
        steps=(call("get_exchange_rate", from_="{base.currency}", to="{quote.currency}"),),
        rich="Find the rate at which one currency, the {base.currency}, is exchanged for another, the "
        "{quote.currency}, today and at yesterday's close.",
    ),
    Template(
        "share_price_now",
        prompts=(
            "What is {share.company} ({share.name}) trading at?",
            "{share.name} stock: {detail}, please.",
            "I own a few shares of {share.company}, ticker {share.name}. I'd like to know {detail}.",
            "Look up {share.name} on the stock market for me. What I need is {detail}.",
        ),
        slots={
            "share": Pool("facts/stocks"),
            "detail": pick(
                "the latest price",
                "the price now and at the last close",
                "today's share price",
                "the current quote",
                "the price and today's volume",
                "the last trade",
                "the current price and its currency",
            ),
        },
        steps=(call("get_stock_price", symbol="{share.name}"),),
        rich="A company is listed on the stock market under the ticker symbol {share.name}. Give the "
        "latest price of its share, with the price at the last close and the volume traded.",
    ),
    Template(
        "zone_and_more_of_city",
        prompts=(
            "What are the time zone and the {more} of {city}?",
            "I'm adding {city} to our office directory. It needs the city's {more} and its IANA "
            "time zone.",
            "{city}: time zone and {more}, please.",
            "Could you look up two facts about the city of {city}, its {more} and its time zone?",
        ),
        slots={
            "city": Pool("directory_cities"),
            "more": pick("population", "coordinates", "currency", "latitude and longitude"),
        },
        steps=(call("get_location_info", city="{city}"),),
        rich="Give the basic facts about the city of {city}, above all its time zone and its "
        "{more}.",
    ),
    Template(
        "phrase_into_language",
        prompts=(
            "Translate “{text}” into {language}.",
            "How do I say “{text}” in {language}?",
            "I have to write to {reader} in {language}. Please translate “{text}”",
            "“{text}” - the {language} translation of that for {reader}, please.",
        ),
        slots={"text": Pool("phrasebook_english"), "language": _LANGUAGE, "reader": _READER},
        steps=(call("translate_text", text="{text}", target_language="{language}"),),
        rich="The English text is “{text}” Render it in another language, namely in {language}.",
    ),
    Template(
        "phrase_into_english",
        prompts=(
            "What does “{text}” mean in {language}?",
            "Please translate this note from {reader} into {language}: “{text}”",
            "I got a message from {reader} that I can't read: “{text}” What is that in {language}?",
            "{language} translation of “{text}”, please. It came from {reader}.",
        ),
        slots={
            "text": Pool("phrasebook_foreign"),
            "language": pick("English"),
            "reader": _READER,
        },
        steps=(call("translate_text", text="{text}", target_language="{language}"),),
        rich="The text “{text}” is in a foreign language. Translate it into {language}.",
    ),
    Template(
        "best_rated_product",
        prompts=(
            "Which product comes first by rating if I search the web shop for “{item}”?",
            "I'm looking for a present for {whom}. Search the shop for “{item}” and tell me the "
            "best-rated one.",
            "What does the web shop have under “{item}”? I want to buy something for {whom}.",
            "Find the top-rated product for “{item}” in the shop, please. It's for {whom}.",
        ),
        slots={"item": Pool("shop_items"), "whom": _GIFT},
        steps=(call("search_products", query="{item}"),),
        rich="Search a web shop for products that match “{item}” and rank them by their rating, the "
        "best one with its price.",
    ),
    Template(
        "product_within_budget",
        prompts=(
            "Search the shop for “{item.query}” up to ${item.budget}.",
            "I can spend at most {item.budget} US dollars on a gift for {whom}. What does the shop "
            "offer under “{item.query}”?",
            "Best-rated product for “{item.query}” in the web shop, maximum price ${item.budget}?",
            "{whom} needs something new: please look in the shop for “{item.query}” with a price "
            "limit of {item.budget} dollars.",
        ),
        slots={"item": Pool("shop_queries"), "whom": _GIFT},
        steps=(call("search_products", query="{item.query}", max_price="{item.budget}"),),
        rich="Search a web shop for products that match “{item.query}” and cost no more than "
        "{item.budget} US dollars, and rank them by their rating.",
    ),
    Template(
        "way_between_cities",
        prompts=(
            "{question} from {route.from} to {route.to} {mode}?",
            "I'm travelling {mode} from {route.from} to {route.to}. {question}?",
            "Directions from {route.from} to {route.to} {mode}, please, with distance and travel "
            "time.",
            "We want to go to {route.to} {mode} next week, starting in {route.from}. {question}?",
        ),
        slots={
            "route": Pool("land_routes"),
            "mode": pick(
                ("by car", "driving"), ("by train", "transit"), ("by public transport", "transit")
            ),
            "question": pick(
                "How far is it",
                "How long does it take",
                "How many kilometres is it",
                "What's the travel time",
            ),
        },
        steps=(
            call("get_directions", origin="{route.from}", destination="{route.to}", mode="{mode}"),
        ),
        rich="Find the way by land from the city of {route.from} to the city of {route.to}, travelling "
        "{mode}. Give its length, the time that it takes and a description.",
    ),
    Template(
        "air_in_city",
        prompts=(
            "{question} in {city.name} right now?",
            "{plan}. {question} in {city.name} at present?",
            "My son has asthma. Could you check the current air quality in {city.name}?",
            "Air quality in {city.name}, please. {plan}.",
        ),
        slots={
            "city": Pool("facts/cities"),
            "plan": _CARE,
            "question": pick(
                "How good is the air",
                "What's the air quality index",
                "How much fine dust (PM2.5) is in the air",
                "How polluted is the air",
            ),
        },
        steps=(call("get_air_quality", city="{city.name}"),),
        rich="Report how clean the air in the city of {city.name} is at present: the air quality index "
        "and the fine and coarse dust.",
    ),
    Template(
        "headlines_on_topic",
        prompts=(
            "What's in the news about “{topic}”?",
            "Show me the latest news headlines on “{topic}”.",
            "I write a press review. Which headlines are there about “{topic}” today?",
            "Any fresh news about “{topic}”? Just the headlines, please.",
        ),
        slots={"topic": _NEWS_TOPIC},
        steps=(call("get_news_headlines", topic="{topic}"),),
        rich="List the latest headlines that news publications carry about the topic “{topic}”, the "
        "newest first.",
    ),
)
