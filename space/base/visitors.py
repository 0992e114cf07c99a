"""Who is asking, what they may do, and how often."""

from dataclasses import dataclass

from space.base.settings import Settings


@dataclass(frozen=True)
class Visitor:
    """Somebody in front of the page."""

    name: str | None
    """Login name; None where nobody is logged in."""
    address: str
    is_maintainer: bool = False

    @property
    def key(self) -> str:
        """What a limit counts by."""
        return f"name:{self.name}" if self.name else f"address:{self.address}"


def visitor_of(
    settings: Settings, login: str | None, address: str, forwarded: str | None
) -> Visitor:
    """The visitor of a request.

    ``forwarded`` is the X-Forwarded-For header, whose last entry the proxy of a hosted page wrote;
    what stands before it anybody may have. On a laptop the visitor is the machine's user.
    """
    if not settings.is_hosted:
        return Visitor(login or "local", address, is_maintainer=True)
    if forwarded:
        address = forwarded.rsplit(",", 1)[-1].strip() or address
    return Visitor(login, address, login is not None and login in settings.maintainers)
