"""What an agent that a program handed over as an object is made of: code, as far as it can be read."""

import inspect
import os
import re
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tokenize import TokenError

from vivavoce.engine.agent_files import content_of
from vivavoce.engine.imported_files import with_imports
from vivavoce.model.json_value import JsonValue, map_texts

_RESUME = re.compile(r"(?:,\s*+)?\b(?<!Command\()resume\s*+=(?!=)\s*+[^,)\n]++")
"""The argument of `vivavoce.run`, not the one of LangGraph's `Command`."""
_INSTALLED = frozenset(("site-packages", "dist-packages", ".venv", "venv", "node_modules"))


def live_source(live: object, root: Path) -> JsonValue:
    """The text of its own function or class, and the project's Python files that this process has loaded.

    Which of those made the object cannot be seen, so all of them count. Values that the object holds are not read.
    """
    files = sorted(with_imports(_loaded_files(root), root))
    return [_own_text(live), [[os.path.relpath(path, root), _content(path)] for path in files]]


def _content(path: Path) -> JsonValue:
    """The content without `resume=…` of `vivavoce.run`: a program that asks to resume is the same program."""
    return map_texts(content_of(path), lambda text: _RESUME.sub("", text) if "vivavoce" in text else text)


def _own_text(live: object) -> str | None:
    """Returns its source text; None where there is none, as for built-in functions."""
    while isinstance(live, partial):
        live = live.func
    known: object = live if inspect.isroutine(live) or inspect.isclass(live) else type(live)
    try:
        # Notebooks keep the text of their cells, which are in no file.
        # Of a lambda it is the whole statement.
        return _RESUME.sub("", inspect.getsource(inspect.unwrap(known)))  # type: ignore[arg-type]
    except (OSError, TypeError, ValueError, SyntaxError, TokenError):  # the last two: its file was changed meanwhile
        return None


def _loaded_files(root: Path) -> Iterator[Path]:
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if not isinstance(file, str):
            continue
        path = Path(os.path.abspath(file))
        if path.is_relative_to(root) and _INSTALLED.isdisjoint(path.relative_to(root).parts) and path.is_file():
            yield path
