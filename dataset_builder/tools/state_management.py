"""State Management: memories, the session and e-mail addresses (paper, Table 3)."""

import string

from dataset_builder.tools.blank_text import refuse_blank
from dataset_builder.tools.define_tool import tool
from dataset_builder.tools.tool import Output, ToolError
from dataset_builder.tools.world import World
from dataset_builder.values.canonical import fold
from dataset_builder.values.draw import Draw
from dataset_builder.values.facts import load
from dataset_builder.values.parameter_types import Name, Verbatim

MAX_MEMORIES = 500
MAX_KEY_CHARACTERS = 100
MAX_ADDRESS_CHARACTERS = 254
MAX_LOCAL_CHARACTERS = 64
MAX_LABEL_CHARACTERS = 63

_LOCAL = frozenset(string.ascii_letters + string.digits + "!#$%&'*+-/=?^_`{|}~.")
_LABEL = frozenset(string.ascii_letters + string.digits + "-")


@tool("State Management")
def store_memory(key: Name, value: Verbatim, world: World, draw: Draw) -> Output:
    """Remember a value under a key, replacing what was there.

    Args:
        key: Name of the memory.
        value: Text to remember.

    Returns:
        memory_id (string): identifier of this state of the memory
    """
    refuse_blank(key=key)
    if len(key) > MAX_KEY_CHARACTERS:
        raise ToolError(f"key: at most {MAX_KEY_CHARACTERS} characters are accepted")
    if len(world.memories) >= MAX_MEMORIES and fold(key) not in world.memories:
        raise ToolError(f"the memory is full: it holds at most {MAX_MEMORIES} keys")
    world.memories[fold(key)] = value
    return {"memory_id": f"mem-{draw.token('memory_id', 12)}"}


@tool("State Management")
def retrieve_memory(key: Name, world: World) -> Output:
    """Recall the value remembered under a key.

    Args:
        key: Name of the memory.

    Returns:
        value (string): the remembered text
    """
    value = world.memories.get(fold(key))
    if value is None:
        raise ToolError(f"key: nothing is remembered under '{key[:60]}'")
    return {"value": value}


@tool("State Management")
def list_memories(world: World) -> Output:
    """List the keys under which something is remembered.

    Returns:
        keys (array of string): in alphabetical order
        count (integer): how many there are
    """
    return {"keys": sorted(world.memories), "count": len(world.memories)}


@tool("State Management")
def get_session_context() -> Output:
    """Tell who the signed-in user is.

    Returns:
        user_name (string): full name
        email (string): the user's own address
        team (string): where the user works
        timezone (string, IANA name): the user's time zone
        locale (string, language and region): such as pt-PT
        session_id (string): identifier of the session
    """
    return dict(load("episode")["session"])


@tool("State Management")
def validate_email(email: Verbatim, draw: Draw) -> Output:
    """Check whether an e-mail address is well-formed and how risky it is.

    Args:
        email: The address, right or wrong.

    Returns:
        is_valid (boolean): whether it is well-formed
        problem (string, empty if none): the first thing that is wrong
        suggestion (string, empty if none): the address with its misspelt provider corrected
        risk_score (integer, 0-100): how likely mail to it bounces
    """
    problem, suggestion = _problem(email), _suggestion(email)
    low, high = (90, 100) if problem else (60, 89) if suggestion else (1, 49)
    return {
        "is_valid": not problem,
        "problem": problem,
        "suggestion": suggestion,
        "risk_score": draw.integer("risk_score", low, high),
    }


def _problem(address: str) -> str:
    """What keeps an address from being one (RFC 5321 without quoted names), or nothing."""
    local, _, domain = address.partition("@")
    if "@" not in address:
        return "there is no @"
    if "@" in domain:
        return "there is more than one @"
    if len(address) > MAX_ADDRESS_CHARACTERS or len(local) > MAX_LOCAL_CHARACTERS:
        return "it is too long"
    if any(c.isspace() for c in address):
        return "it contains a space"
    if "" in local.split("."):
        return "a dot is misplaced before the @" if local else "nothing stands before the @"
    if not set(local) <= _LOCAL:
        return "a character before the @ is not allowed"
    return _domain_problem(domain)


def _domain_problem(domain: str) -> str:
    labels = domain.split(".")
    if not domain:
        return "nothing stands after the @"
    if "" in labels:
        return "a dot is misplaced after the @"
    if not set(domain) <= _LABEL | {"."}:
        return "a character after the @ is not allowed"
    if any(label.startswith("-") or label.endswith("-") for label in labels):
        return "a hyphen is misplaced after the @"
    if any(len(label) > MAX_LABEL_CHARACTERS for label in labels):
        return "it is too long"
    if len(labels) < 2 or len(labels[-1]) < 2 or not labels[-1].isalpha():
        return "the top-level domain is missing"
    return ""


def _suggestion(address: str) -> str:
    """The address at the known provider whose domain is one slip away, or nothing."""
    local, _, domain = address.partition("@")
    domain = domain.lower()
    providers = load("email_providers")
    if not local or domain in providers or len(address) > MAX_ADDRESS_CHARACTERS:
        return ""
    near = [provider for provider in providers if _one_slip_apart(domain, provider)]
    return f"{local}@{near[0]}" if len(near) == 1 else ""


def _one_slip_apart(left: str, right: str) -> bool:
    """Whether one letter added, dropped or changed, or two neighbours swapped, make them equal."""
    shared = next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), None)
    if shared is None:
        return abs(len(left) - len(right)) == 1
    left, right = left[shared:], right[shared:]
    swapped = left[1::-1] == right[:2] and left[2:] == right[2:]
    return swapped or left[1:] in (right, right[1:]) or left == right[1:]
