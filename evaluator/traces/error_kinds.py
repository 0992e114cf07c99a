"""The kinds of error that a trace may tell of (specification: Failures)."""

# Asked again after a while: the next attempt may well succeed.
RETRIED = frozenset({"rate_limit", "connection", "connect_timeout", "provider_error"})
FATAL = frozenset({"auth", "unknown_model"})
INFRASTRUCTURE_ERRORS = RETRIED | FATAL | {"bad_request", "reference_rejected"}
MODEL_ERRORS = frozenset({"timeout", "malformed_call", "context_overflow", "content_filter"})
"""With the infrastructure's, all kinds of error that a trace may tell of (specification: Failures)."""
