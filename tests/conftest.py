"""Settings of all tests."""

from hypothesis import settings

# A busy machine is no failure.
settings.register_profile("project", deadline=None)
settings.load_profile("project")
