"""Decompresses bodies while they arrive."""

import zlib

LARGEST_ANSWER = 2**26
"""Bytes of an answer after decompression, because a small answer may become very large."""
_GZIP = 16 + zlib.MAX_WBITS
_MOST_PARTS = 100
"""A gzip body may have several parts. Each part costs a copy of the rest."""


class BadEncoding(ValueError):
    """A body that is not compressed as its header says."""


class Inflater:
    """Decompresses one body. Stops shortly after the largest answer that viva reads."""

    def __init__(self, encoding: str) -> None:
        if encoding not in ("gzip", "x-gzip", "deflate"):
            raise BadEncoding(f"the answer is encoded as {encoding!r}, which was not asked for")
        self._is_gzip = encoding != "deflate"
        self._zlib = zlib.decompressobj(_GZIP)
        self._has_begun = False

    def feed(self, data: bytes) -> bytes:
        """Decompresses a piece, which must not be empty. Raises BadEncoding."""
        inflated = b""
        for _ in range(_MOST_PARTS):
            if not self._has_begun or (self._zlib.eof and self._is_gzip):
                self._has_begun = True
                # Some servers send "deflate" without the header of zlib.
                plain = zlib.MAX_WBITS if data[0] & 0x0F == 8 else -zlib.MAX_WBITS
                self._zlib = zlib.decompressobj(_GZIP if self._is_gzip else plain)
            try:
                inflated += self._zlib.decompress(data, LARGEST_ANSWER + 1)
            except zlib.error as error:
                raise BadEncoding(f"the answer cannot be decompressed: {error}") from None
            data = self._zlib.unused_data
            if not data or len(inflated) > LARGEST_ANSWER:
                return inflated
            if not self._is_gzip:
                break
        raise BadEncoding("something follows the end of the compressed answer")

    def finish(self) -> None:
        """Raises BadEncoding if the body was cut off."""
        if self._has_begun and not self._zlib.eof:
            raise BadEncoding("the compressed answer is cut off")
