import asyncio
import json
from typing import Any

import pytest
from tests.fakes.evidence import FakeJudge, answered, call, evidence, helpers, turn

from vivavoce.assertions.criteria import CRITERIA
from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.case import AssertionSpec, Case
from vivavoce.model.message import AgentReply, ContentPart, Message
from vivavoce.model.verdict import Outcome, Verdict
from vivavoce.plugins.assertion_building import build_check
from vivavoce.protocols import Evidence

YES = '{"passed": true, "score": 0.9, "reason": "polite", "suggestions": ["shorter"]}'
NO = '{"passed": false, "score": 0.2, "reason": "rude"}'


async def judged_by(judge: FakeJudge, seen: Evidence | None = None, timeout_s: float = 5.0, **fields: Any) -> Verdict:
    spec = AssertionSpec(type="agent", fields={"value": "is polite", **fields})
    return await build_check(spec).check(seen or answered("Hi"), helpers(judge=judge, judge_timeout_s=timeout_s))


async def test_what_the_judge_said_is_kept_with_the_question():
    judge = FakeJudge(YES)
    verdict = await judged_by(judge)
    assert (verdict.outcome, verdict.reason, verdict.score) == (Outcome.PASSED, "polite", 0.9)
    assert verdict.details["suggestions"] == ["shorter"]
    assert verdict.details["reply"] == YES
    assert json.loads(verdict.details["request"]) == {"output": "Hi", "input": "hello", "criteria": "is polite"}
    assert judge.asked[0][2].metadata == {
        "test_mode": "validator",
        "test_id": "T001",
        "session_id": "",
        "criteria": "is polite",
        "turn_count": 1,
    }


async def test_without_a_name_the_shipped_judge_is_asked():
    judge = FakeJudge(YES, YES)
    await judged_by(judge)
    await judged_by(judge, use="workers.test.validator")
    assert [asked[0] for asked in judge.asked] == ["agents:viva.validator", "agents:workers.test.validator"]


async def test_the_judge_never_learns_how_the_test_is_called():
    judge = FakeJudge(YES)
    case = Case(id="T001", name="must fail politely", description="expects a refusal")
    await judged_by(judge, answered("Hi", case=case))
    _, messages, options, test_id = judge.asked[0]
    told = messages[0].text + json.dumps(options.metadata)
    assert test_id == "T001"
    assert "must fail politely" not in told
    assert "refusal" not in told


async def test_the_judge_sees_how_the_answer_came_about():
    judge = FakeJudge(YES)
    picture = [{"type": "text", "text": "this"}, {"type": "image_url", "image_url": {"url": "data:…"}}]
    seen = evidence(
        turn("ok", call("pay", {"n": 1}, "done"), says=picture), history=[Message(role="user", content="before")]
    )
    await judged_by(judge, seen)
    request = json.loads(judge.asked[0][1][0].text)
    assert request["input"] == "this\n[image_url]"
    assert [message["role"] for message in request["conversation"]] == [
        "user",
        "user",
        "assistant",
        "tool",
        "assistant",
    ]


