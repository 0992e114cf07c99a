"""The process that fuzzes one target: `python -m tests.fuzz.child TARGET [libFuzzer's options]`.

libFuzzer ends its process when it is done, and starts it again by this command when it merges.
"""

import sys
from importlib import import_module

from tests.fuzz.corpus import target_of

# It ships no types.
atheris = import_module("atheris")

PACKAGES = ("dataset_builder", "evaluator", "space")
"""What is instrumented: what the target tests, and not what it is tested with."""


def main(name: str, options: list[str]) -> None:
    """Fuzz until libFuzzer's options say that it is enough."""
    with atheris.instrument_imports(include=list(PACKAGES)):
        target = target_of(name)
        # Tools are imported when they are first asked for.
        import_module("dataset_builder.tools").catalogue()
        seeds = list(target.seeds())
        # What is made once in a process, such as the published ladder, is no input's time.
        for seed in seeds:
            target.check(seed)
    # After the imports: what it takes from the tests imports the packages as well.
    mutator = import_module("tests.fuzz.mutate").Mutator(seeds, _mutate)
    command = f"{sys.executable} -m tests.fuzz.child {name}"
    atheris.Setup([command, *options], target.check, custom_mutator=mutator)
    atheris.Fuzz()


def _mutate(data: bytes, most: int) -> bytes:
    # The name means another function once fuzzing has begun.
    return bytes(atheris.Mutate(data, most))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
