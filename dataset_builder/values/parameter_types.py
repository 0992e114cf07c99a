"""The types that the functions of tools are written with, each a kind of parameter."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from dataset_builder.values.kinds import NUMBER, Kind

Number = Annotated[float, NUMBER]
Integer = Annotated[int, Kind("integer")]
Boolean = Annotated[bool, Kind("boolean")]
Name = Annotated[str, Kind("name")]
Place = Annotated[str, Kind("name", is_place=True)]
Query = Annotated[str, Kind("query")]
Verbatim = Annotated[str, Kind("verbatim")]
Prose = Annotated[str, Kind("prose")]
Expression = Annotated[str, Kind("expression")]
Date = Annotated[str, Kind("date")]
DateTime = Annotated[str, Kind("datetime")]
Timezone = Annotated[str, Kind("timezone")]
Currency = Annotated[str, Kind("currency")]
Unit = Annotated[str, Kind("unit")]
Url = Annotated[str, Kind("url")]
Email = Annotated[str, Kind("email")]
Object = Annotated[dict[str, Any], Kind("object")]

# Marks beside a type: of a parameter that only shapes the presentation, of a list without an order.
FREE = "free"
UNORDERED = "unordered"


@dataclass(frozen=True)
class Said:
    """How a prompt may say the values of an enum or boolean parameter, beside the value itself."""

    phrases: Mapping[str, tuple[str, ...]] = field(hash=False)

    def __init__(self, **phrases: tuple[str, ...]) -> None:
        object.__setattr__(self, "phrases", {k.rstrip("_"): v for k, v in phrases.items()})
