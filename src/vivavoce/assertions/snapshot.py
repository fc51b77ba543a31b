"""The answer, the calls or the whole conversation is what a person approved before."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, Struct, structs

from vivavoce.assertions.clear_json import clear_whole_json
from vivavoce.assertions.differences import describe
from vivavoce.assertions.doubt import certain
from vivavoce.assertions.lookup import part_at
from vivavoce.assertions.similar import ratio
from vivavoce.assertions.snapshot_value import conversation_in, is_like, parting, tools_in
from vivavoce.assertions.tool_calls import calls_seen
from vivavoce.assertions.unread_calls import undecided, unnamed
from vivavoce.errors import UsageError
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, iter_texts, json_equal
from vivavoce.model.verdict import Outcome, Verdict, broken, failed, passed, skipped
from vivavoce.notation.json_paths import IGNORED, compile_path
from vivavoce.notation.yaml_writer import with_sorted_keys
from vivavoce.protocols import Evidence, Helpers, Sight
from vivavoce.snapshots.book import SnapshotMode
from vivavoce.snapshots.places import name_in_case, place_of_turn

NO_BOOK = "there are no snapshots here: they lie beside the files of cases"
IF_RIGHT_NOW = (
    "if it is right now, accept it with `viva test --update-snapshots`, or look first: `viva snapshots --review`"
)
LARGEST = 2_000_000
"""Characters. Files of snapshots are for people; to normalise and write ten million took longer than the run."""
_SIGHTS: dict[str, Sight] = {"output": "words", "tools": "call", "conversation": "both"}


class Snapshot(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """This is as it was when a person approved it; the first run that passes otherwise writes it down."""

    of: Literal["output", "tools", "conversation"] = "output"
    path: Annotated[str, Meta(min_length=1)] | None = None
    """Only this part of it."""
    ignore: list[str] = []
    """JSON paths of what may differ."""
    similar: Annotated[float, Meta(gt=0, le=1)] | None = None
    """How much alike texts must be: 1 is the same. Everything else is compared exactly."""
    results: bool = False
    """Whether the results of the calls are kept, too."""
    name: Annotated[str, Meta(min_length=1)] | None = None
    """Tells two snapshots of the same thing apart."""
    judges_output: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for path in (*self.ignore, *([] if self.path is None else [self.path])):
            compile_path(path)
        if self.results and self.of == "output":
            raise ValueError("`results` are those of tool calls: use it with `of: tools` or `of: conversation`")

    @property
    def judges(self) -> Sight:
        return _SIGHTS[self.of]

    @property
    def doubted_by(self) -> Sight:
        return _SIGHTS[self.of]

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        book = helpers.snapshots
        if book is None:
            return broken(NO_BOOK)
        value = await self._value(evidence)
        if isinstance(value, Verdict):
            return value
        if (size := sum(map(len, iter_texts(value)))) > LARGEST:
            hint = "look at a part of it with `path`, or leave parts out with `ignore`"
            return broken(f"{self.of} has {size:,} characters, and a snapshot may have {LARGEST:,}, the limit ({hint})")
        value, name = book.normalised(value), self._name(evidence)
        try:
            approved = book.approved(evidence.case, name)
        except UsageError as problem:
            return broken(str(problem))
        # A recorded conversation is only judged again: nothing is written.
        mode: SnapshotMode = "compare" if helpers.recorded is not None else book.mode
        if approved is UNSET:
            return self._first_seen(value, name, evidence, mode)
        verdict = self.compared(approved, value, name)
        if verdict.passed:
            book.confirm(evidence.case, name)
        elif mode == "update" and certain(self, passed(), evidence, negated=False).passed:
            reason = f"{verdict.reason} (accepted once everything else passes)"
            return structs.replace(verdict, outcome=Outcome.SKIPPED, reason=reason)
        else:
            return structs.replace(verdict, details={**verdict.details, "suggestions": [IF_RIGHT_NOW]})
        return verdict

    def compared(self, approved: JsonValue, value: JsonValue, name: str) -> Verdict:
        """The verdict about a value where there is an approved one."""
        if self.same(approved, value):
            return passed(f"{name} is as approved")
        found = parting(approved, value)
        told = "; ".join(describe(difference, name) for difference in found[:3])
        more = f" and {len(found) - 3} more" if len(found) > 3 else ""
        reason = f"{self.of} changed: {told}{more}" if found else f"{self.of} changed"
        # Of a text as a whole both sides are shown line by line.
        diff: JsonObject = {"diff": found} if any(one["path"] for one in found) else {}
        return failed(reason, expected=approved, actual=value, **diff, snapshot="changed", name=name)

    def same(self, approved: JsonValue, value: JsonValue) -> bool:
        limit = self.similar
        if limit is None:
            return json_equal(approved, value)
        return is_like(approved, value, lambda left, right: left == right or ratio(left, right, limit) >= limit)

    def _first_seen(self, value: JsonValue, name: str, evidence: Evidence, mode: SnapshotMode) -> Verdict:
        sure = certain(self, passed(), evidence, negated=False)
        if not sure.passed:
            return sure
        if mode == "compare":
            why = "`viva test` writes it, unless CI is set: look at it and commit it"
            reason = f"there is no approved snapshot of {name} yet ({why})"
            return failed(reason, actual=value, negatable=False, snapshot="missing", name=name)
        reason = f"there is no approved snapshot of {name} yet: it is written once everything else passes"
        return structs.replace(skipped(reason, snapshot="new", name=name), actual=value)

    async def _value(self, evidence: Evidence) -> JsonValue | Verdict:
        """What is compared, as far as `path` and `ignore` let it be; a verdict when that cannot be had."""
        value: JsonValue
        if self.of == "output":
            return await self._output(evidence)
        calls = calls_seen(evidence)
        if doubtful := unnamed(calls):
            return undecided("the calls are as approved", doubtful, evidence)
        value = (tools_in if self.of == "tools" else conversation_in)(evidence, results=self.results)
        if self.path is not None:
            found = compile_path(self.path).find(value)
            if not found:
                return _nothing_at(self.path)
            value = found if len(found) > 1 or not compile_path(self.path).leads_to_one else found[0]
        return self._without_ignored(value)

    async def _output(self, evidence: Evidence) -> JsonValue | Verdict:
        value = evidence.output
        if self.path is not None:
            part = await part_at(self.path, evidence)
            if part is None or not part.values:
                return _nothing_at(self.path)
            value = part.value if part.leads_to_one else part.values
        elif self.ignore and isinstance(value, str):
            parsed = clear_whole_json(value)
            if parsed is None:
                return failed("`ignore` needs JSON, and the output is text", actual=value, negatable=False)
            value = parsed
        return self._without_ignored(with_sorted_keys(value))

    def _without_ignored(self, value: JsonValue) -> JsonValue | Verdict:
        if not self.ignore or not (is_object(value) or is_array(value)) or not value:
            return value
        left = value
        for path in self.ignore:
            left = compile_path(path).without(left)
        if not _anything_in(left):
            return failed("nothing to compare: `ignore` takes out everything", negatable=False)
        return left

    def _name(self, evidence: Evidence) -> str:
        place = ""
        if evidence.scope == "turn":
            place = place_of_turn(evidence.case, evidence.turns[-1].number)
        elif evidence.scope == "final":
            place = "final"
        return name_in_case(self.of, self.path, self.name, place=place)


def _anything_in(value: JsonValue) -> bool:
    """Whether there is anything in a value that was not ignored."""
    if is_object(value):
        return any(map(_anything_in, value.values()))
    return any(map(_anything_in, value)) if is_array(value) else value != IGNORED


def _nothing_at(path: str) -> Verdict:
    return failed(f"nothing to compare at {path}: the path leads nowhere", negatable=False)
