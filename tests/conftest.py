"""Settings of all tests."""

import os
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from tests.hub import Hub

# No test reads a login of the user's, or leaves anything in their cache.
_HOME = tempfile.TemporaryDirectory(prefix="huggingface-")
os.environ["HF_HOME"] = _HOME.name
# The stand-in for the Hub takes large files through LFS. Both are read when huggingface_hub is imported.
os.environ["HF_HUB_DISABLE_XET"] = "1"

# A busy machine is no failure.
settings.register_profile("project", deadline=None)
settings.load_profile("project")


@pytest.fixture(scope="session")
def hub_server() -> Iterator["Hub"]:
    """A stand-in for the Hub, shared by the tests of a process."""
    from tests.hub import Hub

    with Hub() as hub:
        yield hub


@pytest.fixture
def hub(hub_server: "Hub") -> Iterator["Hub"]:
    """The stand-in, without a fault when the test begins."""
    yield hub_server
    hub_server.mend()
