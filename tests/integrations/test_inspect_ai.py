"""The tasks in Inspect AI: the same answers are worth the same there and here."""

import asyncio
import json
import subprocess
import sys
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai import score as inspect_score
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import Model, get_model
from inspect_ai.solver import generate

from dataset_builder.errors import InputError
from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.task import Suite
from dataset_builder.tools import catalogue
from evaluator.asking.episode import Setting, answer_task
from evaluator.asking.local_model import local_server
from evaluator.asking.request_reply import Reply as RunnerReply
from evaluator.asking.request_reply import Request
from evaluator.integrations.inspect_ai_log import traces_of_log
from evaluator.integrations.inspect_ai_sample import suite_at
from evaluator.integrations.inspect_ai_scorer import right_calls
from evaluator.integrations.inspect_ai_tasks import horizon, suite
from evaluator.scoring.score import Scorer, score_task
from evaluator.scoring.score_traces import score, score_files
from evaluator.traces.protocols import MAX_TURNS, MULTI_TURN, PROTOCOLS, SINGLE_TURN
from evaluator.traces.trace_log import TraceLog
from tests.samples.small_suite import small_horizon, small_suite, write_suite
from tests.stand_ins.inspect_model import Answer, Reply, agent, as_output, calls, model_answering

ROOT = Path(__file__).parents[2]
SUITE = small_suite(3, 3, 3, 3)
TOOLS = catalogue()
WEATHER = next(task for task in SUITE.tasks if task.expected_tools == ("get_weather",))
AGENTS = ("baseline:oracle", "baseline:retrieval", "baseline:random", "baseline:dump")


@pytest.fixture(scope="module")
def suite_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_suite(SUITE, tmp_path_factory.mktemp("suite") / "suite.jsonl"))


def evaluated(task: Task, model: Model, logs: Path, **options: Any) -> EvalLog:
    """The log of an evaluation that went through."""
    [log] = inspect_eval(task, model=model, log_dir=str(logs), display="none", **options)
    assert log.status == "success", log.error
    return log


def samples(log: EvalLog) -> list[EvalSample]:
    assert log.samples is not None
    return log.samples


def by_runner(
    answer: Answer, protocol: str, of: Suite, offered: str = "task"
) -> dict[str, dict[str, Any]]:
    """The scores that the same replies have in a run, by task."""

    async def ask(request: Request) -> tuple[RunnerReply, float]:
        return RunnerReply(answer(request)), 0.0

    setting = Setting("m", "p", "s", protocol, offered, "native")
    rows = {}
    for task in of.tasks:
        trace = asyncio.run(answer_task(task, 0, setting, TOOLS, ask))
        rows[task.task_id] = score_task(task, trace, TOOLS).to_row()
    return rows


def by_inspect(log: EvalLog) -> dict[str, dict[str, Any]]:
    """What our scorer noted of each sample."""
    rows = {}
    for sample in samples(log):
        assert sample.scores is not None
        [score] = sample.scores.values()
        assert score.metadata is not None
        rows[str(sample.id)] = score.metadata
    return rows


@pytest.mark.parametrize(
    ("name", "protocol", "offered"),
    [
        ("baseline:oracle", SINGLE_TURN, "full"),
        ("baseline:oracle", MULTI_TURN, "task"),
        ("baseline:retrieval", SINGLE_TURN, "task"),
        ("baseline:retrieval", MULTI_TURN, "12"),
        ("baseline:random", SINGLE_TURN, "12"),
        ("baseline:random", MULTI_TURN, "full"),
        ("baseline:dump", SINGLE_TURN, "task"),
        ("baseline:dump", MULTI_TURN, "task"),
    ],
)
def test_the_same_answers_score_the_same(
    name: str, protocol: str, offered: str, suite_file: str, tmp_path: Path
) -> None:
    answer = agent(name)
    task = suite(protocol, offered, suite=suite_file)
    log = evaluated(task, model_answering(SUITE, answer), tmp_path)
    assert by_inspect(log) == by_runner(answer, protocol, SUITE, offered)


