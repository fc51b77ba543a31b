"""The one line at the bottom of a terminal that moves while the run goes on."""

from time import monotonic

from vivavoce.model.result import UNSUCCESSFUL, Status
from vivavoce.notation.durations import format_duration
from vivavoce.wording.terminal_text import clip, one_line

_OFTEN_ENOUGH_S = 0.1


class LiveLine:
    """Counts the results and describes the progress: `12/40 · 11 passed · 1 failed · 3.1/s · ETA 9s`."""

    def __init__(self, total: int, width: int) -> None:
        self._total = total
        self._width = width
        self._began = monotonic()
        self._drawn = 0.0
        self._counts = dict.fromkeys(Status, 0)
        self._running: dict[tuple[str, int], str] = {}

    def began(self, case_id: str, run: int) -> None:
        self._running[case_id, run] = case_id

    def turned(self, case_id: str, run: int, turn: int) -> None:
        self._running[case_id, run] = f"{case_id} turn {turn}"

    def ended(self, case_id: str, run: int) -> None:
        self._running.pop((case_id, run), None)

    def finished(self, status: Status) -> None:
        self._counts[status] += 1

    def is_due(self) -> bool:
        """Whether the line may be drawn again: nobody reads faster."""
        return monotonic() - self._drawn >= _OFTEN_ENOUGH_S

    def text(self) -> str:
        self._drawn = monotonic()
        done = sum(self._counts.values())
        elapsed = self._drawn - self._began
        unsuccessful = sum(self._counts[status] for status in UNSUCCESSFUL)
        parts = [f"{done:,}/{self._total:,}", f"{self._counts[Status.PASSED]:,} passed"]
        parts += [f"{unsuccessful:,} failed"] if unsuccessful else []
        parts += [f"{self._counts[Status.SKIPPED]:,} skipped"] if self._counts[Status.SKIPPED] else []
        if done and elapsed > 1:
            rate = done / elapsed
            parts += [f"{rate:.1f}/s", f"ETA {format_duration(max((self._total - done) / rate, 0))}"]
        if self._running:
            others = len(self._running) - 1
            parts.append(one_line(next(iter(self._running.values()))) + (f" +{others}" if others else ""))
        return clip(" · ".join(parts), self._width - 1)
