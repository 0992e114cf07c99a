"""The one kind of error that the command line shows as a sentence instead of a traceback."""


class InputError(ValueError):
    """What somebody gave us cannot be used; the message says what, where, and what was expected."""
