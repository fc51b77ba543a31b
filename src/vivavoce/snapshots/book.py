"""The approved values of a run's cases: looked up by the checks, and changed by nobody but `settle`."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import UNSET, Struct

from vivavoce.model.case import Case
from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.project.redaction import Secrets
from vivavoce.snapshots.normalising import DEFAULTS, Rule, normalised
from vivavoce.snapshots.places import snap_path

if TYPE_CHECKING:
    from vivavoce.snapshots.snap_file import SnapFile

SnapshotMode: TypeAlias = Literal["compare", "write new", "update"]
"""`compare` writes nothing: a missing snapshot fails. `write new` writes missing ones, `update` also changed ones."""
Decision: TypeAlias = Literal["same", "written", "updated", "differs"]


class SnapshotValue(Struct, frozen=True):
    """A value that might be approved."""

    name: str
    value: JsonValue
    same: Callable[[JsonValue], bool]
    """Whether an approved value counts as the same."""


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

    def normalised(self, value: JsonValue) -> JsonValue:
        """The value as it may be kept: no secrets in it, and nothing that differs from run to run."""
        return normalised(self._secrets.masked(value), self._rules)

    def approved(self, case: Case, name: str) -> JsonValue:
        """The approved value, or UNSET. Raises UsageError when the file is damaged or the case has none."""
        return self._file(case).value(case.id, name)

    def confirm(self, case: Case, name: str) -> None:
        """Notes that the approved value was seen again: other values of this run are compared with it."""
        self._settled.add((case.origin.path, case.id, name))

    def settle(self, case: Case, values: Sequence[SnapshotValue]) -> list[SettledValue]:
        """Approves each value where the mode allows it, else compares it with what is approved by now.

        All values of an attempt are settled at once: the file is written once, so that a killed process leaves all of
        them or none, and two processes do not approve one each. Raises UsageError for a damaged file, VivaError for
        one that is locked for too long, OSError for one that cannot be written.
        """
        file = self._file(case)
        changes: JsonObject = {}
        settled: list[SettledValue] = []
        with file.locked():
            for one in values:
                approved = changes[one.name] if one.name in changes else file.value(case.id, one.name)
                decision = self._decision(case, one, approved, is_free=one.name not in changes)
                if decision in ("written", "updated"):
                    approved = changes[one.name] = one.value
                settled.append(SettledValue(decision, approved, file.path))
            if changes:
                file.write({case.id: changes})
        for name in changes:
            self.confirm(case, name)
        return settled

    def _decision(self, case: Case, one: SnapshotValue, approved: JsonValue, *, is_free: bool) -> Decision:
        if approved is UNSET:
            return "differs" if self.mode == "compare" else "written"
        if one.same(approved):
            return "same"
        is_free = is_free and (case.origin.path, case.id, one.name) not in self._settled
        return "updated" if self.mode == "update" and is_free else "differs"

    def _file(self, case: Case) -> "SnapFile":
        found = self._files.get(case.origin.path)
        if found is None:
            from vivavoce.snapshots.snap_file import SnapFile

            found = self._files[case.origin.path] = SnapFile(snap_path(case))
        return found
