"""External Services: weather, markets, places, products and translation (paper, Table 3)."""

from functools import lru_cache
from typing import Annotated, Any, Literal

from dataset_builder.tools.define_tool import tool
from dataset_builder.tools.simulated import cities
from dataset_builder.tools.simulated.keyword_search import best_match, content_words, shared_words
from dataset_builder.tools.simulated.web_pages import headlines, publications, topic_of
from dataset_builder.tools.text.words import sentences
from dataset_builder.tools.tool import Output, ToolError
from dataset_builder.values.canonical import fold
from dataset_builder.values.draw import Draw
from dataset_builder.values.facts import load
from dataset_builder.values.parameter_types import Currency, Name, Number, Place, Prose, Query, Said

HOTTEST_C = 50
_DRY = ("sunny", "clear", "partly cloudy", "cloudy")
# Lowest relative humidity (%) under a dry sky.
_HUMIDITY = {"sunny": 24, "clear": 28, "partly cloudy": 40, "hazy": 42, "cloudy": 52}
# Average speed on the way (km/h) and how much longer the way is than the crow's.
_MODES = {
    "driving": ("Drive", 84, 1.25),
    "transit": ("Travel by train and bus", 102, 1.22),
    "cycling": ("Cycle", 17, 1.2),
    "walking": ("Walk", 4.9, 1.17),
}
# US EPA, 2024: band of fine dust (µg/m³, one decimal), band of the index, its name.
_AIR_BANDS = (
    (0.0, 9.0, 0, 50, "good"),
    (9.1, 35.4, 51, 100, "moderate"),
    (35.5, 55.4, 101, 150, "unhealthy for sensitive groups"),
    (55.5, 125.4, 151, 200, "unhealthy"),
    (125.5, 225.4, 201, 300, "very unhealthy"),
)

Language = Literal["English", "German", "French", "Spanish", "Italian", "Portuguese"]
Mode = Annotated[
    Literal["driving", "walking", "cycling", "transit"],
    Said(
        driving=("drive", "by car"),
        walking=("walk", "on foot"),
        cycling=("cycle", "by bike", "by bicycle"),
        transit=("public transport", "by train", "by public transit"),
    ),
]


@tool("External Services")
def get_weather(city: Place, draw: Draw) -> Output:
    """Current weather in a city, always in degrees Celsius.

    Args:
        city: City name, such as Paris.

    Returns:
        temperature_c (number, °C): air temperature
        condition (string): sky in one or two words
        humidity (integer, %): relative humidity
        wind_kph (number, km/h): wind speed
    """
    facts = cities.find_city(city)[1]
    mean = facts["july_c"]
    # The tropics and the coasts swing less than the continents, and the hottest places least upward.
    width = min(12, 4 + abs(mean - facts["january_c"]) / 2, (HOTTEST_C - mean) / 2)
    temperature = round(draw.number("temperature_c", mean - width, mean + width))
    condition = _condition(temperature, facts, draw)
    humid = _HUMIDITY.get(condition, 70)
    return {
        "temperature_c": temperature,
        "condition": condition,
        "humidity": draw.integer("humidity", humid, humid + 24),
        "wind_kph": draw.number("wind_kph", 3, 38, 1),
    }


def _condition(temperature: int, facts: dict[str, Any], draw: Draw) -> str:
    """As many wet days as the city's July has, none of them among its hottest."""
    hot = temperature > facts["july_c"] + 5
    if not hot and draw.fraction("rain") < facts["july_rain_days"] / 31:
        wet = (
            ("showers", "thunderstorms") if temperature >= 24 else ("light rain", "rain", "showers")
        )
        return draw.choice("condition", wet)
    if facts["pm2_5"] >= 35:
        return draw.choice("condition", ("sunny", "hazy"))
    return draw.choice("condition", _DRY[:3] if hot else _DRY)


@tool("External Services")
def get_exchange_rate(from_: Currency, to: Currency) -> Output:
    """Exchange rate between two currencies today and at yesterday's close.

    Args:
        from: Currency code, such as USD.
        to: Currency code, such as EUR.

    Returns:
        rate (number, units of `to` per `from`): today
        previous_rate (number, units of `to` per `from`): at yesterday's close
    """
    currencies = load("currencies")
    base, quote = currencies[from_], currencies[to]
    return {
        "rate": _six_digits(quote["per_usd"] / base["per_usd"]),
        "previous_rate": _six_digits(quote["previous_per_usd"] / base["previous_per_usd"]),
    }


def _six_digits(value: float) -> float:
    return float(f"{value:.6g}")


@tool("External Services")
def get_stock_price(symbol: Name, draw: Draw) -> Output:
    """Latest price of a listed share, in its trading currency.

    Args:
        symbol: Ticker symbol, such as MSFT.

    Returns:
        price (number, in currency): latest trade
        previous_close (number, in currency): price at the last close
        currency (string, ISO code): ISO 4217
        company (string): who is listed
        volume (integer, shares): traded today
    """
    listing = load("stocks").get(fold(symbol).upper())
    if listing is None:
        raise ToolError("no listing with this symbol is known")
    digits = 0 if listing["currency"] == "JPY" else 2
    base = listing["base_price"]
    price = draw.number("price", 0.92 * base, 1.08 * base, digits)
    return {
        "price": price,
        "previous_close": round(price / (1 + draw.number("change", -0.035, 0.035, 4)), digits),
        "currency": listing["currency"],
        "company": listing["company"],
        "volume": draw.integer("volume", 400_000, 60_000_000),
    }


