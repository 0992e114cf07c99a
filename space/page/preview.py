"""The picture beside a link to the page, as a file that is made once."""

from functools import cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dataset_builder.tasks.task import Suite
from space.html.task_picture import preview_png
from space.page.address_words import PREVIEW

_DAY = "public, max-age=86400"


def preview_route(suite: Suite) -> Route:
    """Where the picture is served. It is drawn when somebody first asks for it."""

    @cache
    def drawn() -> bytes:
        return preview_png(suite)

    def answer(_: Request) -> Response:
        return Response(drawn(), media_type="image/png", headers={"Cache-Control": _DAY})

    return Route(f"/{PREVIEW}", answer)
