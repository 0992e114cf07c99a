"""Level 1, places and travel: clocks, money, routes, weather and air somewhere else."""

from dataset_builder.slot import Pool, pick
from dataset_builder.template import Template, call, mentions

_CALLEE = pick(
    "my sister", "our supplier", "an old school friend", "the hotel", "my landlord", "a customer",
    "our lawyer", "the shipyard", "my aunt", "the concert hall", "a translator", "the insurer",
)  # fmt: skip
_TRIP = pick(
    "I fly there tonight", "I have an interview there tomorrow", "We're filming there this afternoon",
    "A colleague is on the way there", "I need to pack my bag", "Our auditors are there all day",
    "My daughter starts an internship there", "The sales team lands there soon",
    "I'm writing a postcard to somebody there", "We may move our meeting outdoors",
)  # fmt: skip
_LUNGS = pick(
    "I have asthma", "We're travelling with two toddlers", "I'm planning a long run",
    "It's for a school trip", "My grandfather has weak lungs", "We'd like to eat outdoors",
    "I'm organising an open-air concert", "The marathon club is asking", "I'm guiding a tour group",
    "We have to decide about face masks", "I've just got over a cough", "We're bringing the baby",
    "We're filming a documentary", "A patient of mine is going", "I'm writing a city guide",
    "Our choir sings outside this time",
)  # fmt: skip
_OUTING = pick(
    "I'm about to go running", "I want to air the flat", "The kids want to play outside",
    "I'm planning a bike ride", "We'd like to lunch on the terrace", "I'm going for a walk",
    "I may open the windows", "We want to train outdoors", "I've just landed", "My asthma is back",
)  # fmt: skip
_KM = pick(("kilometres", "kilometers"), ("km", "kilometers"))

