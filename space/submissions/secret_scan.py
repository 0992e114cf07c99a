"""Secrets in an upload: raw messages of a provider may carry a key that nobody wants to publish.

The shapes are those of detect-secrets, and some of the field's own that it lacks. Its patterns run
in a linear-time engine, since uploads are hostile; nothing is verified over the network, and what
only looks random is no finding: this benchmark is full of digests and encoded text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any

# Detectors of detect-secrets that name a kind of key, and whose patterns a linear-time engine takes.
_DETECTORS = (
    ("aws", "AWSKeyDetector"),
    ("azure_storage_key", "AzureStorageKeyDetector"),
    ("basic_auth", "BasicAuthDetector"),
    ("discord", "DiscordBotTokenDetector"),
    ("github_token", "GitHubTokenDetector"),
    ("jwt", "JwtTokenDetector"),
    ("mailchimp", "MailchimpDetector"),
    ("openai", "OpenAIDetector"),
    ("private_key", "PrivateKeyDetector"),
    ("pypi_token", "PypiTokenDetector"),
    ("sendgrid", "SendGridDetector"),
    ("slack", "SlackDetector"),
    ("square_oauth", "SquareOAuthDetector"),
    ("stripe", "StripeDetector"),
    ("telegram_token", "TelegramBotTokenDetector"),
    ("twilio", "TwilioKeyDetector"),
)
# Keys of model providers and hubs that it does not know.
_SHAPES = (
    ("provider key", r"\bsk-[A-Za-z0-9_-]{20,}"),
    ("provider key", r"\b(?:csk|gsk|xai|pplx|nvapi|fw|tgp_v1|r8)[-_][A-Za-z0-9_-]{30,}"),
    ("Hugging Face token", r"\b(?:hf|api_org)_[A-Za-z0-9]{30,}"),
    ("Google key", r"\bAIza[0-9A-Za-z_-]{35}"),
    ("GitHub token", r"\bgithub_pat_[A-Za-z0-9_]{40,}"),
    ("GitLab token", r"\bgl[a-z]{2,6}-[A-Za-z0-9_-]{20,}"),
    ("bearer token", r"(?i)\bbearer\s+[A-Za-z0-9._~+/-]{20,}"),
    ("key header", r"(?i)\b(?:x-)?api[-_]?key[\"'\\]*\s*[:=]\s*[\"'\\]*[A-Za-z0-9._~+/-]{20,}"),
    ("private key", r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY"),
)
MOST_FINDINGS = 100
# A character by its number, or one that ends a word; each level of JSON in JSON doubles the backslashes.
# Looked for from the first of them only, so the work is linear.
_ESCAPE = re.compile(r"(?<!\\)\\++(?:u([0-9A-Fa-f]{4})|[nrtbf])")


@dataclass(frozen=True)
class Secret:
    """Something in a file that is shaped like a key."""

    line: int
    """1-based."""
    kind: str
    shown: str
    """The beginning of it, enough to be found again and too little to be used."""

    def __str__(self) -> str:
        """As a sentence for the submitter."""
        return f"line {self.line}: {self.kind} ({self.shown})"


def find_secrets(content: bytes) -> list[Secret]:
    """What is shaped like a key in a file of JSON lines, each once a line, at most a hundred."""
    secrets: dict[Secret, None] = {}
    for number, line in enumerate(content.split(b"\n"), 1):
        for kind, match in _matches(line):
            secrets[Secret(number, kind, f"{match[:6]}…")] = None
            if len(secrets) == MOST_FINDINGS:
                return list(secrets)
    return list(secrets)


def _matches(line: bytes) -> Iterator[tuple[str, str]]:
    text = line.decode("utf-8", "replace")
    for shown in dict.fromkeys((text, _unescaped(text))):
        if _any_shape().search(shown):
            for kind, pattern in _patterns():
                for match in pattern.finditer(shown):
                    yield kind, match.group()


def _unescaped(text: str) -> str:
    """The line with its characters as themselves, however deep JSON stands inside of JSON in it.

    A key may be spelled ``\\u0073k-…``, and an address ``https:\\/\\/…``.
    """
    if "\\" not in text:
        return text
    return _ESCAPE.sub(_character, text).replace("\\", "")


def _character(match: re.Match[str]) -> str:
    if match[1] is None:
        return " "
    # Half of a surrogate pair is no text that a pattern could be looked for in.
    return chr(int(match[1], 16)).encode("utf-8", "replace").decode()


@lru_cache(maxsize=1)
def _shapes() -> tuple[tuple[str, str], ...]:
    shapes = list(_SHAPES)
    for module, name in _DETECTORS:
        detector = getattr(import_module(f"detect_secrets.plugins.{module}"), name)()
        for pattern in detector.denylist:
            flags = "(?i)" if pattern.flags & re.IGNORECASE else ""
            shapes.append((detector.secret_type, flags + pattern.pattern))
    return tuple(shapes)


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[str, Any], ...]:
    import re2

    return tuple((kind, re2.compile(pattern)) for kind, pattern in _shapes())


@lru_cache(maxsize=1)
def _any_shape() -> Any:
    """All shapes as one: most lines hold none, and are read once."""
    import re2

    return re2.compile("|".join(f"(?:{pattern})" for _, pattern in _shapes()))
