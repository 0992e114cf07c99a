"""From the model that a user names to the Target that is asked."""

import os
from collections.abc import Mapping

from dataset_builder.did_you_mean import did_you_mean
from dataset_builder.errors import InputError
from evaluator.asking import client
from evaluator.asking.baselines import BASELINES
from evaluator.asking.local_model import LOCAL_MODELS
from evaluator.asking.target import Target
from evaluator.models import ENDPOINT, Model, find_model, known_models, providers, server_of


def find_target(
    model: str,
    api_base: str | None = None,
    key_variable: str | None = None,
    environment: Mapping[str, str] = os.environ,
    api_key: str | None = None,
    own_temperature: bool = False,
) -> Target:
    """The model of a LiteLLM id, of a name in models.toml, or of an endpoint at ``api_base``.

    An endpoint of one's own is sent no key but that of ``key_variable``. ``api_key`` is the key
    itself: then the environment's are not looked at. ``own_temperature``: send none, for models that
    refuse 0 and are not known to. Raises InputError for an unknown provider and a missing key.
    """
    if "://" in model:
        raise InputError(f"{model}: a model is a name; give the address with --api-base")
    if api_base is not None and not api_base.startswith(("http://", "https://")):
        raise InputError(f"{api_base}: expected an address that begins with http:// or https://")
    known = find_model(model)
    id_, label, provider = _identity(model, known, api_base)
    if api_base is None and provider in providers():
        api_base = server_of(providers()[provider], environment)
    temperature = known.temperature if known else client.temperature_of(id_)
    if api_key is None:
        api_key = _key_from_environment(model, id_, provider, api_base, key_variable, environment)
    else:
        _check_key(api_key, provider, key_variable)
    return Target(
        id=id_,
        label=label,
        provider=provider,
        api_base=api_base,
        api_key=api_key,
        temperature=None if own_temperature else temperature,
        context=known.context if known else None,
        takes_schema=client.takes(id_, "response_format"),
        is_free=provider in providers() and providers()[provider].key is None,
        parameters={"num_ctx": known.context} if known and provider == "ollama_chat" else {},
    )


def _identity(model: str, known: Model | None, api_base: str | None) -> tuple[str, str, str]:
    """LiteLLM's id, what traces call the model, and its provider."""
    id_ = known.id if known else model
    provider = client.provider_of(id_, api_base)
    if api_base is not None and provider in (None, "openai"):
        name = id_.removeprefix("openai/")
        return f"openai/{name}", name, ENDPOINT
    if provider is None:
        raise InputError(
            f"{model}: no provider is known for it; expected a LiteLLM id such as "
            "openai/gpt-4o-mini, a name that `comptoolbench models` lists, or --api-base"
            f"{did_you_mean(model, _names())}"
        )
    return id_, id_, provider


def _names() -> list[str]:
    """Every name that can be asked without an address of one's own."""
    return [*BASELINES, *LOCAL_MODELS, *(known.id for known in known_models())]


def _key_from_environment(
    model: str,
    id_: str,
    provider: str,
    api_base: str | None,
    key_variable: str | None,
    environment: Mapping[str, str],
) -> str | None:
    """The key that a variable of the environment holds; None where the provider needs none."""
    known = providers().get(provider)
    if key_variable is None and api_base is not None:
        return "none"
    variable = key_variable or (known.key if known else None)
    if variable is not None:
        key = environment.get(variable, "").strip()
        if not key:
            raise InputError(f"{model}: set {variable} to your key first")
        return key
    missing = client.missing_keys(id_)
    if missing:
        raise InputError(f"{model}: set {' or '.join(missing)} first")
    return None


def _check_key(key: str, provider: str, key_variable: str | None) -> None:
    """Refuse a key that was given as such where it alone does not decide who asks."""
    if key_variable is not None:
        raise InputError("the key comes from standard input or from --key-variable, not from both")
    if not key.isascii() or not key.isprintable() or not key.strip() or " " in key:
        raise InputError("expected a key in one line of standard input, without spaces")
    takers = [name for name, known in providers().items() if known.key is not None]
    if provider not in (ENDPOINT, *takers):
        # Others fall back to files and variables of the machine, or ignore a key altogether.
        raise InputError(
            f"{provider} takes no key from standard input; these do: {', '.join(takers)}, and an "
            "endpoint at --api-base"
        )
