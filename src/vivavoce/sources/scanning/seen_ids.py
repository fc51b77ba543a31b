"""The ids of a file with their lines, in a few bytes each, so that a million ids do not fill the memory."""

_FEW = 2**14
"""Up to this number, ids are kept in a dict: it takes two megabytes and is ten times as fast."""
_BUCKETS = 2**15
_REST_BYTES = 7
"""The bytes of a 64-bit hash without the number of its bucket."""
_LINE_BYTES = 4
_ENTRY_BYTES = _REST_BYTES + _LINE_BYTES


class SeenIds:
    """Keeps a few ids in a dict, and many as 64-bit hashes with their lines in buckets of bytes."""

    def __init__(self) -> None:
        self._few: dict[str, int] | None = {}

    def add(self, case_id: str, line: int) -> int | None:
        """Adds an id. Returns the line of its first use when it is not new. Lines may be negative."""
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
