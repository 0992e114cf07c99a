"""The taskset in verifiers' own machinery: its rollouts, tool servers and rewards, without a model."""

# verifiers ships no types.
# mypy: disable-error-code="import-untyped"

import asyncio
import json
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import verifiers.v1 as vf
from verifiers.v1.clients import ModelContext
from verifiers.v1.envs.single_agent import SingleAgentEnvConfig
from verifiers.v1.types import AssistantMessage, ToolCall

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite
from evaluator.integrations.rewards import step_score
from evaluator.integrations.task_stream import TaskStream
from evaluator.integrations.verifiers_taskset import CompositionConfig, CompositionTaskset
from evaluator.traces.protocols import MULTI_TURN
from tests.stand_ins.provider import Provider

STAND_INS = Path(__file__).parents[1] / "stand_ins"
SEED = 7
STREAM = TaskStream(SEED)


def taskset(**config: Any) -> CompositionTaskset:
    return CompositionTaskset(CompositionConfig(**{"seed": SEED, **config}))


def test_the_tasks_are_the_streams() -> None:
    tasks = list(taskset(start=5, worker=1, workers=3).take(4))
    wanted = list(islice(STREAM.tasks(5, 1, 3), 4))
    assert [task.key for task in tasks] == [task.task_id for task in wanted]
    assert [task.data.prompt for task in tasks] == [task.prompt for task in wanted]
    assert not taskset().bounded


def test_a_published_seed_is_refused() -> None:
    with pytest.raises(InputError, match="seed 42 is published"):
        next(iter(taskset(seed=42)))


def test_the_reward_is_ours_for_any_replies() -> None:
    worth = []
    for number, task in enumerate(taskset().take(24)):
        ours = STREAM.task(task.key)
        steps = ours.steps[: 1 + number % 4] * (1 + number % 2)
        calls = [
            ToolCall(id=str(n), name=s.tool, arguments=json.dumps(s.arguments))
            for n, s in enumerate(steps)
        ]
        replies = [AssistantMessage(tool_calls=[call]) for call in calls]

        class Recorded:
            assistant_messages = replies

        messages = [
            {"role": "assistant", "tool_calls": [{"function": dict(call)}]} for call in calls
        ]
        worth.append(asyncio.run(task.step(Recorded())))
        assert worth[-1] == step_score(ours, messages, MULTI_TURN, "task")
    assert len(set(worth)) > 3


def test_what_is_missing_is_said_in_a_sentence() -> None:
    code = "import sys; sys.modules['verifiers'] = None; import evaluator.integrations."
    ran = subprocess.run(
        [sys.executable, "-c", f"{code}verifiers_taskset"], capture_output=True, text=True
    )
    assert ran.stderr.endswith("pip install 'comptoolbench[verifiers]'\n")


@pytest.mark.slow
def test_rollouts_are_worth_what_the_agent_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # verifiers finds plugins as modules of one name.
    plugin = "from evaluator.integrations.verifiers_taskset import CompositionTaskset\n"
    (tmp_path / "composition.py").write_text(f"{plugin}__all__ = ['CompositionTaskset']\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(STAND_INS))
    tasks = tuple(islice(STREAM.tasks(), 2))
    config = {
        "taskset": {"id": "composition", "seed": SEED},
        "agent": {"harness": {"id": "chat_loop"}, "runtime": {"type": "subprocess"}},
    }
    env = vf.SingleAgentEnv(SingleAgentEnvConfig.model_validate(config))

    async def rewards(agent: str) -> list[float]:
        with Provider(Suite("3.0.0", SEED, tasks), agent) as provider:
            client = vf.EvalClientConfig(base_url=provider.url, api_key_var="NO_KEY")
            context = ModelContext(model="stand-in", client=client)
            found = []
            async with env.serving():
                for task in env.taskset.take(len(tasks)):
                    [slot] = env.slots(task)
                    episode = await env.run_slot(slot, context)
                    assert episode.ok, episode
                    [trace] = episode.traces
                    offered = STREAM.task(task.key).offered
                    assert [tool.name for tool in trace.tools] == list(offered)
                    found.append(trace.reward)
        return found

    assert asyncio.run(rewards("baseline:oracle")) == [1.0, 1.0]
    assert asyncio.run(rewards("baseline:spam")) == [0.0, 0.0]
