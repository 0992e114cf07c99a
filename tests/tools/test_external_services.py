"""External Services: the paper's example, coherence with the facts, and what they refuse."""

import csv
from importlib import resources
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_builder.tools import external_services
from dataset_builder.tools.external_services import (
    get_air_quality,
    get_directions,
    get_exchange_rate,
    get_location_info,
    get_news_headlines,
    get_stock_price,
    get_weather,
    search_products,
    translate_text,
)
from dataset_builder.tools.information_retrieval import lookup_entity
from dataset_builder.tools.simulated import cities
from dataset_builder.tools.world import NOW, SALT, World
from dataset_builder.values.canonical import place
from dataset_builder.values.draw import Draw
from dataset_builder.values.facts import load

CITIES = load("cities")
CURRENCIES = load("currencies")
city_names = st.sampled_from(sorted(CITIES))
codes = st.sampled_from(sorted(CURRENCIES))


def weather(city: str) -> dict[str, Any]:
    return get_weather({"city": city}, World())


# ── the paper's example ───────────────────────────────────────────────────────────────────────────


def test_berlin_has_36_degrees_in_july() -> None:
    temperature = weather("Berlin")["temperature_c"]
    assert (temperature, type(temperature)) == (36, int)
    assert NOW.startswith("2026-07")


def test_the_salt_is_the_first_that_gives_berlin_36_degrees() -> None:
    mean = CITIES["Berlin"]["july_c"]
    for number in range(int(SALT.removeprefix("ctb-")) + 1):
        draw = Draw(f'ctb-{number}|get_weather|{{"city":"berlin"}}')
        temperature = round(draw.number("temperature_c", mean - 12, mean + 12))
        assert (temperature == 36) == (f"ctb-{number}" == SALT)


def test_three_shares_have_three_prices() -> None:
    prices = {get_stock_price({"symbol": s}, World())["price"] for s in ("TSLA", "AAPL", "PYPL")}
    assert len(prices) == 3


# ── one meaning, one output ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("tool", "arguments", "same"),
    [
        (get_weather, {"city": "Berlin"}, {"city": " berlin "}),
        (get_weather, {"city": "Berlin"}, {"city": "Berlin, Germany", "units": "metric"}),
        (get_weather, {"city": "New York"}, {"city": "NYC"}),
        (get_weather, {"city": "Austin"}, {"city": "Austin, TX, USA"}),
        (get_weather, {"city": "São Paulo"}, {"city": "Sao Paulo, Brazil"}),
        (get_stock_price, {"symbol": "TSLA"}, {"symbol": "tsla"}),
        (get_exchange_rate, {"from": "USD", "to": "EUR"}, {"from": "usd", "to": " eur"}),
        (
            get_directions,
            {"origin": "Paris", "destination": "Berlin"},
            {"origin": "paris", "destination": "Berlin, DE", "mode": "driving"},
        ),
        (search_products, {"query": "desk lamp"}, {"query": "Desk  Lamp", "max_price": None}),
        (get_news_headlines, {"topic": "Solar power"}, {"topic": "solar power"}),
    ],
)
def test_the_same_request_in_other_words(tool: Any, arguments: Any, same: Any) -> None:
    output = tool(arguments, World())
    assert "error" not in output
    assert tool(same, World()) == output


def test_every_spelling_of_a_city_is_its_own() -> None:
    spellings = [s for name, c in CITIES.items() for s in (name, *c.get("aliases", ()))]
    assert len({s.casefold() for s in spellings}) == len(spellings)
    for name, city in CITIES.items():
        for spelling in city.get("aliases", ()):
            assert place(spelling) == place(name)


# ── weather and air ───────────────────────────────────────────────────────────────────────────────


@given(city_names)
def test_weather_fits_place_and_season(city: str) -> None:
    facts, output = CITIES[city], weather(city)
    assert abs(output["temperature_c"] - facts["july_c"]) <= 12
    assert output["temperature_c"] <= 47
    assert "snow" not in output["condition"]
    wet = output["condition"] in ("showers", "thunderstorms", "light rain", "rain")
    assert not (wet and output["temperature_c"] > facts["july_c"] + 5)
    assert not (wet and facts["july_rain_days"] == 0)
    assert (output["humidity"] >= 70) >= wet
    assert 0 < output["humidity"] < 100


def test_the_south_is_colder_in_july_than_in_january() -> None:
    for name, facts in CITIES.items():
        if facts["latitude"] < -25:
            assert facts["july_c"] < facts["january_c"], name
        if facts["latitude"] > 25:
            assert facts["july_c"] > facts["january_c"], name


@given(city_names)
def test_air_quality_follows_the_dust(city: str) -> None:
    output = get_air_quality({"city": city}, World())
    assert output["pm10"] > output["pm2_5"] > 0
    edges = (50, "good"), (100, "moderate"), (150, "unhealthy for sensitive groups")
    for top, category in edges:
        if output["aqi"] <= top:
            assert output["category"] == category
            break


