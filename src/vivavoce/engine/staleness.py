"""Whether a recorded conversation still belongs to its case: whether the agent would get the same input today."""

from collections.abc import Iterator
from operator import attrgetter

from vivavoce.model.case import Case

SAID = ("history", "history_script", "options", "simulator", "frontend_tools", "state", "workspace", "mocks", "faults")
"""The fields of a case that the agent or its user's side is given, besides the lines of `turns`."""
_WORDS = {
    "history": "the messages before it",
    "history_script": "the script that makes its messages",
    "simulator": "its simulator",
    "frontend_tools": "its front-end tools",
    "state": "its initial state",
    "workspace": "its workspace",
    "mocks": "its mocked tools",
    "faults": "its planned faults",
    "options": "its options",
}
_said = attrgetter(*SAID)
_line = attrgetter("content", "name", "attachments", "options", "resume")


def what_changed(now: Case, then: Case) -> str:
    """Returns in words how the agent's input would differ today; empty when it is the same. Checks do not count."""
    if now == then:  # quick to ask, and usually true
        return ""
    if _said(now) == _said(then) and now.script_length == then.script_length and all(_same_lines(now, then)):
        return ""
    return ", ".join(_changes(now, then))


def _same_lines(now: Case, then: Case) -> Iterator[bool]:
    """For each turn whether it is unchanged. Turns that were not said are not kept, and do not count."""
    return (_line(turn) == _line(before) for turn, before in zip(now.turns, then.turns, strict=False))


def _changes(now: Case, then: Case) -> Iterator[str]:
    if now.script_length != then.script_length:
        yield f"it has {now.script_length} instead of {then.script_length} scripted turns"
    else:
        for number, same in enumerate(_same_lines(now, then), 1):
            if not same:
                yield f"turn {number} reads differently" if now.script_length > 1 else "its input reads differently"
    for name in SAID:
        if getattr(now, name) != getattr(then, name):
            yield f"{_WORDS[name]} changed"
