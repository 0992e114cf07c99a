"""Level 2, places: two cities looked up, then the way, the time or the money between them."""

from dataset_builder.slot import Moment, Pattern, Pool, Whole, pick
from dataset_builder.template import Template, call, mentions

_MODE = pick(("by car", "driving"), ("by public transport", "transit"))
_ADDRESS = Pattern(
    "{a}.{b}.{c}",
    {
        "a": pick("81.14", "91.203", "104.28", "142.90", "151.66", "185.37", "194.71", "212.55"),
        "b": Whole(2, 251),
        "c": Whole(4, 247),
    },
)

TEMPLATES = (
    Template(
        "route_between_seats",
        prompts=(
            "Look up in the encyclopedia where {one.name} and {two.name} are based, then give me "
            "the route {mode} from the first city to the second.",
            "My trade-fair tour starts in the home city of {one.name} and ends in the home city of "
            "{two.name}. Find both cities in the encyclopedia and work out the way between them, "
            "{mode}.",
            "How do I get {mode} from the city where {one.name} has its seat to the one where "
            "{two.name} has its seat? The encyclopedia knows both cities.",
            "I visit {one.name} in the morning and {two.name} after that. Please look up the city "
            "of each in the encyclopedia and get directions {mode} from the former to the latter.",
        ),
        slots={"one": Pool("european_seats"), "two": Pool("european_seats"), "mode": _MODE},
        steps=(
            call("lookup_entity", name="{one.name}"),
            call("lookup_entity", name="{two.name}"),
            call(
                "get_directions", origin="{1.location}", destination="{2.location}", mode="{mode}"
            ),
        ),
    ),
    Template(
        "clocks_of_two_machines",
        prompts=(
            "A request reached us on {when}, local time at the IP address {one}. Find out the time "
            "zones of {one} and of {two}, and convert that time into the zone of {two}.",
            "Where in the world are the IP addresses {one} and {two}? I need their time zones: "
            "whatever was logged at {one} on {when} (its local time) should be converted to the "
            "local time of {two}.",
            "Geolocate {one} and {two}. The backup starts on {when} by the clock of the first IP "
            "address; what date and time is that by the clock of the second?",
            "The maintenance window opens on {when} in the time zone of IP address {one}. Look up "
            "that zone as well as the zone of IP address {two} and tell me when it opens for the "
            "latter.",
        ),
        slots={"one": _ADDRESS, "two": _ADDRESS, "when": Moment("2026-07-20", "2027-03-31")},
        steps=(
            call("ip_geolocation", ip_address="{one}"),
            call("ip_geolocation", ip_address="{two}"),
            call("convert_timezone", datetime="{when}", from_="{1.timezone}", to="{2.timezone}"),
        ),
    ),
    Template(
        "money_from_city_to_city",
        prompts=(
            "Look up which currency {one.name} uses and which one {two.name} uses, then get the "
            "exchange rate from the first currency to the second.",
            "I'm moving from {one.name} to {two.name}. Look up the currency of each city and tell "
            "me how much one unit of my old currency buys in the new one.",
            "We bill a client in {one.name} out of our office in {two.name}. Find the currencies "
            "of both cities and the rate for converting the {one.name} currency into the "
            "{two.name} one.",
            "What is the exchange rate from the currency of {one.name} to the currency of "
            "{two.name}? Please look both currencies up instead of guessing them.",
        ),
        slots={"one": Pool("facts/cities"), "two": Pool("facts/cities")},
        steps=(
            call("get_location_info", city="{one.name}"),
            call("get_location_info", city="{two.name}"),
            call("get_exchange_rate", from_="{1.currency}", to="{2.currency}"),
        ),
    ),
    Template(
        "route_to_my_own_address",
        prompts=(
            "Get the route from {one} to {two} {mode} and e-mail the distance in kilometres and "
            "the travel time in minutes to my own e-mail address, which you find in my account.",
            "How far is it from {one} to {two} {mode}, and how many minutes does it take? Mail me "
            "both figures at the address that my account is signed in with.",
            "E-mail me the length of the way from {one} to {two} in kilometres and its duration in "
            "minutes, travelling {mode}. My e-mail address is in my profile; look it up there.",
            "I'm travelling from {one} to {two} {mode}. Please send the kilometres and the "
            "minutes to my inbox; take the e-mail address from the session I'm signed in to.",
        ),
        slots={"one": Pool("european_cities"), "two": Pool("european_cities"), "mode": _MODE},
        steps=(
            call("get_session_context"),
            call("get_directions", origin="{one}", destination="{two}", mode="{mode}"),
            call(
                "send_email",
                to="{1.email}",
                body=mentions("{2.distance_km}", "{2.duration_min}"),
            ),
        ),
    ),
    Template(
        "car_or_train",
        prompts=(
            "Which is quicker from {one} to {two}: {car} or {train}?",
            "I have to be in {two} as soon as possible and I'm in {one}. Do I save time if I go "
            "{train} instead of {car}?",
            "Compare the travel times between {one} and {two}, once {car} and once {train}, "
            "starting in {one}. Which one wins?",
            "From {one} to {two}, how long does it take {car} and how long {train}? Tell me which "
            "I should choose.",
        ),
        slots={
            "one": Pool("european_cities"),
            "two": Pool("european_cities"),
            "car": pick(("by car", "driving")),
            "train": pick(("by train", "transit")),
        },
        steps=(
            call("get_directions", origin="{one}", destination="{two}", mode="{car}"),
            call("get_directions", origin="{one}", destination="{two}", mode="{train}"),
        ),
        optional=(call("min_max", numbers=["{1.duration_min}", "{2.duration_min}"]),),
    ),
)
