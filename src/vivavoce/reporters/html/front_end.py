"""The front end's ES modules and styles as they go into one file; a server hands out the same files as they are."""

import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

STYLES = (
    *("tokens.css", "ground.css", "overview.css", "toolbar.css", "table.css"),
    *("case.css", "chat.css", "findings.css", "print.css"),
)
ASSETS = files("vivavoce.reporters.html") / "assets"

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) )", re.MULTILINE)


@cache
def bundled(entry: str, *more: Traversable) -> str:
    """The entry and all it imports as one module, what is imported first; `more` are folders to look in too.

    Modules keep to `import {a, b} from "./file.js"` and `export` before a declaration, and no two declare the same
    name at their top: then joining them is enough.
    """
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", asset(name, *more))).strip() for name in _in_order(entry, more))


@cache
def stylesheet() -> str:
    return "\n".join(map(asset, STYLES))


@cache
def asset(name: str, *more: Traversable) -> str:
    found = next(folder / name for folder in (ASSETS, *more) if (folder / name).is_file())
    return found.read_text(encoding="utf-8")


def _in_order(entry: str, more: tuple[Traversable, ...]) -> list[str]:
    done: list[str] = []

    def visit(name: str) -> None:
        if name not in done:
            for imported in _IMPORT.findall(asset(name, *more)):
                visit(imported)
            done.append(name)

    visit(entry)
    return done
