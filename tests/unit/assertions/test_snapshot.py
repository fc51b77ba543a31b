"""A snapshot compares with what was approved, and what nobody approved yet is never a pass."""

from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from tests.fakes.evidence import call, evidence, helpers, turn

from vivavoce.assertions.snapshot import LARGEST
from vivavoce.engine.attempt.judging import judge
from vivavoce.errors import UsageError
from vivavoce.model.case import AssertionSpec, Case, ConversationRules, Origin
from vivavoce.model.message import Unread
from vivavoce.model.transcript import Turn
from vivavoce.model.verdict import Outcome, Verdict
from vivavoce.plugins.assertion_building import build_check
from vivavoce.project.redaction import Secrets
from vivavoce.snapshots.book import SnapshotBook, SnapshotMode, SnapshotValue


class Bench:
    """A case file in a folder, and snapshots of one case of it."""

    def __init__(self, folder: Path) -> None:
        (folder / "a.jsonl").write_text("{}")
        self.case = Case(id="T1", origin=Origin(str(folder / "a.jsonl"), 1))

    def approve(self, value: object, name: str = "output") -> None:
        self._book("update").settle(self.case, [SnapshotValue(name, value, lambda approved: approved == value)])

    async def judged(
        self, *turns: Turn, mode: SnapshotMode = "write new", scope: Any = "case", **fields: Any
    ) -> Verdict:
        spec = AssertionSpec(type="snapshot", fields=fields)
        using = structs.replace(helpers(), snapshots=self._book(mode))
        [verdict] = await judge([spec], evidence(*turns, scope=scope, case=self.case), using)
        return verdict

    @staticmethod
    def _book(mode: SnapshotMode) -> SnapshotBook:
        return SnapshotBook(mode, Secrets())


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


async def test_the_approved_output_passes_and_another_one_fails(bench: Bench):
    bench.approve("yes")
    assert (await bench.judged(turn("yes"))).passed
    other = await bench.judged(turn("no"))
    assert other.outcome is Outcome.FAILED
    assert (other.expected, other.actual) == ("yes", "no")
    assert other.reason == "output changed: output was 'no', wanted 'yes'"


async def test_a_changed_argument_is_told_in_one_line(bench: Bench):
    bench.approve([{"tool": "refund", "args": {"amount": 25, "order": "A-17"}}], "tools")
    verdict = await bench.judged(turn("", call("refund", {"order": "A-17", "amount": 30})), of="tools")
    assert verdict.reason == "tools changed: refund[0].amount was 30, wanted 25"
    assert verdict.details["diff"] == [{"path": "refund[0].amount", "expected": 25, "actual": 30}]
    assert "--update-snapshots" in verdict.details["suggestions"][0]


async def test_what_nobody_approved_waits_and_is_no_pass(bench: Bench):
    verdict = await bench.judged(turn("yes"))
    assert verdict.outcome is Outcome.SKIPPED
    assert (verdict.details["snapshot"], verdict.actual) == ("new", "yes")


async def test_where_nothing_may_be_written_a_missing_one_fails(bench: Bench):
    verdict = await bench.judged(turn("yes"), mode="compare")
    assert verdict.outcome is Outcome.FAILED
    assert "no approved snapshot of output" in verdict.reason


async def test_an_update_waits_with_the_difference(bench: Bench):
    bench.approve("yes")
    verdict = await bench.judged(turn("no"), mode="update")
    assert verdict.outcome is Outcome.SKIPPED
    assert verdict.details["snapshot"] == "changed"
    assert "suggestions" not in verdict.details, "it is accepted already"
    assert (await bench.judged(turn("yes"), mode="update")).passed


@pytest.mark.parametrize(
    ("of", "may_hold", "outcome"),
    [
        ("tools", "call", Outcome.BROKEN),
        ("tools", "words", Outcome.PASSED),
        ("output", "words", Outcome.BROKEN),
        ("output", "call", Outcome.PASSED),
        ("conversation", "call", Outcome.BROKEN),
        ("conversation", "words", Outcome.BROKEN),
    ],
)
async def test_what_was_not_read_breaks_it(bench: Bench, of: str, may_hold: Any, outcome: Outcome):
    bench.approve("yes", "output")
    bench.approve([], "tools")
    bench.approve([{"user": "hello", "agent": "yes"}], "conversation")
    seen = turn("yes", unread=(Unread("a part", may_hold=may_hold),))
    assert (await bench.judged(seen, of=of)).outcome is outcome


@pytest.mark.parametrize("mode", ["write new", "update"])
async def test_nothing_unread_is_offered_for_approval(bench: Bench, mode: SnapshotMode):
    seen = turn("yes", unread=(Unread("a part", may_hold="call"),))
    assert (await bench.judged(seen, of="tools", mode=mode)).outcome is Outcome.BROKEN


