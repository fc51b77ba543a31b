"""A verdict as a row and back: the assertion as written, with what was found added to it."""

import msgspec
from msgspec import structs

from vivavoce.model.case import FULL_WEIGHT, AssertionSpec
from vivavoce.model.json_value import JsonObject
from vivavoce.model.verdict import FAULTS, Fault, Outcome, Verdict
from vivavoce.results.shared_fields import SharedFields
from vivavoce.results.wire import VerdictRow


class _Found(Verdict, frozen=True, kw_only=True):
    """What a verdict row adds to the assertion: the verdict."""

    compiled: AssertionSpec | None = None
    """The check, where the written form alone does not give it back; `spec`, where that cannot stand in the row."""


_FOUND = SharedFields(Verdict, _Found, but=("outcome", "spec"))
_FIELDS = tuple(name for name in Verdict.__struct_fields__ if name != "spec")
_ADDED = frozenset({"passed", *_Found.__struct_fields__})
"""The keys of a verdict row that are not the assertion's own."""
_UNUSUAL = _ADDED | {"negate", "message", "path", "weight"}
_COMPILED, _SPEC = "compiled", "spec"
_PASSED = Outcome.PASSED


def verdict_rows(verdicts: tuple[Verdict, ...]) -> tuple[VerdictRow, ...]:
    return tuple([verdict_row(verdict) for verdict in verdicts]) if verdicts else ()


def verdict_row(verdict: Verdict) -> VerdictRow:
    row = _spec_row(verdict.spec) if verdict.spec is not None else {}
    row["passed"] = verdict.outcome is _PASSED
    row["outcome"] = verdict.outcome
    _FOUND.collect(verdict, row)
    return row


def check_verdicts(rows: tuple[VerdictRow, ...]) -> None:
    """Raises msgspec.ValidationError when one of them is no verdict."""
    for row in rows:
        msgspec.convert(row, _Found)


def verdicts_of(rows: tuple[VerdictRow, ...]) -> tuple[Verdict, ...]:
    return tuple([verdict_of(row) for row in rows]) if rows else ()


def specs_in(rows: tuple[VerdictRow, ...]) -> tuple[AssertionSpec, ...]:
    """The checks alone, in a third of the time: what became of them is not looked at."""
    return tuple([spec for row in rows if (spec := _spec_in(row)) is not None]) if rows else ()


def _spec_in(row: VerdictRow) -> AssertionSpec | None:
    if _COMPILED in row or _SPEC in row:
        return _spec_of(row, msgspec.convert(row, _Found))
    return _plainly_compiled(_written_in(row)) if "type" in row else None


def verdict_of(row: VerdictRow) -> Verdict:
    """Raises msgspec.ValidationError when the row is no verdict."""
    if _COMPILED in row or _SPEC in row:
        found = msgspec.convert(row, _Found)
        spec = _spec_of(row, found)
        verdict = Verdict(**{name: getattr(found, name) for name in _FIELDS}, spec=spec)
    else:
        verdict = msgspec.convert(row, Verdict)
        if "type" in row:
            verdict = structs.replace(verdict, spec=_plainly_compiled(_written_in(row)))
    if verdict.fault is None and "fault" in verdict.details:
        verdict = structs.replace(verdict, fault=_older_fault(verdict.details))
    return verdict


def _older_fault(details: JsonObject) -> Fault | None:
    """Takes the fault out of the details, where older files have it."""
    named = details.pop("fault", None)
    return named if named in FAULTS else None


def failure_reasons(verdicts: tuple[Verdict, ...]) -> tuple[str, ...]:
    """The seeds' `assertion_errors`: what every check that did not pass says."""
    return tuple([v.reason for v in verdicts if v.unsuccessful]) if verdicts else ()


def specs_of(verdicts: tuple[Verdict, ...]) -> tuple[AssertionSpec | None, ...]:
    return tuple([v.spec for v in verdicts]) if verdicts else ()


def _spec_row(spec: AssertionSpec) -> VerdictRow:
    written = spec.written
    if (
        spec.negate is False
        and spec.message is None
        and spec.path is None
        and written.get("type") == spec.type
        and _UNUSUAL.isdisjoint(written)
    ):
        # Most checks are only a name and fields: then their written form is enough.
        fields = written.copy()
        del fields["type"]
        if fields == spec.fields:
            return written.copy()
    if written.get("type") != spec.type or not _ADDED.isdisjoint(written):
        shown = {key: value for key, value in spec.fields.items() if key not in _ADDED and key != "type"}
        return {"type": spec.type, **shown, "spec": spec}
    row = {**written}
    if _plainly_compiled(written) != spec:
        row["compiled"] = structs.replace(spec, written={})
    return row


def _spec_of(row: VerdictRow, found: _Found) -> AssertionSpec | None:
    if found.spec is not None or "type" not in row:
        return found.spec
    written = _written_in(row)
    if found.compiled is not None:
        return structs.replace(found.compiled, written=written)
    return _plainly_compiled(written)


def _written_in(row: VerdictRow) -> JsonObject:
    """The check as its author wrote it."""
    return {key: value for key, value in row.items() if key not in _ADDED}


def _plainly_compiled(written: JsonObject) -> AssertionSpec:
    """The check most authors get: common keys apart, every other key a field of the assertion."""
    fields = dict(written)
    kind = fields.pop("type")
    return AssertionSpec(
        type=kind,
        negate=fields.pop("negate", False),
        message=fields.pop("message", None),
        weight=fields.pop("weight", FULL_WEIGHT),
        # A json_path's `path` is its own field; everywhere else it narrows what is judged.
        path=None if kind == "json_path" else fields.pop("path", None),
        fields=fields,
        written=written,
    )
