"""What the stand-in for the Hub (tests/stand_ins/hub.py) answers, route by route."""

import base64
import hashlib
import json
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs

import yaml
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.stand_ins.hub_repositories import (
    DATE,
    USERS,
    Commit,
    Repository,
    User,
    file_entry,
    folder_entry,
    is_lfs,
    oid,
)

Endpoint = Callable[[Request], Awaitable[Response]]


def refused(status: int, message: str, code: str = "") -> HTTPException:
    headers = {"X-Error-Message": message} | ({"X-Error-Code": code} if code else {})
    return HTTPException(status, message, headers)


class Answers:
    """The repositories, and one method for each route."""

    def __init__(self) -> None:
        self.repos: dict[tuple[str, str], Repository] = {}
        self._blobs: dict[str, bytes] = {}

    def routes(self) -> list[Route]:
        def route(path: str, endpoint: Endpoint, *methods: str) -> Route:
            return Route(path, endpoint, methods=list(methods or ("GET",)))

        repo = "/api/{kind}/{owner}/{name}"
        return [
            route("/api/whoami-v2", self._whoami),
            route("/api/validate-yaml", self._validate_yaml, "POST"),
            route("/api/repos/create", self._create, "POST"),
            route(repo, self._info),
            route(f"{repo}/revision/{{revision}}", self._info),
            route(f"{repo}/refs", self._refs),
            route(f"{repo}/tag/{{revision}}", self._tag, "POST"),
            route(f"{repo}/tree/{{revision}}", self._tree),
            route(f"{repo}/tree/{{revision}}/{{path:path}}", self._tree),
            route(f"{repo}/paths-info/{{revision}}", self._paths_info, "POST"),
            route(f"{repo}/preupload/{{revision}}", self._preupload, "POST"),
            route(f"{repo}/commit/{{revision}}", self._commit, "POST"),
            route("/lfs/{oid}", self._put_blob, "PUT"),
            route("/{kind}/{owner}/{name}.git/info/lfs/objects/batch", self._lfs_batch, "POST"),
            route("/{kind}/{owner}/{name}/resolve/{revision}/{path:path}", self._resolve),
        ]

    # Who asks, and for what.

    def _user(self, request: Request) -> User | None:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        if token and token not in USERS:
            raise refused(401, "Invalid credentials in Authorization header")
        return USERS.get(token)

    def _found(self, request: Request, write: bool = False) -> Repository:
        user, where = self._user(request), request.path_params
        owned = user is not None and where["owner"] in user.namespaces
        repo = self.repos.get((where["kind"], f"{where['owner']}/{where['name']}"))
        if repo is None or (repo.private and not owned):
            raise refused(404 if user else 401, "Repository not found", "RepoNotFound")
        if write and not (owned and user is not None and user.role == "write"):
            raise refused(403, "You don't have the rights to write to this repository")
        return repo

    def _at(self, request: Request) -> Commit:
        commit = self._found(request).at(request.path_params.get("revision", "main"))
        if commit is None:
            raise refused(404, "Invalid rev id", "RevisionNotFound")
        return commit

    async def _whoami(self, request: Request) -> Response:
        user = self._user(request)
        if user is None:
            raise refused(401, "Invalid username or password.")
        orgs = [{"type": "org", "name": name} for name in user.namespaces if name != user.name]
        access = {"accessToken": {"displayName": "stand-in", "role": user.role}}
        return JSONResponse({"type": "user", "name": user.name, "orgs": orgs, "auth": access})

    async def _validate_yaml(self, request: Request) -> Response:
        text = (await request.json())["content"]
        try:
            front = yaml.safe_load(text.split("---\n")[1])
        except (IndexError, yaml.YAMLError):
            front = None
        if not isinstance(front, dict):
            errors = [{"message": "the metadata is no YAML mapping", "line": 1}]
            return JSONResponse({"errors": errors, "warnings": []}, 400)
        return JSONResponse({"errors": [], "warnings": []})

    # Repositories.

    async def _create(self, request: Request) -> Response:
        asked, user = await request.json(), self._user(request)
        if user is None:
            raise refused(401, "Invalid username or password.")
        owner = asked.get("organization") or user.name
        if user.role != "write" or owner not in user.namespaces:
            raise refused(403, f"You don't have the rights to create a repository under {owner}")
        key = (f"{asked['type']}s", f"{owner}/{asked['name']}")
        url = f"{_origin(request)}/{key[0]}/{key[1]}"
        if key in self.repos:
            return JSONResponse({"error": "You already created this repo", "url": url}, 409)
        if asked["type"] == "space" and asked.get("sdk") != "gradio":
            raise refused(400, "sdk is required")
        repo = Repository(private=asked.get("visibility") == "private", commits=[])
        repo.commit("initial commit", {".gitattributes": b"*.parquet filter=lfs\n"})
        self.repos[key] = repo
        return JSONResponse({"url": url, "name": key[1]})

    async def _info(self, request: Request) -> Response:
        repo, commit = self._found(request), self._at(request)
        where = request.path_params
        return JSONResponse(
            {
                "_id": "0" * 24,
                "id": f"{where['owner']}/{where['name']}",
                "sha": commit.id,
                "private": repo.private,
                "gated": False,
                "disabled": False,
                "lastModified": DATE,
                "createdAt": DATE,
                "downloads": 0,
                "likes": 0,
                "tags": [],
                "siblings": [{"rfilename": path} for path in commit.files],
            }
        )

    async def _refs(self, request: Request) -> Response:
        repo = self._found(request)
        tags = [
            {"name": name, "ref": f"refs/tags/{name}", "targetCommit": commit}
            for name, commit in repo.tags.items()
        ]
        main = {"name": "main", "ref": "refs/heads/main", "targetCommit": repo.commits[-1].id}
        return JSONResponse({"branches": [main], "converts": [], "tags": tags})

    async def _tag(self, request: Request) -> Response:
        repo, name = self._found(request, write=True), (await request.json())["tag"]
        if name in repo.tags:
            raise refused(409, "Tag already exists")
        repo.tags[name] = self._at(request).id
        return Response()

    # Reading.

    async def _tree(self, request: Request) -> Response:
        commit, below = self._at(request), request.path_params.get("path", "")
        prefix = f"{below}/" if below else ""
        paths = sorted(path for path in commit.files if path.startswith(prefix))
        if below and not paths:
            raise refused(404, "Entry not found", "EntryNotFound")
        recursive = request.query_params.get("recursive", "").lower() in ("1", "true")
        entries: dict[str, dict[str, Any]] = {}
        for path in paths:
            first, deeper, _ = path.removeprefix(prefix).partition("/")
            if deeper:
                entries.setdefault(prefix + first, folder_entry(prefix + first, commit))
            if recursive or not deeper:
                entries[path] = file_entry(path, commit)
        return JSONResponse(list(entries.values()))

    async def _paths_info(self, request: Request) -> Response:
        commit = self._at(request)
        body = await request.body()
        if request.headers.get("content-type", "").startswith("application/json"):
            asked = json.loads(body)["paths"]
        else:
            asked = parse_qs(body.decode())["paths"]
        found = [file_entry(path, commit) for path in asked if path in commit.files]
        folders = [p for p in asked if any(path.startswith(f"{p}/") for path in commit.files)]
        return JSONResponse(found + [folder_entry(path, commit) for path in folders])

    async def _resolve(self, request: Request) -> Response:
        commit, path = self._at(request), request.path_params["path"]
        headers = {"X-Repo-Commit": commit.id, "Accept-Ranges": "bytes"}
        content = commit.files.get(path)
        if content is None:
            error = refused(404, "Entry not found", "EntryNotFound")
            return JSONResponse({"error": error.detail}, 404, {**(error.headers or {}), **headers})
        headers["ETag"] = f'"{oid(path, content)}"'
        kind = "application/octet-stream"
        wanted = request.headers.get("range", "")
        if not wanted.startswith("bytes="):
            return Response(content, headers=headers, media_type=kind)
        begin, _, end = wanted.removeprefix("bytes=").partition("-")
        first = int(begin) if begin else max(0, len(content) - int(end))
        last = min(int(end), len(content) - 1) if begin and end else len(content) - 1
        if first > last:
            return Response(status_code=416, headers={"Content-Range": f"bytes */{len(content)}"})
        headers["Content-Range"] = f"bytes {first}-{last}/{len(content)}"
        return Response(content[first : last + 1], 206, headers=headers, media_type=kind)

    # Writing.

    async def _preupload(self, request: Request) -> Response:
        files = self._found(request, write=True).files()
        answer = [
            {
                "path": asked["path"],
                "uploadMode": "lfs" if is_lfs(asked["path"]) else "regular",
                "shouldIgnore": False,
                "oid": oid(asked["path"], files[asked["path"]]) if asked["path"] in files else None,
            }
            for asked in (await request.json())["files"]
        ]
        return JSONResponse({"files": answer})

    async def _lfs_batch(self, request: Request) -> Response:
        self._found(request, write=True)
        objects = []
        for asked in (await request.json())["objects"]:
            answer = {"oid": asked["oid"], "size": asked["size"]}
            if asked["oid"] not in self._blobs:
                answer["actions"] = {"upload": {"href": f"{_origin(request)}/lfs/{asked['oid']}"}}
            objects.append(answer)
        return JSONResponse({"transfer": "basic", "objects": objects})

    async def _put_blob(self, request: Request) -> Response:
        content, name = await request.body(), request.path_params["oid"]
        if hashlib.sha256(content).hexdigest() != name:
            raise refused(400, "The content does not match its hash")
        self._blobs[name] = content
        return Response()

    async def _commit(self, request: Request) -> Response:
        repo = self._found(request, write=True)
        if request.path_params["revision"] != "main":
            raise refused(404, "Invalid rev id", "RevisionNotFound")
        files, message = repo.files(), ""
        for line in (await request.body()).splitlines():
            item = json.loads(line)
            value = item["value"]
            if item["key"] == "header":
                message = value["summary"]
                if value.get("parentCommit", repo.commits[-1].id) != repo.commits[-1].id:
                    raise refused(412, "A commit has happened since")
            elif item["key"] == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif item["key"] == "lfsFile":
                if value["oid"] not in self._blobs:
                    raise refused(400, f"LFS object {value['oid']} was not uploaded")
                files[value["path"]] = self._blobs[value["oid"]]
            elif files.pop(value["path"], None) is None:
                raise refused(404, "A file with this name doesn't exist", "EntryNotFound")
        commit, where = repo.commit(message, files), request.path_params
        page = f"{_origin(request)}/{where['kind']}/{where['owner']}/{where['name']}/commit/{commit.id}"
        return JSONResponse({"commitOid": commit.id, "commitUrl": page})


def _origin(request: Request) -> str:
    return str(request.base_url).rstrip("/")
