"""The signature is built and taken apart in one place, and what it does not say is undeclared."""

import pytest

from evaluator.traces.protocols import PROMPT_VERSIONS
from evaluator.traces.signature import Signature, parse_signature, signature
from tests.samples.small_suite import small_suite

SUITE = small_suite()


@pytest.mark.parametrize("protocol", [*PROMPT_VERSIONS, None])
@pytest.mark.parametrize("catalogue", ["full", "task", "8", None])
@pytest.mark.parametrize("calls", ["native", "json", None])
def test_what_is_built_is_read_back(
    protocol: str | None, catalogue: str | None, calls: str | None
) -> None:
    line = signature(SUITE, 8, protocol, catalogue, calls, PROMPT_VERSIONS)
    fields = parse_signature(line)
    assert str(fields) == line
    assert fields.protocol_name == (protocol or "undeclared")
    assert (fields.n, fields.catalogue) == ("8", catalogue or "undeclared")
    assert (fields.suite_version, fields.suite_digest) == (SUITE.version, SUITE.digest[:8])


@pytest.mark.parametrize("line", ["", "|", "n", ":", "rank:1|x", "ctb:3.0.0+a|rank:1"])
def test_any_line_can_be_read(line: str) -> None:
    fields = parse_signature(line)
    assert fields.protocol == "undeclared"
    assert fields.suite_version in ("undeclared", "3.0.0")
    assert parse_signature(str(fields)) == fields


def test_a_field_without_a_value_is_empty() -> None:
    assert parse_signature("n:|calls") == Signature(n="", calls="")
