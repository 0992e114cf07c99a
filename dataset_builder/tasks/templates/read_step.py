"""Read a step as templates write it: ``min_max(numbers=[{1.price}, {2.price}])``.

    step   = TOOL "(" [ NAME "=" value { "," NAME "=" value } ] ")"
    value  = leaf | "[" leaves "]" | "mentions(" leaves ")" | "mentions_unrounded(" leaves ")"
    leaves = leaf { "," leaf }
    leaf   = "{" a slot or a reference "}"

There is no other value, so a constant has no syntax.
"""

import re

from dataset_builder.tasks.call_template import (
    Argument,
    CallTemplate,
    Mentions,
    ReferenceArgument,
    SlotArgument,
    leaf,
)
from dataset_builder.tasks.template_error import ErrorPlace, TemplateError

# A quoted text is one token, and so is a brace that is not closed, to be shown whole in the error.
_TOKENS = re.compile(r"""\{[^{}]*\}?|[(),=\[\]]|"[^"]*"|'[^']*'|[^\s(),=\[\]{}"']+|\S""")
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_MENTIONS = {"mentions": False, "mentions_unrounded": True}


def read_step(text: str) -> CallTemplate:
    """The step that the text writes; TemplateError with what was expected and what stands there."""
    return _Reader(text).step()


class _Reader:
    """The tokens of a step, taken one by one."""

    def __init__(self, text: str) -> None:
        self._tokens = _TOKENS.findall(text)[::-1]

    def step(self) -> CallTemplate:
        """The whole text as a step."""
        tool = self._name("the name of a tool")
        arguments: dict[str, Argument] = {}
        self._take("(")
        if self._next() != ")":
            self._argument(arguments)
            while self._next() == ",":
                self._take(",")
                self._argument(arguments)
        self._take(")")
        self._take("")
        return CallTemplate(tool, arguments)

    def _argument(self, arguments: dict[str, Argument]) -> None:
        """One more of the arguments."""
        name = self._name("the name of an argument")
        if name in arguments:
            raise TemplateError(f"{name}: stands twice")
        self._take("=")
        with ErrorPlace(name):
            arguments[name] = self._value()

    def _value(self) -> Argument:
        token = self._pop()
        if token == "[":
            return self._leaves("]")
        if token in _MENTIONS and self._next() == "(":
            self._take("(")
            return Mentions(self._leaves(")"), _MENTIONS[token])
        return leaf(token)

    def _leaves(self, closing: str) -> tuple[SlotArgument | ReferenceArgument, ...]:
        """Slots and references up to the bracket that closes their list."""
        leaves = [leaf(self._pop())]
        while self._next() == ",":
            self._take(",")
            leaves.append(leaf(self._pop()))
        self._take(closing)
        return tuple(leaves)

    def _name(self, expected: str) -> str:
        token = self._pop()
        if not _NAME.fullmatch(token):
            raise TemplateError(f"expected {expected}, not {_shown(token)}")
        return token

    def _take(self, expected: str) -> None:
        token = self._pop()
        if token != expected:
            raise TemplateError(f"expected {_shown(expected)}, not {_shown(token)}")

    def _next(self) -> str:
        return self._tokens[-1] if self._tokens else ""

    def _pop(self) -> str:
        return self._tokens.pop() if self._tokens else ""


def _shown(token: str) -> str:
    return repr(token) if token else "the end"
