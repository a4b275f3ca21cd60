"""The names that a service answers to.

A page of any site can have the name of that site resolved to this machine, and a browser then lets it read
what is answered (DNS rebinding). So a service for this machine alone answers to the names of loopback alone.
"""

import re
from collections.abc import Collection, Iterable
from ipaddress import ip_address

from solver.errors import UsageError

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""The names of a machine to itself."""


def host_name(host: str) -> str | None:
    """The name in a `Host` header, in small letters and without the port; None if it has none."""
    parts = re.fullmatch(r"(\[[0-9a-f:.]+\]|[\w.-]*\w)\.?(:\d*)?", host.lower(), re.ASCII)
    return parts and parts[1]


def answered_hosts(address: str, allowed: Iterable[str]) -> Collection[str] | None:
    """The names that a service at an IP address answers to; None for any, as on all but loopback.

    Raises `UsageError` for an `allowed` one that is no name.
    """
    names = {each: host_name(each) for each in allowed}
    for each, name in names.items():
        if name is None:
            raise UsageError(f"--allow-host {each!r} should be a name such as games.example.org")
    if not ip_address(address).is_loopback:
        return None
    return {*LOOPBACK, f"[{address}]" if ":" in address else address, *filter(None, names.values())}
