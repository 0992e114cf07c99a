"""Fresh tasks: what a run answers beside the public suite, of a seed that nobody knows beforehand.

The right answers of the public suite are public. So a run that is to be trusted also answers 60 tasks
whose seed is HMAC-SHA256 of a server's secret and the run's id. ``RUN/fresh.json`` holds the id from
the start, and the seed when all of them are answered: from then on anybody can make the same tasks.
"""

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from dataset_builder.errors import InputError
from dataset_builder.read_files import read_plain
from dataset_builder.tasks.task import Suite
from dataset_builder.write_files import write_whole
from evaluator.comparing.load_results import load_result
from evaluator.comparing.results import Result
from evaluator.comparing.score_cache import cached

if TYPE_CHECKING:
    from evaluator.asking.ask_suite import Finished
    from evaluator.asking.run_options import RunOptions

COUNTS = (15, 19, 12, 14)
"""Tasks of each level: 60 in the proportion of the public suite's 48, 64, 40 and 48."""
# The two samples are drawn apart from each other.
_OTHER_DRAWS = 1_000


def fresh_seed(secret: bytes, run_id: str) -> str:
    """The seed of a run's fresh tasks, as 64 hexadecimal digits."""
    return hmac.new(secret, run_id.encode(), hashlib.sha256).hexdigest()


@lru_cache(maxsize=4)
def fresh_suite(seed: str) -> Suite:
    """The fresh tasks of a seed. The suite itself does not say the seed."""
    from dataset_builder.tasks.engine import CompositionEngine

    return replace(CompositionEngine(seed, counts=COUNTS).generate_suite(), seed=None)


def ask_fresh(
    options: "RunOptions",
    folder: Path,
    secret: bytes,
    stream: TextIO,
    environment: Mapping[str, str] = os.environ,
) -> "Finished":
    """Ask the fresh tasks of the run in ``folder``, into ``folder/fresh``; resumes as a run does.

    When all are answered the seed is written to ``folder/fresh.json``.
    """
    from evaluator.asking.ask_suite import ask_model

    run_id = _run_id(folder)
    seed = fresh_seed(secret, run_id)
    options = replace(options, suite=None, limit=None)
    finished = ask_model(
        options, folder / "fresh", stream, suite=fresh_suite(seed), environment=environment
    )
    if finished.state.is_complete:
        _write(folder / "fresh.json", {"run_id": run_id, "seed": seed})
    return finished


def _run_id(folder: Path) -> str:
    """The id of a run, which it gets when its first fresh task is asked."""
    file = folder / "fresh.json"
    known = _read(file)
    if known is None:
        known = {"run_id": secrets.token_hex(16)}
        folder.mkdir(parents=True, exist_ok=True)
        _write(file, known)
    return str(known["run_id"])


def fresh_result(
    folder: Path, public: Result, secret: bytes | None = None
) -> Mapping[str, Any] | None:
    """Public minus fresh of a run folder; None where its fresh tasks are not answered.

    As `public_minus_fresh`, with the ``seed``, and computed as scores are: from the traces. With the
    ``secret``, the seed has to be the one that it gives for the run's id; InputError otherwise, and
    for fresh traces that cannot be read.
    """
    known = _read(folder / "fresh.json")
    if known is None or "seed" not in known:
        return None
    seed, run_id = str(known["seed"]), str(known["run_id"])
    if secret is not None and not hmac.compare_digest(
        seed.encode(), fresh_seed(secret, run_id).encode()
    ):
        raise InputError(f"{folder}: its fresh tasks are of another seed than its id gives")
    fresh = load_result(folder / "fresh", fresh_suite(seed))
    if not fresh.scores["ranked"]:
        return None
    runs = [(r.signature, r.scores["diagnostics"]["traces_sha256"]) for r in (public, fresh)]
    difference = cached(
        ["public minus fresh", runs, seed], lambda: public_minus_fresh(public, fresh)
    )
    return {**difference, "seed": seed}


def public_minus_fresh(public: Result, fresh: Result) -> dict[str, Any]:
    """By how much the share of solved public tasks exceeds that of fresh ones.

    ``difference`` with its 95 % interval ``low`` to ``high`` (two samples, templates drawn within levels;
    None where a level has a single template), ``fresh``, the share of fresh tasks solved, in the public
    suite's mix of levels (fractions), and ``n_tasks``, the number of fresh ones.
    """
    from evaluator.comparing.score_array import score_array
    from evaluator.comparing.statistics import (
        QUANTITIES,
        SEED,
        bounds,
        contrasts,
        estimates,
        replicates,
    )
    from evaluator.scoring.metrics import SOLVED

    ours, others = (score_array([result]).of(SOLVED.key) for result in (public, fresh))
    overall = contrasts(ours.levels)[QUANTITIES.index("overall")][None]
    score = float(estimates(others, overall)[0, 0])
    drawn = replicates(ours, overall)[0] - replicates(others, overall, seed=SEED + _OTHER_DRAWS)[0]
    low, high = (None if isnan(end[0]) else float(end[0]) for end in bounds(drawn))
    return {
        "difference": float(estimates(ours, overall)[0, 0]) - score,
        "low": low,
        "high": high,
        "fresh": score,
        "n_tasks": len(others.tasks),
    }


def _read(file: Path) -> dict[str, Any] | None:
    try:
        known = json.loads(read_plain(file))
        known["run_id"]
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError(f"{file}: cannot be read; remove it to ask fresh tasks anew") from None
    return dict(known)


def _write(file: Path, content: Mapping[str, Any]) -> None:
    write_whole(file, f"{json.dumps(content, indent=1)}\n".encode())