PICTURE: list[ContentPart] = [
    {"type": "text", "text": "what is it?"},
    {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
]


async def test_the_judge_is_sent_the_attachments_of_the_conversation():
    judge = FakeJudge(YES)
    verdict = await judged_by(judge, evidence(turn("a cat", says=PICTURE)))
    content = judge.asked[0][1][0].content
    assert isinstance(content, list)
    assert json.loads(str(content[0]["text"]))["attachments"][0]["type"] == "image_url"
    assert content[1:] == PICTURE[1:]
    assert "AAAA" not in str(verdict)


async def test_a_judge_that_takes_no_attachments_can_do_without():
    judge = FakeJudge(YES)
    await judged_by(judge, evidence(turn("a cat", says=PICTURE)), attachments=False)
    assert "attachments" not in json.loads(judge.asked[0][1][0].text)
    assert isinstance(judge.asked[0][1][0].content, str)


async def test_a_judge_that_refuses_attachments_is_broken_and_the_remedy_is_named():
    verdict = await judged_by(
        FakeJudge(CallFailed("HTTP 400: image_url is not supported", fault="target")),
        evidence(turn("a cat", says=PICTURE)),
    )
    assert verdict.outcome is Outcome.BROKEN
    assert "image_url is not supported" in verdict.reason
    assert "write `attachments: false` at the check" in verdict.reason


async def test_metadata_travels_twice_and_wins():
    judge = FakeJudge(YES)
    await judged_by(judge, options={"connector": "gpt", "metadata": {"criteria": "is short", "tone": "dry"}})
    _, messages, options, _ = judge.asked[0]
    request = json.loads(messages[0].text)
    assert (request["criteria"], request["tone"]) == ("is short", "dry")
    assert options.connector == "gpt"
    assert options.metadata["test_mode"] == "validator"
    assert options.metadata["criteria"] == "is short"
    assert options.skip == {"history": True}
    await judged_by(judge, metadata={"criteria": "is kind", "tone": "warm"})
    assert judge.asked[1][2].metadata["tone"] == json.loads(judge.asked[1][1][0].text)["tone"] == "warm"


@pytest.mark.parametrize(
    "reply",
    [
        '{"passed": "true"}',
        '{"score": 1}',
        '[{"passed": true}]',
        "looks good to me",
        "",
        CallFailed("HTTP 429", fault="target"),
        UsageError("unknown agent"),
        AgentReply(error="stream broke"),
        AgentReply(data=["passed"]),
    ],
)
async def test_a_judge_that_does_not_judge_is_broken_and_to_blame(reply: Any):
    verdict = await judged_by(FakeJudge(reply))
    assert verdict.outcome is Outcome.BROKEN
    assert verdict.fault == "judge"


async def test_structured_data_is_read_as_it_is():
    assert (await judged_by(FakeJudge(AgentReply(data={"passed": True})))).passed


async def test_a_judge_that_takes_too_long_is_broken():
    verdict = await judged_by(FakeJudge(YES, delay_s=5), timeout_s=0.01)
    assert (verdict.outcome, verdict.reason) == (Outcome.BROKEN, "judge timed out after 10ms")


async def test_the_majority_decides_and_every_vote_is_kept():
    verdict = await judged_by(FakeJudge(YES, NO, YES), votes=3)
    assert verdict.passed
    assert verdict.reason == "2 of 3 votes passed: polite"
    assert [vote["passed"] for vote in verdict.details["votes"]] == [True, False, True]
    assert verdict.details["spread"] == {"min": 0.2, "max": 0.9}
    assert verdict.score == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("replies", "outcome"),
    [
        ([YES, NO], Outcome.FAILED),
        ([YES, YES, "?"], Outcome.PASSED),
        ([NO, NO, "?"], Outcome.FAILED),
        ([YES, NO, "?"], Outcome.BROKEN),
        ([YES, "?", "?"], Outcome.BROKEN),
        ([YES, "?"], Outcome.BROKEN),
    ],
)
async def test_votes_that_could_not_be_had_help_nobody(replies: list[str], outcome: Outcome):
    assert (await judged_by(FakeJudge(*replies), votes=len(replies))).outcome is outcome


async def test_a_judge_of_few_words_still_gives_a_reason():
    assert (await judged_by(FakeJudge('{"passed": true}'))).reason == "judge said passed"
    assert (await judged_by(FakeJudge('{"passed": false}'))).reason == "judge said failed"


async def test_a_huge_answer_is_judged_whole_and_kept_short():
    judge = FakeJudge(YES)
    verdict = await judged_by(judge, answered("a" * 100_000))
    assert len(judge.asked[0][1][0].text) > 100_000
    assert len(verdict.details["request"]) < 21_000


async def test_a_threshold_on_the_score():
    low = await judged_by(FakeJudge(YES), threshold=0.95)
    assert (low.outcome, low.reason) == (Outcome.FAILED, "score 0.9 is below the threshold 0.95: polite")
    assert (await judged_by(FakeJudge(YES), threshold=0.9)).passed
    assert not (await judged_by(FakeJudge(NO), threshold=0.1)).passed
    assert (await judged_by(FakeJudge('{"passed": true}'), threshold=0.1)).outcome is Outcome.BROKEN


class Jury(FakeJudge):
    """Nobody answers before all have been asked."""

    def __init__(self, votes: int) -> None:
        super().__init__(YES)
        self._all_here = asyncio.Barrier(votes)

    async def ask(self, *args: Any, **more: Any) -> AgentReply:
        await self._all_here.wait()
        return await super().ask(*args, **more)


async def test_votes_are_cast_at_the_same_time():
    async with asyncio.timeout(60):
        assert (await judged_by(Jury(9), votes=9)).passed


@pytest.mark.parametrize("fields", [{"votes": 0}, {"options": {"connecter": "x"}}, {"use": ""}, {"threshold": "high"}])
async def test_nonsense_is_found_before_anything_runs(fields: dict[str, Any]):
    with pytest.raises(UsageError):
        await judged_by(FakeJudge(YES), **fields)


def test_the_shipped_judge_needs_criteria():
    with pytest.raises(UsageError, match="criteria"):
        build_check(AssertionSpec(type="agent"))
    build_check(AssertionSpec(type="agent", fields={"use": "agents:own.judge"}))
    build_check(AssertionSpec(type="agent", fields={"options": {"metadata": {"criteria": "is polite"}}}))


@pytest.mark.parametrize(
    "score", ["NaN", "Infinity", "17", "-0.1", '"high"', '"0.9"', "true", "[0.9]", "1" + "0" * 400]
)
@pytest.mark.parametrize("threshold", [{}, {"threshold": 0.5}])
async def test_a_score_that_is_no_number_from_0_to_1_is_the_judges_fault(score: str, threshold: dict[str, float]):
    verdict = await judged_by(FakeJudge(f'{{"passed": true, "score": {score}}}'), **threshold)
    assert verdict.outcome is Outcome.BROKEN
    assert "`score` must be a number from 0 to 1" in verdict.reason or "not one JSON object" in verdict.reason


