"""Which ids a file has had, and where, at a few bytes each: a million ids must not fill the memory."""

_FEW = 2**14
"""So many ids take two megabytes as they are, and are looked up in a dict ten times as fast."""
_BUCKETS = 2**15
_REST_BYTES = 7
"""What the number of a bucket leaves of a 64-bit hash."""
_LINE_BYTES = 4
_ENTRY_BYTES = _REST_BYTES + _LINE_BYTES


class SeenIds:
    """A few ids as they are; many as 64-bit hashes and lines, in buckets of bytes without a free place in them."""

    def __init__(self) -> None:
        self._few: dict[str, int] | None = {}

    def add(self, case_id: str, line: int) -> int | None:
        """Remembers an id; returns the line it was first seen on when it is not new. Lines may be negative."""
        few = self._few
        if few is None:
            return self._add_to_many(case_id, line)
        if case_id in few:
            return few[case_id]
        few[case_id] = line
        if len(few) > _FEW:
            self._move(few)
        return None

    def _move(self, few: dict[str, int]) -> None:
        self._few = None
        self._buckets = [b""] * _BUCKETS
        for case_id, line in few.items():
            self._add_to_many(case_id, line)

    def _add_to_many(self, case_id: str, line: int) -> int | None:
        hashed = hash(case_id)
        number = hashed % _BUCKETS
        rest = (hashed // _BUCKETS).to_bytes(_REST_BYTES, "little", signed=True)
        bucket = self._buckets[number]
        at = bucket.find(rest)
        while at >= 0:
            if at % _ENTRY_BYTES == 0:
                return int.from_bytes(bucket[at + _REST_BYTES : at + _ENTRY_BYTES], "little", signed=True)
            at = bucket.find(rest, at + 1)
        self._buckets[number] = bucket + rest + line.to_bytes(_LINE_BYTES, "little", signed=True)
        return None
