"""What the page serves beside itself: downloads, and headers that keep a browser safe."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl

from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dataset_builder.errors import InputError
from dataset_builder.read_files import read_plain
from evaluator.traces.signature import suite_label
from space.base.settings import Settings
from space.base.tiers import SELF_REPORTED, WITHDRAWN
from space.board.board_table import Ranking, records, shown_rows, to_csv
from space.board.entry import Entry
from space.board.live_run import whole_rows
from space.board.page_address import BoardQuery, read_board_query
from space.html.run_pictures import badge_svg, preview_png
from space.page.delivery import Delivery
from space.page.request_limits import Allowance, BodyLimit
from space.services import Services
from space.submissions.example_file import NAME, example_file

_FRESH_S = 300
"""How long others may show a picture of a run before they ask again."""
_PRIVATE = re.compile(rb"(?:^|&)(?:job|of|run)=[0-9a-f]{32}(?![0-9a-f])")
"""The address of a job or draft: whoever has the link may look, and no search engine shall keep it."""
_JSON_LINES = "application/x-ndjson"
_HEADERS = {
    # Gradio builds its components from inline scripts and styles; nothing comes from elsewhere.
    "Content-Security-Policy": "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; "
    "connect-src 'self' data: blob: https://huggingface.co https://*.hf.space; object-src 'none'; "
    "base-uri 'self'; frame-ancestors 'self' https://huggingface.co https://*.hf.space",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
}


def routes(services: Services) -> list[Route]:
    """The downloads."""
    downloads = _Downloads(services)
    return [
        Route("/download/leaderboard.csv", downloads.leaderboard_csv),
        Route("/download/leaderboard.json", downloads.leaderboard_json),
        Route(f"/download/{NAME}", downloads.example),
        Route("/download/{name}/traces.jsonl", downloads.traces),
        Route("/download/{name}/scores.json", downloads.scores),
        Route("/badge/{name}.svg", downloads.badge),
        Route("/preview/{name}.png", downloads.preview),
        Route("/download/job/{name}/traces.jsonl", downloads.job_traces),
    ]


@dataclass(frozen=True)
class _Downloads:
    """A function for each file that can be downloaded."""

    services: Services

    def traces(self, request: Request) -> Response:
        """What a run answered."""
        entry = self._entry(request)
        if entry is None or entry.status == WITHDRAWN:
            return _gone(entry)
        name = f"{entry.id}.jsonl"
        if entry.tier == SELF_REPORTED:
            return FileResponse(entry.traces, media_type=_JSON_LINES, filename=name)
        # A run may be growing: its length would change while it is sent.
        try:
            return _attachment(whole_rows(read_plain(entry.traces)), _JSON_LINES, name)
        except OSError:
            return _gone(None)

    def example(self, request: Request) -> Response:
        """A trace file to look at."""
        return _attachment(example_file(self.services.settings.suite), _JSON_LINES, NAME)

    def scores(self, request: Request) -> Response:
        """What a run's answers are worth."""
        entry = self._entry(request)
        if entry is None or entry.status == WITHDRAWN:
            return _gone(entry)
        text = json.dumps(entry.result.scores, ensure_ascii=False, indent=1)
        return _attachment(text, "application/json", f"{entry.id}.json")

    def leaderboard_csv(self, request: Request) -> Response:
        """The board as an address sets it."""
        try:
            query, rankings = self._board(request)
        except InputError as error:
            return PlainTextResponse(f"{error}\n", 400)
        text = to_csv(rankings, query.columns)
        return _attachment(text, "text/csv; charset=utf-8", "leaderboard.csv")

    def leaderboard_json(self, request: Request) -> Response:
        """The same rows with every column."""
        try:
            query, rankings = self._board(request)
        except InputError as error:
            return PlainTextResponse(f"{error}\n", 400)
        suite = suite_label(self.services.settings.suite)
        said = {"suite": suite, "rank_by": query.rank_by, "rows": records(rankings)}
        text = json.dumps(said, ensure_ascii=False, indent=1)
        return _attachment(text, "application/json", "leaderboard.json")

    def _board(self, request: Request) -> tuple[BoardQuery, Sequence[Ranking]]:
        try:
            pairs = parse_qsl(request.url.query, max_num_fields=100)
        except ValueError:
            raise InputError("the address has too many fields") from None
        query = read_board_query(pairs)
        return query, shown_rows(self.services.board.current(), query).rankings

    def job_traces(self, request: Request) -> Response:
        """What a job answered so far, for who has its link."""
        try:
            content = self.services.jobs.finished_traces(request.path_params["name"])
        except InputError as error:
            return PlainTextResponse(f"{error}\n", 404)
        answer = _attachment(content, _JSON_LINES, "traces.jsonl")
        answer.headers["Cache-Control"] = "no-store"
        return answer

    def badge(self, request: Request) -> Response:
        """A run's share solved and rank, for other pages."""
        entry = self._entry(request)
        if entry is None:
            return _gone(None)
        return _picture(badge_svg(self.services.board.current(), entry).encode(), "image/svg+xml")

    def preview(self, request: Request) -> Response:
        """What is shown of a run where its address is shared."""
        entry = self._entry(request)
        if entry is None:
            return _gone(None)
        return _picture(preview_png(self.services.board.current(), entry), "image/png")

    def _entry(self, request: Request) -> Entry | None:
        return self.services.board.current().find(request.path_params["name"])


def _gone(entry: Entry | None) -> Response:
    if entry is None:
        return PlainTextResponse("There is no run of that id.\n", 404)
    return PlainTextResponse(f"This run was withdrawn: {entry.status_reason}\n", 410)


def _picture(content: bytes, kind: str) -> Response:
    return Response(
        content, media_type=kind, headers={"Cache-Control": f"public, max-age={_FRESH_S}"}
    )


def _attachment(text: str | bytes, kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=kind, headers=headers)


def middleware(settings: Settings) -> list[Middleware]:
    """What stands before every route."""
    return [
        Middleware(Delivery),
        Middleware(_SafeHeaders),
        Middleware(BodyLimit, settings=settings, allowance=Allowance()),
    ]


class _SafeHeaders:
    """Adds the headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                if _PRIVATE.search(scope["query_string"]):
                    headers["X-Robots-Tag"] = "noindex, nofollow"
            await send(message)

        await self._app(scope, receive, with_headers)
