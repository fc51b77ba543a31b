"""A verdict on the wire and back: the assertion as written, with what was found added to it."""

from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType, structs

from vivavoce.model.case import AssertionSpec
from vivavoce.model.verdict import Outcome, Verdict
from vivavoce.results.wire import VerdictRow

_ADDED = frozenset(
    {"passed", "outcome", "reason", "expected", "actual", "negatable", "score", "details", "compiled", "spec"}
)
_UNUSUAL = _ADDED | {"negate", "message", "path"}
_PASSED = Outcome.PASSED


class _Found(Struct, kw_only=True):
    """What a verdict row adds to the assertion."""

    outcome: Outcome
    reason: str = ""
    expected: Any | UnsetType = UNSET
    actual: Any | UnsetType = UNSET
    negatable: bool = True
    score: float | None = None
    details: dict[str, Any] = {}
    compiled: AssertionSpec | None = None
    """The check, where the written form alone does not give it back."""
    spec: AssertionSpec | None = None
    """The same with its written form, where that could not stand in the row."""


def verdict_rows(verdicts: tuple[Verdict, ...]) -> tuple[VerdictRow, ...]:
    # Most cases have one check: to make a tuple of any length costs as much as the row in it.
    if len(verdicts) == 1:
        return (verdict_row(verdicts[0]),)
    return tuple([verdict_row(verdict) for verdict in verdicts]) if verdicts else ()


def verdict_row(verdict: Verdict) -> VerdictRow:
    row = _spec_row(verdict.spec) if verdict.spec is not None else {}
    row["passed"] = verdict.outcome is _PASSED
    row["outcome"] = verdict.outcome
    if verdict.reason:
        row["reason"] = verdict.reason
    if verdict.expected is not UNSET:
        row["expected"] = verdict.expected
    if verdict.actual is not UNSET:
        row["actual"] = verdict.actual
    if not verdict.negatable:
        row["negatable"] = False
    if verdict.score is not None:
        row["score"] = verdict.score
    if verdict.details:
        row["details"] = verdict.details
    return row


def verdicts_of(rows: tuple[VerdictRow, ...]) -> tuple[Verdict, ...]:
    return tuple(verdict_of(row) for row in rows)


def verdict_of(row: VerdictRow) -> Verdict:
    """Raises msgspec.ValidationError when the row is no verdict."""
    found = msgspec.convert(row, _Found)
    return Verdict(
        outcome=found.outcome,
        reason=found.reason,
        expected=found.expected,
        actual=found.actual,
        negatable=found.negatable,
        score=found.score,
        details=found.details,
        spec=_spec_of(row, found),
    )


def failure_reasons(verdicts: tuple[Verdict, ...]) -> tuple[str, ...]:
    """The seeds' `assertion_errors`: what every check that did not pass says."""
    return tuple([v.reason for v in verdicts if v.unsuccessful]) if verdicts else ()


def specs_of(verdicts: tuple[Verdict, ...]) -> tuple[AssertionSpec | None, ...]:
    if len(verdicts) == 1:
        return (verdicts[0].spec,)
    return tuple([v.spec for v in verdicts]) if verdicts else ()


def answers(verdicts: tuple[Verdict, ...], specs: tuple[AssertionSpec, ...]) -> bool:
    """Whether these are the verdicts on exactly these checks."""
    if not verdicts:
        return not specs
    if len(verdicts) == len(specs) == 1:
        return verdicts[0].spec is specs[0] or verdicts[0].spec == specs[0]
    return specs_of(verdicts) == specs


def _spec_row(spec: AssertionSpec) -> VerdictRow:
    written = spec.written
    if (
        spec.negate is False
        and spec.message is None
        and spec.path is None
        and written.get("type") == spec.type
        and _UNUSUAL.isdisjoint(written)
    ):
        # Its name and its fields may be all there is to it, as of most checks: seen without compiling it again.
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
    written = {key: value for key, value in row.items() if key not in _ADDED}
    if found.compiled is not None:
        return structs.replace(found.compiled, written=written)
    return _plainly_compiled(written)


def _plainly_compiled(written: dict[str, Any]) -> AssertionSpec:
    """The check most authors get: common keys apart, every other key a field of the assertion."""
    fields = dict(written)
    kind = fields.pop("type")
    return AssertionSpec(
        type=kind,
        negate=fields.pop("negate", False),
        message=fields.pop("message", None),
        # A json_path's `path` is its own field; everywhere else it narrows what is judged.
        path=None if kind == "json_path" else fields.pop("path", None),
        fields=fields,
        written=written,
    )
