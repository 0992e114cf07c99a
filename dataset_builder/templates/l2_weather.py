"""Level 2, weather and air: the same reading of several cities, compared, averaged or passed on."""

from dataset_builder.slot import Pool, pick
from dataset_builder.template import Template, call, mentions

TEMPLATES = (
    Template(
        "two_temperatures_by_chat",
        prompts=(
            "How warm is it right now in {one.name}, and how warm in {two.name}? Send "
            "{person.name} a chat message with both temperatures.",
            "{person.name} is torn between {one.name} and {two.name} for the weekend. Look up the "
            "current temperature in each city and put the two figures in one chat message to "
            "{person.name}.",
            "Ping {person.name} on the team chat with two numbers: the temperature in {one.name} "
            "and the temperature in {two.name}, both as of now.",
            "Please check the weather in {one.name} and in {two.name}, then tell {person.name} in "
            "a single chat message how many degrees it is in either place.",
        ),
        slots={
            "one": Pool("facts/cities"),
            "two": Pool("facts/cities"),
            "person": Pool("people"),
        },
        steps=(
            call("get_weather", city="{one.name}"),
            call("get_weather", city="{two.name}"),
            call(
                "send_message",
                recipient="{person.name}",
                text=mentions("{1.temperature_c}", "{2.temperature_c}"),
            ),
        ),
    ),
    Template(
        "run_outside_alert",
        prompts=(
            "I'm about to go for a run in {city.name}. Check the current temperature and the air "
            "quality index there and push both to my phone as a {priority}-priority notification.",
            "Weather and air in {city.name}, please: show me the temperature and the air quality "
            "index on my devices in one notification with {priority} priority.",
            "Before I open the windows in {city.name}: how warm is it, and what is the air quality "
            "index? Both numbers as a push notification, {priority} priority.",
            "Pop up a notification for me ({priority} priority) that states the present "
            "temperature in {city.name} and the air quality index there.",
            "Could you look up the temperature and the AQI in {city.name} and send me the two "
            "figures as a push notification? Make it {priority} priority.",
        ),
        slots={"city": Pool("facts/cities"), "priority": pick("high", "low")},
        steps=(
            call("get_weather", city="{city.name}"),
            call("get_air_quality", city="{city.name}"),
            call(
                "create_notification",
                message=mentions("{1.temperature_c}", "{2.aqi}"),
                priority="{priority}",
            ),
        ),
    ),
    Template(
        "fine_dust_gap",
        prompts=(
            "By how many percent is the fine dust level (PM2.5) in {two.name} above or below that "
            "in {one.name} at the moment? {one.name} is the base.",
            "Take the current PM2.5 reading of {one.name} as the old value and that of {two.name} "
            "as the new one. What is the percentage change?",
            "We may relocate from {one.name} to {two.name}. Check the fine dust (PM2.5) in both "
            "cities and tell me the change in percent that the move would bring.",
            "Percentage change in PM2.5, please, going from {one.name} to {two.name}, with the "
            "figures that the air quality service reports now.",
        ),
        slots={"one": Pool("facts/cities"), "two": Pool("facts/cities")},
        steps=(
            call("get_air_quality", city="{one.name}"),
            call("get_air_quality", city="{two.name}"),
            call("percentage_change", old_value="{1.pm2_5}", new_value="{2.pm2_5}"),
        ),
    ),
    Template(
        "calmest_and_windiest",
        prompts=(
            "How windy is it in {one.name}, {two.name} and {three.name} right now? Give me the "
            "lowest and the highest of the three wind speeds and the range between them.",
            "For the kite festival shortlist: get the current wind speed in {one.name}, {two.name} "
            "and {three.name} and report the minimum, the maximum and the range.",
            "Wind speeds of {one.name}, {two.name}, {three.name} as of now, then the smallest, the "
            "largest and the range. Thanks!",
            "Our balloon crews wait in {one.name}, {two.name} and {three.name}. Please look up the "
            "wind speed at each place; what I need is the minimum, the maximum and the range.",
        ),
        slots={
            "one": Pool("facts/cities"),
            "two": Pool("facts/cities"),
            "three": Pool("facts/cities"),
        },
        steps=(
            call("get_weather", city="{one.name}"),
            call("get_weather", city="{two.name}"),
            call("get_weather", city="{three.name}"),
            call("min_max", numbers=["{1.wind_kph}", "{2.wind_kph}", "{3.wind_kph}"]),
        ),
    ),
    Template(
        "middle_of_three_temperatures",
        prompts=(
            "What are the mean and the median of the current temperatures in {one.name}, "
            "{two.name} and {three.name}?",
            "Our crews are in {one.name}, {two.name} and {three.name}. Get the temperature each of "
            "them has now and work out the average and the median.",
            "Check how warm it is in {one.name}, {two.name} and {three.name} and give me the mean "
            "and the median of the three readings.",
            "Temperatures right now for {one.name}, {two.name} and {three.name}; I only need their "
            "average and their median in the end.",
        ),
        slots={
            "one": Pool("facts/cities"),
            "two": Pool("facts/cities"),
            "three": Pool("facts/cities"),
        },
        steps=(
            call("get_weather", city="{one.name}"),
            call("get_weather", city="{two.name}"),
            call("get_weather", city="{three.name}"),
            call(
                "statistical_analysis",
                numbers=["{1.temperature_c}", "{2.temperature_c}", "{3.temperature_c}"],
            ),
        ),
    ),
    Template(
        "cleanest_air",
        prompts=(
            "Which of {one.name}, {two.name} and {three.name} has the cleanest air right now?",
            "My asthma is acting up. Where is the air better at the moment: {one.name}, "
            "{two.name} or {three.name}?",
            "Compare the current air quality in {one.name}, {two.name} and {three.name}. Which "
            "city comes out best?",
            "Please check the air quality in {one.name}, {two.name} and {three.name} and tell me "
            "where you would rather go jogging.",
        ),
        slots={
            "one": Pool("facts/cities"),
            "two": Pool("facts/cities"),
            "three": Pool("facts/cities"),
        },
        steps=(
            call("get_air_quality", city="{one.name}"),
            call("get_air_quality", city="{two.name}"),
            call("get_air_quality", city="{three.name}"),
        ),
        optional=(call("min_max", numbers=["{1.aqi}", "{2.aqi}", "{3.aqi}"]),),
    ),
    Template(
        "warmer_of_two",
        prompts=(
            "Where is it warmer right now, in {one.name} or in {two.name}?",
            "{one.name} or {two.name}: which of the two has the higher temperature at the moment?",
            "I can take the direct flight to {one.name} or to {two.name} tonight and want "
            "whichever is warmer now. Which one is it?",
            "Could you compare the current temperatures in {one.name} and {two.name} and tell me "
            "which city is the warmer one?",
        ),
        slots={"one": Pool("facts/cities"), "two": Pool("facts/cities")},
        steps=(
            call("get_weather", city="{one.name}"),
            call("get_weather", city="{two.name}"),
        ),
        optional=(call("min_max", numbers=["{1.temperature_c}", "{2.temperature_c}"]),),
    ),
)
