"""What a person watches while a run goes on, and reads when it is over."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from msgspec import structs

from vivavoce.containment.safe_stream import ERASE_LINE
from vivavoce.model.events import (
    AttemptFinished,
    AttemptStarted,
    CaseFinished,
    CaseKept,
    Event,
    RunFinished,
    RunStarted,
    TurnFinished,
)
from vivavoce.model.result import UNSUCCESSFUL, Attempt, CaseResult, RunInfo, Status
from vivavoce.reporters.terminal.case_block import case_lines, is_conversation, title_line
from vivavoce.reporters.terminal.live import LiveLine
from vivavoce.reporters.terminal.recap import Recap
from vivavoce.reporters.terminal.style import Look, for_encoding, prints_everything
from vivavoce.reporters.terminal.summary import (
    alarm_lines,
    baseline_lines,
    closing_lines,
    opening_lines,
    output_lines,
    summary_lines,
)
from vivavoce.results.debounce import Debounce
from vivavoce.wording.results import failed_at, place_of
from vivavoce.wording.terminal_text import clip, columns, one_line

if TYPE_CHECKING:
    from vivavoce.results.contest.contest import Contest

_SHOWN_WITHIN_S = 0.03
_PASSED = Status.PASSED
_FEW_LINES = 5
_MOST_REMEMBERED = 500
_LONGEST_LABEL = 30
LONG_SUITE = 50
"""From here on a case that passed is one line."""


class ConsoleReporter:
    """Writes each case once, in one piece, as it finishes."""

    def __init__(
        self,
        out: TextIO,
        *,
        color: bool,
        live: bool,
        verbose: bool,
        width: int,
        quiet: bool = False,
        left_out: str = "",
        again: str | None = None,
    ) -> None:
        """With `quiet` only what did not pass is shown, and the closing line. `left_out` says how many cases were not
        selected; `again` is the command that repeats what failed."""
        self._quiet = quiet
        self._out = out
        self._encoding = out.encoding or "utf-8"
        self._prints_everything = prints_everything(self._encoding)
        self._look = Look(width=width, color=color, verbose=verbose)
        self._case_look = self._look
        self._wants_live = live
        self._live: LiveLine | None = None
        self._info: RunInfo | None = None
        self._compact = self._brief = False
        self._conversations = False
        self._left_out, self._again = left_out, again
        self._recap, self._quarantined = Recap(), Recap()
        self._contest: Contest | None = None
        self._recaps: dict[str, Recap] = {}
        """Of a comparison: the failures of each contender."""
        self._explained: dict[str, str] = {}
        self._reports: list[str] = []
        self._against: tuple[str, ...] = ()
        self._shown_soon = Debounce(out.flush, _SHOWN_WITHIN_S)
        self._on: dict[type[Any], Callable[[Any], None]] = {
            RunStarted: self._on_start,
            CaseKept: self._on_kept,
            RunFinished: self._on_end,
            AttemptStarted: self._on_attempt,
            TurnFinished: self._on_turn,
            AttemptFinished: self._on_attempt_end,
        }

    def handle(self, event: Event) -> None:
        if type(event) is CaseFinished:
            self._on_case(event)
        else:
            self._on[type(event)](event)

    def note_output(self, path: str) -> None:
        """A report file that `close` will tell of."""
        self._reports.append(path)

    def note_baseline(self, lines: Sequence[str], _exit_code: int) -> None:
        """What a comparison with a baseline found; `close` shows it."""
        self._against = tuple(lines)

    def close(self) -> None:
        self._live = None
        self._write(baseline_lines(self._against, self._look))
        self._write([] if self._quiet else output_lines(self._reports, self._look))
        self._shown_soon.forget()
        self._out.flush()

    def _on_start(self, event: RunStarted) -> None:
        self._info = event.info
        if event.info.contenders:
            from vivavoce.results.contest.contest import Contest

            self._contest = Contest(event.info)
            self._recaps = {contender.label: Recap() for contender in event.info.contenders}
            longest = max(min(columns(label), _LONGEST_LABEL) for label in self._recaps)
            self._case_look = structs.replace(self._look, width=max(self._look.width - longest - 2, 40))
        self._compact = self._quiet or event.info.total_cases > LONG_SUITE or self._contest is not None
        self._brief = self._compact and not self._look.verbose
        if not self._quiet:
            self._write(opening_lines(event.info, self._look, self._left_out))
        if self._wants_live:
            self._live = LiveLine(event.info.total_cases, self._look.width)

    def _on_case(self, event: CaseFinished) -> None:
        result = event.result
        attempt = result.decisive
        self._count(result, attempt)
        if self._quiet and result.status is _PASSED:
            return
        if self._brief and result.status is _PASSED:
            # What most cases of a long suite are: not even a list is made for it.
            title = title_line(result, attempt, self._case_look)
            self._write_text(f"{title if self._contest is None else self._labelled(result, title)}\n")
            return
        if result.status is Status.NOT_RUN and not self._look.verbose:
            return  # after an early stop there may be thousands of them: the summary counts them
        lines = case_lines(result, self._case_look, compact=self._compact)
        if self._contest is not None:
            lines[0] = self._labelled(result, lines[0])
        if (first := self._shown_before(result, lines)) is not None:
            place = place_of(failed_at(result.case, attempt))
            self._write([lines[0], f"  {self._look.dim(f'{place}: the same as [{first}]')}"])
            return
        if not self._compact or len(lines) > 1:
            lines.append("")
        self._write(lines)

    def _labelled(self, result: CaseResult, title: str) -> str:
        """The title of a case in a comparison: whose case it is stands behind its sign."""
        sign, _, rest = title.partition(" ")
        return f"{sign} {self._look.bold(clip(result.case.agent or '', _LONGEST_LABEL))}: {rest}"

    def _shown_before(self, result: CaseResult, lines: list[str]) -> str | None:
        """The id of the first case whose failure reads exactly like this one."""
        if self._look.verbose or result.status not in UNSUCCESSFUL or len(lines) < _FEW_LINES:
            return None
        place, own = place_of(failed_at(result.case, result.decisive)), one_line(result.case.id)
        if len(self._explained) >= _MOST_REMEMBERED:
            self._explained.clear()
        first = self._explained.setdefault("\n".join(line for line in lines[1:] if place not in line), own)
        return None if first == own else first

    def _on_kept(self, event: CaseKept) -> None:
        """Counts a result that was shown in the run before this one went on."""
        self._count(event.result, event.result.decisive)

    def _count(self, result: CaseResult, attempt: Attempt) -> None:
        if not self._conversations:
            self._conversations = is_conversation(result.case, attempt)
        if self._contest is not None:
            self._contest.add(result)
        if result.status in UNSUCCESSFUL:
            own = self._recaps.get(result.case.agent or "", self._recap)
            recap = own if result.quarantine is None else self._quarantined
            recap.add(result, self._look.sign(result.status), self._info)
        if self._live is not None:
            self._live.finished(result.status)

    def _on_end(self, event: RunFinished) -> None:
        self._live = None
        if self._quiet and self._contest is None:
            apart = self._quarantined.lines(self._look, None, "In quarantine, these do not decide")
            self._write([*alarm_lines(event.summary, self._look)[1:], *apart])
            self._write(closing_lines(event.summary, self._look, self._left_out))
            return
        if self._contest is None:
            lines = summary_lines(event.summary, self._look, conversations=self._conversations)
        else:
            from vivavoce.reporters.terminal.contest import contest_lines

            lines = [*contest_lines(self._contest, self._look), *alarm_lines(event.summary, self._look)]
        before = [""] if self._compact else []
        apart = self._quarantined.lines(self._look, None, "In quarantine, these do not decide")
        for label, recap in self._recaps.items():
            apart += recap.lines(self._look, None, f"Failures of {clip(label, _LONGEST_LABEL)}")
        self._write([*before, *lines, *apart, *self._recap.lines(self._look, self._again)])

    def _on_attempt(self, event: AttemptStarted) -> None:
        if self._live is not None:
            self._live.began(event.case.id, event.run)
            self._redraw(self._live)

    def _on_turn(self, event: TurnFinished) -> None:
        if self._live is not None:
            self._live.turned(event.case.id, event.run, event.turn.number)
            self._redraw(self._live)

    def _on_attempt_end(self, event: AttemptFinished) -> None:
        if self._live is not None:
            self._live.ended(event.case.id, event.attempt.run)

    def _redraw(self, live: LiveLine) -> None:
        if live.is_due():
            self._put(ERASE_LINE + live.text())

    def _write(self, lines: list[str]) -> None:
        """Everything in one call."""
        if lines:
            self._write_text("\n".join(lines) + "\n")

    def _write_text(self, text: str) -> None:
        """Above the live line when there is one."""
        if self._wants_live:
            text = ERASE_LINE + text + (self._live.text() if self._live is not None else "")
        self._put(text)

    def _put(self, text: str) -> None:
        self._out.write(text if self._prints_everything else for_encoding(text, self._encoding))
        self._shown_soon.ask()
