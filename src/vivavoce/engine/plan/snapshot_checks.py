"""Refuses snapshot checks that cannot work: no file, two with one name, negated ones, checkpoints."""

from vivavoce.errors import UsageError
from vivavoce.model.case import Case
from vivavoce.snapshots.places import TYPE, snap_path, snapshots_of


def refuse_bad_snapshots(case: Case) -> None:
    """Raises UsageError for a case whose snapshots cannot be kept."""
    snap_path(case)
    for checkpoint in case.checkpoints:
        if any(spec.type == TYPE for spec in checkpoint.assertions):
            what = f"checkpoint {checkpoint.id!r} cannot have a snapshot: it is tried at every turn"
            raise UsageError(what, at=case.origin, hint="put it into `assert` or `final_assertions`")
    names: set[str] = set()
    for name, spec in snapshots_of(case):
        if spec.negate:
            raise UsageError("a snapshot cannot be negated: nobody approves what must not be there", at=case.origin)
        if name in names:
            hint = "give one of them a `name`, or leave it out"
            raise UsageError(f"two snapshots of this case are both called {name!r}", at=case.origin, hint=hint)
        names.add(name)
