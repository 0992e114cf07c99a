"""Attacks on running models from a hosted page, over real HTTP: addresses, keys, other visitors' runs."""

import json
import os
import re
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.samples.small_suite import small_suite, write_suite
from tests.stand_ins.page_server import served
from tests.stand_ins.page_session import Session, job_of, login_cookie, order, text_of
from tests.stand_ins.provider import Provider, always

pytestmark = pytest.mark.slow
SUITE = small_suite()
OAUTH, WRITE_TOKEN, SECRET = "oauth-" + "0a" * 12, "hf_" + "wRiTe" * 7, "seeds-" + "5e" * 12
OWN_KEY, TYPED_KEY = "sk-own-" + "0wN" * 10, "sk-typed-" + "tYp" * 10
VISITOR_TOKEN = "hf_" + "v1s1T" * 7


class Hosted:
    """A page as a Space runs it; Hugging Face inference is a stand-in, all else cannot be reached."""

    def __init__(self, address: str, folder: Path, provider: Provider) -> None:
        self.address, self.folder, self.provider = address, folder, provider

    def visit(self, name: str = "", forwarded: str = "") -> Session:
        headers = {"x-forwarded-for": forwarded} if forwarded else {}
        return Session(
            self.address, headers | (login_cookie(OAUTH, name, VISITOR_TOKEN) if name else {})
        )

    def jobs(self) -> list[Path]:
        return sorted(self.folder.glob("jobs/*/job.json"))


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    folder = tmp_path_factory.mktemp("hosted")
    write_suite(SUITE, folder / "suite.jsonl")
    (folder / "tmp").mkdir()
    with Provider(SUITE, latency_s=0.05) as provider:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "TMPDIR": str(folder / "tmp"),
            "SYSTEM": "spaces",
            "SPACE_ID": "org/space",
            "OAUTH_CLIENT_ID": "id",
            "OAUTH_CLIENT_SECRET": OAUTH,
            "OAUTH_SCOPES": "openid profile inference-api",
            "OPENID_PROVIDER_URL": "http://127.0.0.1:9",
            "HF_ENDPOINT": "http://127.0.0.1:9",
            "HF_INFERENCE_ENDPOINT": provider.url.removesuffix("/v1"),
            "HF_TOKEN": WRITE_TOKEN,
            "COMPTOOLBENCH_SECRET": SECRET,
            "OPENAI_API_KEY": OWN_KEY,
            "OPENAI_API_BASE": provider.url,
            "HTTPS_PROXY": "http://127.0.0.1:9",
        }
        with served(folder, environment) as address:
            yield Hosted(address, folder, provider)


MODEL = "openai/gpt-4o-mini"


@pytest.mark.parametrize(
    ("changes", "key", "said"),
    [
        ({"model": "huggingface/https://evil.example/x"}, TYPED_KEY, "no id of a model"),
        ({"model": "openai/http://127.0.0.1:1/v1"}, TYPED_KEY, "no id of a model"),
        ({"model": "openai/127.0.0.1:8000"}, TYPED_KEY, "no id of a model"),
        ({"model": "openai/10.0.0.1/x"}, TYPED_KEY, "no id of a model"),
        ({"model": "openai/evil.example:443/x"}, TYPED_KEY, "no id of a model"),
        ({"model": "openai/localhost/x"}, TYPED_KEY, "no id of a model"),
        ({"model": "openai/../x"}, TYPED_KEY, "no id of a model"),
        ({"model": "openai/x?api_base=http"}, TYPED_KEY, "no id of a model"),
        ({"model": "openai/x\n--api-base"}, TYPED_KEY, "no id of a model"),
        ({"model": "--api-base=http"}, TYPED_KEY, "no id of a model"),
        ({"model": "openai/" + "x" * 300}, TYPED_KEY, "no id of a model"),
        ({"model": "huggingface/org/name"}, TYPED_KEY, "expected PROVIDER/MODEL"),
        ({"model": "ollama_chat/llama3.1:8b"}, TYPED_KEY, "expected PROVIDER/MODEL"),
        ({"model": "azure/gpt-4o"}, TYPED_KEY, "expected PROVIDER/MODEL"),
        ({"model": "bedrock/x"}, TYPED_KEY, "expected PROVIDER/MODEL"),
        ({"model": "custom_openai/x"}, TYPED_KEY, "expected PROVIDER/MODEL"),
        ({"model": "gpt-4o-2024-08-06"}, TYPED_KEY, "expected PROVIDER/MODEL"),
        ({"model": "baseline:oracle"}, TYPED_KEY, "expected PROVIDER/MODEL"),
        ({"model": ""}, TYPED_KEY, "choose a model first"),
        ({"address": "http://127.0.0.1:1/v1"}, TYPED_KEY, "this page takes no address"),
        ({"source": "local", "address": "http://127.0.0.1:1/v1"}, "", "this page takes no address"),
        ({"source": "local", "model": "local:/etc/passwd"}, "", "the model that runs here is"),
        ({"source": "endpoint", "address": "http://127.0.0.1:1/v1"}, TYPED_KEY, "not in the list"),
        ({"source": "hub", "model": "org/name"}, TYPED_KEY, "log in with Hugging Face first"),
        ({"source": "hub", "model": "http://evil.example"}, TYPED_KEY, "no id of a model"),
        ({}, "", "give your key"),
        ({}, "   ", "give your key"),
        ({}, "two words", "no single word"),
        ({}, "a\nb", "no single word"),
        ({}, "x" * 5000, "no single word"),
        ({"protocol": "--out=/tmp"}, TYPED_KEY, "not in the list"),
        ({"catalogue": "--out=/tmp"}, TYPED_KEY, "catalogue: "),
        ({"calls": "--help"}, TYPED_KEY, "not in the list"),
        ({"samples": 1000}, TYPED_KEY, "aximum"),
        ({"limit": -3}, TYPED_KEY, "inimum"),
        ({"max_cost": "nan"}, TYPED_KEY, ""),
    ],
)
def test_what_may_not_be_started_starts_nothing(
    hosted: Hosted, changes: dict[str, Any], key: str, said: str
) -> None:
    form = {"source": "provider", "model": MODEL} | changes
    before, asked = hosted.jobs(), len(hosted.provider.requests)
    answer = text_of(hosted.visit().press("Start", *order(key=key, **form)))
    assert said in answer
    assert "?job=" not in answer
    assert hosted.jobs() == before
    assert len(hosted.provider.requests) == asked
    assert TYPED_KEY not in answer


