"""What commands started and could not be ended, for the end of the run: a case that is broken off has no log."""

_left: list[str] = []


def note_left_running(processes: list[str]) -> None:
    """Remembers them, `pid (name)` of each."""
    _left.extend(processes)


def left_running() -> tuple[str, ...]:
    """Returns each of them once, and forgets them."""
    left = tuple(dict.fromkeys(_left))
    _left.clear()
    return left
