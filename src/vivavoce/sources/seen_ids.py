"""Which ids a file has had, and where, at a few bytes each: a million ids must not fill the memory."""

from array import array

_MASK = (1 << 64) - 1


class SeenIds:
    """A hash table of 64-bit hashes and lines in two flat arrays."""

    def __init__(self) -> None:
        self._count = 0
        self._allocate(1024)

    def add(self, case_id: str, line: int) -> int | None:
        """Remembers an id; returns the line it was first seen on when it is not new."""
        if self._count * 3 > len(self._hashes) * 2:
            self._grow()
        # 0 marks a free slot.
        wanted = hash(case_id) & _MASK or 1
        slot = self._slot(wanted)
        if self._hashes[slot]:
            return self._lines[slot]
        self._hashes[slot] = wanted
        self._lines[slot] = line
        self._count += 1
        return None

    def _slot(self, wanted: int) -> int:
        hashes, last = self._hashes, len(self._hashes) - 1
        slot = wanted & last
        while (found := hashes[slot]) and found != wanted:
            slot = (slot + 1) & last
        return slot

    def _allocate(self, slots: int) -> None:
        self._hashes = array("Q", bytes(8 * slots))
        self._lines = array("I", bytes(4 * slots))

    def _grow(self) -> None:
        hashes, lines = self._hashes, self._lines
        self._allocate(2 * len(hashes))
        for old, seen in enumerate(hashes):
            if seen:
                slot = self._slot(seen)
                self._hashes[slot] = seen
                self._lines[slot] = lines[old]