TEMPLATES = (
    Template(
        "clock_elsewhere",
        prompts=(
            "I have to call {whom} in {city}. Look up the time zone of that city and tell me "
            "what time it is there right now.",
            "Which time zone does {city} lie in, and what's the current time in it? I want to "
            "ring {whom}.",
            "Before I phone {whom}: find out the time zone of {city}, then get the current time "
            "in that zone.",
            "Time zone of {city}, please, and then the local time there now, so that I don't "
            "wake {whom}.",
        ),
        slots={"city": Pool("side_cities"), "whom": _CALLEE},
        steps=(
            call("get_location_info", city="{city}"),
            call("get_current_time", timezone="{1.timezone}"),
        ),
    ),
    Template(
        "money_for_the_trip",
        prompts=(
            "I'm off to {city} next month. Look up which currency they use there and tell me how much "
            "of it I get for one {base} today.",
            "What's the local currency of {city}, and what is the exchange rate from the {base} to it?",
            "Find out which currency people pay with in {city}. Then fetch the rate from the {base} "
            "into that currency.",
            "Currency check for {city}: which one is used there, and how many units of it does one "
            "{base} buy?",
        ),
        slots={
            "city": Pool("cities_with_other_money"),
            "base": pick(
                ("euro", "EUR"),
                ("US dollar", "USD"),
                ("pound sterling", "GBP"),
                ("Swiss franc", "CHF"),
            ),
        },
        steps=(
            call("get_location_info", city="{city}"),
            call("get_exchange_rate", from_="{base}", to="{1.currency}"),
        ),
    ),
    Template(
        "route_in_miles",
        prompts=(
            "Get the route from {a} to {b} {mode} and convert its length from {km} to {miles}.",
            "I'm travelling from {a} to {b} {mode}. How far is that? Please turn the {km} into "
            "{miles} for my American guests.",
            "How many {miles} is it from {a} to {b} {mode}? The route will come in {km}, so convert "
            "the distance.",
            "Look up how far it is from {a} to {b} {mode}, then give me the distance in {miles} "
            "instead of {km}.",
        ),
        slots={
            "a": Pool("european_cities"),
            "b": Pool("european_cities"),
            "mode": pick(
                ("by car", "driving"),
                ("by bike", "cycling"),
                ("on foot", "walking"),
                ("by public transport", "transit"),
            ),
            "km": _KM,
            "miles": pick(("miles", "miles")),
        },
        steps=(
            call("get_directions", origin="{a}", destination="{b}", mode="{mode}"),
            call("unit_convert", value="{1.distance_km}", from_="{km}", to="{miles}"),
        ),
    ),
    Template(
        "hours_on_the_road",
        prompts=(
            "How long does it take to get from {a} to {b} {mode}? Route planners think in {minutes}; "
            "convert the travel time to {hours} for me.",
            "Find the travel time from {a} to {b} {mode} and convert it from {minutes} to {hours}.",
            "{a} to {b} {mode}: look up the route and tell me its duration, converted from {minutes} "
            "into {hours}.",
            "We want to go from {a} to {b} {mode}. Please check how many {minutes} that takes and "
            "convert them to {hours}.",
        ),
        slots={
            "a": Pool("european_cities"),
            "b": Pool("european_cities"),
            "mode": pick(
                ("by car", "driving"), ("by bike", "cycling"), ("by public transport", "transit")
            ),
            "minutes": pick(("minutes", "minutes")),
            "hours": pick(("hours", "hours")),
        },
        steps=(
            call("get_directions", origin="{a}", destination="{b}", mode="{mode}"),
            call("unit_convert", value="{1.duration_min}", from_="{minutes}", to="{hours}"),
        ),
    ),
    Template(
        "wind_in_other_unit",
        prompts=(
            "How strong is the wind in {city.name} right now? Convert the speed from {kmh} to {unit}.",
            "Get the current wind speed in {city.name} and turn the {kmh} into {unit}.",
            "Our kite club in {city.name} thinks in {unit}. Check the present wind there and convert "
            "it from {kmh}.",
            "Wind in {city.name} at the moment, please, converted from {kmh} into {unit}.",
        ),
        slots={
            "city": Pool("facts/cities"),
            "kmh": pick(
                ("km/h", "kilometers_per_hour"), ("kilometres per hour", "kilometers_per_hour")
            ),
            "unit": pick(
                ("knots", "knots"),
                ("miles per hour", "miles_per_hour"),
                ("metres per second", "meters_per_second"),
            ),
        },
        steps=(
            call("get_weather", city="{city.name}"),
            call("unit_convert", value="{1.wind_kph}", from_="{kmh}", to="{unit}"),
        ),
    ),
    Template(
        "weather_by_chat",
        prompts=(
            "Check the weather in {city.name} and send {person.name} a chat message with the sky "
            "condition and the temperature.",
            "{person.name} is about to leave for {city.name}. Look up the current weather there and "
            "message the temperature and the sky condition to {person.name}.",
            "What's it like in {city.name} right now? Pass the condition and the temperature on to "
            "{person.name} by chat.",
            "Please tell {person.name} in a chat message how warm it is in {city.name} at the moment "
            "and what the sky looks like.",
        ),
        slots={"city": Pool("facts/cities"), "person": Pool("people")},
        steps=(
            call("get_weather", city="{city.name}"),
            call(
                "send_message",
                recipient="{person.name}",
                text=mentions("{1.condition}", "{1.temperature_c}"),
            ),
        ),
    ),
    Template(
        "air_on_my_phone",
        prompts=(
            "{why}. Check the air quality in {city.name} and push a notification with the index and "
            "its category to my phone.",
            "How clean is the air in {city.name} right now? Send the air quality index and category "
            "to my phone as a push notification. {why}.",
            "Look up the current air quality in {city.name} and notify me on my devices, with both the "
            "index and the category. {why}.",
            "{why}. I'd like a notification on my phone that gives the air quality index of "
            "{city.name} and the category it falls into.",
        ),
        slots={"city": Pool("facts/cities"), "why": _OUTING},
        steps=(
            call("get_air_quality", city="{city.name}"),
            call("create_notification", message=mentions("{1.aqi}", "{1.category}")),
        ),
    ),
    Template(
        "weather_at_headquarters",
        prompts=(
            "Look {company} up in the encyclopedia to see which city it is based in, and get the "
            "current weather for that city. {why}.",
            "According to the encyclopedia, where does {company} have its headquarters, and what's "
            "the weather like in that city now? {why}.",
            "In which city does {company} have its seat? Check its encyclopedia entry, then tell me "
            "the weather there. {why}.",
            "Please find the home city of {company} in the encyclopedia and look up how warm it is "
            "there right now. {why}.",
        ),
        slots={"company": Pool("headquarters"), "why": _TRIP},
        steps=(
            call("lookup_entity", name="{company}"),
            call("get_weather", city="{1.location}"),
        ),
    ),
    Template(
        "air_around_landmark",
        prompts=(
            "{why}. Which city is the {landmark} in? Take it from the encyclopedia and check the air "
            "quality in that city.",
            "Look up the encyclopedia entry of the {landmark} to find its city, then tell me how good "
            "the air is there right now. {why}.",
            "We want to see the {landmark}. Find its city in the encyclopedia and get the current air "
            "quality there. {why}.",
            "{why}. Encyclopedia first: where does the {landmark} stand? After that, the air quality "
            "of that city, please.",
        ),
        slots={"landmark": Pool("landmarks"), "why": _LUNGS},
        steps=(
            call("lookup_entity", name="{landmark}"),
            call("get_air_quality", city="{1.location}"),
        ),
    ),
)
