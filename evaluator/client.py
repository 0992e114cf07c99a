"""Asks models through LiteLLM, and tells the provider's failures from the model's own.

The only file that knows LiteLLM. Its own retries are off: what fails is said.
"""

import asyncio
import json
import logging
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

from dataset_builder.errors import InputError
from evaluator.exchange import Infrastructure, ModelFault, Reply, Request
from evaluator.models import find_model, providers, server_of
from evaluator.parse import read_text

TIMEOUT_S = 60.0
CONNECT_TIMEOUT_S = 5.0
MAX_MESSAGE = 300
# What stands for the provider where there is none: an address that was given, or a server of ours.
ENDPOINT, LOCAL = "endpoint", "local"

# How providers say that the model's call was not well formed (Groq, Cerebras, Ollama, llama.cpp).
_REFUSED_CALL = re.compile(
    r"tool_use_failed|failed_generation|tool call validation failed|failed to parse tool call"
    r"|error parsing tool call|failed to call a function|malformed_function_call",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(
    r"context_length_exceeded|maximum context length|context window|exceeds? the (?:available )?"
    r"context|prompt is too long|exceed_context_size|too many tokens",
    re.IGNORECASE,
)
_FILTERED = re.compile(
    r"content_policy|content_filter|content policy|content management policy", re.IGNORECASE
)
# What LiteLLM puts before a provider's message, and the message in a body that it shows whole.
_PREFIX = re.compile(r"^(?:(?:litellm\.)?\w+(?:Error|Exception): )*(?:\w+Exception - )?")
_QUOTED_MESSAGE = re.compile(r'"message": ?"((?:[^"\\]|\\.)+)"')
_REFERENCE = re.compile(r"\{\{\s*(?:step_)?\d+[^{}]*\}\}")


@dataclass(frozen=True)
class Target:
    """One model and how it is asked.

    ``id`` is LiteLLM's, ``label`` what traces call it. ``temperature`` None: the model's own.
    ``parameters`` go into the request as they are.
    """

    id: str
    label: str
    provider: str
    api_base: str | None = None
    api_key: str | None = field(default=None, repr=False)
    temperature: float | None = 0.0
    context: int | None = None
    takes_schema: bool = True
    is_free: bool = False
    timeout_s: float = TIMEOUT_S
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def settings(self) -> dict[str, Any]:
        """What a run's record says of it; no secret. Where it is served is no part of it."""
        return {
            "temperature": self.temperature,
            "timeout_s": self.timeout_s,
            **self.parameters,
        }

    @property
    def is_own_endpoint(self) -> bool:
        """Whether it is an OpenAI-compatible endpoint, and not a provider that LiteLLM knows."""
        return self.provider in (ENDPOINT, LOCAL)

    @property
    def address(self) -> str | None:
        """Where it is served, fit to be shown."""
        return None if self.api_base is None else without_secrets(self.api_base)


def without_secrets(url: str) -> str:
    """An address without user, password, query and fragment."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def find_target(
    model: str,
    api_base: str | None = None,
    key_variable: str | None = None,
    environment: Mapping[str, str] = os.environ,
    own_temperature: bool = False,
) -> Target:
    """The model of a LiteLLM id, of a name in models.toml, or of an endpoint at ``api_base``.

    An endpoint of one's own is sent no key but that of ``key_variable``. ``own_temperature``: send
    none, for models that refuse 0 and are not known to. Raises InputError for an unknown provider
    and a missing key.
    """
    if "://" in model:
        raise InputError(f"{model}: a model is a name; give the address with --api-base")
    if api_base is not None and not api_base.startswith(("http://", "https://")):
        raise InputError(f"{api_base}: expected an address that begins with http:// or https://")
    known = find_model(model)
    id_ = known.id if known else model
    provider = _provider(id_, api_base)
    label = id_
    if api_base is not None and provider in (None, "openai"):
        label = id_.removeprefix("openai/")
        id_, provider = f"openai/{label}", ENDPOINT
    if provider is None:
        raise InputError(
            f"{model}: no provider is known for it; expected a LiteLLM id such as "
            "openai/gpt-4o-mini, a name that `comptoolbench models` lists, or --api-base"
        )
    if api_base is None and provider in providers():
        api_base = server_of(providers()[provider], environment)
    temperature = known.temperature if known else _temperature(id_)
    temperature = None if own_temperature else temperature
    parameters: dict[str, Any] = {}
    if known is not None and provider == "ollama_chat":
        parameters["num_ctx"] = known.context
    return Target(
        id=id_,
        label=label,
        provider=provider,
        api_base=api_base,
        api_key=_key(model, id_, provider, api_base, key_variable, environment),
        temperature=temperature,
        context=known.context if known else None,
        takes_schema=_takes(id_, "response_format"),
        is_free=provider in providers() and providers()[provider].key is None,
        parameters=parameters,
    )


def _key(
    model: str,
    id_: str,
    provider: str,
    api_base: str | None,
    key_variable: str | None,
    environment: Mapping[str, str],
) -> str | None:
    known = providers().get(provider)
    if key_variable is None and api_base is not None:
        return "none"
    variable = key_variable or (known.key if known else None)
    if variable is not None:
        key = environment.get(variable, "").strip()
        if not key:
            raise InputError(f"{model}: set {variable} to your key first")
        return key
    missing = _litellm().validate_environment(id_)["missing_keys"]
    if missing:
        raise InputError(f"{model}: set {' or '.join(missing)} first")
    return None


def _litellm() -> Any:
    """LiteLLM, quiet and offline but for the requests themselves."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    try:
        import litellm
    except ImportError:
        raise InputError("asking a model needs LiteLLM: pip install 'comptoolbench[run]'") from None
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
    return litellm


def _provider(id_: str, api_base: str | None) -> str | None:
    litellm = _litellm()
    try:
        provider: str = litellm.get_llm_provider(id_, api_base=api_base)[1]
        return provider
    except litellm.exceptions.BadRequestError:
        return None


def _temperature(id_: str) -> float | None:
    """0, or None where LiteLLM knows that the model refuses it."""
    litellm = _litellm()
    name, provider, _, _ = litellm.get_llm_provider(id_)
    try:
        litellm.utils.get_optional_params(model=name, custom_llm_provider=provider, temperature=0.0)
    except litellm.exceptions.UnsupportedParamsError:
        return None
    return 0.0


def _takes(id_: str, parameter: str) -> bool:
    litellm = _litellm()
    name, provider, _, _ = litellm.get_llm_provider(id_)
    return parameter in (litellm.get_supported_openai_params(name, provider) or ())


class Client:
    """Asks one model. Each call is one attempt."""

    def __init__(self, target: Target) -> None:
        """Loads LiteLLM (seconds)."""
        self._target = target
        self._litellm = _litellm()
        # LiteLLM would load it within the first request, whose latency would tell of that.
        import_module("openai.resources.chat")

    async def __call__(self, request: Request) -> Reply:
        """The model's reply; raises Infrastructure or ModelFault."""
        target = self._target
        try:
            async with asyncio.timeout(target.timeout_s):
                response = await self._litellm.acompletion(**self._arguments(request))
        except TimeoutError:
            raise ModelFault("timeout", _no_answer(target.timeout_s)) from None
        except Exception as error:
            raise self._failure(error) from None
        reply = _reply(response)
        return replace(reply, cost_usd=self._cost(response, reply.usage))

    def _cost(self, response: Any, usage: Mapping[str, int]) -> float | None:
        """What LiteLLM says that the answer cost, or its table."""
        if self._target.is_free:
            return 0.0
        cost: float | None = response._hidden_params.get("response_cost")
        if cost is not None:
            return cost
        return self.price(usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0))

    def _arguments(self, request: Request) -> dict[str, Any]:
        import httpx

        target = self._target
        arguments: dict[str, Any] = {
            "model": target.id,
            "messages": _copied(request.messages),
            "api_base": target.api_base,
            "api_key": target.api_key,
            "max_retries": 0,
            "timeout": httpx.Timeout(target.timeout_s, connect=CONNECT_TIMEOUT_S),
            **target.parameters,
        }
        if target.temperature is not None:
            arguments["temperature"] = target.temperature
        if request.calls == "native" and target.is_own_endpoint:
            # So they arrive as they are, and LiteLLM and the OpenAI client do not walk through the
            # whole catalogue for each request, which takes longer than all the rest.
            arguments["extra_body"] = {**arguments.get("extra_body", {}), "tools": request.tools}
        elif request.calls == "native":
            arguments["tools"] = _copied(request.tools)
        elif request.response_format is not None and target.takes_schema:
            arguments["response_format"] = request.response_format
        return arguments

    def _failure(self, error: Exception) -> Infrastructure | ModelFault:
        """Whose failure it is, and of which kind; without the key, should the provider quote it."""
        found = failure(error, self._target.timeout_s)
        key = self._target.api_key
        found.message = redacted(found.message, key)
        if isinstance(found, ModelFault) and found.generation is not None:
            found.generation = redacted(found.generation, key)
        return found

    def price(self, tokens_in: int, tokens_out: int) -> float | None:
        """What so many tokens cost in US dollars, by LiteLLM's table; None where it has no entry."""
        if self._target.is_free:
            return 0.0
        try:
            costs = self._litellm.cost_per_token(
                model=self._target.id, prompt_tokens=tokens_in, completion_tokens=tokens_out
            )
        except Exception:  # LiteLLM raises whatever it meets for a model that it does not know.
            return None
        return float(sum(costs)) or None


