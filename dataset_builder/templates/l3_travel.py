"""Level 3, travel and weather: temperatures, routes and arrivals, converted, compared and passed on."""

from dataset_builder.slot import Pool, pick
from dataset_builder.template import Template, call, mentions

_CELSIUS = pick(("Celsius", "celsius"))
_FAHRENHEIT = pick(("Fahrenheit", "fahrenheit"))
_PLACES = pick(("one decimal place", 1), ("two decimal places", 2), ("3 decimal places", 3))
_CHANNEL = pick(
    "#travel-desk", "#offsite-planning", "#field-trips", "#logistics", "#tour-guides", "#road-show",
    "#team-lisbon", "#visitors", "#fleet", "#summer-school", "#trade-fairs", "#customer-visits",
)  # fmt: skip

TEMPLATES = (
    Template(
        "two_cities_in_fahrenheit",
        prompts=(
            "{person.name} flies to {one.name} first and on to {two.name} after that. Check how "
            "warm it is in each city right now, convert both readings from {c} to {f}, and send "
            "{person.name} a chat message with the two converted temperatures.",
            "I need the current temperatures of {one.name} and {two.name} in {f}, but our weather "
            "source only knows {c}. Look both up, convert each of them, and message the two "
            "results to {person.name} in the team chat.",
            "Packing help, please! How warm is it in {one.name}, and how warm in {two.name}? "
            "Change both figures from {c} to {f} and pass them on to {person.name} by chat "
            "message.",
            "Current temperature in {one.name} and current temperature in {two.name}, each "
            "converted from {c} to {f}; then a chat message to {person.name} that states both {f} "
            "values.",
        ),
        slots={
            "one": Pool("facts/cities"),
            "two": Pool("facts/cities"),
            "person": Pool("people"),
            "c": _CELSIUS,
            "f": _FAHRENHEIT,
        },
        steps=(
            call("get_weather", city="{one.name}"),
            call("get_weather", city="{two.name}"),
            call("unit_convert", value="{1.temperature_c}", from_="{c}", to="{f}"),
            call("unit_convert", value="{2.temperature_c}", from_="{c}", to="{f}"),
            call(
                "send_message", recipient="{person.name}", text=mentions("{3.result}", "{4.result}")
            ),
        ),
    ),
    Template(
        "warmth_and_wind_by_email",
        prompts=(
            "What's the weather in {city.name} at the moment? Put the temperature from {c} into "
            "{f} and the wind speed from {kph} into {speed}, and email both converted values to "
            "{person.email}.",
            "For the regatta brief: look up the current weather in {city.name}, convert the "
            "temperature ({c} to {f}) and the wind speed ({kph} to {speed}), then mail the two "
            "converted numbers to {person.email}.",
            "Our guests don't think in {c} or {kph}. Please get the weather in {city.name}, turn "
            "its temperature into {f} and its wind speed into {speed}, and send both figures by "
            "email to {person.email}.",
            "Email {person.email} two numbers about {city.name}: the present temperature, "
            "converted from {c} to {f}, and the present wind speed, converted from {kph} to "
            "{speed}.",
        ),
        slots={
            "city": Pool("facts/cities"),
            "person": Pool("people"),
            "c": _CELSIUS,
            "f": _FAHRENHEIT,
            "kph": pick(
                ("km/h", "kilometers_per_hour"), ("kilometres per hour", "kilometers_per_hour")
            ),
            "speed": pick(
                ("miles per hour", "miles_per_hour"),
                ("knots", "knots"),
                ("metres per second", "meters_per_second"),
            ),
        },
        steps=(
            call("get_weather", city="{city.name}"),
            call("unit_convert", value="{1.temperature_c}", from_="{c}", to="{f}"),
            call("unit_convert", value="{1.wind_kph}", from_="{kph}", to="{speed}"),
            call("send_email", to="{person.email}", body=mentions("{2.result}", "{3.result}")),
        ),
    ),
    Template(
        "route_in_miles_and_hours",
        prompts=(
            "How far is it from {route.from} to {route.to} {mode}, and how long does it take? "
            "Turn the distance from {km} into {miles} and the travel time from {minutes} into "
            "{hours}, then post both converted figures in the {channel} channel.",
            "I'm planning a trip from {route.from} to {route.to} {mode}. Get the route, express "
            "its length in {miles} rather than {km} and its duration in {hours} rather than "
            "{minutes}, and message the two results to {channel}.",
            "{route.from} to {route.to} {mode}: find the route, convert the distance ({km} to "
            "{miles}) and the travel time ({minutes} to {hours}), and post both converted values "
            "in {channel}.",
            "Our visitors travel from {route.from} to {route.to} {mode} and want {miles} and "
            "{hours} instead of {km} and {minutes}. Please look up the route, convert its "
            "distance and its duration, and tell {channel} in the chat what you get for both.",
        ),
        slots={
            "route": Pool("land_routes"),
            "mode": pick(
                ("by car", "driving"), ("by public transport", "transit"), ("by bicycle", "cycling")
            ),
            "km": pick(("kilometres", "kilometers")),
            "miles": pick(("miles", "miles")),
            "minutes": pick(("minutes", "minutes")),
            "hours": pick(("hours", "hours")),
            "channel": _CHANNEL,
        },
        steps=(
            call("get_directions", origin="{route.from}", destination="{route.to}", mode="{mode}"),
            call("unit_convert", value="{1.distance_km}", from_="{km}", to="{miles}"),
            call("unit_convert", value="{1.duration_min}", from_="{minutes}", to="{hours}"),
            call("send_message", recipient="{channel}", text=mentions("{2.result}", "{3.result}")),
        ),
    ),
    Template(
        "way_in_miles_and_weather_there",
        prompts=(
            "I'm off from {route.from} to {route.to} {mode}. How long is the way in {miles} (the "
            "route comes in {km}), and how many degrees Celsius is it in {route.to} right now? "
            "Send {person.name} a chat message with the {miles} and the temperature.",
            "Please get the route from {route.from} to {route.to} {mode}, convert its distance "
            "from {km} to {miles}, check the current temperature in {route.to} (Celsius is fine), "
            "and message both figures to {person.name}.",
            "{person.name} is coming from {route.from} to {route.to} {mode}. Message "
            "{person.name} two things: the length of the route, converted from {km} into {miles}, "
            "and the temperature in {route.to} at the moment in Celsius.",
            "Trip note for {person.name}, by chat message: distance {mode} from {route.from} to "
            "{route.to} in {miles}, converted from the {km} of the route, plus the current "
            "temperature at the destination in Celsius.",
        ),
        slots={
            "route": Pool("land_routes"),
            "mode": pick(
                ("by car", "driving"), ("by public transport", "transit"), ("by bicycle", "cycling")
            ),
            "km": pick(("kilometres", "kilometers")),
            "miles": pick(("miles", "miles")),
            "person": Pool("people"),
        },
        steps=(
            call("get_directions", origin="{route.from}", destination="{route.to}", mode="{mode}"),
            call("unit_convert", value="{1.distance_km}", from_="{km}", to="{miles}"),
            call("get_weather", city="{route.to}"),
            call(
                "send_message",
                recipient="{person.name}",
                text=mentions("{2.result}", "{3.temperature_c}"),
            ),
        ),
    ),
    Template(
        "mean_temperature_of_three",
        prompts=(
            "We're torn between {one.name}, {two.name} and {three.name} for the off-site. Get the "
            "current temperature in each city, work out the arithmetic mean of the three, and "
            "convert that mean from {c} to {f}.",
            "What's the mean of the current temperatures in {one.name}, {two.name} and "
            "{three.name}? Average the {c} readings first, then give me that average in {f}.",
            "Please check how warm it is right now in {one.name}, in {two.name} and in "
            "{three.name}. I'd like the mean of the three temperatures, turned from {c} into {f}.",
            "Weather check for {one.name}, {two.name} and {three.name}: three current "
            "temperatures, their mean in {c}, and finally that mean in {f}.",
        ),
        slots={
            "one": Pool("facts/cities"),
            "two": Pool("facts/cities"),
            "three": Pool("facts/cities"),
            "c": _CELSIUS,
            "f": _FAHRENHEIT,
        },
        steps=(
            call("get_weather", city="{one.name}"),
            call("get_weather", city="{two.name}"),
            call("get_weather", city="{three.name}"),
            call(
                "statistical_analysis",
                numbers=["{1.temperature_c}", "{2.temperature_c}", "{3.temperature_c}"],
            ),
            call("unit_convert", value="{4.mean}", from_="{c}", to="{f}"),
        ),
    ),
    Template(
        "leave_the_car",
        prompts=(
            "Look up the trip from {route.from} to {route.to} {car}, and the same trip {other}. "
            "By how many percent does the travel time change if I switch from the first to the "
            "second? Round the percentage to {places}.",
            "Is it worth leaving the car at home between {route.from} and {route.to}? Get the "
            "travel time {car} and the travel time {other}, work out the percentage change from "
            "the former to the latter, and round it to {places}.",
            "{route.from} to {route.to}: the duration {car} is the old value, the duration "
            "{other} the new one. What is the change in percent, rounded to {places}?",
            "My commuting study needs the leg from {route.from} to {route.to}, first {car}, then "
            "{other}. By how many percent is the second trip longer or shorter in time than the "
            "first? Round that percentage to {places}.",
        ),
        slots={
            "route": Pool("land_routes"),
            "car": pick(("by car", "driving")),
            "other": pick(("by public transport", "transit"), ("by bicycle", "cycling")),
            "places": _PLACES,
        },
        steps=(
            call("get_directions", origin="{route.from}", destination="{route.to}", mode="{car}"),
            call("get_directions", origin="{route.from}", destination="{route.to}", mode="{other}"),
            call("percentage_change", old_value="{1.duration_min}", new_value="{2.duration_min}"),
            call("round_number", number="{3.percent_change}", decimals="{places}"),
        ),
    ),
    Template(
        "arrival_briefing",
        prompts=(
            "{person.name} lands in {city} this evening. Look up the facts about the city. Going "
            "by the time zone and the currency listed there, get the current local time and "
            "today's rate from {money} into the local currency. Then message {person.name} on "
            "chat with the population, the local time (24-hour clock) and the rate.",
            "Briefing for {person.name}, who travels to {city}: start with the city's location "
            "facts, use the time zone they give to find the current time there and the currency "
            "they give to find how much one {money} buys. Send {person.name} a chat message with "
            "the city's population, that time on the 24-hour clock and that exchange rate.",
            "Please look up {city}: I need its number of inhabitants, the current time (24-hour "
            "clock) in its time zone and the exchange rate from {money} to its currency, with "
            "zone and currency as the city's location facts state them. All three go to "
            "{person.name} in a chat message.",
            "Get me the location details of {city}, then the current time in the zone that they "
            "list and the exchange rate from {money} to the currency that they list. Message "
            "{person.name} the population, the time in 24-hour format and the rate on chat.",
        ),
        slots={
            "city": Pool("side_cities"),
            "person": Pool("people"),
            "money": pick("EUR", "GBP", "CHF", "SEK", "NOK", "DKK", "PLN", "JPY", "ZAR", "SGD"),
        },
        steps=(
            call("get_location_info", city="{city}"),
            call("get_current_time", timezone="{1.timezone}"),
            call("get_exchange_rate", from_="{money}", to="{1.currency}"),
            call(
                "send_message",
                recipient="{person.name}",
                text=mentions("{1.population}", "{2.time}", "{3.rate}"),
            ),
        ),
    ),
    Template(
        "fine_dust_of_three",
        prompts=(
            "How clean is the air in {one.name}, {two.name} and {three.name} at the moment? Get "
            "the fine dust (PM2.5) figure of each, take their arithmetic mean, round it to "
            "{places}, and post the rounded mean in {channel}.",
            "For the clean-air map: PM2.5 readings of {one.name}, {two.name} and {three.name}, "
            "then the mean of the three, rounded to {places}. Message the rounded value to "
            "{channel}.",
            "Please look up the current air quality of {one.name}, {two.name} and {three.name}, "
            "average the three fine-dust (PM2.5) values, round the average to {places} and share "
            "it in the {channel} chat.",
        ),
        slots={
            "one": Pool("facts/cities"),
            "two": Pool("facts/cities"),
            "three": Pool("facts/cities"),
            "places": pick(("one decimal place", 1), ("two decimal places", 2)),
            "channel": _CHANNEL,
        },
        steps=(
            call("get_air_quality", city="{one.name}"),
            call("get_air_quality", city="{two.name}"),
            call("get_air_quality", city="{three.name}"),
            call("statistical_analysis", numbers=["{1.pm2_5}", "{2.pm2_5}", "{3.pm2_5}"]),
            call("round_number", number="{4.mean}", decimals="{places}"),
            call(
                "send_message", recipient="{channel}", text=mentions("{5.result}", unrounded=True)
            ),
        ),
    ),
)
