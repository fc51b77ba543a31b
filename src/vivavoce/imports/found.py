"""What an import finds in a foreign file: cases, and what became of everything in them."""

import math
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object

Outcome: TypeAlias = Literal["exact", "different", "left_out"]
"""What became of a check: taken over as it is, taken over with a difference, or not at all."""


class Remark(Struct, frozen=True, kw_only=True):
    """What became of one check or field of a foreign test."""

    outcome: Outcome
    what: str
    """The check, and what a person should know or do about it. Empty for a check that was taken over exactly."""


class FoundCase(Struct, frozen=True, kw_only=True):
    """One case as viva will write it, without an id that is unique yet."""

    case: JsonObject
    """The fields of a case file. Its `id` is what the foreign test is called, or missing."""
    at: Origin
    remarks: tuple[Remark, ...] = ()

    @property
    def left_out(self) -> list[str]:
        return [remark.what for remark in self.remarks if remark.outcome == "left_out"]


class Refused(Struct, frozen=True, kw_only=True):
    """A foreign test, or part of a file, that becomes no case at all."""

    what: str
    at: Origin
    checks: int = 0
    """How many checks are lost with it, as far as they are known."""


class Note(Struct, frozen=True, kw_only=True):
    """A message to the user about how a whole file was read."""

    what: str


class CodeFile(Struct, frozen=True, kw_only=True):
    """Python that the cases run: written beside them, never run by the import."""

    path: Path
    text: str
    checks: int
    """How many checks it holds."""


class ImportOptions(Struct, frozen=True, kw_only=True):
    """What the command line says about an import."""

    folder: Path
    """The folder of the written cases: their paths are relative to it."""
    root: Path | None = None
    """The project's folder: the scripts of cases are named relative to it. None: the working folder."""
    name: str = ""
    """The name of the case file without its suffix. Empty: named after the imported file."""
    run_code: bool = False
    """Whether scripts that make prompts, tests or variables are run."""
    columns: dict[str, tuple[str, ...]] = {}
    """For tables: which columns hold what, by the name of the option."""
    delimiter: str | None = None
    """For tables: what separates several texts in one field."""
    check: str | None = None
    """For files whose checks are written elsewhere: how an expected answer is compared."""
    metrics: tuple[str, ...] = ()
    """For DeepEval: the metrics that its Python tests use."""

    def given(self) -> set[str]:
        """The given options that only some kinds accept, as the command line spells them."""
        others = {
            "run-code": self.run_code,
            "delimiter": self.delimiter,
            "check": self.check,
            "metric": self.metrics,
        }
        return {*self.columns, *(name for name, value in others.items() if value)}

    def named(self, file: Path) -> str:
        """The path of a file of the imported tests, as the cases write it."""
        return Path(os.path.relpath(file, self.folder)).as_posix()


Reader: TypeAlias = Callable[[Path, ImportOptions], Iterator[FoundCase | Refused | Note | CodeFile]]
"""Reads one file of a foreign kind. Raises UsageError for a file of another kind."""


class Checks:
    """Collects the assertions of one test together with what became of them."""

    def __init__(self) -> None:
        self.assertions: list[JsonObject] = []
        self.remarks: list[Remark] = []

    def take(self, *assertions: JsonObject, differs: str = "") -> None:
        """Adds one foreign check as these assertions; `differs` says how they differ from it."""
        if any(map(_has_odd_number, assertions)):
            self.leave_out(f"{assertions[0].get('type')}: a check with .inf or .nan, which JSON does not have")
            return
        self.assertions += assertions
        self.remarks.append(Remark(outcome="different" if differs else "exact", what=differs))

    def leave_out(self, what: str) -> None:
        """Records one foreign check that has no counterpart."""
        self.remarks.append(Remark(outcome="left_out", what=what))

    def leave_out_unknown(
        self, entry: JsonObject, known: frozenset[str], *, objects: frozenset[str] = frozenset()
    ) -> None:
        """Records unknown fields of a foreign test, and `objects` that are none: each may be a check."""
        for name, value in entry.items():
            if value in (None, "", [], {}) or name == "$schema":
                continue
            if name not in known:
                self.leave_out(f"the field {name} is unknown, and was not read")
            elif name in objects and not is_object(value):
                self.leave_out(f"the field {name} must be an object, and was not read")


def _has_odd_number(value: JsonValue) -> bool:
    """Whether a number in it is infinite or NaN: in JSON it would become null."""
    if is_object(value):
        return any(map(_has_odd_number, value.values()))
    if is_array(value):
        return any(map(_has_odd_number, value))
    return isinstance(value, float) and not math.isfinite(value)