def redacted(text: str, secret: str | None) -> str:
    """The text without a secret."""
    if not secret or secret == "none":
        return text
    for form in (secret, quote(secret, safe="")):
        text = text.replace(form, "[key]")
    return text


def _copied(value: Any) -> Any:
    """A copy: some adapters of LiteLLM change what they are given."""
    return json.loads(json.dumps(value))


def _no_answer(timeout_s: float) -> str:
    return f"no answer within {timeout_s:g} s"


def _reply(response: Any) -> Reply:
    choices = response.choices or []
    message = _plain(choices[0].message.model_dump(exclude_none=True)) if choices else None
    usage = response.get("usage")
    counted = {} if usage is None else usage.model_dump(exclude_none=True)
    names = ("prompt_tokens", "completion_tokens", "total_tokens")
    return Reply(
        message=message,
        finish_reason=choices[0].finish_reason if choices else None,
        usage={name: counted[name] for name in names if isinstance(counted.get(name), int)},
        model=response.model,
        fingerprint=getattr(response, "system_fingerprint", None),
    )


def _plain(message: Any) -> Any:
    """JSON data and no more, whatever a provider put into its message."""
    return json.loads(json.dumps(message, default=str), parse_constant=str)


def failure(error: BaseException, timeout_s: float) -> Infrastructure | ModelFault:
    """What an exception of LiteLLM means.

    LiteLLM wraps most failures as status 500: what happened stands in the chain of causes.
    """
    causes = list(_causes(error))
    transport = _transport(causes)
    if transport == "timeout":
        return ModelFault("timeout", _no_answer(timeout_s))
    message = _message(error)
    if transport is not None:
        return Infrastructure(transport, message)
    text = " ".join([str(error), *(body for cause in causes if (body := _body(cause)))])
    status = next((s for cause in reversed(causes) if (s := _status(cause))), None)
    if status in (400, 422, 500) and _REFUSED_CALL.search(text):
        return _refused_call(message, text)
    if status in (400, 413, 422) and _TOO_LONG.search(text):
        return ModelFault("context_overflow", message)
    if status in (400, 422) and _FILTERED.search(text):
        return ModelFault("content_filter", message)
    if status == 401:
        return Infrastructure("auth", message)
    if status == 404:
        return Infrastructure("unknown_model", message)
    if status == 429:
        return Infrastructure("rate_limit", message, _retry_after(causes))
    if status in (400, 402, 403, 405, 413, 415, 422):
        return Infrastructure("bad_request", message)
    return Infrastructure("provider_error", message, _retry_after(causes))


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__


