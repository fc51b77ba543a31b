"""Redirects: where a server says that something is, and whether a request may follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vivavoce.wording.quoting import shorten

if TYPE_CHECKING:
    from yarl import URL

    from vivavoce.net.http_connection import HttpResponse

_MOVED = (301, 302, 303, 307, 308)
_PLAIN_PORT, _TLS_PORT = 80, 443
_SHORT = 200


class RedirectRefused(Exception):
    """The server names another one, or what is no address: nothing was sent there."""


def redirected(at: URL, response: HttpResponse) -> URL | None:
    """The address on the same server that the answer names; None when the answer is no redirect.

    Raises RedirectRefused. The user and password of `at` are kept; those of the redirect are not used.
    """
    if response.status not in _MOVED or not (named := set(response.headers.getall("Location", ()))):
        return None
    from yarl import URL

    shown = at.with_user(None)
    if len(named) > 1:
        raise RedirectRefused(f"{shown} redirects to {len(named)} addresses at once: nothing was sent there")
    location = named.pop()
    try:
        target = at.join(URL(location))
        origin = target.origin()
    except ValueError:
        quoted = shorten(ascii(location), _SHORT)
        raise RedirectRefused(f"{shown} redirects to what is no address, {quoted}") from None
    if not is_same_server(at, target):
        raise RedirectRefused(
            f"{shown} redirects to another host, {shorten(str(origin), _SHORT)}: nothing was sent there; "
            f"name that address if it is the right one"
        )
    return target.with_user(at.user).with_password(at.password)


def is_same_server(url: URL, other: URL) -> bool:
    """The same scheme, host and port; plain HTTP may become HTTPS on its usual port or on the same one."""
    if url.host != other.host:
        return False
    if url.scheme == other.scheme:
        return url.port == other.port
    upgraded = (url.port, other.port) == (_PLAIN_PORT, _TLS_PORT) or url.port == other.port
    return (url.scheme, other.scheme) == ("http", "https") and upgraded
