"""The tab that runs models: what its form stands for, what it offers where, and a page that ends."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from dataset_builder.errors import InputError
from dataset_builder.tools import catalogue
from evaluator.asking.cost_estimate import estimate
from evaluator.asking.pace import Pace
from evaluator.asking.ready_model import CONCURRENCY
from evaluator.comparing.results import Result
from space.base.settings import INFERENCE, Settings, read_settings
from space.base.tiers import MADE_HERE, SELF_REPORTED, VERIFIED
from space.board.entry import Entry
from space.html.job_page import estimate_text
from space.jobs.job import Order
from space.jobs.providers import (
    ENDPOINT,
    HUB,
    LOCAL,
    LOCAL_MODEL,
    PROVIDER,
    access,
    sources,
    suggestions,
)
from space.tabs.order_form import known_pace, read_order
from tests.samples.small_suite import small_suite, write_suite
from tests.stand_ins.page_server import start, stop
from tests.stand_ins.page_session import Session, job_of, order, order_fields, text_of
from tests.stand_ins.provider import Provider, always

SUITE = small_suite()
HERE = Settings(SUITE, Path("runs"), Path("subs"))
HOSTED = Settings(SUITE, Path("runs"), Path("subs"), is_hosted=True)
KEY = "sk-" + "k3y" * 12


# The form -------------------------------------------------------------------------------------


def test_the_form_stands_for_an_order() -> None:
    given = order_fields(
        model=" openai/x ", address=" http://h/v1 ", limit=3, samples=2, max_cost=1.5
    )
    assert read_order(8, given) == Order(
        "endpoint", "openai/x", "multi-turn", "full", "native", 2, 3, 1.5, "http://h/v1"
    )


@pytest.mark.parametrize(
    ("changes", "field", "value"),
    [
        ({"limit": 0}, "limit", None),
        ({"limit": 8}, "limit", None),
        ({"limit": None}, "limit", None),
        ({"max_cost": 0}, "max_cost", None),
        ({"samples": None}, "samples", 1),
        ({"source": "local", "calls": "native"}, "calls", "json"),
        ({"address": ""}, "api_base", None),
        ({"model": None}, "model", ""),
    ],
)
def test_what_the_form_leaves_open(changes: dict[str, Any], field: str, value: object) -> None:
    assert getattr(read_order(8, order_fields(**changes)), field) == value


@pytest.mark.parametrize(
    "changes", [{"limit": "many"}, {"samples": 1e400}, {"max_cost": [1]}, {"limit": -1}]
)
def test_what_is_no_number_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="expected"):
        read_order(8, order_fields(**changes))


# What is offered ------------------------------------------------------------------------------


def test_a_hosted_page_offers_no_server_of_its_own() -> None:
    assert ENDPOINT not in sources(HOSTED)
    assert HUB not in sources(HERE)
    assert not any(id_.startswith("ollama") for _, id_ in suggestions(HOSTED, PROVIDER))
    assert any(id_.startswith("ollama") for _, id_ in suggestions(HERE, PROVIDER))


@pytest.mark.parametrize(
    "name",
    [
        "baseline:oracle",
        "openai/baseline:oracle",
        "\u200bbaseline:oracle",
        "local:x",
        "\u3164",
        "a  b",
    ],
)
def test_a_job_has_a_name_that_may_be_published(name: str) -> None:
    with pytest.raises(InputError, match="model"):
        access(HERE, ENDPOINT, name, "http://127.0.0.1:1/v1", "", None)


def test_models_are_reached_with_the_visitors_key() -> None:
    by_name = access(HOSTED, PROVIDER, "GPT-4o Mini", "", KEY, None)
    assert (by_name.model, by_name.api_base, by_name.key) == ("openai/gpt-4o-mini", None, KEY)
    hub = access(HOSTED, HUB, "openai/gpt-oss-120b", "", "", "hf_mine")
    assert (hub.model, hub.api_base, hub.key) == (
        "openai/openai/gpt-oss-120b",
        INFERENCE,
        "hf_mine",
    )
    endpoint = access(HERE, ENDPOINT, "m", "http://127.0.0.1:1/v1", "", None)
    assert (endpoint.model, endpoint.api_base, endpoint.key) == (
        "openai/m",
        "http://127.0.0.1:1/v1",
        "none",
    )
    assert access(HERE, PROVIDER, "ollama_chat/llama3.1:8b", "", "", None).key is None
    if LOCAL in sources(HERE):
        assert access(HOSTED, LOCAL, "", "", "", None).model == LOCAL_MODEL


def test_hugging_face_inference_is_where_the_environment_says() -> None:
    given = {"SPACE_ID": "o/s", "HF_TOKEN": "t", "HF_INFERENCE_ENDPOINT": "http://127.0.0.1:9/"}
    known = read_settings(SUITE, Path("r"), Path("s"), given)
    assert known.inference == "http://127.0.0.1:9/v1"
    assert read_settings(SUITE, Path("r"), Path("s"), {}).inference == INFERENCE


# Estimates ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("price", "said"), [(0.0, "free"), (None, "the price is not known"), (0.25, "about $2")]
)
def test_an_estimate_counts_requests_and_dollars(price: float | None, said: str) -> None:
    tasks = SUITE.tasks
    estimated = estimate(tasks, 8, "multi-turn", "task", catalogue(), lambda a, b: price)
    steps = sum(len(task.steps) for task in tasks)
    assert estimated.requests == steps + 8
    assert estimated.tokens_out == 8 * round(60 * steps / 8)
    assert estimated.cost_usd == (None if price is None else 8 * price)
    assert said in estimate_text(estimated)
    single = estimate(tasks, 8, "single-turn", "full", catalogue(), lambda a, b: price)
    assert single.requests == 8
    assert single.tokens_in > estimated.tokens_in


def entry(model: str, latency_ms: float | None, tier: str = MADE_HERE, **more: Any) -> Entry:
    diagnostics = {"latency_ms": latency_ms}
    scores = {"model": model, "protocol": "multi-turn", "diagnostics": diagnostics} | more
    return Entry(model, tier, Result(model, scores, {}, {}), {}, Path("t.jsonl"))


def test_the_time_rests_on_runs_of_that_model_that_were_made_here() -> None:
    order_ = read_order(8, order_fields(model="GPT-4o Mini", source=PROVIDER))
    name = "openai/gpt-4o-mini"
    others = [
        entry("openai/gpt-4o", 1),
        entry(name, 1, SELF_REPORTED),
        entry(name, 1, protocol="single-turn"),
        entry(name, None),
    ]
    assert known_pace(order_, others) is None
    known = known_pace(order_, [*others, entry(name, 2_000), entry(name, 4_000, VERIFIED)])
    assert known == Pace(3.0, 2, CONCURRENCY)
    estimated = estimate(SUITE.tasks, 800, "multi-turn", "task", catalogue(), lambda a, b: 0)
    assert "About 5m 00s, at 3 s an answer as in 2 runs of it here" in estimate_text(
        estimated, known
    )
    assert "is told after the first answers" in estimate_text(estimated)
    local = read_order(8, order_fields(model="", source=LOCAL))
    assert known_pace(local, [entry(LOCAL_MODEL, 500)]) == Pace(0.5, 1, 1)


@pytest.mark.parametrize(
    ("settings", "source", "said"),
    [
        (HERE, PROVIDER, "choose a model first: one of the list, or any other as PROVIDER/MODEL"),
        (HOSTED, HUB, "choose a model first: one of the Hugging Face Hub, as ORG/NAME"),
        (HERE, ENDPOINT, "name the model as the endpoint knows it"),
    ],
)
def test_without_a_model_it_says_which_to_choose(
    settings: Settings, source: str, said: str
) -> None:
    address = "http://127.0.0.1:1/v1" if source == ENDPOINT else ""
    with pytest.raises(InputError, match=said):
        access(settings, source, "  ", address, KEY, "hf_mine")


# A page that ends -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_restarted_page_finds_the_run_and_goes_on_with_the_key_typed_again(
    tmp_path: Path, how: signal.Signals
) -> None:
    write_suite(SUITE, tmp_path / "suite.jsonl")
    script = [lambda number, body: "answer" if number < 5 else "hang"]
    with Provider(SUITE, script=lambda number, body: script[0](number, body)) as provider:
        page, address = start(tmp_path)
        visitor = Session(address)
        form = order(key=KEY, address=provider.url, protocol="single-turn")
        name = job_of(visitor.press("Start", *form))
        visitor.wait("5 of 8 answers")
        pid = pid_of(tmp_path, name)
        page.send_signal(how)
        page.wait(20)
        if how is not signal.SIGKILL:
            assert not Path(f"/proc/{pid}").exists()
        page, address = start(tmp_path)
        try:
            again = Session(address)
            if how is signal.SIGKILL:
                # Nobody told the run to end: it goes on, and the link leads to it.
                again.open_job(name)
                assert "running" in text_of(again.tick())
                again.press("Cancel", None)
                again.wait("it was cancelled")
            words = text_of(again.open_job(name))
            assert "stopped" in words
            assert "the page was restarted" in words or how is signal.SIGKILL
            assert b"task_id" in again.get(f"download/job/{name}/traces.jsonl")
            script[0] = always("answer")
            again.press("Resume", None, KEY)
            again.wait("complete")
        finally:
            stop(page)
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or KEY.encode() not in file.read_bytes()


def pid_of(folder: Path, name: str) -> int:
    return int(json.loads((folder / "jobs" / name / "job.json").read_text())["pid"])
