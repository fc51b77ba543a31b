"""The project's Python files that other files import, found without running or parsing any of them."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

_STATEMENT = re.compile(
    r"(?:^|[:;])[ \t\f]*+(?:from[ \t]*+(\.*+)[ \t]*+([\w.]*+)[ \t]*+\bimport\b[ \t]*+(\([^)]*+\)|[^\n;]*+)"
    r"|import[ \t]++([^\n;]*+))",
    re.MULTILINE,
)
"""`from MODULE import NAMES` or `import NAMES`, also inside a function or behind a colon."""
_NAME = r"[^\W\d][\w.]*"


def with_imports(files: Iterable[Path], root: Path) -> set[Path]:
    """The files, and the project's Python files that they import, directly or through others. Runs none of them."""
    found: set[Path] = set()
    waiting = list(files)
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        if path.suffix == ".py":
            waiting += [other for other in _imported(path, root) if other not in found]
    return found


def _imported(path: Path, root: Path) -> set[Path]:
    modules = {(base, name) for bases, name in _modules_in(path, root) for base in bases}
    return {file for base, name in modules for file in _files_of(base, name) if file.is_relative_to(root)}


def _modules_in(path: Path, root: Path) -> Iterator[tuple[tuple[Path, ...], str]]:
    """Yields every module that the file may import, and the folders in which it may lie.

    Words of a text that look like an import are taken for one: a file too many does no harm.
    """
    absolute = (root, path.parent)
    for found in _STATEMENT.finditer(_text_of(path)):
        dots, module, names, plain = found.groups()
        if plain is not None:
            yield from ((absolute, name) for name in _names_in(plain))
            continue
        bases = absolute if not dots else tuple(path.parents[len(dots) - 1 : len(dots)])
        if module:
            yield bases, module
        inside = f"{module}." if module else ""
        yield from ((bases, inside + name) for name in _names_in(names))


def _names_in(listed: str) -> Iterator[str]:
    """The names of `a.b, c as d`, which may be in brackets and on several lines."""
    for one in listed.strip("() \t").split(","):
        if name := re.match(_NAME, one.strip()):
            yield name[0].strip(".")


@lru_cache(maxsize=4096)
def _files_of(base: Path, module: str) -> tuple[Path, ...]:
    """The file of a module, and the `__init__.py` of every package around it."""
    parts = [part for part in module.split(".") if part]
    packages = [base.joinpath(*parts[:depth], "__init__.py") for depth in range(1, len(parts) + 1)]
    return tuple(path for path in (*packages, base.joinpath(*parts).with_suffix(".py")) if path.is_file())


def _text_of(path: Path) -> str:
    """The file's text without comments and continued lines."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return re.sub(r"#[^\n]*+|\\\r?\n", " ", text)
