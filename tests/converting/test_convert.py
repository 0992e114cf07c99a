"""Other tools' logs as traces: the same answers in every form give the same trace and the same score."""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataset_builder.errors import InputError
from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.task import Suite, Task
from dataset_builder.tools import catalogue
from evaluator.converting.convert import Converted, Told, convert
from evaluator.scoring.score import score_task
from evaluator.traces.protocols import MULTI_TURN, PROTOCOLS, SINGLE_TURN
from evaluator.traces.trace import Trace
from evaluator.traces.trace_log import trace_line
from evaluator.traces.trace_reader import read_trace_bytes
from tests.samples.conversations import make
from tests.samples.conversations.inspect_log import write_inspect_log

TOLD = Told(model="m", catalogue="full")
FIXTURES = {**{name: f"{name}.jsonl" for name in make.FORMS}, "inspect": "inspect.json"}
UNCOUNTED = ("huggingface",)
"""Forms that have no place for usage."""


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load_suite()


def told(**more: Any) -> Told:
    return Told(**{"model": "m", "catalogue": "full", **more})


def write(path: Path, entries: Iterable[Any]) -> Path:
    path.write_text("".join(f"{json.dumps(entry)}\n" for entry in entries), "utf-8")
    return path


def converted(path: Path, suite: Suite, **more: Any) -> Converted:
    return convert([path], suite, catalogue(), told(**more))


def expected(task: Task, protocol: str) -> Trace:
    turns = make.right_turns(task, protocol)
    calls = [
        {"name": call.name, "arguments": call.arguments, "turn": turn}
        for turn, calls in enumerate(turns)
        for call in calls
    ]
    n = len(turns)
    counts = (n * make.PROMPT_TOKENS, n * make.COMPLETION_TOKENS)
    usage = {
        "prompt_tokens": counts[0],
        "completion_tokens": counts[1],
        "total_tokens": sum(counts),
    }
    row = {"task_id": task.task_id, "model": "m", "catalogue": "full", "protocol": protocol}
    return Trace.from_row({**row, "calls": calls, "usage": usage})


def check(done: Converted, task: Task, protocol: str, form: str) -> None:
    (trace,) = [trace for trace in done.traces if trace.task_id == task.task_id]
    wanted = expected(task, protocol)
    assert trace.calls == wanted.calls
    assert trace.to_row() | {"usage": None, "latency_ms": None} == wanted.to_row() | {
        "usage": None,
        "latency_ms": None,
    }
    assert trace.usage == (None if form in UNCOUNTED else wanted.usage)
    verdict = score_task(task, trace, catalogue())
    assert (verdict.score, verdict.step, verdict.strict) == (1, 1, 1)
    assert (done.skipped, done.differing, done.reworded) == ([], 0, 0)


@pytest.mark.parametrize("form", FIXTURES)
def test_a_fixture_of_each_kind_gives_the_same_trace(form: str, suite: Suite) -> None:
    done = converted(make.FOLDER / FIXTURES[form], suite, protocol=MULTI_TURN)
    assert {found for _, found in done.forms} == {form}
    check(done, suite.by_id[make.TASK_ID], MULTI_TURN, form)
    assert done.with_results == 1
    # A file that reads back is what the command writes.
    lines = b"".join(map(trace_line, done.traces))
    assert read_trace_bytes(lines, suite, "traces.jsonl") == done.traces


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("form", make.FORMS)
def test_the_right_answers_to_many_tasks_are_right_in_every_form(
    form: str, protocol: str, suite: Suite, tmp_path: Path
) -> None:
    tasks = suite.tasks[::9]
    turns = {task.task_id: make.right_turns(task, protocol) for task in tasks}
    entries = [e for task in tasks for e in make.FORMS[form](task, turns[task.task_id])]
    done = converted(write(tmp_path / "log.jsonl", entries), suite, protocol=protocol)
    assert [trace.task_id for trace in done.traces] == [task.task_id for task in tasks]
    for task in tasks:
        check(done, task, protocol, form)


