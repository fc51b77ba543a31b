"""Questions to the person at the terminal, one by one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from vivavoce.errors import UsageError

if TYPE_CHECKING:
    from vivavoce.speakers.terminal import Terminal

QUIT = "quit"


def terminal_for(command: str, *, instead: str) -> "Terminal":
    """The terminal of this process. Raises UsageError where nobody can be asked; `instead` says what to do there."""
    from vivavoce.speakers.terminal import terminal_or_none

    terminal = terminal_or_none()
    if terminal is None:
        raise UsageError(f"{command} asks at a terminal, but there is no terminal here", hint=instead)
    return terminal


async def choose(terminal: "Terminal", choices: Sequence[str]) -> str:
    """Asks until one of the choices is given, as a word or by its first letter. Ctrl-D is `quit`."""
    letters = {choice[0]: choice for choice in choices}
    told = ", ".join(f"{terminal.bold(choice[0])}{choice[1:]}" for choice in choices)
    while True:
        terminal.write(f"{told}? ")
        typed = await terminal.read_line()
        if typed is None:
            terminal.write("\n")
            return QUIT
        word = typed.strip().lower()
        if word in choices or word in letters:
            return letters.get(word, word)
        terminal.write(f"please type {', '.join(letters)}\n")


async def ask_text(terminal: "Terminal", question: str) -> str:
    """Asks for one line. Ctrl-D gives an empty one."""
    terminal.write(f"{question}: ")
    return (await terminal.read_line() or "").strip()
