"""Known cities and the ground between them."""

import math
from functools import lru_cache
from typing import Any

from dataset_builder.tools.tool import ToolError
from dataset_builder.values.canonical import place
from dataset_builder.values.facts import load

EARTH_RADIUS_KM = 6371.0088
_COMPASS = (
    "north",
    "north-east",
    "east",
    "south-east",
    "south",
    "south-west",
    "west",
    "north-west",
)


@lru_cache(maxsize=1)
def _cities() -> dict[str, str]:
    return {place(name): name for name in load("cities")}


def find_city(text: str) -> tuple[str, dict[str, Any]]:
    """Usual name and facts of a city; ToolError for a place that is not known."""
    name = _cities().get(place(text))
    if name is None:
        raise ToolError("no city of that name is known")
    return name, load("cities")[name]


def distance_km(start: dict[str, Any], end: dict[str, Any]) -> float:
    """Great-circle distance between two cities (haversine)."""
    north, south = math.radians(start["latitude"]), math.radians(end["latitude"])
    east = math.radians(end["longitude"] - start["longitude"])
    chord = math.sin((south - north) / 2) ** 2
    chord += math.cos(north) * math.cos(south) * math.sin(east / 2) ** 2
    return 2 * EARTH_RADIUS_KM * math.asin(math.sqrt(chord))


def direction(start: dict[str, Any], end: dict[str, Any]) -> str:
    """The compass point, one of eight, in which the shortest way sets out."""
    north, south = math.radians(start["latitude"]), math.radians(end["latitude"])
    east = math.radians(end["longitude"] - start["longitude"])
    x = math.sin(east) * math.cos(south)
    y = math.cos(north) * math.sin(south) - math.sin(north) * math.cos(south) * math.cos(east)
    return _COMPASS[round(math.degrees(math.atan2(x, y)) / 45) % 8]
