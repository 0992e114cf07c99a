"""The one kind of error that the command line shows as a sentence instead of a traceback."""


class InputError(ValueError):
    """What somebody gave us cannot be used; the message says what, where, and what was expected."""


def why(error: Exception) -> str:
    """What went wrong with a file, to stand in brackets in a sentence."""
    if isinstance(error, OSError):
        return (error.strerror or str(error) or "unknown error").lower()
    return str(error)
