"""A reference → the user's function. The only module that imports user code."""

import hashlib
import importlib
import importlib.util
import linecache
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, redirect_stdout
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from msgspec import Struct

from vivavoce.containment.user_errors import (
    UserCode,
    describe_exception,
    place_of,
    shown,
    user_frames,
    user_traceback,
    words_of,
)
from vivavoce.containment.working_folder import here
from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.json_value import JsonValue
from vivavoce.project.project import Project

_loaded: dict[Path, tuple[int, ModuleType]] = {}
_importable: list[str] = []


class Place(Struct, frozen=True):
    """Where a reference may point: a file or an importable module, and the names to look for in it."""

    where: Path | str
    names: tuple[str, ...]


def find_script(ref: str, project: Project) -> Callable[..., Any]:
    """The function behind `scripts:tests.x`, `scripts.tests.x`, `tests.x`, `pkg.module:f` or `path/file.py:f`."""
    return _find(ref, project, callable)


def find_object(ref: str, project: Project) -> JsonValue:
    """The same for any object, callable or not."""
    return _find(ref, project, lambda value: value is not None)


def require_file(ref: str, project: Project) -> None:
    """Raises UsageError when the script's file does not exist. Imports nothing."""
    if not _there(places_of(ref, project)):
        raise _not_found(ref, project)


def load_module(path: Path, project: Project | None = None) -> ModuleType:
    """A user's file as a module of its own; loaded again only when the file has changed."""
    path = path.resolve()
    try:
        changed_ns = path.stat().st_mtime_ns
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}", at=shown(str(path))) from None
    known = _loaded.get(path)
    if known is not None and known[0] == changed_ns:
        return known[1]
    return load_module_anew(path, project)


def load_module_anew(path: Path, project: Project | None = None) -> ModuleType:
    """Runs a user's file, whether it was loaded before or not."""
    changed_ns = path.stat().st_mtime_ns
    if project is not None:
        make_importable(project)
    _put_first(path.parent)
    _forget_namesakes(path.parent)
    module = _execute(path)
    _loaded[path] = (changed_ns, module)
    return module


def make_importable(project: Project) -> None:
    """Puts the project's root and scripts folder on the import path: before installed packages only."""
    _put_first(project.scripts_dir)
    _put_first(project.root)


def places_of(ref: str, project: Project) -> Iterator[Place]:
    """Every place a reference may point to, best first, without importing anything."""
    name = ref.removeprefix("scripts:")
    where, colon, function = name.rpartition(":")
    if name.endswith(".py"):
        yield Place(project.root / name, ("main",))
    elif where.endswith(".py"):
        yield Place(project.root / where, (function,))
    elif colon:
        if ref.startswith("scripts:"):
            yield Place(_script_file(where.split("."), project), (function,))
        yield Place(where, (function,))
    else:
        steps = name.removeprefix("scripts.").split(".")
        yield Place(_script_file(steps, project), (steps[-1], "main"))
        if len(steps) > 1:
            yield Place(_script_file(steps[:-1], project), (steps[-1],))


def same_name(left: str, right: str) -> bool:
    """`validate-expense`, `validate_expense` and `ValidateExpense` are one name."""
    return _plain(left) == _plain(right)


# ── finding ─────────────────────────────────────────────────────────────────────────


def _find(ref: str, project: Project, fits: Callable[[JsonValue], bool]) -> JsonValue:
    there = _there(places_of(ref, project))
    for place in there:
        module = _module_at(place.where, project)
        for name in place.names:
            if (found := _attribute(name, module, fits)) is not None:
                return found
    if there:
        raise _no_such_name(ref, there[0], project, fits)
    raise _not_found(ref, project)


def _there(places: Iterator[Place]) -> list[Place]:
    return [place for place in places if isinstance(place.where, str) or place.where.is_file()]


def _not_found(ref: str, project: Project) -> UsageError:
    looked = ", ".join(project.shown(place.where) for place in places_of(ref, project))
    if ".py" in ref:
        what = f"script {ref!r} not found: there is no {looked} in {project.root}"
        return UsageError(what, hint=_path_from_here(looked, project))
    return UsageError(f"script {ref!r} not found: there is no {looked}", hint=_nearest_script(ref, project))


def _path_from_here(name: str, project: Project) -> str | None:
    """Returns a hint for a path that was written from the working directory instead of the project's root."""
    file = Path(os.path.normpath(here() / name))
    if not file.is_file() or not file.is_relative_to(project.root):
        return "paths go from the project's folder"
    return f"paths go from the project's folder: write {file.relative_to(project.root).as_posix()}"


def _attribute(name: str, module: ModuleType, fits: Callable[[Any], bool]) -> Any | None:
    found: Any = module
    for step in name.split("."):
        found = getattr(found, step, None)
    if found is not None and fits(found):
        return found
    public = {key: value for key, value in vars(module).items() if not key.startswith("_")}
    return next((value for key, value in public.items() if callable(value) and same_name(key, name)), None)


