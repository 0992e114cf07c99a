"""The models that the paper evaluates (section 4.1) and whether they can be asked from here."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from importlib.util import find_spec
from typing import Any

# What stands for the provider where there is none: an address that was given, or a server of ours.
ENDPOINT, LOCAL = "endpoint", "local"


@dataclass(frozen=True)
class Provider:
    """Who serves a model: by ``key``, an environment variable, or from a ``server`` of one's own.

    ``variable`` names the environment variable that says where that server is.
    """

    id: str
    name: str
    key: str | None = None
    server: str | None = None
    variable: str | None = None


@dataclass(frozen=True)
class Model:
    """A known model. ``temperature`` None: the model takes only its own. ``context`` in tokens."""

    name: str
    id: str
    regime: str
    provider: Provider
    temperature: float | None
    context: int


_BASELINE = "baseline:"


def is_baseline(model: str) -> bool:
    """Whether a name is that of a built-in agent that is no model: shown for reference, never ranked."""
    return model.startswith(_BASELINE)


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    return tomllib.loads(resources.files("evaluator").joinpath("models.toml").read_text("utf-8"))


@lru_cache(maxsize=1)
def providers() -> dict[str, Provider]:
    """The nine providers, by their LiteLLM names."""
    return {name: Provider(name, **entry) for name, entry in _table()["providers"].items()}


@lru_cache(maxsize=1)
def known_models() -> tuple[Model, ...]:
    """The 27 models, regime by regime."""
    return tuple(
        Model(
            name,
            entry["id"],
            regime,
            providers()[entry["id"].partition("/")[0]],
            None if entry.get("temperature") == "default" else float(entry.get("temperature", 0)),
            entry["context"],
        )
        for regime, entries in _table()["regimes"].items()
        for name, entry in entries.items()
    )


def find_model(text: str) -> Model | None:
    """The known model of that name or LiteLLM id."""
    wanted, plain = text.casefold(), _plain(text)
    for model, spelt, name in _spellings():
        if wanted == spelt or plain == name:
            return model
    return None


@lru_cache(maxsize=1)
def _spellings() -> tuple[tuple[Model, str, str], ...]:
    """The known models, each with id and name as they are compared."""
    return tuple((model, model.id.casefold(), _plain(model.name)) for model in known_models())


def _plain(name: str) -> str:
    """A name without case, spaces and hyphens: gpt-4o-mini is GPT-4o Mini."""
    return name.casefold().replace(" ", "").replace("-", "")


def obstacle(model: Model, environment: Mapping[str, str]) -> str | None:
    """Why the model cannot be asked from here now, or None."""
    if find_spec("litellm") is None:
        return "litellm is not installed (pip install 'comptoolbench[run]')"
    key = model.provider.key
    if key is not None:
        return None if environment.get(key) else f"{key} is not set"
    server = server_of(model.provider, environment)
    if server is None:
        return None
    served = _served(server)
    if served is None:
        return f"no server answers at {server}"
    name = model.id.partition("/")[2]
    return None if name in served else f"not pulled: ollama pull {name}"


def server_of(provider: Provider, environment: Mapping[str, str]) -> str | None:
    """Where a provider of one's own answers."""
    return (provider.variable and environment.get(provider.variable)) or provider.server


@lru_cache(maxsize=8)
def _served(server: str) -> frozenset[str] | None:
    """The models that an Ollama server has, or None where none answers within a second."""
    import json
    from http.client import HTTPException
    from urllib.request import urlopen

    if not server.startswith(("http://", "https://")):
        return None
    try:
        with urlopen(f"{server.rstrip('/')}/api/tags", timeout=1) as answer:
            tags = json.loads(answer.read(10**6))
        return frozenset(entry["name"] for entry in tags["models"])
    except (OSError, HTTPException, ValueError, KeyError, TypeError):
        return None