def test_a_key_is_nowhere_but_in_the_process_that_asks(hosted: Hosted) -> None:
    """The provider cannot be reached: errors are made, and the run ends by itself."""
    ann, bob = hosted.visit(forwarded="1.1.1.1"), hosted.visit(forwarded="2.2.2.2")
    answers = [ann.press("Start", *order(key=TYPED_KEY, source="provider", model=MODEL, limit=3))]
    name = job_of(answers[0])
    said: list[str] = []
    end = time.monotonic() + 120
    while not said or "stopped" not in said[-1]:
        answers.append(ann.tick())
        said.append(text_of(answers[-1])[:400])
        processes = list(processes_of(hosted))
        for process in processes:
            assert TYPED_KEY not in process["cmdline"]
            assert TYPED_KEY not in process["environ"]
            assert name not in process["cmdline"]
            if "comptoolbench\0run" in process["cmdline"]:
                seen = True
                for hidden in (WRITE_TOKEN, SECRET, OWN_KEY, OAUTH):
                    assert hidden not in process["environ"]
        assert time.monotonic() < end, said[-1]
        time.sleep(0.1)
    assert seen
    # A tab that was loaded before an update sends too few values.
    answers.append(ann.press("Start", "provider", TYPED_KEY))
    assert "The page has changed" in text_of(answers[-1])
    answers.append(ann.press("Resume", None, "wrong key " + TYPED_KEY))
    others = [bob.get("config"), bob.get(""), json.dumps(bob.tick()).encode()]
    assert TYPED_KEY not in json.dumps(answers)
    assert all(TYPED_KEY.encode() not in other and name.encode() not in other for other in others)
    assert_nowhere(hosted, TYPED_KEY)
    assert hosted.provider.requests == []


def test_inference_is_asked_in_the_name_of_who_is_logged_in(hosted: Hosted) -> None:
    ann = hosted.visit("ann")
    form = order(source="hub", model="org/some-model", limit=4)
    name = job_of(ann.press("Start", *form))
    ann.wait("complete")
    sent = {headers["authorization"] for headers, _ in hosted.provider.requests}
    assert sent == {f"Bearer {VISITOR_TOKEN}"}
    assert {body["model"] for _, body in hosted.provider.requests} == {"org/some-model"}
    assert_nowhere(hosted, VISITOR_TOKEN)
    for hidden in (WRITE_TOKEN, SECRET, OWN_KEY):
        assert_nowhere(hosted, hidden)
    traces = ann.get(f"download/job/{name}/traces.jsonl").decode().splitlines()
    assert len(traces) == 4
    # Four tasks are not all of them: nothing that could be verified.
    said = text_of(ann.press("Publish this run", None, False))
    assert "only a run over all tasks" in said
    hosted.provider.requests.clear()


