"""Puts back what the code under test took from Python itself (`builtins.len = …`, `sys.modules.clear()`).

The event loop, the reports and every check use the same Python as the agent. With another `len` the loop turns round
without end; with no modules nothing more can be imported, not even for an error message.
"""

import atexit
import builtins
import sys
from operator import itemgetter
from typing import Any

from vivavoce.wording.plurals import first_few

_REPLACED_BY_LIBRARIES = frozenset({"print", "open", "input", "breakpoint", "exit", "quit", "help", "eval", "exec"})
_BUILTINS: dict[str, Any] = builtins.__dict__
_ALL = {
    name: value
    for name, value in _BUILTINS.items()
    if callable(value) and name not in _REPLACED_BY_LIBRARIES and not name.startswith("_")
}
_OTHERS = {name: value for name, value in _BUILTINS.items() if name not in _ALL and name != "_"}
"""Libraries may replace these, but none may be missing."""
_NEEDED = (
    "Exception",
    "ValueError",
    "dict",
    "getattr",
    "int",
    "isinstance",
    "len",
    "list",
    "next",
    "set",
    "str",
    "super",
    "tuple",
    "type",
)
"""What the event loop cannot do without. The thread looks after the others: a look at all of them takes too long."""
_IMPORT, _FINDERS = builtins.__import__, list(sys.meta_path)
_of_needed = itemgetter(*_NEEDED)
_are = _of_needed(_ALL)
_modules = dict(sys.modules)
_KeyError, _callable = KeyError, callable
_taken: list[str] = []
"""Not reported yet."""
_ever_taken: list[str] = []


class TakenPython(RuntimeError):
    """Raised where the agent that did it hands back to viva."""


def put_back_what_was_taken() -> None:
    """Called where user code hands back to viva. Raises TakenPython, with everything in its place again."""
    try:
        whole = _of_needed(_BUILTINS) == _are and _callable(_BUILTINS["__import__"])
        if whole and "sys" in sys.modules and sys.meta_path and not _taken:
            return
    except _KeyError:  # the name itself may be gone
        pass
    watch_what_is_taken()
    if names := _names_of(_taken):
        _taken.clear()
        raise TakenPython(f"the code under test replaced or removed {names} of Python itself; viva put it back")


def watch_what_is_taken() -> None:
    """Puts everything back and remembers what it was. A thread calls it a few times a second, beside the user code."""
    global _modules
    for name, value in _ALL.items():
        if _BUILTINS.get(name) is not value:
            _BUILTINS[name] = value
            _note(name)
    for name, value in _OTHERS.items():
        if name not in _BUILTINS:
            _BUILTINS[name] = value
            _note(name)
    if not callable(_BUILTINS.get("__import__")):
        _BUILTINS["__import__"] = _IMPORT
        _note("__import__")
    if not sys.meta_path:
        sys.meta_path[:] = _FINDERS
        _note("sys.meta_path")
    if "sys" not in sys.modules:
        sys.modules.update({**_modules, **sys.modules})
        _note("sys.modules")
    elif len(_modules) != len(sys.modules):
        _modules = dict(sys.modules)


@atexit.register
def _let_go_of_modules() -> None:
    """Libraries in C depend on the order in which Python ends modules: a second reference may end in a crash."""
    global _modules
    _modules = {}


def taken_so_far() -> str:
    """The names of all that was put back, for a message."""
    return _names_of(_ever_taken)


def _note(name: str) -> None:
    _taken.append(name)
    _ever_taken.append(name)


def _names_of(taken: list[str]) -> str:
    return first_few([*dict.fromkeys(taken)], 5)
