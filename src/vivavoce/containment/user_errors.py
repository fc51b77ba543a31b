"""Describes what user code raised, by the lines of the user's own files."""

import asyncio
import linecache
import re
import traceback
from collections.abc import Callable
from functools import cache
from opcode import opmap
from pathlib import Path
from types import TracebackType

from vivavoce.containment.working_folder import here
from vivavoce.errors import VivaError
from vivavoce.model.case import Origin

_INSTALLED = r"[/\\](site|dist)-packages[/\\]"
"""Folders of installed packages, also of another environment that is on the path."""
_NO_WORDS = "<exception str() failed>"
_RAISE = opmap["RAISE_VARARGS"]
_NEVER_USERS = (str(Path(__file__).parents[1]), str(Path(asyncio.__file__).parent))
"""viva and asyncio: both raise KeyboardInterrupt when Ctrl-C was pressed."""


class UserCode:
    """Around every call into user code: whatever it raises becomes the error that `as_error` makes of it.

    Our own errors and a real cancellation pass. This is the one place where anything may be caught.
    """

    __slots__ = ("_as_error",)

    def __init__(self, as_error: Callable[[BaseException], Exception]) -> None:
        self._as_error = as_error

    def __enter__(self) -> None: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None or isinstance(error, VivaError) or comes_from_outside(error):
            return
        raise self._as_error(error) from None


def comes_from_outside(error: BaseException) -> bool:
    """Whether it is Ctrl-C, a cancellation or the end of a coroutine, and nothing that user code raised itself."""
    if isinstance(error, KeyboardInterrupt | GeneratorExit):
        return not _is_raised_by_user(error)
    return isinstance(error, asyncio.CancelledError) and _is_being_cancelled()


def describe_exception(error: BaseException) -> str:
    """One line: `ValueError: boom (agent.py:12)`."""
    words = error.msg if isinstance(error, SyntaxError) else words_of(error)
    kind = type(error).__name__
    place = str(place_of(error))
    return (f"{kind}: {words}" if words else kind) + (f" ({place})" if place else "")


def words_of(error: BaseException) -> str:
    """Its message, or Python's substitute when its `__str__` raises."""
    formatted = "".join(traceback.format_exception_only(error)).strip()
    return _NO_WORDS if formatted.endswith(_NO_WORDS) else str(error)


def place_of(error: BaseException) -> Origin:
    """Returns the deepest line of the user's own code in the traceback."""
    if isinstance(error, SyntaxError) and error.filename:
        return Origin(shown(error.filename), error.lineno or 0)
    frames = user_frames(error)
    return Origin(shown(frames[-1].filename), frames[-1].lineno or 0) if frames else Origin()


def user_traceback(error: BaseException) -> str:
    """The traceback without the lines of viva, the standard library and installed packages."""
    lines: list[str] = []
    for frame in user_frames(error):
        lines.append(f"  {shown(frame.filename)}:{frame.lineno} in {frame.name}")
        if source := linecache.getline(frame.filename, frame.lineno or 0).strip():
            lines.append(f"    {source}")
    return "\n".join([*lines, *(line.rstrip("\n") for line in traceback.format_exception_only(error))])


def failed_assertion(error: AssertionError) -> str:
    """Returns the assertion's message, or its source line when it has none."""
    if words := words_of(error):
        return words
    frames = user_frames(error)
    source = linecache.getline(frames[-1].filename, frames[-1].lineno or 0).strip() if frames else ""
    return f"{source or 'assertion failed'} ({place_of(error)})"


def shown(filename: str) -> str:
    """A file as someone in the working directory would write it."""
    path = Path(filename)
    return str(path.relative_to(here())) if path.is_relative_to(here()) else filename


def user_frames(error: BaseException) -> list[traceback.FrameSummary]:
    """The steps of a traceback that lie in the user's own files."""
    return [frame for frame in traceback.extract_tb(error.__traceback__) if is_the_users(frame.filename)]


def is_the_users(filename: str) -> bool:
    """Whether it belongs neither to viva nor to Python nor to an installed package."""
    if filename.startswith("<") or re.search(_INSTALLED, filename):
        return False
    return _not_the_users().isdisjoint(Path(filename).resolve().parents)


@cache
def _not_the_users() -> frozenset[Path]:
    # Imported only when something went wrong: it is slow.
    import sysconfig

    folders = {sysconfig.get_path(name) for name in ("stdlib", "platlib", "purelib")}
    return frozenset(Path(folder).resolve() for folder in (Path(__file__).parents[1], *folders))


def _is_raised_by_user(error: BaseException) -> bool:
    """Whether a `raise` statement of user code made it. Python itself raises at any other instruction."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    if step is None or step.tb_lasti < 0:
        return False
    code = step.tb_frame.f_code
    return code.co_code[step.tb_lasti] == _RAISE and not code.co_filename.startswith(_NEVER_USERS)


def _is_being_cancelled() -> bool:
    try:
        task = asyncio.current_task()
    except RuntimeError:
        return False
    return task is not None and task.cancelling() > 0
