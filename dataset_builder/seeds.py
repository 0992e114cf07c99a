"""Many seeds on the command line: ``1-100``, or ``1-3,42``."""

import re

import click

MAX_SEEDS = 100_000


class Seeds(click.ParamType[tuple[int, ...]]):
    """Whole numbers and ranges of them, each seed once, in order."""

    name = "FIRST-LAST"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """The seeds as a tuple."""
        if isinstance(value, tuple):
            return value
        found = [
            re.fullmatch(r"(\d{1,15})(?:-(\d{1,15}))?", part) for part in str(value).split(",")
        ]
        ranges = [(int(each[1]), int(each[2] or each[1])) for each in found if each]
        if None in found or any(first > last for first, last in ranges):
            self.fail("expected seeds such as 1-100 or 1-3,42", param, ctx)
        if sum(last - first + 1 for first, last in ranges) > MAX_SEEDS:
            self.fail(f"expected at most {MAX_SEEDS:,} seeds", param, ctx)
        return tuple(sorted({seed for first, last in ranges for seed in range(first, last + 1)}))
