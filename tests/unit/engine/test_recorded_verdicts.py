"""Judges are asked again only when they would be asked something else; what is gone is never green."""

from typing import Any

import pytest
from msgspec import structs
from tests.fakes.evidence import FakeJudge, helpers
from tests.fakes.examining import case_of
from tests.fakes.recording import again, held, read_back

from vivavoce.engine.recorded_verdicts import Recorded
from vivavoce.model.case import Case
from vivavoce.model.result import Attempt, CheckpointOutcome, CheckpointTry, Status
from vivavoce.model.verdict import Outcome, Verdict
from vivavoce.protocols import Helpers

YES = '{"passed": true, "reason": "polite"}'
NO = '{"passed": false, "reason": "rude"}'


def polite(criteria: str = "is polite", **more: Any) -> Case:
    return case_of(input="hello", **{"assert": [{"type": "agent", "value": criteria, **more}]})


def knowing(judge: FakeJudge, *, version: str = "1") -> Helpers:
    return structs.replace(helpers(judge), fingerprint=lambda name: f"{name} {version}")


async def recorded_with(case: Case, judge: FakeJudge) -> Attempt:
    """The attempt as it is kept, judged by this judge."""
    return await again(case, await held(structs.replace(case, assertions=())), knowing(judge))


async def rejudged(case: Case, recorded: Attempt, judge: FakeJudge, *, ask: bool = True, version: str = "1") -> Attempt:
    kept = read_back(case, recorded)
    return await again(case, kept, structs.replace(knowing(judge, version=version), recorded=Recorded(kept, ask)))


async def test_the_same_request_is_not_made_again():
    recorded = await recorded_with(polite(), FakeJudge(YES))
    judge = FakeJudge(NO)
    judged = await rejudged(polite(), recorded, judge)
    assert (judged.status, judge.asked) == (Status.PASSED, [])
    assert judged.verdicts[0].reason == "polite"


async def test_other_criteria_another_judge_or_its_other_prompt_are_asked():
    recorded = await recorded_with(polite(), FakeJudge(YES))
    for case, version in (
        (polite("is brief"), "1"),
        (polite(use="mine"), "1"),
        (polite(), "2"),
        (polite(votes=3), "1"),
    ):
        judge = FakeJudge(NO)
        assert (await rejudged(case, recorded, judge, version=version)).status is Status.FAILED
        assert judge.asked


async def test_a_negated_verdict_is_not_turned_round_twice():
    case = polite(negate=True)
    recorded = await recorded_with(case, FakeJudge(YES))
    judge = FakeJudge(YES)
    judged = await rejudged(case, recorded, judge)
    assert (recorded.status, judged.status, judge.asked) == (Status.FAILED, Status.FAILED, [])


async def test_a_judge_that_broke_is_asked_again():
    recorded = await recorded_with(polite(), FakeJudge("no json"))
    judge = FakeJudge(YES)
    assert recorded.status is Status.ERROR
    assert (await rejudged(polite(), recorded, judge)).status is Status.PASSED


async def test_without_judges_what_would_be_asked_is_broken_never_green():
    recorded = await recorded_with(polite(), FakeJudge(YES))
    judge = FakeJudge(YES)
    judged = await rejudged(polite("is brief"), recorded, judge, ask=False)
    assert (judged.status, judged.verdicts[0].outcome, judge.asked) == (Status.ERROR, Outcome.BROKEN, [])
    assert "not judged again" in str(judged.error)
    assert (await rejudged(polite(), recorded, judge, ask=False)).status is Status.PASSED


async def test_a_check_on_files_counts_while_it_reads_the_same_and_is_broken_otherwise(tmp_path):
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "a.txt").write_text("hello")

    def case(check: dict[str, Any]) -> Case:
        return case_of(input="hello", workspace="shop", **{"assert": [check]})

    seen, other = {"type": "file", "path": "a.txt", "contains": "hello"}, {"type": "file", "path": "a.txt"}
    live = await held(case(seen), root=tmp_path)
    assert live.status is Status.PASSED, live.error
    assert (await rejudged(case(seen), live, FakeJudge(YES))).status is Status.PASSED
    judged = await rejudged(case(other), live, FakeJudge(YES))
    assert (judged.status, judged.verdicts[0].outcome) == (Status.ERROR, Outcome.BROKEN)


async def test_a_judge_is_asked_although_its_verdict_would_count_where_that_is_wanted():
    recorded = await recorded_with(polite(), FakeJudge(YES))
    kept, judge = read_back(polite(), recorded), FakeJudge(NO)
    asked_again = structs.replace(knowing(judge), recorded=Recorded(kept, reuse=False))
    assert (await again(polite(), kept, asked_again)).status is Status.FAILED
    assert judge.asked


