"""The one table of assertions: type, what is written, what was seen → the verdict.

The unit, contract and conformance tests read it, so a new assertion type needs its rows here and nowhere else:
one that passes, one that fails, and the first of them with as few fields as the type can do with.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from tests.fakes.evidence import FakeJudge, FakeScripts, answered, call, evidence, helpers, turn
from tests.fakes.world import after_the_agent, left, nobody, server

from vivavoce.errors import CallFailed
from vivavoce.model.case import Case, Origin
from vivavoce.model.message import Usage
from vivavoce.model.verdict import Outcome
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import Evidence, Helpers
from vivavoce.script_testing.record import CheckRecord, ScriptTestRecord
from vivavoce.snapshots.book import SnapshotBook

PASSED, FAILED, BROKEN, SKIPPED = Outcome.PASSED, Outcome.FAILED, Outcome.BROKEN, Outcome.SKIPPED
FACTS = Path(__file__).parents[1] / "conformance" / "checks.json"


class Row(NamedTuple):
    """One assertion, what it is shown, and what must come of it."""

    type: str
    fields: dict[str, Any]
    seen: Evidence
    outcome: Outcome
    judge: str = "no judge was expected"
    """What the judging agent answers."""
    script: Any = None
    """What the judging script returns, or the exception it raises."""

    @property
    def id(self) -> str:
        # Without the port: the tests must have the same names in every process.
        fields = re.sub(r"(?<=127\.0\.0\.1:)\d+", "PORT", json.dumps(self.fields, default=str))
        return f"{self.type}-{self.outcome.value}-{fields[:80]}"

    def helpers(self) -> Helpers:
        with_agents = helpers(FakeJudge(self.judge), FakeScripts(self._call))
        return msgspec.structs.replace(with_agents, snapshots=SnapshotBook("compare", Secrets()))

    def _call(self, *_: Any) -> Any:
        if isinstance(self.script, Exception):
            raise self.script
        return self.script


def _record(**fields: Any) -> Evidence:
    return answered(msgspec.json.decode(msgspec.json.encode(ScriptTestRecord(test="test_x", **fields))))


PAID = turn("Paid 5 EUR.", call("pay", {"amount": 5}, {"ok": True}, at=1_000), start=0, end=1_500)
SHIPPED = turn("Shipped.", call("ship", {"to": "Bern"}, error="no stock", at=9_000), start=8_000, end=9_500)
ONE, BOTH, QUIET = evidence(PAID), evidence(PAID, SHIPPED, scope="case"), evidence(turn("Nothing done."))
NAMELESS = evidence(turn("", call("")))
PRICED = evidence(turn("", usage=Usage(10, 5, 0.01)), turn("", usage=Usage(20, 5, 0.02)), scope="case")
APPROVED = Case(id="T001", origin=Origin(str(Path(__file__).parents[1] / "data" / "snapshots" / "cases.jsonl"), 1))
ONE_APPROVED, BOTH_APPROVED = evidence(PAID, case=APPROVED), evidence(PAID, SHIPPED, scope="case", case=APPROVED)
OBJECT = answered({"status": "paid", "items": [1, 2]})
HELD = CheckRecord(check="Equal", outcome=PASSED, line=3)
MISSED = CheckRecord(check="Equal", outcome=FAILED, reason="1 is not 2", line=4)
WORLD, NO_WORLD = after_the_agent(), left(None)

ROWS = [
    Row("equals", {"value": 1}, answered(1), PASSED),
    Row("equals", {"value": {"a": 1, "b": [2.0]}}, answered({"b": [2], "a": 1.0}), PASSED),
    Row("equals", {"value": "1"}, answered(1), FAILED),
    Row("equals", {"value": {"a": "Paid"}, "ignore_case": True}, answered({"a": "PAID"}), PASSED),
    Row("equals", {"value": "paid", "ignore_case": True}, answered("unpaid"), FAILED),
    Row("equals", {"value": ["no", "paid"], "any": True}, answered("paid"), PASSED),
    Row("equals", {"value": ["no", {"a": 1}], "any": True}, answered('{"a": 1}'), PASSED),
    Row("equals", {"value": ["no", "paid"], "any": True}, answered("unpaid"), FAILED),
    Row("equals", {"value": ["no", "paid"], "any": True}, answered(["no", "paid"]), FAILED),
    Row("contains", {"value": "EUR"}, ONE, PASSED),
    Row("contains", {"value": "eur"}, ONE, FAILED),
    Row("contains", {"value": ["EUR"]}, ONE, BROKEN),
    Row("contains", {"value": ["EUR", "USD"], "any": True}, ONE, PASSED),
    Row("contains", {"value": ["EUR", "USD"], "all": True}, ONE, FAILED),
    Row("contains", {"value": "eur", "ignore_case": True}, ONE, PASSED),
    Row("not_contains", {"value": ["EUR", "USD"], "any": True}, ONE, FAILED),
    Row("not_contains", {"value": ["EUR", "USD"], "all": True}, ONE, PASSED),
    Row("not_contains", {"value": "sorry"}, ONE, PASSED),
    Row("not_contains", {"value": "Paid"}, ONE, FAILED),
    Row("not_contains", {"value": {"a": 1}}, ONE, BROKEN),
    Row("regex", {"value": r"\d+ EUR"}, ONE, PASSED),
    Row("regex", {"value": r"^\d+"}, ONE, FAILED),
    Row("similar", {"value": "Paid 5 EUR"}, ONE, PASSED),
    Row("similar", {"value": "Good morning"}, ONE, FAILED),
    Row("similar", {"value": "Paid 5 EUR", "threshold": 1}, ONE, FAILED),
    Row("similar", {"value": "EUR 5 paid", "method": "rouge"}, ONE, PASSED),
    Row("similar", {"value": "EUR 5 paid", "method": "levenshtein"}, ONE, FAILED),
    Row("similar", {"value": "EUR 5 paid", "method": "levenshtein", "max_edits": 40}, ONE, PASSED),
    Row("must_match", {"value": "Paid"}, ONE, PASSED),
    Row("must_match", {"value": "Paid"}, QUIET, FAILED),
    Row("must_not_match", {"value": "sorry"}, ONE, PASSED),
    Row("must_not_match", {"value": "Paid"}, ONE, FAILED),
    Row("json_path", {"path": "$.status"}, OBJECT, PASSED),
    Row("json_path", {"path": "$.status", "value": "paid"}, OBJECT, PASSED),
    Row("json_path", {"path": "$.status", "value": "open"}, OBJECT, FAILED),
    Row("json_path", {"path": "$.price"}, OBJECT, FAILED),
    Row("type", {"value": "object"}, OBJECT, PASSED),
    Row("type", {"value": "array"}, OBJECT, FAILED),
    Row("type", {"value": "array", "path": "items"}, OBJECT, PASSED),
    Row("json_schema", {"schema": {}}, OBJECT, PASSED),
    Row("json_schema", {"schema": {"required": ["status"]}}, OBJECT, PASSED),
    Row("json_schema", {"schema": {"required": ["price"]}}, OBJECT, FAILED),
    Row("is_json", {}, answered('{"a": 1}'), PASSED),
    Row("is_json", {}, answered(" 5\n"), PASSED),
    Row("is_json", {}, OBJECT, PASSED),
    Row("is_json", {"schema": {"required": ["a"]}}, answered('{"a": 1}'), PASSED),
    Row("is_json", {"schema": {"required": ["b"]}}, answered('{"a": 1}'), FAILED),
    Row("is_json", {}, answered('```json\n{"a": 1}\n```'), FAILED),
    Row("is_json", {}, answered('Here: {"a": 1}'), FAILED),
    Row("is_json", {}, answered('{"a": 1'), FAILED),
    Row("is_json", {}, answered('{"a": NaN}'), FAILED),
    Row("is_json", {}, answered('{"a": 1, "a": 2}'), FAILED),
    Row("number", {"min": 5}, answered(5), PASSED),
    Row("number", {"min": 5, "lt": 6}, answered(" 5.5 "), PASSED),
    Row("number", {"gt": 5}, answered(5), FAILED),
    Row("number", {"max": 4.5}, answered(5), FAILED),
    Row("number", {"max": 4.5}, ONE, FAILED),
    Row("number", {"max": 4.5}, answered(True), FAILED),
    Row("number", {"min": 0}, answered("NaN"), FAILED),
    Row("length", {"min": 2}, answered([1, 2]), PASSED),
    Row("length", {"exact": 3, "unit": "words"}, ONE, PASSED),
    Row("length", {"max": 11}, ONE, PASSED),
    Row("length", {"max": 2, "unit": "words"}, ONE, FAILED),
    Row("length", {"min": 1, "unit": "items"}, ONE, FAILED),
    Row("length", {"min": 1, "unit": "words"}, OBJECT, FAILED),
    Row("tool_called", {"name": "pay"}, ONE, PASSED),
    Row("tool_called", {"name": "pay", "arguments": {"amount": 6}}, ONE, FAILED),
    Row("tool_called", {"name": "ship"}, ONE, FAILED),
    Row("tool_result", {"tool": "pay"}, ONE, PASSED),
    Row("tool_result", {"tool": "ship"}, BOTH, FAILED),
    Row("forbid", {"name": "ship"}, ONE, PASSED),
    Row("forbid", {"name": "ship"}, BOTH, FAILED),
    Row("forbid", {"name": "ship"}, NAMELESS, BROKEN),
    Row("require", {"name": "pay"}, ONE, PASSED),
    Row("require", {"name": "pay", "count": {"exact": 2}}, ONE, FAILED),
    Row("require", {"name": "ship", "after": "pay"}, BOTH, PASSED),
    Row("require", {"name": "pay", "after": "ship"}, BOTH, FAILED),
    Row("forbid_calls", {"name": "pay"}, QUIET, PASSED),
    Row("forbid_calls", {"name": "pay", "args_match": {"amount": "^6$"}}, ONE, PASSED),
    Row("forbid_calls", {"name": "pay", "args_match": {"amount": "^5$"}}, ONE, FAILED),
    Row("well_behaved", {}, BOTH, PASSED),
    Row("well_behaved", {"arguments": {"pay": {"required": ["amount"]}}}, BOTH, PASSED),
    Row("well_behaved", {"arguments": {"ship": {"required": ["amount"]}}}, BOTH, FAILED),
    Row("well_behaved", {"never_said": ["paid 5 eur"]}, BOTH, FAILED),
    Row("only", {"names": ["pay", "ship"]}, BOTH, PASSED),
    Row("only", {"names": []}, QUIET, PASSED),
    Row("only", {"names": ["pay"]}, BOTH, FAILED),
    Row("only", {"names": ["pay"]}, NAMELESS, BROKEN),
    Row("max_calls", {"value": 2}, BOTH, PASSED),
    Row("max_calls", {"value": 1}, BOTH, FAILED),
    Row("sequence", {"calls": ["pay", "ship"]}, BOTH, PASSED),
    Row("sequence", {"calls": [{"name": "pay", "args": {"amount": 5}}, "ship"]}, BOTH, PASSED),
    Row("sequence", {"calls": ["ship", "pay"]}, BOTH, FAILED),
    Row("sequence", {"calls": ["pay"]}, BOTH, FAILED),
    Row("sequence", {"calls": ["pay", "ship", "pay"]}, BOTH, FAILED),
    Row("sequence", {"calls": [{"name": "pay", "args": {}}, "ship"]}, BOTH, FAILED),
    Row("sequence", {"calls": ["ship"], "match": "in_order"}, BOTH, PASSED),
    Row("sequence", {"calls": ["ship", "pay"], "match": "in_order"}, BOTH, FAILED),
    Row("sequence", {"calls": ["ship", "pay"], "match": "any_order"}, BOTH, PASSED),
    Row("sequence", {"calls": ["pay", "pay"], "match": "any_order"}, BOTH, FAILED),
    Row("sequence", {"calls": ["pay"]}, NAMELESS, BROKEN),
    Row("snapshot", {}, ONE_APPROVED, PASSED),
    Row("snapshot", {}, BOTH_APPROVED, FAILED),
    Row("snapshot", {"of": "tools"}, ONE_APPROVED, PASSED),
    Row("snapshot", {"of": "tools"}, BOTH_APPROVED, FAILED),
    Row("snapshot", {"of": "conversation"}, ONE_APPROVED, PASSED),
    Row("snapshot", {"of": "conversation"}, BOTH_APPROVED, FAILED),
    Row("snapshot", {"name": "missing"}, ONE_APPROVED, FAILED),
    Row("snapshot", {}, ONE, BROKEN),
    Row("latency", {"max": "3s"}, BOTH, PASSED),
    Row("latency", {"max": 2_999}, BOTH, FAILED),
    Row("max_duration_ms", {"value": 9_500}, BOTH, PASSED),
    Row("max_duration_ms", {"value": 9_499}, BOTH, FAILED),
    Row("max_gap_ms", {"value": 8_000}, BOTH, PASSED),
    Row("max_gap_ms", {"value": 7_999}, BOTH, FAILED),
    Row("cost", {"max": 0.03}, PRICED, PASSED),
    Row("cost", {"max": 0.02}, PRICED, FAILED),
    Row("cost", {"max_tokens": 39}, PRICED, FAILED),
    Row("cost", {"max": 1}, ONE, FAILED),
    Row("file", {"path": "new.txt"}, WORLD, PASSED),
    Row("file", {"path": "old.txt"}, WORLD, FAILED),
    Row("file", {"path": "old.txt", "absent": True}, WORLD, PASSED),
    Row("file", {"path": "app.py", "exists": False}, WORLD, FAILED),
    Row("file", {"path": "app.py", "contains": "print(2)"}, WORLD, PASSED),
    Row("file", {"path": "app.py", "contains": ["print(2)", "print(1)"]}, WORLD, FAILED),
    Row("file", {"path": "old.txt", "contains": "x"}, WORLD, FAILED),
    Row("file", {"path": "app.py", "matches": r"^print\(\d\)"}, WORLD, PASSED),
    Row("file", {"path": "app.py", "matches": "input"}, WORLD, FAILED),
    Row("file", {"path": "data/order.json", "json_path": "$.status", "value": "paid"}, WORLD, PASSED),
    Row("file", {"path": "data/order.json", "json_path": "$.status", "value": "open"}, WORLD, FAILED),
    Row("file", {"path": "data/order.json", "json_path": "$.total"}, WORLD, FAILED),
    Row("file", {"path": "app.py", "json_path": "$.status"}, WORLD, FAILED),
    Row("file", {"path": "keep.txt", "unchanged": True}, WORLD, PASSED),
    Row("file", {"path": "app.py", "unchanged": True}, WORLD, FAILED),
    Row("file", {"path": "old.txt", "unchanged": True}, WORLD, FAILED),
    Row("file", {"path": "data", "unchanged": True}, WORLD, FAILED),
    Row("file", {"path": "data", "unchanged": False}, WORLD, PASSED),
    Row("file", {"path": "nowhere.txt", "unchanged": True}, WORLD, BROKEN),
    Row("file", {"path": "raw.bin", "contains": "x"}, WORLD, BROKEN),
    Row("file", {"path": "data", "contains": "x"}, WORLD, BROKEN),
    Row("file", {"path": "new.txt"}, NO_WORLD, BROKEN),
    Row("file", {"path": "../shop", "exists": True}, WORLD, BROKEN),
    Row("command", {"cmd": "cat new.txt"}, WORLD, PASSED),
    Row("command", {"cmd": ["cat", "new.txt"], "contains": "hello"}, WORLD, PASSED),
    Row("command", {"cmd": ["cat", "new.txt"], "matches": "^bye"}, WORLD, FAILED),
    Row("command", {"cmd": ["cat", "data/order.json"], "json_path": "$.status", "value": "paid"}, WORLD, PASSED),
    Row("command", {"cmd": ["sh", "-c", "exit 3"], "exit_code": 3}, WORLD, PASSED),
    Row("command", {"cmd": ["sh", "-c", "exit 3"]}, WORLD, FAILED),
    Row("command", {"cmd": ["sh", "-c", "exit 3"], "contains": "x"}, WORLD, FAILED),
    Row("command", {"cmd": ["sh", "-c", "kill -9 $$"]}, WORLD, BROKEN),
    Row("command", {"cmd": ["sh", "-c", "no-such-command"]}, WORLD, BROKEN),
    Row("command", {"cmd": ["no-such-command"]}, WORLD, BROKEN),
    Row("command", {"cmd": ["sleep", "60"], "timeout": "10ms"}, WORLD, BROKEN),
    Row("command", {"cmd": ["true"]}, NO_WORLD, BROKEN),
    Row("http", {"url": f"{server()}/health"}, ONE, PASSED),
    Row("http", {"url": f"{server()}/moved", "contains": "up"}, ONE, PASSED),
    Row("http", {"url": f"{server()}/moved", "status": 302}, ONE, PASSED),
    Row("http", {"url": f"{server()}/health", "json_path": "$.status", "value": "up"}, ONE, PASSED),
    Row("http", {"url": f"{server()}/health", "json_path": "$.status", "value": "down"}, ONE, FAILED),
    Row("http", {"url": f"{server()}/health", "matches": "down"}, ONE, FAILED),
    Row("http", {"url": f"{server()}/gone"}, ONE, FAILED),
    Row("http", {"url": f"{server()}/gone", "status": 404}, ONE, PASSED),
    Row("http", {"url": f"{server()}/gone", "contains": "up"}, ONE, FAILED),
    Row("http", {"url": f"{server()}/away"}, ONE, BROKEN),
    Row("http", {"url": nobody()}, ONE, BROKEN),
    Row("agent", {"value": "is polite"}, ONE, PASSED, judge='{"passed": true, "reason": "fine"}'),
    Row("agent", {"value": "is polite"}, ONE, FAILED, judge='{"passed": false, "reason": "rude"}'),
    Row("agent", {"value": "is polite"}, ONE, BROKEN, judge="I would rather not say"),
    Row("javascript", {"value": "output.includes('Paid')"}, ONE, PASSED),
    Row("javascript", {"value": "const words = output.split(' ');\nreturn words.length > 9"}, ONE, FAILED),
    Row("javascript", {"value": "({pass: true, score: 0.4, reason: 'so-so'})", "threshold": 0.5}, ONE, FAILED),
    Row("javascript", {"value": "0.5"}, ONE, PASSED),
    Row("javascript", {"value": "'yes'"}, ONE, BROKEN),
    Row("javascript", {"value": "nothing.there"}, ONE, BROKEN),
    Row("script", {"use": "scripts:x"}, ONE, PASSED, script=True),
    Row("script", {"use": "scripts:x"}, ONE, FAILED, script={"pass": False, "message": "too dear"}),
    Row("script", {"use": "scripts:x"}, ONE, BROKEN, script="yes"),
    Row("script", {"use": "scripts:x"}, ONE, BROKEN, script=CallFailed("no such file", fault="test")),
    Row("script_test", {}, _record(checks=(HELD,)), PASSED),
    Row("script_test", {}, _record(checks=(HELD, MISSED)), FAILED),
    Row("script_test", {}, _record(error="ValueError: boom", fault="test"), BROKEN),
    Row("script_test", {}, _record(skipped="not here"), SKIPPED),
]


@cache
def smallest_fields(kind: str) -> dict[str, Any]:
    """Returns the fewest fields this type can be asked for: those of its first row."""
    found = [row.fields for row in ROWS if row.type == kind]
    assert found, f"ROWS has no row of the assertion type {kind!r}: add one for each outcome it can have"
    return found[0]


@cache
def facts(*groups: str) -> tuple[dict[str, Any], ...]:
    """Returns the conformance facts of these groups (`tests/conformance/checks.json`)."""
    chosen = [fact for fact in json.loads(FACTS.read_bytes())["checks"] if fact["group"] in groups]
    missing = set(groups) - {fact["group"] for fact in chosen}
    assert not missing, f"no facts in checks.json: {sorted(missing)}"
    return tuple(chosen)


def fact_groups(prefix: str) -> set[str]:
    """Returns the names of all groups of facts that begin with `prefix`."""
    found = {fact["group"] for fact in json.loads(FACTS.read_bytes())["checks"]}
    return {group for group in found if group.startswith(prefix)}
