"""Scoring on a cluster of two nodes: a killed worker and a lost node are survived, with the same bytes."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dataset_builder.errors import InputError
from evaluator.scale.ray_engine import in_ray
from evaluator.scale.score_files import score_files
from tests.samples.rollout_files import SUITE, files_in, jsonl, rows_of
from tests.scale.work import objects_between_looks, refuse_three

pytestmark = pytest.mark.slow
UNITS = 10


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of files of rows, and their scores as one process gives them."""
    folder = tmp_path_factory.mktemp("rows")
    (folder / "in").mkdir()
    for seed in range(UNITS):
        content = jsonl(rows_of(150, seed=seed, model=f"m{seed}"))
        (folder / "in" / f"{seed:02}.jsonl").write_bytes(content)
    score_files([f"{folder}/in"], f"{folder}/expected", SUITE)
    return folder


@pytest.fixture
def cluster() -> Iterator[Any]:
    """Two nodes of one core each, on this machine."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray = pytest.importorskip("ray", reason="Ray is not installed (the extra scale)")
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, logging_level="error", log_to_driver=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def workers_at_work() -> list[int]:
    """The processes that do a unit now: Ray names them after the function."""
    listed = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True).stdout
    lines = (line.split(None, 1) for line in listed.splitlines())
    return [int(pid) for pid, args in lines if args.startswith("ray::_run")]


def test_a_killed_worker_and_a_lost_node_change_nothing(
    cluster: Any, rows: Path, tmp_path: Path
) -> None:
    killed: list[int] = []

    def kill() -> None:
        while not killed:
            for process in workers_at_work()[:1]:
                os.kill(process, signal.SIGKILL)
                killed.append(process)
            time.sleep(0.02)

    done = 0

    def watch(units: Any, number: int, outcome: Any) -> None:
        nonlocal done
        done += 1
        if done == 4:
            cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    score_files([f"{rows}/in"], f"{tmp_path}/out", SUITE, engine="ray", watch=watch)
    killer.join(10)
    assert killed
    assert not cluster.worker_nodes
    assert files_in(tmp_path / "out") == files_in(rows / "expected")


def test_what_the_task_raises_is_raised(cluster: Any) -> None:
    with pytest.raises(InputError) as caught:
        list(in_ray(refuse_three, range(6), 2))
    assert str(caught.value) == "three cannot be used"


def test_workers_look_for_cycles_rarely(cluster: Any) -> None:
    usual = gc.get_threshold()[0]
    assert min(dict(in_ray(objects_between_looks, range(2), 2)).values()) > usual


def test_a_cluster_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed (the extra scale)")
    (tmp_path / "a.jsonl").write_bytes(jsonl(rows_of(3)))
    command = [sys.executable, "-m", "comptoolbench", "score", "a.jsonl", "--out", "out"]
    done = subprocess.run(
        [*command, "--engine", "ray"],
        cwd=tmp_path,
        env={**os.environ, "RAY_ADDRESS": "127.0.0.1:1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "Ray cannot be reached or started (" in done.stderr
    assert "Traceback" not in done.stderr
