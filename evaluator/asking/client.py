"""Asks models through LiteLLM. The only file that knows it; its own retries are off."""

import asyncio
import gc
import json
import logging
import os
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from importlib import import_module
from typing import Any

from dataset_builder.errors import InputError
from evaluator.asking.provider_errors import failure, no_answer, redacted
from evaluator.asking.request_reply import Infrastructure, ModelFault, Reply, Request
from evaluator.asking.responses_form import flat, items_of, reply_of
from evaluator.asking.target import Target
from evaluator.traces.protocols import RESPONSES
from evaluator.traces.trace_fields import MAX_COST_USD, is_amount, is_count

CONNECT_TIMEOUT_S = 5.0


@lru_cache(maxsize=1)
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
    # LiteLLM would load it within the first request, whose latency would tell of that.
    import_module("openai.resources.chat")
    # They live as long as the process, and to walk through so many objects takes the garbage
    # collector a quarter of a second, in which no answer is read.
    gc.freeze()
    return litellm


def provider_of(id_: str, api_base: str | None) -> str | None:
    """LiteLLM's name of the provider that serves a model, or None."""
    litellm = _litellm()
    try:
        provider: str = litellm.get_llm_provider(id_, api_base=api_base)[1]
        return provider
    except litellm.exceptions.BadRequestError:
        return None


def temperature_of(id_: str) -> float | None:
    """0, or None where LiteLLM knows that the model refuses it."""
    litellm = _litellm()
    name, provider, _, _ = litellm.get_llm_provider(id_)
    try:
        litellm.utils.get_optional_params(model=name, custom_llm_provider=provider, temperature=0.0)
    except litellm.exceptions.UnsupportedParamsError:
        return None
    return 0.0


def takes(id_: str, parameter: str) -> bool:
    """Whether LiteLLM knows the parameter to be one of the model's."""
    litellm = _litellm()
    name, provider, _, _ = litellm.get_llm_provider(id_)
    return parameter in (litellm.get_supported_openai_params(name, provider) or ())


def has_responses(id_: str) -> bool:
    """Whether LiteLLM asks the model's provider through Responses itself, and not through chat."""
    litellm = _litellm()
    name, provider, _, _ = litellm.get_llm_provider(id_)
    configs = import_module("litellm.utils").ProviderConfigManager
    found = configs.get_provider_responses_api_config(
        provider=litellm.LlmProviders(provider), model=name
    )
    return found is not None


def missing_keys(id_: str) -> list[str]:
    """The environment variables that a provider of LiteLLM's needs and that are not set."""
    missing: list[str] = _litellm().validate_environment(id_)["missing_keys"]
    return missing