@tool("External Services")
def get_location_info(city: Place) -> Output:
    """Country, currency, time zone, population and coordinates of a city.

    Args:
        city: City name, such as Paris.

    Returns:
        country (string): English name
        currency (string, ISO code): ISO 4217
        timezone (string, IANA): name of the time zone
        population (integer): inhabitants
        latitude (number, degrees): north is positive
        longitude (number, degrees): east is positive
    """
    facts = cities.find_city(city)[1]
    fields = ("country", "currency", "timezone", "population", "latitude", "longitude")
    return {field: facts[field] for field in fields}


@tool("External Services")
def translate_text(text: Prose, target_language: Language) -> Output:
    """Translate a text into another language.

    Args:
        text: Text to translate.
        target_language: Language of the translation.

    Returns:
        translation (string): the text in the target language
    """
    target = load("phrasebook")["languages"].index(target_language)
    rows = [_phrases().get(_bare(sentence)) for sentence in sentences(text)]
    if not rows or None in rows:
        raise ToolError("no translation of this text is known")
    return {"translation": " ".join(row[target] for row in rows if row)}


@lru_cache(maxsize=1)
def _phrases() -> dict[str, list[str]]:
    """A phrase of the phrase book, in whatever language → the phrase in all languages."""
    phrases: dict[str, list[str]] = {}
    for row in load("phrasebook")["phrases"]:
        for phrase in row:
            phrases.setdefault(_bare(phrase), row)
    return phrases


def _bare(sentence: str) -> str:
    return fold(sentence.replace("’", "'")).strip(' .,:;!?¿¡"“”«»')


@lru_cache(maxsize=1)
def _shelf_texts() -> tuple[str, ...]:
    """What each shelf of the shop is found by: its own words and the names on it."""
    shelves = load("products")
    return tuple(" ".join((s["words"], *(p["name"] for p in s["products"]))) for s in shelves)


@tool("External Services")
def search_products(query: Query, max_price: Number | None = None) -> Output:
    """Search a web shop and rank the matching products by rating.

    Args:
        query: What to look for, such as hiking boots.
        max_price: Highest price in US dollars. Default: no limit.

    Returns:
        top_product (string): name of the best match
        price (number, USD): of the best match
        rating (number, of 5): of the best match
        results (string, one product a line): all matches
    """
    shelves = load("products")
    shelf = best_match(query, _shelf_texts())
    if shelf is None:
        raise ToolError("no product matches")
    query_words = content_words(query)
    ranked = sorted(
        (p for p in shelves[shelf]["products"] if max_price is None or p["price"] <= max_price),
        key=lambda p: (-shared_words(query_words, p["name"]), -p["rating"], p["price"]),
    )
    if not ranked:
        raise ToolError("no matching product is that cheap")
    lines = [f"{p['name']}: ${p['price']:,.2f}, rated {p['rating']} of 5" for p in ranked]
    return {
        "top_product": ranked[0]["name"],
        "price": ranked[0]["price"],
        "rating": ranked[0]["rating"],
        "results": "\n".join(lines),
    }


@tool("External Services")
def get_directions(origin: Place, destination: Place, draw: Draw, mode: Mode = "driving") -> Output:
    """Route by land between two cities: distance, travel time and a description.

    Args:
        origin: City to start from.
        destination: City to go to.
        mode: How to travel. Default driving.

    Returns:
        distance_km (number, km): length of the way
        duration_min (integer, minutes): travel time without breaks
        directions (string): the way in words
    """
    (start, start_facts), (end, end_facts) = cities.find_city(origin), cities.find_city(destination)
    if start == end:
        raise ToolError("origin and destination are the same city")
    if start_facts["landmass"] != end_facts["landmass"]:
        raise ToolError("no way by land leads from the origin to the destination")
    heading = cities.direction(start_facts, end_facts)
    verb, speed, detour = _MODES[mode]
    distance = round(
        cities.distance_km(start_facts, end_facts) * detour * draw.number("detour", 0.96, 1.04, 4),
        1,
    )
    minutes = round(60 * distance / (speed * draw.number("pace", 0.92, 1.08, 4)))
    return {
        "distance_km": distance,
        "duration_min": minutes,
        "directions": (
            f"Leave {start} heading {heading}. {verb} {distance:,} km to {end}. "
            f"Allow {minutes // 60} h {minutes % 60} min."
        ),
    }


@tool("External Services")
def get_air_quality(city: Place, draw: Draw) -> Output:
    """Current air quality in a city.

    Args:
        city: City name, such as Paris.

    Returns:
        aqi (integer, US index): 0 is clean, 300 hazardous
        category (string): the index in words
        pm2_5 (number, µg/m³): fine dust
        pm10 (number, µg/m³): coarse dust
    """
    mean = cities.find_city(city)[1]["pm2_5"]
    fine = draw.number("pm2_5", 0.5 * mean, 1.6 * mean, 1)
    low, high, first, last, category = next(band for band in _AIR_BANDS if fine <= band[1])
    return {
        "aqi": round(first + (last - first) * (fine - low) / (high - low)),
        "category": category,
        "pm2_5": fine,
        "pm10": round(fine * draw.number("coarse", 1.3, 2.2, 3), 1),
    }


@tool("External Services")
def get_news_headlines(topic: Query, draw: Draw) -> Output:
    """Latest news headlines about a topic; for web pages in general use web_search.

    Args:
        topic: What the news is about.

    Returns:
        headlines (string, one a line): newest first
        top_source (string, publication): of the first headline
        article_count (integer): articles found
    """
    subject = topic_of(topic)
    if not subject:
        raise ToolError("the topic is empty")
    return {
        "headlines": "\n".join(headlines(subject, draw, 5)),
        "top_source": publications(draw, 1)[0]["name"],
        "article_count": draw.integer("article_count", 8, 940),
    }
