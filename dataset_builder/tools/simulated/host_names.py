"""Host names: what is one, and which part of it somebody registered."""

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlsplit

from dataset_builder.tools.tool import ToolError
from dataset_builder.values.facts import load

MAX_HOST = 253
# ASCII letters and digits, or any letter of an internationalised name. Compiling it takes as long as
# reading a module, so it waits for the first address.
_LABEL = r"[a-z0-9_\u00a1-\uffff](?:[a-z0-9_\u00a1-\uffff-]{0,61}[a-z0-9_\u00a1-\uffff])?"
_IP = re.compile(r"[0-9]+(?:\.[0-9]+){3}")


class Host(NamedTuple):
    """``shop.example.co.uk`` is subdomain ``shop``, domain ``example.co.uk``, suffix ``co.uk``."""

    subdomain: str
    domain: str
    suffix: str


@lru_cache(maxsize=1)
def _two_part_suffixes() -> frozenset[str]:
    return frozenset(load("public_suffixes"))


def host_from(text: str) -> str:
    """A host name without its final dot; ToolError where the text can be none."""
    host = text.rstrip(".")
    if len(host) > MAX_HOST or not all(re.fullmatch(_LABEL, label) for label in host.split(".")):
        raise ToolError("that is no valid host name")
    return host


def host_of(url: str) -> str:
    """The host of a URL in the url kind's canonical form; ToolError where no web has such a host."""
    try:
        host = host_from(urlsplit(url).hostname or "")
    except ValueError:
        raise ToolError("the address has no valid host name") from None
    if "." not in host and host != "localhost":
        raise ToolError("the address has no valid host name: it lacks a domain such as .com")
    return host


def split_host(host: str) -> Host:
    """The parts of a host name; ToolError for an IP address and for a name without a domain."""
    labels = host.split(".")
    if _IP.fullmatch(host):
        raise ToolError("an IP address has no domain")
    size = 2 if ".".join(labels[-2:]) in _two_part_suffixes() else 1
    if len(labels) <= size:
        raise ToolError("the address has no registered domain")
    cut = len(labels) - size - 1
    return Host(".".join(labels[:cut]), ".".join(labels[cut:]), ".".join(labels[-size:]))