def _no_such_name(ref: str, place: Place, project: Project, fits: Callable[[Any], bool]) -> UsageError:
    module = _module_at(place.where, project)
    public = {key: value for key, value in vars(module).items() if not key.startswith("_")}
    found = [key for key, value in public.items() if fits(value) and not isinstance(value, ModuleType)]
    own = [key for key in found if not _is_imported(public[key], module)]
    wanted = " or ".join(repr(name) for name in dict.fromkeys(place.names))
    where = project.shown(place.where) if isinstance(place.where, Path) else f"module {place.where}"
    if place.names[0] in public and public[place.names[0]] is None:
        what = f"script {ref!r}: {wanted} of {where} is None when the file has been imported"
        return UsageError(what, hint="name a function that makes and returns it")
    missing = "function" if fits is callable else "function or object"
    has = f"it has {', '.join(own or found)}" if found else f"it has no {missing}s"
    meant = did_you_mean(place.names[0], own) or did_you_mean(place.names[0], found)
    return UsageError(f"script {ref!r}: {where} has no {missing} {wanted}", hint=meant or has)


def _is_imported(value: Any, module: ModuleType) -> bool:
    """Whether a function or class was written elsewhere. Objects are those of the file: they may be its agents."""
    return isinstance(value, type | FunctionType | BuiltinFunctionType) and value.__module__ != module.__name__


def _script_file(steps: list[str], project: Project) -> Path:
    """Returns the file whose path matches the steps; when there is none, the path it should have."""
    found = project.scripts_dir
    for step in steps[:-1]:
        found = _entry(found, step)
    return _entry(found, steps[-1], ".py")


def _entry(folder: Path, name: str, suffix: str = "") -> Path:
    exact = folder / f"{name}{suffix}"
    if exact.exists():
        return exact
    entries = sorted(folder.iterdir()) if folder.is_dir() else []
    alike = (path for path in entries if path.suffix == suffix and same_name(path.stem, name))
    return next(alike, folder / f"{name.replace('-', '_')}{suffix}")


def _nearest_script(ref: str, project: Project) -> str | None:
    folder = project.scripts_dir
    if not folder.is_dir():
        return f"there is no folder {project.shown(folder)}"
    known = [".".join(path.relative_to(folder).with_suffix("").parts) for path in folder.rglob("*.py")]
    name = ref.removeprefix("scripts:").removeprefix("scripts.")
    return did_you_mean(name, known) or (f"known: {', '.join(sorted(known)[:8])}" if known else None)


def _plain(name: str) -> str:
    return name.replace("-", "").replace("_", "").lower()


# ── importing ───────────────────────────────────────────────────────────────────────


def _module_at(where: Path | str, project: Project) -> ModuleType:
    if isinstance(where, Path):
        return load_module(where, project)
    make_importable(project)
    importlib.invalidate_caches()
    with UserCode(lambda error: _module_problem(error, where, project)), redirect_stdout(sys.stderr):
        return importlib.import_module(where)


def _execute(path: Path) -> ModuleType:
    # Two files may have the same stem: each gets a module name of its own.
    name = f"{path.stem}__{hashlib.sha1(str(path).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError("not a Python file", at=shown(str(path)))
    module = importlib.util.module_from_spec(spec)
    linecache.checkcache(str(path))
    with ExitStack() as unless_it_works:
        sys.modules[name] = module
        unless_it_works.callback(sys.modules.pop, name, None)
        with UserCode(lambda error: _import_problem(error, shown(str(path)))), redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
        unless_it_works.pop_all()
    return module


def _module_problem(error: BaseException, name: str, project: Project) -> UsageError:
    if isinstance(error, ModuleNotFoundError) and not user_frames(error):
        folders = f"{project.shown(project.root)}, {project.shown(project.scripts_dir)}"
        return UsageError(f"no module {name!r}: looked in {folders} and the installed packages")
    return _import_problem(error, name)


def _import_problem(error: BaseException, where: str) -> UsageError:
    if isinstance(error, SyntaxError):
        return UsageError(f"syntax error: {error.msg}", at=place_of(error))
    hint = "is it installed where viva runs?" if isinstance(error, ModuleNotFoundError) else None
    at = place_of(error)
    what = f"{where} cannot be imported: {type(error).__name__}: {words_of(error)}"
    if len(user_frames(error)) > 1:
        what = f"{where} cannot be imported: {describe_exception(error)}\n{user_traceback(error)}"
    return UsageError(what, at=at if at.path else where, hint=hint)


def _put_first(folder: Path) -> None:
    entry = str(folder.absolute())
    if entry in sys.path and entry not in _importable:
        return  # already importable: its place stays
    for known in (_importable, sys.path):
        if entry in known:
            known.remove(entry)
    installed = (at for at, known in enumerate(sys.path) if known in _importable or known.endswith("-packages"))
    sys.path.insert(next(installed, len(sys.path)), entry)
    _importable.insert(0, entry)


def _forget_namesakes(folder: Path) -> None:
    """Drops modules of other folders with the same name: `import tools` means the file next to the importing one."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file is None or "." in name or str(Path(file).parent) not in _importable:
            continue
        if Path(file).parent != folder and (folder / f"{name}.py").is_file():
            del sys.modules[name]