def test_a_zipped_log_needs_inspect_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "log.eval").write_bytes(b"PK\x03\x04")
    code = (
        "import sys; sys.modules['inspect_ai'] = None; import comptoolbench; "
        "comptoolbench.main(['convert', 'log.eval', '--out', 'traces.jsonl'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "pip install 'comptoolbench[inspect]'" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("form", ["json", "eval"])
def test_inspects_own_logs_say_how_the_model_was_asked(
    form: str, suite: Suite, tmp_path: Path
) -> None:
    tasks = suite.tasks[::40]
    answers = [(task, make.right_turns(task, MULTI_TURN)) for task in tasks]
    log = write_inspect_log(answers, MULTI_TURN, tmp_path, form)
    done = convert([log], suite, catalogue(), Told(model="m"))
    assert len(done.traces) == len(tasks)
    for task in tasks:
        check(done, task, MULTI_TURN, "inspect")
        assert all(trace.latency_ms is not None for trace in done.traces)


# Which task ------------------------------------------------------------------------------------


def chat(task: Task, text: str | None = None, **fields: Any) -> dict[str, Any]:
    (entry,) = make.openai_chat(task, make.right_turns(task, SINGLE_TURN))
    message = entry["response"]["choices"][0]["message"]
    user = {"role": "user", "content": task.prompt if text is None else text}
    return {"model": "m", "messages": [user, message], **fields}


def test_a_field_says_the_task_where_no_prompt_does(suite: Suite, tmp_path: Path) -> None:
    task, other = suite.tasks[3], suite.tasks[4]
    entries = [
        chat(task, "Do it.", task_id=task.task_id),
        chat(task, "Do it.", custom_id=task.task_id),
        chat(task, "Do it.", metadata={"task_id": task.task_id}),
        chat(task, id="chatcmpl-17"),
        chat(other, f" {other.prompt}\n"),
    ]
    done = converted(write(tmp_path / "log.jsonl", entries), suite)
    assert [(trace.task_id, trace.sample) for trace in done.traces] == [
        *((task.task_id, sample) for sample in range(4)),
        (other.task_id, 0),
    ]
    assert done.reworded == 3
    assert all(trace.calls == done.traces[0].calls != () for trace in done.traces[:4])


def test_what_is_not_known_to_be_of_one_task_is_named_and_left_out(
    suite: Suite, tmp_path: Path
) -> None:
    task, other = suite.tasks[3], suite.tasks[4]
    two = chat(task)
    two["messages"] = [*two["messages"], *chat(other)["messages"]]
    entries = [
        chat(task, task.prompt[:-1]),
        chat(task, task_id=other.task_id),
        chat(task, "Do it.", task_id=task.task_id, custom_id=other.task_id),
        two,
        chat(task),
    ]
    path = write(tmp_path / "log.jsonl", entries)
    done = converted(path, suite)
    assert [trace.task_id for trace in done.traces] == [task.task_id]
    ids = f"{task.task_id} and {other.task_id}"
    assert done.skipped == [
        f"{path}:1: no id of a task, and no prompt of one word for word",
        f"{path}:2: is said to be of {other.task_id} and holds the prompt of {task.task_id}",
        f"{path}:3: says {ids}",
        f"{path}:4: holds the prompts of {ids}",
    ]


def test_a_named_field_is_the_only_one_looked_at(suite: Suite, tmp_path: Path) -> None:
    task = suite.tasks[3]
    entries = [
        chat(task, run={"case": task.task_id}, custom_id="L0_node_9999"),
        chat(task, task_id=task.task_id),
        chat(task, run={"case": "nothing like it"}),
    ]
    path = write(tmp_path / "log.jsonl", entries)
    done = converted(path, suite, task_id_from="run.case")
    assert [trace.task_id for trace in done.traces] == [task.task_id]
    assert done.skipped == [
        f"{path}:2: run.case: expected the id of a task, got nothing",
        f"{path}:3: run.case: expected the id of a task, got nothing like it",
    ]


def test_examples_before_the_prompt_are_no_answers(suite: Suite, tmp_path: Path) -> None:
    task, plain = suite.tasks[3], chat(suite.tasks[3])
    example = chat(suite.tasks[5], "An example.")
    plain["messages"] = [*example["messages"], *plain["messages"]]
    done = converted(write(tmp_path / "log.jsonl", [plain]), suite, protocol=SINGLE_TURN)
    check(done, task, SINGLE_TURN, "huggingface")


def test_procedures_are_found_and_never_stand_beside_tasks(suite: Suite, tmp_path: Path) -> None:
    from dataset_builder.procedures.rungs import horizon_suite

    procedure = horizon_suite().tasks[0]
    by_id = chat(procedure, "Do it.", task_id=procedure.task_id)
    done = converted(write(tmp_path / "log.jsonl", [chat(procedure), by_id]), suite)
    assert [(t.task_id, t.sample) for t in done.traces] == [(procedure.task_id, n) for n in (0, 1)]
    with pytest.raises(InputError, match="never scored together"):
        converted(write(tmp_path / "log.jsonl", [by_id, chat(suite.tasks[0])]), suite)


# Exchanges -------------------------------------------------------------------------------------


def level_3(suite: Suite) -> Task:
    return suite.by_id[make.TASK_ID]


@pytest.mark.parametrize("form", ["openai-chat", "anthropic", "openai-responses", "gemini"])
def test_equal_samples_whose_requests_are_mixed_stay_two(
    form: str, suite: Suite, tmp_path: Path
) -> None:
    task = level_3(suite)
    entries = make.FORMS[form](task, make.right_turns(task, MULTI_TURN))
    again = json.loads(json.dumps(entries).replace("resp_", "again_"))
    mixed = [entry for pair in zip(entries, again, strict=True) for entry in pair]
    done = converted(write(tmp_path / "log.jsonl", mixed), suite, protocol=MULTI_TURN)
    assert [trace.sample for trace in done.traces] == [0, 1]
    assert all(trace.calls == expected(task, MULTI_TURN).calls for trace in done.traces)
    assert [trace.usage for trace in done.traces] == [expected(task, MULTI_TURN).usage] * 2


def test_a_failed_request_that_was_made_again_is_no_answer(suite: Suite, tmp_path: Path) -> None:
    task = level_3(suite)
    entries = make.openai_chat(task, make.right_turns(task, MULTI_TURN))
    failed = [
        {**entry, "response": {"status_code": 429, "body": {"error": {"message": "slow down"}}}}
        for entry in entries
    ]
    mixed = [entry for pair in zip(failed, entries, strict=True) for entry in pair]
    done = converted(write(tmp_path / "log.jsonl", mixed), suite, protocol=MULTI_TURN)
    check(done, task, MULTI_TURN, "openai-chat")
    # One that was not is the provider's.
    done = converted(write(tmp_path / "log.jsonl", mixed[:3]), suite, protocol=MULTI_TURN)
    assert [trace.error for trace in done.traces] == [
        {"kind": "rate_limit", "message": "slow down"}
    ]


def test_a_response_whose_beginning_is_missing_is_left_out(suite: Suite, tmp_path: Path) -> None:
    task, other = level_3(suite), suite.tasks[0]
    first, *rest = make.openai_responses(task, make.right_turns(task, MULTI_TURN))
    path = write(tmp_path / "log.jsonl", rest[:1])
    assert converted(path, suite).skipped == [
        f"{path}:1: continues a response that the log does not hold before it"
    ]
    # One chat over two tasks is no answer to the first.
    (second,) = make.openai_responses(other, make.right_turns(other, SINGLE_TURN))
    second["request"]["previous_response_id"] = first["response"]["id"]
    path = write(tmp_path / "log.jsonl", [first, second])
    done = converted(path, suite)
    assert done.skipped == [f"{path}:2: holds the prompts of {other.task_id} and {task.task_id}"]
    assert [(t.task_id, {c.turn for c in t.calls}) for t in done.traces] == [(task.task_id, {0})]


def test_a_protocol_has_only_so_many_replies(suite: Suite, tmp_path: Path) -> None:
    task = level_3(suite)
    entries = make.openai_chat(task, make.right_turns(task, MULTI_TURN))
    path = write(tmp_path / "log.jsonl", entries)
    done = converted(path, suite, protocol=SINGLE_TURN)
    assert not done.traces
    assert done.skipped == [f"{path}:4: has calls in 3 replies; single-turn has 1 at most"]
    made = [{"function": {"name": "get_weather", "arguments": {"city": "Oslo"}}}]
    answers = [{"role": "assistant", "tool_calls": made}] * 11
    for protocol, traces in ((MULTI_TURN, 0), (None, 1)):
        path = write(tmp_path / "log.jsonl", [{"task_id": task.task_id, "messages": answers}])
        assert len(converted(path, suite, protocol=protocol).traces) == traces


def test_results_of_another_world_are_counted(suite: Suite, tmp_path: Path) -> None:
    task = level_3(suite)
    text = (make.FOLDER / "langchain.jsonl").read_text("utf-8")
    assert '\\"temperature_c\\": 27' in text
    path = tmp_path / "log.jsonl"
    path.write_text(
        text.replace('\\"temperature_c\\": 27', '\\"temperature_c\\": 3') + text, "utf-8"
    )
    done = converted(path, suite, protocol=MULTI_TURN)
    assert (done.with_results, done.differing) == (2, 1)
    assert [trace.task_id for trace in done.traces] == [task.task_id] * 2


def test_several_choices_are_several_samples(suite: Suite, tmp_path: Path) -> None:
    task = suite.tasks[60]
    (entry,) = make.openai_chat(task, make.right_turns(task, SINGLE_TURN))
    entry["response"]["choices"] *= 3
    entry["response"]["choices"][1] = {
        "message": {"role": "assistant", "content": "No."},
        "finish_reason": "length",
    }
    done = converted(write(tmp_path / "log.jsonl", [entry]), suite)
    assert [(trace.sample, len(trace.calls)) for trace in done.traces] == [
        (0, len(task.steps)),
        (1, 0),
        (2, len(task.steps)),
    ]
    assert done.traces[1].extra == {"finish_reasons": ["length"]}
    assert [trace.usage is None for trace in done.traces] == [False, True, True]


# Forms -----------------------------------------------------------------------------------------


def one(entry: Any, suite: Suite, tmp_path: Path, **more: Any) -> Trace:
    (trace,) = converted(write(tmp_path / "log.jsonl", [entry]), suite, **more).traces
    return trace


def test_batches_of_each_provider(suite: Suite, tmp_path: Path) -> None:
    task = suite.tasks[60]
    turns = make.right_turns(task, SINGLE_TURN)
    bodies = {
        name: make.FORMS[name](task, turns)[0]["response"]
        for name in ("openai-chat", "openai-responses", "anthropic", "gemini")
    }
    key = {"custom_id": task.task_id}
    entries = [
        *({**key, "response": {"status_code": 200, "body": bodies[n]}} for n in [*bodies][:2]),
        {**key, "result": {"type": "succeeded", "message": bodies["anthropic"]}},
        {"key": task.task_id, "response": bodies["gemini"]},
    ]
    for form, entry in zip(bodies, entries, strict=True):
        done = converted(write(tmp_path / "log.jsonl", [entry]), suite, protocol=SINGLE_TURN)
        assert {found for _, found in done.forms} == {form}
        check(done, task, SINGLE_TURN, form)


FAILURES = [
    ({"response": {"status_code": 401, "body": {"error": {"message": "no key"}}}}, "auth"),
    ({"response": {"status_code": 500, "body": {}}}, "provider_error"),
    ({"response": {"error": {"code": "context_length_exceeded"}}}, "context_overflow"),
    ({"response": None, "error": {"code": "batch_expired", "message": "late"}}, "provider_error"),
    ({"result": {"type": "errored", "error": {"type": "invalid_request_error"}}}, "bad_request"),
    ({"result": {"type": "expired"}}, "provider_error"),
    ({"request": {"messages": []}, "response": None}, "provider_error"),
    ({"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}]}, "malformed_call"),
    ({"candidates": [], "promptFeedback": {"blockReason": "SAFETY"}}, "content_filter"),
    ({"object": "response", "status": "failed", "output": []}, "provider_error"),
    (
        {"type": "message", "role": "assistant", "content": [], "stop_reason": "refusal"},
        "content_filter",
    ),
    (
        {"id": "L0_node_0001", "result": "Error during inference: 429", "traceback": ""},
        "provider_error",
    ),
]


@pytest.mark.parametrize(("entry", "kind"), FAILURES)
def test_failures_are_told_in_the_kinds_of_traces(
    entry: dict[str, Any], kind: str, suite: Suite, tmp_path: Path
) -> None:
    trace = one({"custom_id": "L0_node_0001", **entry}, suite, tmp_path)
    assert trace.error is not None
    assert trace.error["kind"] == kind
    assert trace.calls == ()


ARGUMENTS = [
    ('{"a": 1}', {"a": 1}),
    ("", {}),
    (None, {}),
    ('{"a": ', '{"a": '),
    ("[1]", "[1]"),
    ([1], "[1]"),
    (7, "7"),
    ('{"a": ' + "[" * 40 + "]" * 40 + "}", '{"a": ' + "[" * 40 + "]" * 40 + "}"),
]


@pytest.mark.parametrize(("written", "read"), ARGUMENTS)
def test_arguments_are_parsed_and_what_does_not_parse_is_kept(
    written: Any, read: Any, suite: Suite, tmp_path: Path
) -> None:
    call = {"id": "1", "function": {"name": "get_weather", "arguments": written}}
    entry = {"task_id": "L0_node_0001", "messages": [{"role": "assistant", "tool_calls": [call]}]}
    (made,) = one(entry, suite, tmp_path).calls
    assert (made.name, made.arguments, made.turn) == ("get_weather", read, 0)


def test_calls_that_never_parsed_keep_their_place(suite: Suite, tmp_path: Path) -> None:
    from langchain_core.load import dumpd
    from langchain_core.messages import AIMessage, HumanMessage

    task = suite.tasks[60]
    raw = [
        {"id": i, "function": {"name": n, "arguments": a}}
        for i, n, a in (("1", "f", "{x"), ("2", "g", "{}"))
    ]
    answer = AIMessage(
        "",
        tool_calls=[{"name": "g", "args": {}, "id": "2"}],
        invalid_tool_calls=[{"name": "f", "args": "{x", "id": "1", "error": "no"}],
        additional_kwargs={"tool_calls": raw},
    )
    for messages in (
        dumpd([HumanMessage(task.prompt), answer]),
        [m.model_dump(mode="json") for m in (HumanMessage(task.prompt), answer)],
    ):
        trace = one(messages, suite, tmp_path)
        assert [(c.name, c.arguments) for c in trace.calls] == [("f", "{x"), ("g", {})]


def test_calls_written_as_text_are_found_as_in_a_run(suite: Suite, tmp_path: Path) -> None:
    task = suite.tasks[0]
    (step,) = task.steps
    python = ", ".join(f"{name}={value!r}" for name, value in step.arguments.items())
    entry = {"id": task.task_id, "result": f"[{step.tool}({python})]", "latency": 1}
    trace = one(entry, suite, tmp_path, protocol=SINGLE_TURN)
    assert score_task(task, trace, catalogue()).strict == 1
    text = json.dumps({"calls": [{"name": step.tool, "arguments": dict(step.arguments)}]})
    answer = {"role": "assistant", "content": text}
    trace = one([{"role": "user", "content": task.prompt}, answer], suite, tmp_path)
    assert score_task(task, trace, catalogue()).strict == 1


def test_trl_s_prompt_and_completion(suite: Suite, tmp_path: Path) -> None:
    task = suite.tasks[60]
    (entry,) = make.hugging_face(task, make.right_turns(task, SINGLE_TURN))
    system, user, answer, *_ = entry["messages"]
    done = converted(
        write(tmp_path / "log.jsonl", [{"prompt": [system, user], "completion": [answer]}]),
        suite,
        protocol=SINGLE_TURN,
    )
    check(done, task, SINGLE_TURN, "huggingface")


# Files -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", ["lines", "array", "printed", "single", "messages"])
def test_lines_arrays_and_single_objects(layout: str, suite: Suite, tmp_path: Path) -> None:
    task = suite.tasks[60]
    entry = chat(task)
    text = {
        "lines": f"\n{json.dumps(entry)}\n\n{json.dumps(entry)}",
        "array": json.dumps([entry, entry]),
        "printed": json.dumps([entry, entry], indent=2),
        "single": "\ufeff" + json.dumps(entry, indent=2),
        "messages": json.dumps(entry["messages"], indent=2),
    }[layout]
    path = tmp_path / "log"
    path.write_text(text, "utf-8")
    done = converted(path, suite)
    samples = 1 if layout in ("single", "messages") else 2
    assert [trace.sample for trace in done.traces] == [*range(samples)]
    assert all(trace.calls == expected(task, SINGLE_TURN).calls for trace in done.traces)


HOSTILE = [
    (b"", ": expected conversations, got an empty file"),
    (b"\xff\xfe{", ":1: is no UTF-8 text (byte 1)"),
    (b"nonsense", ":1: is no JSON (expecting value at character 1)"),
    (b'{"messages": [{"role": "user", "content": "x"}]}\n{"mess', ":2: is no JSON"),
    (b'{"a": 1}', ":1: has no form that is known"),
    (b"[1]", ":1[0]: expected a conversation as a JSON object, got a number"),
    (b"[" * 100_000, ":1: is nested beyond 64 levels"),
    (b'{"messages": [{"role": "user"}], "n": NaN}', ":1: NaN is no JSON value"),
    (
        b'{"messages": [{"role": "assistant", "tool_calls": "f()"}]}',
        ":1: messages[0].tool_calls: expected a list",
    ),
    (b'{"task_id": "L0_node_0001", "calls": []}', ":1: is a row of a trace file already"),
    (b'{\n "messages": [\n  oops', ":3: is no JSON"),
    (b"PK\x03\x04 no zip", ": is no log that Inspect can read"),
]


@pytest.mark.parametrize(("content", "said"), HOSTILE)
def test_what_cannot_be_read_is_one_sentence_with_its_place(
    content: bytes, said: str, suite: Suite, tmp_path: Path
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError) as refused:
        converted(path, suite)
    assert str(refused.value).startswith(f"{path}{said}")
    assert "\n" not in str(refused.value)


def test_a_form_that_is_told_has_to_be_the_log_s(suite: Suite) -> None:
    for form in FIXTURES:
        path = make.FOLDER / FIXTURES[form]
        assert converted(path, suite, form=form).traces
        wrong = "gemini" if form != "gemini" else "anthropic"
        with pytest.raises(InputError, match=f":1: has the form {form}, not {wrong}"):
            converted(path, suite, form=wrong)


# Anything at all -------------------------------------------------------------------------------

KEYS = st.sampled_from(
    "messages role content tool_calls function name arguments id type request response body "
    "status_code choices message finish_reason usage model input output object call_id candidates "
    "contents parts functionCall args functionResponse usageMetadata result latency custom_id "
    "input_token_count inference_log eval status samples task_id error data kwargs lc metadata "
    "attachments events additional_kwargs invalid_tool_calls previous_response_id".split()
)
WORDS = st.sampled_from(
    "user assistant tool model human ai message function_call tool_use tool_result response "
    "L0_node_0001 L0_node_0002 get_weather {} [] attachment://x function_call_output".split()
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(max_size=5)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=25,
)


def tasks_or_sentence(path: Path, suite: Suite) -> set[str]:
    """The tasks of the traces; none where one sentence says what is wrong, and where."""
    try:
        return {trace.task_id for trace in converted(path, suite).traces}
    except InputError as error:
        said = str(error)
    assert said.startswith(str(path))
    assert "\n" not in said
    return set()


@settings(max_examples=200)
@given(entry=VALUES)
def test_nothing_that_is_read_ends_in_a_traceback(
    entry: Any, suite: Suite, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = write(tmp_path_factory.getbasetemp() / "any.jsonl", [entry])
    said = json.dumps(entry)
    assert all(task_id in said for task_id in tasks_or_sentence(path, suite))


FIXED = {
    form: [json.loads(line) for line in (make.FOLDER / name).read_text("utf-8").splitlines()]
    if name.endswith("l")
    else [json.loads((make.FOLDER / name).read_text("utf-8"))]
    for form, name in FIXTURES.items()
}


@settings(max_examples=40)
@given(data=st.data())
@pytest.mark.parametrize("form", FIXED)
def test_a_log_with_one_thing_changed_is_never_of_another_task(
    form: str, data: st.DataObject, suite: Suite, tmp_path_factory: pytest.TempPathFactory
) -> None:
    entries = json.loads(json.dumps(FIXED[form]))
    node, key = data.draw(st.sampled_from([*_places(entries)]))
    node[key] = data.draw(LEAVES | VALUES)
    path = write(tmp_path_factory.getbasetemp() / "changed.jsonl", entries)
    said = json.dumps(node[key])
    assert all(
        task_id == make.TASK_ID or task_id in said for task_id in tasks_or_sentence(path, suite)
    )


def _places(node: Any) -> Iterable[tuple[Any, Any]]:
    for key in range(len(node)) if isinstance(node, list) else node:
        yield node, key
        if isinstance(node[key], list | dict):
            yield from _places(node[key])
