"""`viva label`: each conversation is shown, and a person says pass or fail."""

import os
import sys
from collections.abc import Callable, Sequence

from vivavoce.app.labelling import OpenQuestions, Question
from vivavoce.cli.asking import QUIT, ask_text, choose
from vivavoce.insight.calibration.labels import Label
from vivavoce.model.result import CaseResult
from vivavoce.reporters.terminal.case_block import case_lines
from vivavoce.reporters.terminal.style import Look, console_style, console_width
from vivavoce.reporters.terminal.transcript import transcript_lines
from vivavoce.speakers.terminal import Terminal
from vivavoce.wording.plurals import counted
from vivavoce.wording.terminal_text import one_line

_CHOICES = ("pass", "fail", "skip", "note", QUIT)


async def ask_labels(
    todo: OpenQuestions | Sequence[Question],
    terminal: Terminal,
    *,
    keep: Callable[[Label], None],
    with_verdicts: bool = False,
) -> str:
    """Asks each question and keeps each answer at once. Returns what was done, in one line."""
    if not todo:
        return "nothing to label: everything has a label"
    made = 0
    for number, question in enumerate(todo, start=1):
        head = f"{number} of {len(todo)}  {question.conversation.key}"
        terminal.write(f"\n{terminal.bold(one_line(head))}\n")
        terminal.write("".join(f"  {line}\n" for line in _shown(question, with_verdicts=with_verdicts)))
        answer, note = await _answer(terminal)
        if answer == QUIT:
            break
        if answer == "pass" or answer == "fail":
            keep(question.answered(answer, note))
            made += 1
    left = len(todo) - made
    return f"{counted(made, 'label')} added, {left} without one{': viva label goes on there' if left else ''}"


async def _answer(terminal: Terminal) -> tuple[str, str]:
    note = ""
    while True:
        answer = await choose(terminal, _CHOICES)
        if answer != "note":
            return answer, note
        note = await ask_text(terminal, "note")


def _shown(question: Question, *, with_verdicts: bool) -> list[str]:
    """The messages and calls, as `viva show` shows them; what the checks said only where it is wanted."""
    is_terminal = sys.stdout.isatty()
    width = console_width(os.environ, is_terminal)
    look = Look(width=width, color=console_style(os.environ, is_terminal).color, verbose=True)
    attempt, case = question.conversation.attempt, question.conversation.case
    if with_verdicts:
        lines = case_lines(CaseResult(case=case, status=attempt.status, attempts=(attempt,)), look, compact=False)
    else:
        lines = transcript_lines(attempt, look, 2)
    return lines if question.criterion is None else [*lines, look.bold(one_line(f"Criterion: {question.criterion}"))]