def test_procedures_score_the_same(tmp_path: Path) -> None:
    of = small_horizon()
    file = str(write_suite(of, tmp_path / "horizon.jsonl"))
    answer = agent("baseline:noisy-0.8")
    log = evaluated(horizon(suite=file), model_answering(of, answer), tmp_path)
    assert by_inspect(log) == by_runner(answer, MULTI_TURN, of)
    assert {"mean", "stderr", "at_4_calls"} < metrics(log)["solved"].keys()


def metrics(log: EvalLog) -> dict[str, dict[str, float]]:
    """The metrics of each score."""
    assert log.results is not None
    return {
        score.name: {name: metric.value for name, metric in score.metrics.items()}
        for score in log.results.scores
    }


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_model_is_asked_as_in_a_run(protocol: str, suite_file: str, tmp_path: Path) -> None:
    asked: list[Request] = []

    def silent(request: Request) -> Reply:
        asked.append(request)
        return {"content": "Done."}

    evaluated(
        suite(protocol, "full", suite=suite_file),
        model_answering(SUITE, silent),
        tmp_path,
    )
    there, asked = asked, []
    by_runner(silent, protocol, SUITE, "full")
    assert len(there) == len(asked) == len(SUITE.tasks)
    here = {request.task.task_id: request for request in asked}
    for request in there:
        same = here[request.task.task_id]
        assert request.messages == same.messages
        assert request.tools == same.tools
        assert len(request.tools) == len(TOOLS)


CITY = {"city": "Berlin"}
SCRIPTS: dict[str, list[Reply]] = {
    "a number in quotes": [calls(("unit_convert", {"value": "5", "from": "km", "to": "miles"}))],
    "an argument that is none": [
        calls(("get_weather", {"city": "Berlin", "kwargs": 1, "self": 2}))
    ],
    "no arguments": [calls(("get_weather", "")), calls(("get_weather", "null"))],
    "no JSON": [calls(("get_weather", '{"city": "Ber'), ("get_weather", CITY))],
    "arguments without end": [
        calls(("get_weather", {"city": json.loads("[" * 120 + "]" * 120)}), ("get_weather", CITY)),
        calls(("get_weather", {"city": "{{2.condition}}"})),
    ],
    "an unknown tool": [
        calls(("send_fax", CITY), ("get_weather", {"city": "{{2.temperature_c}}"}))
    ],
    "several calls": [
        calls(("get_weather", CITY), ("get_weather", {"city": "Oslo"}), ("get_weather", CITY))
    ],
    "calls written as text": [
        {"content": '{"name": "get_weather", "arguments": {"city": "Berlin"}}'},
        calls(("get_weather", {"city": "{{1.condition}}"})),
    ],
    "a thought first": [{"content": "<think>get_weather()</think>"}, calls(("get_weather", CITY))],
    "without end": [calls(("get_weather", CITY))] * 12,
}


def playing(script: list[Reply]) -> Answer:
    """A model that plays a script whatever it is shown."""

    def answer(request: Request) -> Reply:
        turn = sum(message["role"] == "assistant" for message in request.messages)
        return script[turn] if turn < len(script) else {"content": "Done."}

    return answer


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_whatever_a_model_does_is_read_as_in_a_run(
    protocol: str, suite_file: str, tmp_path: Path
) -> None:
    # Inspect answers the calls of one task with one script; all scripts go through one evaluation.
    names = list(SCRIPTS)
    of = replace(SUITE, tasks=SUITE.tasks[: len(names)])
    assert len(of.tasks) == len(names)
    by_task = {
        task.task_id: playing(SCRIPTS[name]) for task, name in zip(of.tasks, names, strict=True)
    }

    def answer(request: Request) -> Reply:
        return by_task[request.task.task_id](request)

    file = str(write_suite(of, tmp_path / "suite.jsonl"))
    log = evaluated(suite(protocol, "full", suite=file), model_answering(of, answer), tmp_path)
    assert by_inspect(log) == by_runner(answer, protocol, of, "full")
    for task, name in zip(of.tasks, names, strict=True):
        [sample] = [each for each in samples(log) if each.id == task.task_id]
        replies = sum(message.role == "assistant" for message in sample.messages)
        most = 1 if protocol == SINGLE_TURN else MAX_TURNS
        ended = 1 if name == "a thought first" else len(SCRIPTS[name]) + 1
        assert replies == min(ended, most), name
        if protocol == SINGLE_TURN:
            assert [message.role for message in sample.messages] == ["system", "user", "assistant"]