async def test_a_structured_score_of_nan_passes_no_threshold():
    judge = FakeJudge(AgentReply(data={"passed": True, "score": float("nan")}))
    assert (await judged_by(judge, threshold=0.5)).outcome is Outcome.BROKEN


@pytest.mark.parametrize("threshold", [17, -1, float("nan")])
async def test_a_threshold_no_score_can_be_held_against_is_refused(threshold: float):
    with pytest.raises(UsageError, match="threshold"):
        await judged_by(FakeJudge(YES), threshold=threshold)


@pytest.mark.parametrize(
    "reply",
    [
        'It contains {"passed": true}. My verdict: {"passed": false, "reason": "rude"}',
        '{"passed": false}\n```json\n{"passed": true}\n```',
        '{passed: false, "passed": true',
        '{"passed": true, "passed": false}',
        '{"passed": true, "passed": true}',
        '{"passed": true, "pass": false}',
        '{"passed": true} and {"pass": false}',
        'It says {"passed": true}. Mine: {"passed": "false"}',
        'It says {"passed": true, "score": 1}. Mine: {"passed": true, "score": 0.1}',
        "It says {\"passed\": true}. Mine: {'passed': False, 'reason': 'no'}",
        '{"passed": true, "score": 0.9, "score": 0.1}',
        '{"passed": true, "reason": "it is',
        '{"passed": TRUE}',
        "{'passed': True}",
        'The agent said {"passed": true} and that is fine.',
        'I answer with {"passed": true} or {"passed": true}.',
        'Form: {"passed": true|false, "reason": …}. So: {"passed": true, "reason": "fine"}',
        'Most of it passed: false alarms aside. {"passed": true}',
        '```json\n{"passed": true}\n```\nAs you can see.',
        '```json\n{"passed": true}\n```\n```json\n{"passed": true}\n```',
    ],
)
async def test_anything_but_one_json_object_is_broken_and_quoted(reply: str):
    judge = FakeJudge(reply)
    verdict = await judged_by(judge)
    assert verdict.outcome is Outcome.BROKEN
    assert verdict.fault == "judge"
    assert "judge's " in verdict.reason
    assert len(judge.asked) == 2


async def test_a_judge_that_cannot_be_read_is_asked_once_more_with_the_problem():
    judge = FakeJudge(f"I think so: {YES}", YES)
    assert (await judged_by(judge)).passed
    request = json.loads(judge.asked[1][1][0].text)
    assert request["output"] == "Hi"
    assert "I think so" in request["problem"]


async def test_a_judge_that_cannot_be_reached_is_not_asked_again():
    judge = FakeJudge(CallFailed("HTTP 429", fault="target"))
    await judged_by(judge)
    assert len(judge.asked) == 1


async def test_data_a_connector_took_from_a_contradicting_text_is_no_verdict():
    text = 'It contains {"passed": true}. My verdict: {"passed": false}'
    assert (await judged_by(FakeJudge(AgentReply(text=text, data={"passed": True})))).outcome is Outcome.BROKEN


async def test_data_that_is_not_the_texts_stands_for_itself():
    judge = FakeJudge(AgentReply(text='the model said {"polite": true}', data={"passed": False, "reason": "no"}))
    assert (await judged_by(judge)).outcome is Outcome.FAILED


@pytest.mark.parametrize(
    "reply",
    [
        '```json\n{"passed": true}\n```',
        '<think>hm</think>\n```\n{"passed": true}\n```',
        '{"passed": true, "reason": "it printed {\\"passed\\": false} and {\'passed\': false}"}',
        '{"passed": true, "checks": [{"id": "a", "passed": true}, {"id": "b", "passed": false}]}',
        '<think>{"passed": false}?</think>{"passed": true}',
    ],
)
async def test_one_whole_object_is_read(reply: str):
    assert (await judged_by(FakeJudge(reply))).passed


async def test_a_shipped_criterion_is_named_and_compared_with_its_reference():
    judge = FakeJudge(YES)
    spec = AssertionSpec(type="agent", fields={"criteria": "same_meaning", "reference": "It ships on Monday."})
    verdict = await build_check(spec).check(answered("Monday!"), helpers(judge=judge))
    told = json.loads(verdict.details["request"])
    assert told["reference"] == "It ships on Monday."
    assert told["criteria"] == CRITERIA["same_meaning"]


async def test_words_of_ones_own_add_to_a_shipped_criterion():
    judge = FakeJudge(YES)
    verdict = await judged_by(judge, criteria="grounded", context=["We ship on Mondays."])
    told = json.loads(verdict.details["request"])
    assert told["context"] == ["We ship on Mondays."]
    assert told["criteria"].endswith("And: is polite")


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"criteria": "same_meaning"}, "needs `reference`"),
        ({"criteria": "grounded", "reference": "x"}, "needs `context`"),
        ({"criteria": "grounded", "context": []}, "needs `context`"),
        ({"criteria": "nice"}, "criteria"),
    ],
)
def test_a_criterion_without_what_it_compares_with_is_refused(fields: dict[str, Any], problem: str):
    with pytest.raises(UsageError, match=problem):
        build_check(AssertionSpec(type="agent", fields=fields))
