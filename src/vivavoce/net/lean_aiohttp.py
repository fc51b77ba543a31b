"""aiohttp, imported without loading the machine's certificates: `from vivavoce.net.lean_aiohttp import aiohttp`.

aiohttp makes two TLS contexts while it is imported, and each of them loads every certificate of the machine. That is
two fifths of what `import aiohttp` costs, and of no use to an agent that speaks plain HTTP. Imported from here, each
context loads them before its first connection instead.
"""

import ssl
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any


class _WithoutCertificates(ssl.SSLContext):
    """A context that loads them when it is first used. Until then it verifies as any other, and so trusts nobody."""

    def wrap_bio(self, *args: Any, **named: Any) -> ssl.SSLObject:
        return self._loaded().wrap_bio(*args, **named)

    def wrap_socket(self, *args: Any, **named: Any) -> ssl.SSLSocket:
        return self._loaded().wrap_socket(*args, **named)

    def _loaded(self: ssl.SSLContext) -> ssl.SSLContext:
        """Itself, as a plain context from now on. Two threads may do this at once: a certificate is kept once."""
        super(ssl.SSLContext, self).set_default_verify_paths()
        self.__class__ = ssl.SSLContext
        return self


@contextmanager
def _certificates_later() -> Generator[None]:
    """Covers the method that loads them, which ssl.SSLContext inherits from a class written in C."""
    ssl.SSLContext.set_default_verify_paths = _not_yet
    try:
        yield
    finally:
        del ssl.SSLContext.set_default_verify_paths


def _not_yet(self: ssl.SSLContext) -> None:
    self.__class__ = _WithoutCertificates


with _certificates_later():
    import aiohttp as aiohttp
