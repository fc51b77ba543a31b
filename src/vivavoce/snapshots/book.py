"""The approved values of a run's cases: looked up by the checks, and changed by nobody but `settle`."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import UNSET, Struct

from vivavoce.model.case import Case
from vivavoce.model.json_value import JsonValue
from vivavoce.project.redaction import Secrets
from vivavoce.snapshots.normalising import DEFAULTS, Rule, normalised
from vivavoce.snapshots.places import snap_path

if TYPE_CHECKING:
    from vivavoce.snapshots.snap_file import SnapFile

SnapshotMode: TypeAlias = Literal["compare", "write new", "update"]
"""`compare` writes nothing: a missing snapshot fails. `write new` writes missing ones, `update` also changed ones."""
Decision: TypeAlias = Literal["same", "written", "updated", "differs"]


class SettledValue(Struct, frozen=True):
    """What became of a value that might be approved."""

    decision: Decision
    approved: JsonValue
    path: Path


class SnapshotBook:
    """One per run and process. The processes of a run only look values up; the one that reports settles them."""

    def __init__(self, mode: SnapshotMode, secrets: Secrets, rules: Sequence[Rule] | None = None) -> None:
        self.mode: SnapshotMode = mode
        self._secrets = secrets
        self._rules = DEFAULTS if rules is None else rules
        self._files: dict[str, SnapFile] = {}
        self._settled: set[tuple[str, str, str]] = set()
        """What this run has written or seen again: its later attempts are compared with that."""
        self._is_held = False

    def normalised(self, value: JsonValue) -> JsonValue:
        """The value as it may be kept: no secrets in it, and nothing that differs from run to run."""
        return normalised(self._secrets.masked(value), self._rules)

    def approved(self, case: Case, name: str) -> JsonValue:
        """The approved value, or UNSET. Raises UsageError when the file is damaged or the case has none."""
        return self._file(case).value(case.id, name)

    def confirm(self, case: Case, name: str) -> None:
        """Notes that the approved value was seen again: other values of this run are compared with it."""
        self._settled.add((case.origin.path, case.id, name))

    @contextmanager
    def held(self, case: Case) -> Generator[None]:
        """Keeps other processes from settling values of the case's file meanwhile. Raises OSError or VivaError."""
        with self._file(case).locked():
            self._is_held = True
            try:
                yield
            finally:
                self._is_held = False

    def settle(self, case: Case, name: str, value: JsonValue, same: Callable[[JsonValue], bool]) -> SettledValue:
        """Approves the value where the mode allows it, else compares it (`same`) with what is approved by now.

        Raises UsageError for a damaged file, OSError for one that cannot be written.
        """
        file = self._file(case)
        with nullcontext() if self._is_held else file.locked():
            approved = file.value(case.id, name)
            decision = self._decision(case, name, approved, same)
            if decision in ("written", "updated"):
                file.write({case.id: {name: value}})
                approved = value
                self.confirm(case, name)
        return SettledValue(decision, approved, file.path)

    def _decision(self, case: Case, name: str, approved: JsonValue, same: Callable[[JsonValue], bool]) -> Decision:
        if approved is UNSET:
            return "differs" if self.mode == "compare" else "written"
        if same(approved):
            return "same"
        is_free = (case.origin.path, case.id, name) not in self._settled
        return "updated" if self.mode == "update" and is_free else "differs"

    def _file(self, case: Case) -> "SnapFile":
        found = self._files.get(case.origin.path)
        if found is None:
            from vivavoce.snapshots.snap_file import SnapFile

            found = self._files[case.origin.path] = SnapFile(snap_path(case))
        return found