def test_a_run_is_verified_when_it_answered_fresh_tasks_and_not_before(hosted: Hosted) -> None:
    from evaluator.experiments.fresh_tasks import fresh_seed, fresh_suite

    eve = hosted.visit("eve")
    name = job_of(eve.press("Start", *order(source="hub", model="org/other")))
    record = json.loads((hosted.folder / "jobs" / name / "job.json").read_text())
    fresh = fresh_suite(fresh_seed(SECRET.encode(), record["fresh_id"]))
    hosted.provider._by_prompt |= {task.prompt: task for task in fresh.tasks}
    assert "only a run that is complete" in text_of(eve.press("Publish this run", None, False))
    eve.wait("can be published as verified")
    stranger = hosted.visit()
    assert "there is no such job" in text_of(stranger.press("Publish this run", name, False))
    said = text_of(eve.press("Publish this run", None, False))
    assert "Published:" in said
    found = re.search(r"org-other[\w.-]+", said)
    assert found is not None
    run = hosted.folder / "runs" / found[0]
    assert json.loads((run / "fresh.json").read_text())["seed"] == fresh_seed(
        SECRET.encode(), record["fresh_id"]
    )
    hosted.provider.requests.clear()


@pytest.mark.parametrize(
    "path",
    [
        "download/job/" + "0" * 32 + "/traces.jsonl",
        "download/job/..%2f..%2fsuite.jsonl/traces.jsonl",
        "download/job/%2e%2e/traces.jsonl",
        "download/job//traces.jsonl",
    ],
)
def test_a_guessed_link_leads_nowhere(hosted: Hosted, path: str) -> None:
    answer = hosted.visit().get(path)
    assert b"task_id" not in answer
    assert b"no such job" in answer or b"Not Found" in answer or b"no run of that id" in answer


def test_a_session_cannot_be_given_anothers_job(hosted: Hosted) -> None:
    """The job is state of the page; what a client sends in its place is not looked at."""
    ann, eve = hosted.visit("ann2"), hosted.visit("eve2")
    hosted.provider._script = always("hang")
    name = job_of(ann.press("Start", *order(source="hub", model="org/m", limit=2)))
    eve.press("Cancel", name)
    eve.press("Resume", name, "key")
    assert "running" in text_of(ann.tick())
    cancelled = text_of(ann.press("Cancel", None))
    assert "ending" in cancelled or "stopped" in cancelled
    ann.wait("stopped")
    hosted.provider._script = always("answer")
    hosted.provider.requests.clear()


@pytest.mark.alone
def test_ten_visitors_neither_block_the_board_nor_see_each_other(hosted: Hosted) -> None:
    visitors = [hosted.visit(f"visitor-{n}") for n in range(10)]
    hosted.provider._latency_s = 3.0
    with ThreadPoolExecutor(10) as pool:
        form = order(source="hub", model="org/model", samples=5)
        names = [job_of(out) for out in pool.map(lambda v: v.press("Start", *form), visitors)]
        assert len(set(names)) == 10
        again = text_of(visitors[0].press("Start", *form))
        assert "you have a run here already" in again
        watching = [pool.submit(watch, v, 20.0) for v in visitors[:9]]
        took = []
        board = hosted.visit(forwarded="9.9.9.9")
        while any(not one.done() for one in watching):
            begun = time.monotonic()
            board.search_board("model")
            took.append(time.monotonic() - begun)
            time.sleep(0.1)
        said = [one.result() for one in watching]
    for own, texts in zip(names, said, strict=False):
        assert all(own in text for text in texts)
        assert not any(other in text for text in texts for other in names if other != own)
    running = [n for n, text in enumerate(texts[-1] for texts in said) if " running " in text]
    assert len(running) == 2
    begun = time.monotonic()
    visitors[running[0]].press("Cancel", None)
    visitors[running[0]].wait("stopped")
    freed = time.monotonic() - begun
    for visitor in visitors:
        visitor.press("Cancel", None)
    for visitor in visitors:
        visitor.wait("stopped")
    ticks = sum(map(len, said))
    print(
        f"\nfilter: {len(took)} times, worst {max(took):.2f} s; {ticks} ticks; cancel {freed:.2f} s"
    )
    assert max(took) < 1
    assert freed < 2


def watch(visitor: Session, seconds: float) -> list[str]:
    """What a visitor sees, asked every second as the page does."""
    end = time.monotonic() + seconds
    said = []
    while time.monotonic() < end:
        said.append(text_of(visitor.tick()))
        time.sleep(1)
    return said


def processes_of(hosted: Hosted) -> Iterator[dict[str, str]]:
    """Command line and environment of the processes that live below the page's folder."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if not (process / "cwd").readlink().is_relative_to(hosted.folder):
                continue
            yield {
                kind: (process / kind).read_text("utf-8", "replace")
                for kind in ("cmdline", "environ")
            }
        except OSError:
            continue


def assert_nowhere(hosted: Hosted, hidden: str) -> None:
    """No file below the page's folder holds it: jobs, runs, logs, uploads, temporary files."""
    looked = 0
    for file in hosted.folder.rglob("*"):
        if file.is_file():
            looked += 1
            assert hidden.encode() not in file.read_bytes(), file
    assert looked > 5
    urllib.request.urlopen(hosted.address, timeout=30).read()
