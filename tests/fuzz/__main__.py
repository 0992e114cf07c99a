"""Fuzz some targets, one after the other: `python -m tests.fuzz scorer tools --seconds 600 --keep`."""

import argparse
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from tests.fuzz.corpus import TARGETS
from tests.fuzz.fuzz import fuzz, keep_found


def main() -> int:
    """Print what came of each target; 1 where something was found."""
    parser = argparse.ArgumentParser(prog="tests.fuzz", description=__doc__.split(":")[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}")
    parser.add_argument("--seconds", type=int, default=60, help="for each target (60)")
    parser.add_argument("--keep", action="store_true", help="keep inputs that reach more code")
    told = parser.parse_args()
    if unknown := set(told.targets) - set(TARGETS):
        parser.error(f"no target is called {', '.join(sorted(unknown))}")
    if find_spec("atheris") is None:
        parser.error(
            "atheris is not installed: it comes with `make test`, on Linux, up to Python 3.13"
        )
    has_found = False
    for name in told.targets or TARGETS:
        with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
            outcome = fuzz(name, told.seconds, Path(folder))
            print(f"{name}: {outcome.sentence}", flush=True)
            if told.keep:
                print(f"{name}: {keep_found(name, Path(folder))} inputs kept", flush=True)
        has_found |= outcome.finding is not None
    return int(has_found)


if __name__ == "__main__":
    sys.exit(main())
