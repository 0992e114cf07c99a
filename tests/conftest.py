"""Settings of all tests."""

import os
import tempfile

from hypothesis import settings

# No test reads a login of the user's, or leaves anything in their cache.
_HOME = tempfile.TemporaryDirectory(prefix="huggingface-")
os.environ["HF_HOME"] = _HOME.name
# The stand-in for the Hub takes large files through LFS. Both are read when huggingface_hub is imported.
os.environ["HF_HUB_DISABLE_XET"] = "1"

# A busy machine is no failure.
settings.register_profile("project", deadline=None)
settings.load_profile("project")