def three_turns(check: dict[str, Any], **more: Any) -> Case:
    """A checkpoint that is tried after each of three turns, until it is reached."""
    return case_of(turns=[{"input": line} for line in "abc"], checkpoints=[{"id": "done", "assert": check}], **more)


@pytest.mark.parametrize(
    "answers",
    [(NO, NO, YES), (NO, YES), (YES,), (NO, NO, NO)],
    ids=["at the third", "at the second", "at once", "never"],
)
async def test_every_try_of_a_judge_at_a_checkpoint_is_reused(answers: tuple[str, ...]):
    case = three_turns({"type": "agent", "value": "says goodbye"})
    live = await held(structs.replace(case, checkpoints=()), "one", "two", "three")
    recorded = await again(case, live, knowing(FakeJudge(*answers)))
    judge = FakeJudge(NO if YES in answers else YES)
    judged = await rejudged(case, recorded, judge, ask=False)
    assert (judged, judge.asked) == (read_back(case, recorded), [])


async def test_tries_that_an_older_file_does_not_have_are_asked_for():
    case = three_turns({"type": "agent", "value": "says goodbye"})
    live = await held(structs.replace(case, checkpoints=()), "one", "two", "three")
    recorded = await again(case, live, knowing(FakeJudge(NO, NO, YES)))
    older = structs.replace(recorded, checkpoints=(structs.replace(recorded.checkpoints[0], tries=()),))
    judge = FakeJudge(NO, NO)
    assert (await rejudged(case, older, judge)).checkpoints[0].reached_at_turn == 3
    assert len(judge.asked) == 2


async def test_what_was_left_behind_counts_for_the_turn_it_was_found_after(tmp_path):
    (tmp_path / "shop").mkdir()
    case = three_turns({"type": "file", "path": "a.txt"}, workspace="shop")
    live = await held(structs.replace(case, checkpoints=()), "one", "two", "three", root=tmp_path)
    found, missed = Verdict(outcome=Outcome.PASSED), Verdict(outcome=Outcome.FAILED, reason="there is no a.txt")
    reached = CheckpointOutcome(
        id="done",
        reached_at_turn=3,
        verdicts=(structs.replace(found, spec=case.checkpoints[0].assertions[0]),),
        tries=(CheckpointTry(1, (missed,)), CheckpointTry(2, (missed,))),
    )
    recorded = structs.replace(live, checkpoints=(reached,))
    judged = await rejudged(case, recorded, FakeJudge(YES))
    assert (judged.status, judged.checkpoints[0].reached_at_turn) == (Status.PASSED, 3)
    older = structs.replace(live, checkpoints=(structs.replace(reached, tries=()),))
    judged = await rejudged(case, older, FakeJudge(YES))
    assert (judged.status, judged.fault) == (Status.ERROR, "test")
    assert "what was found after this turn is not recorded" in str(judged.error)


async def test_two_checkpoints_with_the_same_check_keep_each_their_own_verdict():
    asks = {"type": "agent", "value": "says goodbye"}
    case = case_of(turns=[{"input": "a"}], checkpoints=[{"id": "one", "assert": asks}, {"id": "two", "assert": asks}])
    live = await held(structs.replace(case, checkpoints=()), "bye")
    for answers in ((YES, NO), (NO, YES)):
        recorded = await again(case, live, knowing(FakeJudge(*answers)))
        judge = FakeJudge(YES)
        judged = await rejudged(case, recorded, judge, ask=False)
        assert (judged.status, judged, judge.asked) == (Status.FAILED, read_back(case, recorded), [])


@pytest.mark.parametrize("place", ["assert", "final_assertions"])
async def test_a_check_that_is_written_twice_keeps_both_verdicts(place: str):
    asks = {"type": "agent", "value": "is polite"}
    case = case_of(input="hello", **{place: [asks, asks]})
    live = await held(structs.replace(case, assertions=(), final_assertions=()))
    for answers, outcomes in (((YES, NO), ["passed", "failed"]), ((NO, YES), ["failed", "passed"])):
        recorded = await again(case, live, knowing(FakeJudge(*answers)))
        judged = await rejudged(case, recorded, FakeJudge(YES), ask=False)
        assert [one.outcome.value for one in (*judged.verdicts, *judged.final_verdicts)] == outcomes
        assert judged.status is Status.FAILED


async def test_of_two_equal_judges_only_the_one_that_broke_is_asked_again():
    asks = {"type": "agent", "value": "is polite"}
    case = case_of(input="hello", **{"assert": [asks, asks]})
    live = await held(structs.replace(case, assertions=()))
    recorded = await again(case, live, knowing(FakeJudge("no json", "no json", YES)))
    assert [one.outcome for one in recorded.verdicts] == [Outcome.BROKEN, Outcome.PASSED]
    judge = FakeJudge(NO)
    assert (await rejudged(case, recorded, judge)).status is Status.FAILED
    assert len(judge.asked) == 1
