"""One measure, once, in this process: `python -m tests.bench.one [--files] GROUP NAME FOLDER PRODUCT`.

Prints a line of JSON with what it took. Fails where code of ours was read from anywhere but PRODUCT.
"""

import json
import sys
from contextlib import redirect_stdout
from dataclasses import asdict
from pathlib import Path

from tests.bench.groups import measure
from tests.bench.measure import timed

_OURS = ("comptoolbench", "croissant", "dataset_builder", "evaluator", "space")


def _strangers(product: Path) -> list[str]:
    """Modules of ours that come from another place."""
    return [
        name
        for name, module in sorted(sys.modules.items())
        if name.partition(".")[0] in _OURS
        and not Path(getattr(module, "__file__", None) or product).is_relative_to(product)
    ]


def main() -> None:
    """Make the files, or measure and print."""
    *flags, group, name, folder, product = sys.argv[1:]
    chosen = measure(group, name)
    with redirect_stdout(sys.stderr):
        if flags:
            assert chosen.files is not None
            chosen.files(Path(folder))
        else:
            reading = timed(chosen.prepare(Path(folder)))
    if wrong := _strangers(Path(product)):
        sys.exit(f"not of {product}: {', '.join(wrong[:3])}")
    if not flags:
        print(json.dumps(asdict(reading)))


if __name__ == "__main__":
    main()