def _transport(causes: list[BaseException]) -> str | None:
    """How the connection failed, or None where an answer came."""
    import httpx

    for cause in causes:
        if isinstance(cause, httpx.ReadTimeout):
            return "timeout"
        if isinstance(cause, httpx.TimeoutException):
            return "connect_timeout"
        if isinstance(cause, httpx.TransportError | ConnectionError):
            return "connection"
    return None


def _status(cause: BaseException) -> int | None:
    status = getattr(cause, "status_code", None)
    response = getattr(cause, "response", None)
    status = getattr(response, "status_code", None) or status
    return status if isinstance(status, int) else None


def _body(cause: BaseException) -> str:
    try:
        return str(getattr(getattr(cause, "response", None), "text", "") or "")
    except Exception:  # A response that was never read has no text.
        return ""


def _retry_after(causes: list[BaseException]) -> float | None:
    """Seconds that the provider asks to wait, given as seconds or as a date."""
    for cause in causes:
        headers = getattr(getattr(cause, "response", None), "headers", None) or {}
        value = headers.get("retry-after")
        if value is None:
            continue
        try:
            return max(0.0, float(value))
        except ValueError:
            return _seconds_until(value)
    return None


def _seconds_until(date: str) -> float | None:
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(date)
    except ValueError:
        return None
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def _message(error: BaseException) -> str:
    """The provider's own words on one line."""
    text = _PREFIX.sub("", str(error)).partition("Traceback (most recent")[0]
    quoted = _QUOTED_MESSAGE.search(text)
    text = " ".join((quoted[1] if quoted else text).split())
    return text if len(text) <= MAX_MESSAGE else f"{text[: MAX_MESSAGE - 3]}..."


def _refused_call(message: str, text: str) -> Infrastructure | ModelFault:
    """A provider's refusal of a call: the model's fault, unless all that is wrong is a reference."""
    quoted = re.search(r'"failed_generation"\s*:\s*("(?:[^"\\]|\\.)*")', text)
    try:
        generation = str(json.loads(quoted[1])) if quoted else None
    except ValueError:
        generation = None
    if generation is not None and _REFERENCE.search(generation):
        answer = read_text(generation, ())
        if answer.calls and all(isinstance(arguments, dict) for _, arguments in answer.calls):
            return Infrastructure("reference_rejected", message)
    return ModelFault("malformed_call", message, generation)