class Client:
    """Asks one model. Each call is one attempt."""

    def __init__(self, target: Target) -> None:
        """Loads LiteLLM (seconds)."""
        self._target = target
        self._litellm = _litellm()
        # So LiteLLM does not prepare a report of each request for callbacks, of which there are none.
        self._is_internal_call = import_module("litellm._internal_context").is_internal_call
        self._takes_schema: bool | None = None if target.takes_schema else False

    async def __call__(self, request: Request) -> Reply:
        """The model's reply; raises Infrastructure or ModelFault.

        A request with ``response_format`` that a provider refuses is made again without it. If that
        was why, none has it from then on.
        """
        if request.response_format is None or self._takes_schema is False:
            reply = await self._ask(replace(request, response_format=None))
            was_refused = request.response_format is not None and self._target.takes_schema
            return replace(reply, schema_refused=was_refused)
        try:
            reply = await self._ask(request)
        except Infrastructure as refusal:
            if refusal.kind != "bad_request" or self._takes_schema:
                raise
            try:
                reply = await self._ask(replace(request, response_format=None))
            except (Infrastructure, ModelFault):
                raise refusal from None
            self._takes_schema = False
            return replace(reply, schema_refused=True)
        self._takes_schema = True
        return reply

    async def _ask(self, request: Request) -> Reply:
        target = self._target
        self._is_internal_call.set(True)
        try:
            async with asyncio.timeout(target.timeout_s):
                response = await self._response(request)
        except TimeoutError:
            raise ModelFault("timeout", no_answer(target.timeout_s)) from None
        except Exception as error:
            # LiteLLM raises what it meets: its own types, those of httpx and the provider's SDK, and
            # a KeyError or TypeError where an answer is not built as expected. `failure` tells them
            # apart; whatever it is, this request has no answer and the run goes on.
            raise self._failure(error) from None
        if target.endpoint == RESPONSES:
            reply = reply_of(_plain(response.model_dump(exclude_none=True)))
        else:
            reply = _reply(response)
        if reply.message is None and not reply.usage.get("completion_tokens"):
            raise Infrastructure("provider_error", "the provider sent no choice")
        return replace(reply, cost_usd=self._cost(response, reply.usage))

    async def _response(self, request: Request) -> Any:
        """What the provider sent, as LiteLLM gives it."""
        if self._target.endpoint == RESPONSES:
            return await self._litellm.aresponses(**self._responses_arguments(request))
        return await self._litellm.acompletion(**self._arguments(request))

    def _cost(self, response: Any, usage: Mapping[str, int]) -> float | None:
        """What LiteLLM says that the answer cost, or its table."""
        if self._target.is_free:
            return 0.0
        cost: float | None = response._hidden_params.get("response_cost")
        if cost is not None or not self._has_price:
            return cost if is_amount(cost, MAX_COST_USD) else None
        return self.price(usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0))

    @cached_property
    def _has_price(self) -> bool:
        return self.price(1000, 1000) is not None

    def _common_arguments(self) -> dict[str, Any]:
        """Whom to ask, and how."""
        import httpx

        target = self._target
        arguments: dict[str, Any] = {
            "model": target.id,
            "api_base": target.api_base,
            "api_key": target.api_key,
            "max_retries": 0,
            "timeout": httpx.Timeout(target.timeout_s, connect=CONNECT_TIMEOUT_S),
            **target.parameters,
        }
        if target.temperature is not None:
            arguments["temperature"] = target.temperature
        return arguments

    def _responses_arguments(self, request: Request) -> dict[str, Any]:
        """Nothing is stored with the provider, so that reasoning goes back as it came."""
        arguments = self._common_arguments() | {
            "input": _copied(items_of(request.messages)),
            "tools": _copied(flat(request.tools)),
            "store": False,
        }
        if self._litellm.supports_reasoning(model=self._target.id):
            arguments["include"] = ["reasoning.encrypted_content"]
        return arguments

    def _arguments(self, request: Request) -> dict[str, Any]:
        target = self._target
        arguments = self._common_arguments()
        arguments["messages"] = [] if target.is_own_endpoint else _copied(request.messages)
        native = request.calls == "native"
        if target.is_own_endpoint:
            # So they arrive as they are, and LiteLLM and the OpenAI client do not walk through the
            # conversation and the catalogue for each request, which takes longer than all the rest.
            tools = {"tools": request.tools} if native else {}
            parameters = arguments.get("extra_body", {})
            arguments["extra_body"] = {**parameters, "messages": request.messages, **tools}
        elif native:
            arguments["tools"] = _copied(request.tools)
        if not native and request.response_format is not None:
            arguments["response_format"] = request.response_format
        return arguments

    def _failure(self, error: Exception) -> Infrastructure | ModelFault:
        """Whose failure it is, and of which kind; without the key, should the provider quote it."""
        cause = failure(error, self._target.timeout_s)
        if cause.kind in ("connection", "connect_timeout") and self._target.address is not None:
            cause.message = f"{self._target.address}: {cause.message}"
        key = self._target.api_key
        cause.message = redacted(cause.message, key)
        if isinstance(cause, ModelFault) and cause.generation is not None:
            cause.generation = redacted(cause.generation, key)
        return cause

    def price(self, tokens_in: int, tokens_out: int) -> float | None:
        """What so many tokens cost in US dollars, by LiteLLM's table; None where it has no entry."""
        if self._target.is_free:
            return 0.0
        try:
            costs = self._litellm.cost_per_token(
                model=self._target.id, prompt_tokens=tokens_in, completion_tokens=tokens_out
            )
        except Exception:
            # LiteLLM has no type of its own for a model without a price: it raises Exception itself.
            return None
        return float(sum(costs)) or None


def _copied(value: Any) -> Any:
    """A copy: some adapters of LiteLLM change what they are given."""
    return json.loads(json.dumps(value))


def _reply(response: Any) -> Reply:
    choices = response.choices or []
    message = _plain(choices[0].message.model_dump(exclude_none=True)) if choices else None
    usage = response.get("usage")
    counted = {} if usage is None else usage.model_dump(exclude_none=True)
    names = ("prompt_tokens", "completion_tokens", "total_tokens")
    return Reply(
        message=message,
        finish_reason=choices[0].finish_reason if choices else None,
        usage={name: counted[name] for name in names if is_count(counted.get(name))},
        model=response.model,
        fingerprint=getattr(response, "system_fingerprint", None),
    )


def _plain(message: Any) -> Any:
    """JSON data and no more, whatever a provider put into its message."""
    return json.loads(json.dumps(message, default=str), parse_constant=str)
