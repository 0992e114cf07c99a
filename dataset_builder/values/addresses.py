"""Canonical forms of web and e-mail addresses."""

import re
from urllib.parse import urlsplit, urlunsplit

from dataset_builder.values.canonical import quoted, tidy

_EMAIL = re.compile(r"[^@\s<>]+@[^@\s<>]+")
_DISPLAY_NAME = re.compile(r"[^@<>]+ <([^<>]+)>")
_MAILTO = re.compile("^mailto:", re.IGNORECASE)


def url(text: str) -> str:
    """Scheme and host in lower case, https where none is said, no default port, no bare final slash.

    The host without its final dot; a user name and password stay.
    """
    text = _unbracketed(text.strip())
    if "://" not in text:
        text = f"https://{text}"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise ValueError(f"{quoted(text, 60)} is no URL") from None
    host = (parts.hostname or "").removesuffix(".")
    if not host or any(c.isspace() for c in text):
        raise ValueError(f"{quoted(text, 60)} is no URL")
    if ":" in host:
        host = f"[{host}]"
    user, at, _ = parts.netloc.rpartition("@")
    host = f"{user}{at}{host}"
    if port and (parts.scheme, port) not in (("http", 80), ("https", 443)):
        host = f"{host}:{port}"
    path = "" if parts.path == "/" else parts.path
    return urlunsplit((parts.scheme.lower(), host, path, parts.query, parts.fragment))


def _unbracketed(text: str) -> str:
    return text[1:-1] if text.startswith("<") and text.endswith(">") else text


def mailbox(text: str) -> str:
    """The e-mail address in a text such as ``Ada <ada@a.example>``, in its own case.

    ``mailto:`` before it and a full stop behind it are no part of it. ValueError where there is none.
    """
    address = _unbracketed(tidy(text))
    if match := _DISPLAY_NAME.fullmatch(address):
        address = match[1]
    address = _MAILTO.sub("", address).removesuffix(".")
    if not _EMAIL.fullmatch(address):
        raise ValueError(f"{quoted(text, 60)} is no e-mail address")
    return address