async def test_calls_that_are_never_shown_cannot_be_approved(bench: Bench):
    verdict = await bench.judged(turn("yes", shows_calls=False), of="tools")
    assert verdict.outcome is Outcome.BROKEN
    assert "no place for tool calls" in verdict.reason


async def test_a_call_without_a_name_cannot_be_approved(bench: Bench):
    assert (await bench.judged(turn("", call("")), of="tools")).outcome is Outcome.BROKEN


async def test_a_path_keeps_a_part(bench: Bench):
    bench.approve("paid", "output $.status")
    assert (await bench.judged(turn('here: {"status": "paid", "n": 7}'), path="$.status")).passed
    assert not (await bench.judged(turn(data={"status": "open"}), path="$.status")).passed
    assert "leads nowhere" in (await bench.judged(turn(data={}), path="$.status")).reason


async def test_a_path_keeps_some_calls(bench: Bench):
    bench.approve(["pay"], "tools $[?@.tool=='pay'].tool")
    seen = turn("", call("find"), call("pay", {"n": 1}))
    assert (await bench.judged(seen, of="tools", path="$[?@.tool=='pay'].tool")).passed


@pytest.mark.parametrize("ignored", ["$.at", "at", "$..at"])
async def test_what_is_ignored_may_be_anything_or_missing(bench: Bench, ignored: str):
    bench.approve({"status": "paid"})
    assert (await bench.judged(turn(data={"status": "paid", "at": 5}), ignore=[ignored])).passed
    assert (await bench.judged(turn(data={"status": "paid"}), ignore=[ignored])).passed
    assert not (await bench.judged(turn(data={"status": "open", "at": 5}), ignore=[ignored])).passed


async def test_ignored_arguments_of_every_call(bench: Bench):
    bench.approve([{"tool": "pay", "args": {"n": 1}}, {"tool": "pay", "args": {"n": 2}}], "tools")
    seen = turn("", call("pay", {"n": 1, "nonce": "x"}), call("pay", {"n": 2, "nonce": "y"}))
    assert (await bench.judged(seen, of="tools", ignore=["$[*].args.nonce"])).passed


async def test_ignoring_needs_json(bench: Bench):
    verdict = await bench.judged(turn("plain words"), ignore=["$.at"])
    assert verdict.outcome is Outcome.FAILED
    assert "the output is text" in verdict.reason


async def test_texts_may_be_nearly_the_same_numbers_not(bench: Bench):
    bench.approve({"said": "Your refund is on its way.", "amount": 25})
    near = turn(data={"said": "Your refund is on the way.", "amount": 25})
    assert (await bench.judged(near, similar=0.9)).passed
    assert not (await bench.judged(near)).passed
    assert not (await bench.judged(turn(data={"said": "Your refund is on the way.", "amount": 26}), similar=0.9)).passed


async def test_turns_and_final_checks_have_names_of_their_own(bench: Bench):
    bench.case = structs.replace(bench.case, rules=ConversationRules(multi_turn=True))
    bench.approve("a", "turn 1: output")
    bench.approve("b", "final: output")
    assert (await bench.judged(turn("a"), scope="turn")).passed
    assert (await bench.judged(turn("b"), scope="final")).passed


async def test_a_case_without_a_file_is_told_so(bench: Bench):
    bench.case = Case(id="T1", origin=Origin("<cases>", 1))
    verdict = await bench.judged(turn("a"))
    assert verdict.outcome is Outcome.BROKEN
    assert "comes from no file" in verdict.reason


async def test_without_a_book_nothing_is_compared():
    [verdict] = await judge([AssertionSpec(type="snapshot")], evidence(turn("a")), helpers())
    assert verdict.outcome is Outcome.BROKEN


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"of": "words"}, "of"),
        ({"ignore": ["$["]}, "JSON path"),
        ({"path": "$["}, "JSON path"),
        ({"similar": 0}, "similar"),
        ({"results": True}, "results"),
    ],
)
def test_fields_that_cannot_work_are_refused(fields: dict[str, Any], said: str):
    with pytest.raises(UsageError, match=said):
        build_check(AssertionSpec(type="snapshot", fields=fields))


async def test_a_snapshot_that_ignores_everything_compares_nothing(bench: Bench):
    verdict = await bench.judged(turn("", call("refund", {"amount": 3})), of="tools", ignore=["$..*"])
    assert verdict.reason == "nothing to compare: `ignore` takes out everything"
    assert not verdict.passed


async def test_what_is_too_large_to_be_approved_breaks_the_check_and_names_the_limit(bench: Bench):
    verdict = await bench.judged(turn("a" * (LARGEST + 1)))
    assert verdict.outcome is Outcome.BROKEN
    assert "a snapshot may have 2,000,000, the limit" in verdict.reason
    assert (await bench.judged(turn("a" * LARGEST))).outcome is Outcome.SKIPPED
