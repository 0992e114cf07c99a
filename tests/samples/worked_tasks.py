"""Five tasks over the toy tools, the calls that answer them, and the score of an answer."""

from typing import Any

from dataset_builder.tasks.task import Alternative, Task
from evaluator.scoring.score import score_task
from evaluator.scoring.verdict import TaskScore
from evaluator.traces.trace import Call
from tests.samples.toy_tools import TOOLS, call, make_task, mentions, step, trace

FAHRENHEIT = Alternative(
    "to_fahrenheit", {"degrees": "{{step_1.temperature_c}}"}, {"result": "fahrenheit"}
)
FORECAST = Alternative("forecast", {"place": "Berlin"}, {"temperature_c": "celsius"})

SINGLE = make_task(0, step("weather", city="Berlin"))
CHAIN = make_task(
    1, step("weather", city="Berlin"), step("convert", value="{{1.temperature_c}}", to="fahrenheit")
)
JOIN = make_task(
    2,
    step("weather", city="Berlin"),
    step("weather", city="Paris"),
    step("hottest", values=["{{1.temperature_c}}", "{{2.temperature_c}}"]),
)
FAN = make_task(2, step("weather", city="Berlin"), step("weather", city="Paris"))
# Edges: 1 into convert, 2 into add, 2 into send.
DAG_STEPS = (
    step("weather", city="Berlin"),
    step("convert", value="{{1.temperature_c}}", to="fahrenheit"),
    step("add", a="{{1.temperature_c}}", b="{{2.result}}"),
    step("send", to="a@b.org", body=mentions("{{2.result}}", "{{3.sum}}")),
)
DAG = make_task(3, *DAG_STEPS, prompt="Mail a@b.org about Berlin.")
TASKS = {"SINGLE": SINGLE, "CHAIN": CHAIN, "JOIN": JOIN, "FAN": FAN, "DAG": DAG}

BERLIN, PARIS, ROME = (call("weather", city=name) for name in ("Berlin", "Paris", "Rome"))
NOWHERE = call("weather", city="Nowhere")
FED = call("convert", value="{{1.temperature_c}}", to="fahrenheit")
LITERAL = call("convert", value=36, to="fahrenheit")
TIME = call("now")
BOTH = call("hottest", values=["{{1.temperature_c}}", "{{2.temperature_c}}"])
SUM = call("add", a="{{1.temperature_c}}", b="{{2.result}}")
MAIL = call("send", to="a@b.org", body="{{2.result}} and {{3.sum}}")


def scored(task: Task, *calls: Call, offered: Any = None, **fields: Any) -> TaskScore:
    return score_task(task, trace(task, *calls, **fields), TOOLS, offered)