def test_errors_are_tool_errors_and_outputs_are_whole(tmp_path: Path) -> None:
    of = replace(SUITE, tasks=(WEATHER,))
    file = str(write_suite(of, tmp_path / "suite.jsonl"))
    long = {"key": "k", "value": "x" * 50_000}
    script = playing(
        [
            calls(("get_weather", {})),
            calls(("store_memory", long), ("retrieve_memory", {"key": "k"})),
        ]
    )
    log = evaluated(suite(MULTI_TURN, "full", suite=file), model_answering(of, script), tmp_path)
    wrong, _, kept = [each for each in samples(log)[0].messages if each.role == "tool"]
    assert wrong.error is not None
    assert "city" in wrong.error.message
    assert kept.error is None
    assert json.loads(kept.text)["value"] == long["value"]


def test_any_solver_gets_the_tools(suite_file: str, tmp_path: Path) -> None:
    task = suite(MULTI_TURN, suite=suite_file)
    log = evaluated(
        task,
        model_answering(SUITE, agent("baseline:oracle")),
        tmp_path,
        solver=generate(),
    )
    assert metrics(log)["solved"]["mean"] == 1


def test_epochs_give_pass_k(suite_file: str, tmp_path: Path) -> None:
    answer = agent("baseline:noisy-0.7")
    log = evaluated(
        suite(SINGLE_TURN, suite=suite_file),
        model_answering(SUITE, answer),
        tmp_path,
        epochs=3,
    )
    scores = score(list(traces_of_log(log.location)), suite_file)
    seen = metrics(log)
    assert scores["n_samples"] == 3
    assert 0 < scores["pass_k"] < scores["strict"] < 1
    for name, field in (
        ("solved", "strict"),
        ("pass_k", "pass_k"),
        ("step", "step"),
        ("weighted", "overall"),
    ):
        assert seen[name]["mean"] == pytest.approx(scores[field], abs=1e-12)
    for level in ("L0", "L1", "L2", "L3"):
        assert seen["step"][f"at_{level}"] == pytest.approx(
            scores["levels"][level]["step"], abs=1e-12
        )
        assert seen["step"][f"at_{level}_se"] >= 0
    assert log.eval.metadata == {"signature": scores["signature"]}
    again = inspect_score(
        read_eval_log(log.location), right_calls(), action="overwrite", display="none"
    )
    assert metrics(again) == seen


@pytest.mark.parametrize("form", ["eval", "json"])
def test_a_log_becomes_a_trace_file_with_the_same_scores(
    form: str, suite_file: str, tmp_path: Path
) -> None:
    answer = agent("baseline:retrieval")
    log = evaluated(
        suite(suite=suite_file),
        model_answering(SUITE, answer),
        tmp_path,
        log_format=form,
    )
    file = tmp_path / "traces.jsonl"
    with TraceLog(file) as rows:
        for trace in traces_of_log(log.location):
            rows.append(trace)
    [run] = score_files([file], load_suite(suite_file), Scorer(TOOLS))
    assert {row["task_id"]: row for row in run.scores["tasks"]} == by_inspect(log)
    assert run.scores["model"] == "mockllm/model"
    assert run.traces[0].usage == {"prompt_tokens": 20, "completion_tokens": 10, "total_tokens": 30}


def test_a_sample_that_inspect_lost_is_no_answer_of_the_model(
    suite_file: str, tmp_path: Path
) -> None:
    def fails(request: Request) -> Reply:
        raise RuntimeError("the provider is gone")

    [log] = inspect_eval(
        suite(limit=4, suite=suite_file),
        model=model_answering(SUITE, fails),
        log_dir=str(tmp_path),
        display="none",
        fail_on_error=False,
    )
    traces = list(traces_of_log(log.location))
    assert len(traces) == 4
    assert all(trace.is_infrastructure_failure for trace in traces)


