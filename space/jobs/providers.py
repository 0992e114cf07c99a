"""Which models a visitor may have run from the page, at which address, and with whose key.

On a hosted page nothing that a visitor types becomes an address, and no key but the visitor's is used.
"""

import re
from dataclasses import dataclass, field

from dataset_builder.errors import InputError
from evaluator.asking.local_model import obstacle
from evaluator.models import find_model, known_models, providers
from space.base.sanitize import check_name, clean
from space.base.settings import Settings

PROVIDER, HUB, LOCAL, ENDPOINT = "provider", "hub", "local", "endpoint"
SOURCES = {
    PROVIDER: "A provider, with your own key",
    HUB: "Hugging Face inference, with your login",
    LOCAL: "Here: a small model that needs no key",
    ENDPOINT: "An OpenAI-compatible endpoint of yours",
}
LOCAL_MODEL = "local:smollm2"
MAX_MODEL, MAX_KEY = 200, 500
OPENAI = "openai/"

_SEGMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@+-]*")
# What only an address has: a port, four numbers, or the name that stands for this machine.
_ADDRESS = re.compile(r":\d+$|^\d+(\.\d+){3}|^localhost\b", re.IGNORECASE)


@dataclass(frozen=True)
class Access:
    """A model as `comptoolbench run` is given it, and the key that goes with it."""

    model: str
    api_base: str | None = None
    key: str | None = field(default=None, repr=False)
    """None where the model takes none."""


def sources(settings: Settings) -> list[str]:
    """Where models may run, as far as this page offers it."""
    here = [LOCAL] if obstacle() is None else []
    return [PROVIDER, HUB, *here] if settings.is_hosted else [PROVIDER, *here, ENDPOINT]


def offered_providers(settings: Settings) -> list[str]:
    """The providers that a model may be of, by their LiteLLM names."""
    # One without a key is a server on this machine, which strangers have no business with.
    return [name for name, known in providers().items() if known.key or not settings.is_hosted]


def suggestions(settings: Settings, source: str) -> list[tuple[str, str]]:
    """Names and ids of models to choose from; other ids may be typed."""
    if source == LOCAL:
        return [("SmolLM2 135M", LOCAL_MODEL)]
    if source != PROVIDER:
        return []
    offered = offered_providers(settings)
    return [(f"{m.name} ({m.id})", m.id) for m in known_models() if m.provider.id in offered]


def access(
    settings: Settings, source: str, model: str, address: str, key: str, login_token: str | None
) -> Access:
    """How a model is reached; InputError where the page does not offer that, or a key is missing.

    ``login_token``: what the visitor's Hugging Face login gives. No message quotes a key.
    """
    if source not in sources(settings):
        raise InputError("choose where the model runs, of what this page offers")
    model, address = model.strip(), address.strip()
    if address and (settings.is_hosted or source != ENDPOINT):
        raise InputError("this page takes no address: leave it out")
    if source == LOCAL:
        if model not in ("", LOCAL_MODEL):
            raise InputError(f"the model that runs here is {LOCAL_MODEL}")
        return Access(LOCAL_MODEL)
    if source == ENDPOINT:
        return _endpoint(model, address, key.strip())
    if source == HUB:
        return _hub(settings, model, login_token)
    return _provider(settings, model, key.strip())


def _provider(settings: Settings, model: str, key: str) -> Access:
    if not model:
        raise InputError("choose a model first: one of the list, or any other as PROVIDER/MODEL")
    known = find_model(model)
    id_ = known.id if known else model
    _check_id(id_)
    provider, _, name = id_.partition("/")
    offered = offered_providers(settings)
    if provider not in offered or not name:
        raise InputError(
            f"{clean(model, 60)!r}: expected PROVIDER/MODEL with one of {', '.join(offered)}"
        )
    if providers()[provider].key is None:
        return Access(id_)
    return Access(id_, key=_checked_key(key))


def _hub(settings: Settings, model: str, token: str | None) -> Access:
    if not model:
        raise InputError("choose a model first: one of the Hugging Face Hub, as ORG/NAME")
    _check_id(model)
    if model.count("/") != 1:
        raise InputError("expected a model of the Hugging Face Hub as ORG/NAME")
    if not token:
        raise InputError("log in with Hugging Face first: the model is asked in your name")
    # The prefix says how the address is spoken to; what follows arrives there as it is.
    return Access(f"{OPENAI}{model}", settings.inference, _checked_key(token))


def _endpoint(model: str, address: str, key: str) -> Access:
    if not re.match(r"https?://", address):
        raise InputError("give the endpoint's address, up to and with /v1")
    if not model or len(model) > MAX_MODEL or not model.isprintable() or model.startswith("-"):
        raise InputError("name the model as the endpoint knows it")
    # An id of a provider or of the Hub has letters and slashes that no reserved name has.
    check_name(model.removeprefix(OPENAI))
    return Access(f"{OPENAI}{model.removeprefix(OPENAI)}", address, _checked_key(key or "none"))


def _check_id(id_: str) -> None:
    """Refuse what is no id, or could be taken for an address."""
    parts = id_.split("/")
    is_fine = len(id_) <= MAX_MODEL and all(_SEGMENT.fullmatch(part) for part in parts)
    if not is_fine or ".." in id_ or any(_ADDRESS.search(part) for part in parts):
        raise InputError(
            f"{clean(id_, 60)!r} is no id of a model: letters, digits and . _ - : @ + between slashes, "
            "and no address"
        )


def _checked_key(key: str) -> str:
    if not key:
        raise InputError("give your key of the provider: the page has none of its own")
    if len(key) > MAX_KEY or not key.isascii() or not key.isprintable() or " " in key:
        raise InputError(f"the key is no single word of at most {MAX_KEY} characters")
    return key
