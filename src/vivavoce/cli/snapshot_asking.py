"""`viva snapshots --review`: each difference is shown, and a person decides."""

import os
import sys
from collections.abc import Sequence

from msgspec import UNSET

from vivavoce.app.snapshot_review import Pending, SeenValue
from vivavoce.cli.asking import QUIT, choose
from vivavoce.model.verdict import Verdict
from vivavoce.notation.yaml_writer import yaml_text
from vivavoce.reporters.terminal.failure import verdict_lines
from vivavoce.reporters.terminal.style import Look, console_style, console_width
from vivavoce.speakers.terminal import Terminal
from vivavoce.wording.terminal_text import neutral, one_line

_ACCEPT, _KEEP, _SKIP = "accept", "keep", "skip"
_CHOICES = (_ACCEPT, _KEEP, _SKIP, QUIT)


async def ask_about(pending: Sequence[Pending], terminal: Terminal) -> str:
    """Asks about each snapshot and writes what is accepted at once. Returns what was decided, in one line.

    `keep` is the decision that the approved value is right; `skip` leaves it open and shows the next value that was
    seen for the same snapshot, if there is one.
    """
    if not pending:
        return "nothing to review: no snapshot differs from the approved one"
    decided: dict[str, int] = dict.fromkeys(_CHOICES, 0)
    for number, one in enumerate(pending, start=1):
        terminal.write(f"\n{terminal.bold(one_line(f'{number} of {len(pending)}  {one.case.key}  {one.name}'))}\n")
        answer = await _answer(one, terminal)
        if answer == QUIT:
            decided[_SKIP] += len(pending) - number + 1
            break
        decided[answer] += 1
    kept = " (the agent is to be changed)" if decided[_KEEP] else ""
    return f"{decided[_ACCEPT]} accepted, {decided[_KEEP]} kept{kept}, {decided[_SKIP]} skipped"


async def _answer(pending: Pending, terminal: Terminal) -> str:
    for seen in pending.seen:
        verdict = pending.verdict(seen)
        if verdict is None:
            continue
        terminal.write("".join(f"  {line}\n" for line in _shown(verdict, seen)))
        answer = await choose(terminal, _CHOICES)
        if answer == _ACCEPT:
            pending.accept(seen)
        if answer != _SKIP:
            return answer
    return _SKIP


def _shown(verdict: Verdict, seen: SeenValue) -> list[str]:
    is_terminal = sys.stdout.isatty()
    look = Look(
        width=console_width(os.environ, is_terminal), color=console_style(os.environ, is_terminal).color, verbose=True
    )
    lines = verdict_lines(verdict, look, 2)
    if verdict.expected is UNSET:
        lines += [f"  {line}" for line in neutral(yaml_text({"seen": seen.value})).splitlines()]
    return [*lines, *(f"  note: {one_line(note)}" for note in seen.notes)]
