"""Processes of commands that could not be ended: they are named at the end of the run, not in a log of a case."""

_left: list[str] = []


def note_left_running(processes: list[str]) -> None:
    """Remembers them, `pid (name)` of each."""
    _left.extend(processes)


def left_running() -> tuple[str, ...]:
    """Returns each of them once, and forgets them."""
    left = tuple(dict.fromkeys(_left))
    _left.clear()
    return left
