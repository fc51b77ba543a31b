"""The part of a tape for one attempt: finds recorded answers, records new ones, and lists differences."""

import threading
from datetime import UTC, datetime

from msgspec import Struct, structs

from vivavoce.sight.dialects.dialect import Sections
from vivavoce.sight.tapes.explaining import explained_miss
from vivavoce.sight.tapes.fingerprint import Fingerprint
from vivavoce.sight.tapes.normalising import Normaliser
from vivavoce.sight.tapes.tape_lines import Entry, folded
from vivavoce.sight.tapes.tape_reading import Tape
from vivavoce.sight.tapes.tape_writing import TapeWriter


class Found(Struct, frozen=True):
    """A recorded answer for a request."""

    entry: Entry
    differs: tuple[str, ...] = ()
    """Sections in which the request differs from the recorded one."""


class Missed(Struct, frozen=True):
    """No recorded answer fits."""

    why: str


class AttemptTape:
    """The calls of one attempt. Used by the proxy's thread and by viva's own."""

    def __init__(
        self,
        case: str,
        run: int,
        *,
        normaliser: Normaliser,
        tape: Tape | None = None,
        writer: TapeWriter | None = None,
        reuse: bool = False,
        re_record: str = "",
        key: str = "",
    ) -> None:
        """`tape`: for replaying. `writer`: for recording the calls that are not replayed.

        `key`: the key of the case, `path::id`.
        """
        self.case = case
        self.run = run
        self.normaliser = normaliser
        self._tape = tape
        self._writer = writer
        self._reuse = reuse
        self.re_record = re_record
        self.key = key
        self._lock = threading.Lock()
        self._entries = [] if tape is None else tape.attempts.get((case, run), [])
        self._used: set[int] = set()
        self._number = 0
        self.turn = 0
        self.calls = 0
        """The number of calls of models and other APIs, replayed or not."""
        self.answered: list[Entry] = []
        """Recorded calls that were replayed."""
        self.kept = 0
        self.misses: list[str] = []
        self.loose: list[tuple[Entry, Fingerprint, tuple[str, ...]]] = []

    @property
    def replays(self) -> bool:
        return self._tape is not None

    @property
    def records(self) -> bool:
        return self._writer is not None

    @property
    def is_on_tape(self) -> bool:
        """Whether this run of the case was recorded, even without any call."""
        return self._tape is not None and (self.case, self.run) in self._tape.attempts

    @property
    def replayed(self) -> int:
        return len(self.answered)

    def recorded_sections(self, entry: Entry) -> Sections:
        """The sections of a recorded request."""
        assert self._tape is not None
        return self._tape.sections(entry)

    @property
    def recorded_calls(self) -> int:
        """The number of recorded calls of this attempt to models and other APIs, without those of judges."""
        return sum(not entry.judge and entry.kind != "mcp" for entry in self._entries)

    @property
    def has_mcp(self) -> bool:
        """Whether calls of MCP servers were recorded."""
        return any(entry.kind == "mcp" for entry in self._entries)

    @property
    def has_mcp_calls(self) -> bool:
        """Whether calls of tools of MCP servers were recorded."""
        return any(entry.kind == "mcp" and not entry.again for entry in self._entries)

    def unused(self) -> list[Entry]:
        """Recorded calls that were not replayed."""
        left = [entry for at, entry in enumerate(self._entries) if at not in self._used]
        return [entry for entry in left if not entry.judge and not entry.again]

    def answer_to(self, wanted: Fingerprint, *, exact: bool = False, again: bool = False) -> Found | Missed | None:
        """Returns the recorded answer; None when the call must be made (and recorded, if this run records).

        `exact`: a request that differs in any way returns None and is not a miss.
        `again`: one recorded answer serves any number of such requests.
        """
        with self._lock:
            self.calls += wanted.provider != "mcp"
            if self._tape is None:
                return None
            found = self._find(wanted, exact=exact, reuse=again or self._reuse)
            if found is not None:
                self.answered.append(found.entry)
                if found.differs:
                    self.loose.append((found.entry, wanted, found.differs))
                return found
            if self._writer is not None or exact:
                return None
            missed = Missed(explained_miss(wanted, self._tape, self.case, self.run, self._used, self.re_record))
            self.misses.append(missed.why)
            return missed

    def _find(self, wanted: Fingerprint, *, exact: bool, reuse: bool) -> Found | None:
        for name in ("key",) if exact else ("key", "loose"):
            value = getattr(wanted, name)
            fitting = [at for at, entry in enumerate(self._entries) if getattr(entry, name) == value]
            unused = [at for at in fitting if at not in self._used]
            if unused or (fitting and reuse):
                at = unused[0] if unused else fitting[-1]
                self._used.add(at)
                entry = self._entries[at]
                differs = () if name == "key" else tuple(wanted.differences(self.recorded_sections(entry)))
                return Found(entry, differs)
        return None

    def fits(self, wanted: Fingerprint) -> int:
        """How well a request fits the unused calls of this tape: 2 exactly, 1 loosely, 0 not at all."""
        left = [entry for at, entry in enumerate(self._entries) if at not in self._used]
        if any(entry.key == wanted.key for entry in left):
            return 2
        return int(any(entry.loose == wanted.loose for entry in left))

    def keep(self, wanted: Fingerprint, answer: Entry) -> None:
        """Records a call. Raises CallFailed."""
        if self._writer is None:
            return
        names, values = folded(wanted.sections)
        with self._lock:
            self._number += 1
            self.kept += 1
            entry = structs.replace(
                answer,
                case=self.case,
                run=self.run,
                turn=self.turn,
                n=self._number,
                provider=wanted.provider,
                path=wanted.path,
                stream=wanted.stream,
                key=wanted.key,
                loose=wanted.loose,
                sections=names,
                at=datetime.now(UTC).isoformat(timespec="seconds"),
            )
        self._writer.add(entry, values)
