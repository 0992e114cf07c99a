"""OpenEnv's server and client over the stream: needs openenv-core, which excludes verifiers."""

import importlib
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

from dataset_builder.errors import InputError
from evaluator.integrations.environment import Environment
from evaluator.integrations.task_stream import TaskStream

FOLDER = Path(__file__).parents[2] / "evaluator/integrations/openenv"
PACKAGE = "evaluator.integrations.openenv"
STREAM = TaskStream(7)
needs_openenv = pytest.mark.skipif(
    find_spec("openenv") is None, reason="openenv-core excludes verifiers, which is installed"
)


def test_the_manifest_names_the_application() -> None:
    manifest = yaml.safe_load((FOLDER / "openenv.yaml").read_text("utf-8"))
    module, _, name = manifest["app"].partition(":")
    assert (FOLDER / f"{module.replace('.', '/')}.py").is_file()
    assert manifest["spec_version"] == 1
    assert (manifest["name"], name) == ("comptoolbench", "app")


@pytest.mark.skipif(find_spec("openenv") is not None, reason="openenv-core is installed")
@pytest.mark.parametrize("module", ["models", "client", "server.episodes", "server.app"])
def test_what_is_missing_is_said_in_a_sentence(module: str) -> None:
    with pytest.raises(InputError, match=r"pip install 'comptoolbench\[openenv\]'$") as told:
        importlib.import_module(f"{PACKAGE}.{module}")
    assert "\n" not in str(told.value)


@pytest.fixture
def episodes() -> Any:
    return importlib.import_module(f"{PACKAGE}.server.episodes").StreamEpisodes(STREAM)


def action(**fields: Any) -> Any:
    types = importlib.import_module("openenv.core.env_server.mcp_types")
    return types.CallToolAction(**fields) if fields else types.ListToolsAction()


@needs_openenv
def test_the_rewards_of_an_episode_add_up_to_the_step_score(episodes: Any) -> None:
    ours = Environment()
    for index in range(30):
        task = STREAM[index]
        opened, opening = episodes.reset(seed=index), ours.reset(task)
        assert (opened.task_id, opened.prompt) == (task.task_id, task.prompt)
        tools = episodes.step(action()).tools
        assert [tool.input_schema for tool in tools] == [
            tool["function"]["parameters"] for tool in opening.tools
        ]
        total = 0.0
        calls = [*((s.tool, dict(s.arguments)) for s in task.steps), (task.offered[0], {})]
        for name, arguments in calls[index % 2 :]:
            observed = episodes.step(action(tool_name=name, arguments=arguments))
            shown = ours.call(name, arguments)
            assert shown is not None
            assert json.loads(observed.result) == json.loads(shown.text)
            total += observed.reward
        assert total == pytest.approx(ours.score().step)
        assert episodes.state.step_count == len(calls[index % 2 :])


@needs_openenv
def test_without_a_seed_the_next_task_is_opened(episodes: Any) -> None:
    with pytest.raises(InputError, match="reset comes first"):
        episodes.step(action())
    opened = [episodes.reset().task_id, episodes.reset(seed=9).task_id, episodes.reset().task_id]
    assert opened == [STREAM[index].task_id for index in (0, 9, 10)]


@needs_openenv
def test_a_client_is_served_an_episode() -> None:
    testing = importlib.import_module("fastapi.testclient")
    app = importlib.import_module(f"{PACKAGE}.server.app").app
    stream = TaskStream(0)
    task = next(task for task in stream.tasks())
    with testing.TestClient(app) as client, client.websocket_connect("/ws") as socket:

        def said(kind: str, **data: Any) -> Any:
            socket.send_json({"type": kind, "data": data})
            return socket.receive_json()["data"]

        assert said("reset", seed=0)["observation"]["prompt"] == task.prompt
        told = [
            said("step", type="call_tool", tool_name=step.tool, arguments=dict(step.arguments))
            for step in task.steps
        ]
    assert sum(each["reward"] for each in told) == pytest.approx(1)
