"""Redirects: the new address, and whether a request may follow it."""

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
    """The redirect leads to another server or is not an address: nothing was sent there."""


def redirected(at: URL, response: HttpResponse) -> URL | None:
    """Returns the new address on the same server; None if the answer is not a redirect.

    Raises RedirectRefused. Keeps the user and password of `at`, and ignores those of the redirect.
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
        raise RedirectRefused(f"{shown} redirects to {quoted}, which is not an address") from None
    if not is_same_server(at, target):
        raise RedirectRefused(
            f"{shown} redirects to another host, {shorten(str(origin), _SHORT)}: nothing was sent there; "
            f"name that address if it is the right one"
        )
    return target.with_user(at.user).with_password(at.password)


def is_same_server(url: URL, other: URL) -> bool:
    """Whether scheme, host and port are the same. HTTP may become HTTPS, on its default port or on the same one."""
    if url.host != other.host:
        return False
    if url.scheme == other.scheme:
        return url.port == other.port
    upgraded = (url.port, other.port) == (_PLAIN_PORT, _TLS_PORT) or url.port == other.port
    return (url.scheme, other.scheme) == ("http", "https") and upgraded
