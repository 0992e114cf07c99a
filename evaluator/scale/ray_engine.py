"""Units as tasks of Ray: on this machine, or on the cluster that RAY_ADDRESS names."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from socket import create_connection
from typing import Any

from dataset_builder.errors import InputError
from dataset_builder.rare_cycles import rare_looks_for_cycles
from dataset_builder.workers import TRIES, check_workers, lost

_PATIENCE_S = 10


def in_ray(
    task: Callable[[Any], Any], units: Sequence[Any], workers: int | None
) -> Iterator[tuple[int, Any]]:
    """Numbers and results, as they are done; without ``workers`` as many at once as there are cores.

    What a task raises is raised here; InputError where Ray is missing, or a unit kills its workers.
    """
    check_workers(workers)
    with _connected(workers) as ray:
        remote = ray.remote(num_cpus=1, max_retries=TRIES - 1)(_run)
        shared = ray.put(task)
        most = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        waiting, running = iter(enumerate(units)), dict[Any, int]()
        try:
            while True:
                # No more than run at once, so that the memory of what waits is bounded as well.
                while len(running) < most and (following := next(waiting, None)) is not None:
                    running[remote.remote(shared, following[1])] = following[0]
                if not running:
                    return
                (done, *_), _ = ray.wait(list(running))
                number = running.pop(done)
                yield number, _result(ray, done, units[number])
        finally:
            for reference in running:
                ray.cancel(reference, force=True)


def _run(task: Callable[[Any], Any], unit: Any) -> Any:
    with rare_looks_for_cycles():
        return task(unit)


def _result(ray: Any, reference: Any, unit: Any) -> Any:
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    except (
        ray.exceptions.WorkerCrashedError,
        ray.exceptions.NodeDiedError,
        ray.exceptions.OutOfMemoryError,
    ):
        raise lost(unit) from None


@contextmanager
def _connected(workers: int | None) -> Iterator[Any]:
    """Ray, joined or started without a dashboard; what was running before goes on."""
    # Read when it is imported: nothing about a run is sent anywhere.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    try:
        import ray
    except ImportError:
        raise InputError("--engine ray takes Ray: pip install 'comptoolbench[scale]'") from None
    if ray.is_initialized():
        yield ray
        return
    quiet: dict[str, Any] = {"logging_level": "error", "log_to_driver": False}
    address = os.environ.get("RAY_ADDRESS")
    try:
        if address:
            _check_is_heard(address)
            ray.init(address, **quiet)
        else:
            ray.init(num_cpus=workers, include_dashboard=False, **quiet)
    except (ConnectionError, OSError, RuntimeError, ValueError) as error:
        said = " ".join(str(error).split())[:200]
        raise InputError(f"Ray cannot be reached or started ({said})") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def _check_is_heard(address: str) -> None:
    """OSError where nobody listens at a host and port: Ray would ask again for minutes."""
    host, _, port = address.rpartition("//")[2].rpartition(":")
    if host and port.isdecimal():
        with create_connection((host, int(port)), timeout=_PATIENCE_S):
            pass