@pytest.mark.parametrize("fine", [9.0, 35.4, 55.4, 125.4, 225.4])
def test_air_bands_join(fine: float) -> None:
    tops = {9.0: 50, 35.4: 100, 55.4: 150, 125.4: 200, 225.4: 300}
    assert next(band[3] for band in external_services._AIR_BANDS if fine <= band[1]) == tops[fine]
    assert 1.6 * max(city["pm2_5"] for city in CITIES.values()) < 225.4


# ── places ────────────────────────────────────────────────────────────────────────────────────────


def tzdata_table(name: str) -> list[list[str]]:
    text = (resources.files("tzdata") / "zoneinfo" / name).read_text("utf-8")
    return [row for row in csv.reader(text.splitlines(), delimiter="\t") if row[0][:1] != "#"]


def test_cities_agree_with_the_time_zone_database() -> None:
    zones = {row[2]: row[0].split(",") for row in tzdata_table("zone1970.tab")}
    zones |= {row[2]: [row[0]] for row in tzdata_table("zone.tab")}
    names = dict(row[:2] for row in tzdata_table("iso3166.tab"))
    called = {
        "Britain (UK)": "United Kingdom",
        "Czech Republic": "Czechia",
        "Korea (South)": "South Korea",
    }
    for name, facts in CITIES.items():
        assert facts["country_code"] in zones[facts["timezone"]], name
        official = names[facts["country_code"]]
        assert called.get(official, official) == facts["country"], name


def test_cities_are_complete_and_in_range() -> None:
    assert len(CITIES) >= 80
    for name, facts in CITIES.items():
        assert facts["currency"] in CURRENCIES, name
        assert -90 < facts["latitude"] < 90, name
        assert -180 < facts["longitude"] <= 180, name
        assert 100_000 < facts["population"] < 30_000_000, name
        assert 0 <= facts["july_rain_days"] <= 31, name


@pytest.mark.parametrize(
    ("here", "there", "kilometres", "direction"),
    [
        ("London", "Paris", 344, "south-east"),
        ("Berlin", "Munich", 504, "south"),
        ("New York", "Los Angeles", 3936, "west"),
        ("Sydney", "Melbourne", 714, "south-west"),
        ("Tokyo", "Osaka", 396, "west"),
        ("Cairo", "Nairobi", 3530, "south"),
    ],
)
def test_known_distances(here: str, there: str, kilometres: float, direction: str) -> None:
    assert cities.distance_km(CITIES[here], CITIES[there]) == pytest.approx(kilometres, rel=0.01)
    assert cities.direction(CITIES[here], CITIES[there]) == direction


@given(city_names, city_names)
def test_a_way_is_longer_than_the_air_line(here: str, there: str) -> None:
    arguments = {"origin": here, "destination": there}
    driving = get_directions(arguments, World())
    if here == there or CITIES[here]["landmass"] != CITIES[there]["landmass"]:
        assert set(driving) == {"error"}
        return
    walking = get_directions(arguments | {"mode": "walking"}, World())
    assert driving["distance_km"] > cities.distance_km(CITIES[here], CITIES[there])
    assert walking["duration_min"] > 10 * driving["duration_min"]
    assert CITIES[here]["landmass"] == CITIES[there]["landmass"]


@given(city_names)
def test_sources_agree_about_a_city(city: str) -> None:
    info = get_location_info({"city": city}, World())
    entry = lookup_entity({"name": city}, World())
    assert info["country"] == entry["location"] == CITIES[city]["country"]
    assert f"{info['population']:,}" in entry["description"]
    assert f"{abs(info['latitude']):.2f}" in entry["description"]
    assert abs(weather(city)["temperature_c"] - CITIES[city]["july_c"]) <= 12


# ── markets ───────────────────────────────────────────────────────────────────────────────────────


@given(codes, codes, codes)
def test_rates_are_consistent(a: str, b: str, c: str) -> None:
    def rate(base: str, quote: str, field: str) -> float:
        return float(get_exchange_rate({"from": base, "to": quote}, World())[field])

    for field in ("rate", "previous_rate"):
        assert rate(a, a, field) == 1
        assert rate(a, b, field) * rate(b, a, field) == pytest.approx(1, rel=2e-5)
        assert rate(a, b, field) * rate(b, c, field) == pytest.approx(rate(a, c, field), rel=2e-5)


def test_yesterday_differs_a_little_from_today() -> None:
    for code, facts in CURRENCIES.items():
        moved = abs(facts["previous_per_usd"] / facts["per_usd"] - 1)
        assert moved < 0.02, code
    for a, b in permutations(CURRENCIES, 2):
        output = get_exchange_rate({"from": a, "to": b}, World())
        assert output["rate"] != output["previous_rate"], (a, b)


def test_shares_are_priced_in_a_known_currency() -> None:
    for symbol, facts in load("stocks").items():
        output = get_stock_price({"symbol": symbol}, World())
        assert output["currency"] == facts["currency"] in CURRENCIES
        assert output["price"] > 0
        assert output["previous_close"] > 0
        assert output["price"] != output["previous_close"], symbol
        assert abs(output["price"] / facts["base_price"] - 1) <= 0.085


