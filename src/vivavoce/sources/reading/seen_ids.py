"""Which ids a file has had, and where, at a few bytes each: a million ids must not fill the memory."""

from array import array

_FEW = 2**14
"""So many ids take two megabytes as they are, and are looked up in a dict ten times as fast."""
_SLOTS = 2**16
"""Of twelve bytes each: how many a table begins with."""


class SeenIds:
    """A few ids as they are; many in a hash table of 64-bit hashes and lines in two flat arrays."""

    def __init__(self) -> None:
        self._few: dict[str, int] | None = {}

    def add(self, case_id: str, line: int) -> int | None:
        """Remembers an id; returns the line it was first seen on when it is not new."""
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
        self._count = 0
        self._allocate(_SLOTS)
        for case_id, line in few.items():
            self._add_to_many(case_id, line)

    def _add_to_many(self, case_id: str, line: int) -> int | None:
        # 0 marks a free slot.
        wanted = hash(case_id) or 1
        hashes, last = self._hashes, self._last
        slot = wanted & last
        while found := hashes[slot]:
            if found == wanted:
                return self._lines[slot]
            slot = (slot + 1) & last
        hashes[slot] = wanted
        self._lines[slot] = line
        self._count += 1
        if self._count > self._most:
            self._grow()
        return None

    def _allocate(self, slots: int) -> None:
        self._hashes = array("q", bytes(8 * slots))
        self._lines = array("I", bytes(4 * slots))
        self._last = slots - 1
        self._most = slots * 2 // 3

    def _grow(self) -> None:
        """Moves into a larger table."""
        hashes, lines = self._hashes, self._lines
        self._allocate(len(hashes) * 2)
        larger, last = self._hashes, self._last
        for seen, line in zip(hashes, lines, strict=True):
            if seen:
                slot = seen & last
                while larger[slot]:
                    slot = (slot + 1) & last
                larger[slot] = seen
                self._lines[slot] = line
