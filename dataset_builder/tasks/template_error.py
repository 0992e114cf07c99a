"""The error of a template that cannot exist as written, and where in the template it happened."""

from dataset_builder.errors import InputError


class TemplateError(InputError):
    """A template cannot exist as written; the message names it and its field and says why."""


class ErrorPlace:
    """``with ErrorPlace("prompts 2"):`` a TemplateError inside says that it happened there."""

    __slots__ = ("_place",)

    def __init__(self, place: str) -> None:
        self._place = place

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, TemplateError):
            raise TemplateError(f"{self._place}: {error}") from None