def test_what_is_no_log_of_ours(tmp_path: Path) -> None:
    other = Task(dataset=[Sample("2 + 2?", id="sum")], solver=generate())
    silent = get_model("mockllm/model", custom_outputs=[as_output({"content": "4"}, [])])
    log = evaluated(other, silent, tmp_path)
    with pytest.raises(InputError, match="sample sum: is none of CompToolBench"):
        list(traces_of_log(log.location))
    for name, text in (
        ("a.json", "{}"),
        ("b.eval", "PK"),
        ("c.txt", ""),
        ("d.json", "[" * 100_000),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(InputError, match=f"{name}: cannot be read as a log of Inspect AI"):
            list(traces_of_log(tmp_path / name))
    with pytest.raises(InputError, match="cannot be read as a log"):
        list(traces_of_log(tmp_path / "missing.eval"))


def test_a_log_of_another_suite_is_refused(tmp_path: Path) -> None:
    file = write_suite(SUITE, tmp_path / "suite.jsonl")
    log = evaluated(suite(limit=4, suite=str(file)), model_answering(SUITE, playing([])), tmp_path)
    write_suite(small_suite(4, 4, 4, 4), file)
    suite_at.cache_clear()
    with pytest.raises(InputError, match=r"was asked of suite .*, and this is"):
        list(traces_of_log(log.location))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"protocol": "several"}, "expected single-turn or multi-turn"),
        ({"catalogue": 107}, "a number of tools, at most 106"),
        ({"levels": "0,7"}, "levels=7: expected some of 0, 1, 2, 3"),
        ({"levels": [4]}, "levels=4"),
        ({"limit": 0}, "limit=0: expected a number from 1"),
        ({"suite": "no/such/file.jsonl"}, "no such file or folder"),
    ],
)
def test_options_that_do_not_exist(options: dict[str, Any], said: str) -> None:
    with pytest.raises(PrerequisiteError, match=said):
        suite(**options)


@pytest.mark.parametrize(
    ("options", "levels"),
    [({}, "0123"), ({"levels": 1}, "1"), ({"levels": "L1,3"}, "13"), ({"levels": ["0", 2]}, "02")],
)
def test_levels(options: dict[str, Any], levels: str, suite_file: str) -> None:
    task = suite(suite=suite_file, **options)
    assert {str(sample.id)[1] for sample in task.dataset} == set(levels)


def test_a_missing_extra_is_one_sentence() -> None:
    for what in ("inspect_ai_tasks", "inspect_ai_log"):
        code = (
            "import sys; sys.modules['inspect_ai'] = None\n"
            f"import evaluator.integrations.{what} as module\n"
            "list(module.traces_of_log('a.eval'))"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT
        )
        assert done.stderr.splitlines()[-1].endswith("pip install 'comptoolbench[inspect]'")


@pytest.mark.slow
def test_a_real_model_scores_the_same_there_and_here(suite_file: str, tmp_path: Path) -> None:
    with local_server() as served:

        def answer(request: Request) -> Reply:
            body = {
                "messages": request.messages,
                "tools": request.tools,
                "temperature": 0,
                "max_tokens": 64,
            }
            connection = HTTPConnection(urlsplit(served.api_base).netloc, timeout=300)
            connection.request("POST", "/v1/chat/completions", json.dumps(body))
            reply: Reply = json.loads(connection.getresponse().read())["choices"][0]["message"]
            return reply

        log = evaluated(
            suite(MULTI_TURN, suite=suite_file, limit=4), model_answering(SUITE, answer), tmp_path
        )
    traces = list(traces_of_log(log.location))
    assert all(trace.error is None and trace.response for trace in traces)
    scores = score(traces, suite_file, allow_partial=True)
    assert {row["task_id"]: row for row in scores["tasks"]} == by_inspect(log)
    assert log.eval.metadata == {"signature": scores["signature"]}