# ── translation ───────────────────────────────────────────────────────────────────────────────────

LANGUAGES = load("phrasebook")["languages"]
TRANSLATED_RECORDINGS = ("voicemail-dentist.m4a", "weather-bulletin-oslo.mp3")


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Where is the train station?", "German", "Wo ist der Bahnhof?"),
        ("where is the train station", "french", "Où est la gare ?"),
        ("¿Dónde está la estación de tren?", "English", "Where is the train station?"),
        ("L’addition, s’il vous plaît.", "Italian", "Il conto, per favore."),
        ("Good morning. The bill, please.", "Spanish", "Buenos días. La cuenta, por favor."),
        ("partly cloudy", "German", "teilweise bewölkt"),
    ],
)
def test_translations(text: str, language: str, expected: str) -> None:
    output = translate_text({"text": text, "target_language": language}, World())
    assert output == {"translation": expected}


def test_phrases_are_in_every_language_once() -> None:
    rows = load("phrasebook")["phrases"]
    assert all(len(row) == len(LANGUAGES) and all(row) for row in rows)
    assert len({row[0] for row in rows}) == len(rows)


@pytest.mark.parametrize("row", load("phrasebook")["phrases"], ids=lambda row: str(row[0]))
def test_phrases_come_back(row: list[str]) -> None:
    for language, phrase in zip(LANGUAGES, row, strict=True):
        there = translate_text({"text": row[0], "target_language": language}, World())
        assert there == {"translation": phrase}


def test_what_other_tools_say_can_be_translated() -> None:
    said = {weather(city)["condition"] for city in CITIES} | {c["country"] for c in CITIES.values()}
    said |= {get_air_quality({"city": city}, World())["category"] for city in CITIES}
    recordings = load("recordings")
    said |= {recordings[name]["transcript"] for name in TRANSLATED_RECORDINGS}
    said.add("\n".join(load("episode")["files"]["/letters/bienvenida.txt"]))
    for text in sorted(said):
        output = translate_text({"text": text, "target_language": "German"}, World())
        assert set(output) == {"translation"}, text


# ── shop and news ─────────────────────────────────────────────────────────────────────────────────


def test_products_respect_the_price_limit() -> None:
    open_ended = search_products({"query": "wireless headphones"}, World())
    limited = search_products({"query": "wireless headphones", "max_price": 150}, World())
    assert (open_ended["top_product"], open_ended["price"]) == ("Auralis Drift 700", 189.0)
    assert (limited["top_product"], limited["price"]) == ("Sonara Quietwave", 129.9)
    assert "Auralis" not in limited["results"]
    assert "error" in search_products({"query": "wireless headphones", "max_price": 5}, World())


@pytest.mark.parametrize("shelf", load("products"), ids=lambda shelf: str(shelf["category"]))
def test_each_category_and_product_is_found(shelf: dict[str, Any]) -> None:
    names = [product["name"] for product in shelf["products"]]
    assert search_products({"query": shelf["category"]}, World())["top_product"] in names
    for name in names:
        assert search_products({"query": name}, World())["top_product"] == name


@given(st.text(min_size=1, max_size=60))
def test_any_topic_has_news(topic: str) -> None:
    output = get_news_headlines({"topic": topic}, World())
    if topic.strip():
        assert len(set(output["headlines"].split("\n"))) == 5
    else:
        assert set(output) == {"error"}


# ── refusals ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (get_weather, {}),
        (get_weather, {"city": "Atlantis"}),
        (get_weather, {"city": ""}),
        (get_weather, {"city": 7}),
        (get_weather, {"city": "Paris, Texas"}),
        (get_weather, {"city": "\u202eBerlin"}),
        (get_weather, {"city": "\ud800"}),
        (get_weather, {"city": "B" * 200_000}),
        (get_air_quality, {"city": "Nowhere"}),
        (get_location_info, {"city": ","}),
        (get_exchange_rate, {"from": "USD", "to": "XXX"}),
        (get_exchange_rate, {"from": "USD"}),
        (get_stock_price, {"symbol": "NOPE"}),
        (get_directions, {"origin": "Paris", "destination": "Paris, France"}),
        (get_directions, {"origin": "Paris", "destination": "New York"}),
        (get_directions, {"origin": "Paris", "destination": "Berlin", "mode": "flying"}),
        (translate_text, {"text": "The axolotl is undecided.", "target_language": "German"}),
        (translate_text, {"text": "", "target_language": "German"}),
        (translate_text, {"text": "Good morning.", "target_language": "Klingon"}),
        (search_products, {"query": "flux capacitor"}),
        (search_products, {"query": ""}),
        (search_products, {"query": "laptop", "max_price": float("nan")}),
        (get_news_headlines, {"topic": " "}),
    ],
)
def test_bad_arguments_get_one_sentence(tool: Any, arguments: Any) -> None:
    output = tool(arguments, World())
    assert set(output) == {"error"}
    assert 0 < len(output["error"]) < 400
