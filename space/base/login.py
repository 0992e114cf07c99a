"""Who a request comes from: the Hugging Face login of a browser, or the token of a client."""

import gradio as gr

from dataset_builder.errors import InputError
from dataset_builder.published.hub import Repo, user_name
from space.base.settings import Settings
from space.base.visitors import Visitor, visitor_of

_HEADER = "x-hf-authorization"
"""Where the Gradio client puts the token that it is given."""


def visitor(settings: Settings, request: gr.Request, profile: gr.OAuthProfile | None) -> Visitor:
    """The visitor of a request; InputError where a client's token is not valid.

    A token is used once, to ask the Hub whose it is, and kept nowhere.
    """
    login = profile.username if profile is not None else None
    token = request.headers.get(_HEADER, "").removeprefix("Bearer ").strip()
    if login is None and token and settings.is_hosted:
        try:
            login = user_name(Repo("", token=token))
        except InputError:
            raise InputError("the Hub does not know the token that the client sent") from None
    address = request.client.host if request.client else "unknown"
    return visitor_of(settings, login, address, request.headers.get("x-forwarded-for"))
