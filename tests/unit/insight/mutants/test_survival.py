"""Mutants that a check notices, and the checks that notice the others."""

from typing import Any

import pytest
from tests.fakes.evidence import helpers
from tests.fakes.examining import case_of
from tests.fakes.recording import held, read_back

from vivavoce.insight.mutants.mutant import RunPool
from vivavoce.insight.mutants.suggesting import with_check
from vivavoce.insight.mutants.survival import Fate, Trial
from vivavoce.model.case import Case
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.mutant_kinds import LIMITED, MutantKind

REPLY = AgentReply(
    text="Refunded 40 EUR for order A-17.",
    calls=(
        ToolCall(id="a", name="find_order", args={"id": "A-17"}, result={"ok": True}),
        ToolCall(id="b", name="refund", args={"amount": 40}, result={"ok": True}),
    ),
)
STRUCTURED = AgentReply(data={"order": {"total": 40}, "items": ["mug"], "paid": True})
POOL = RunPool((("other.jsonl::T9", "Your parcel is on its way."),), ("charge_card", "refund"))


async def fates_of(case: Case, *replies: AgentReply, seed: int = 0) -> list[Fate]:
    trial = Trial(case, read_back(case, await held(case, *replies)), helpers())
    assert await trial.passes(trial.case, trial.recorded.transcript)
    return await trial.fates(POOL, seed)


async def judged(*checks: dict[str, Any], reply: AgentReply = REPLY) -> list[Fate]:
    return await fates_of(case_of(input="refund it", **{"assert": list(checks)}), reply)


def survivors(fates: list[Fate]) -> set[str]:
    return {f"{fate.mutant.kind}: {fate.mutant.change}" for fate in fates if not fate.noticed}


async def test_a_case_without_checks_notices_nothing():
    found = await judged()
    assert {fate.mutant.kind for fate in found} == set(MutantKind) - {MutantKind.FORBIDDEN_SAID}
    assert not any(fate.noticed for fate in found)
    assert {fate.mutant.kind for fate in found if not fate.counts} == LIMITED - {MutantKind.FORBIDDEN_SAID}


@pytest.mark.parametrize("kind", [kind for kind in MutantKind if kind is not MutantKind.FORBIDDEN_SAID])
@pytest.mark.parametrize("several", [False, True], ids=["one turn", "several turns"])
async def test_the_suggested_check_notices_its_mutants(kind: MutantKind, several: bool):
    case = case_of(turns=[{"input": "refund it"}, {"input": "thanks"}]) if several else case_of(input="refund it")
    replies = (REPLY, AgentReply(text="You are welcome.")) if several else (REPLY,)
    found = [fate for fate in await fates_of(case, *replies) if fate.mutant.kind is kind]
    assert found
    for fate in found:
        assert fate.suggestion is not None, fate.mutant.change
        after = await fates_of(with_check(case, fate.mutant.turn, fate.suggestion), *replies)
        assert f"{kind}: {fate.mutant.change}" not in survivors(
            [one for one in after if one.mutant.turn == fate.mutant.turn]
        )


async def test_structured_replies_are_changed_too():
    found = await judged(reply=STRUCTURED)
    of_reply = [fate for fate in found if fate.mutant.element == "reply"]
    assert {fate.mutant.kind.value for fate in of_reply} == {
        "reply-emptied", "reply-replaced", "reply-cut", "reply-number", "reply-swapped",
    }  # fmt: skip
    assert all(fate.suggestion for fate in of_reply)
    checked = await judged({"type": "json_path", "path": "$.order.total", "value": 40}, reply=STRUCTURED)
    assert survivors([fate for fate in checked if fate.mutant.element == "reply"]) == {
        "reply-cut: items is missing from the output",
        "reply-cut: paid is missing from the output",
    }


async def test_a_weaker_check_notices_less():
    strong = await judged({"type": "require", "name": "refund", "count": {"exact": 1}})
    weak = await judged({"type": "require", "name": "refund"})
    assert len(survivors(strong)) < len(survivors(weak))


@pytest.mark.parametrize(
    ("check", "noticed"),
    [
        ({"type": "latency", "max": "30s"}, "turn-slower"),
        ({"type": "max_gap_ms", "value": 30_000}, "turn-slower"),
        ({"type": "only", "names": ["find_order", "refund"]}, "call-added"),
        ({"type": "forbid", "name": "charge_card"}, "call-added"),
        ({"type": "must_not_match", "value": r"sk-\w+"}, "secret-said"),
        ({"type": "must_not_match", "value": r"\bno\b"}, "forbidden-said"),
    ],
)
async def test_a_limit_makes_its_mutants_count(check: dict[str, Any], noticed: str):
    reply = AgentReply(
        text="Done.",
        calls=tuple(
            ToolCall(id=name, name=name, result=1, started_ms=1.0, completed_ms=2.0)
            for name in ("find_order", "refund")
        ),
    )
    found = await judged(check, reply=reply)
    assert noticed in {fate.mutant.kind.value for fate in found if fate.noticed}


async def test_a_limit_too_loose_to_notice_a_slow_turn_counts_against_the_case():
    found = await judged({"type": "latency", "max": "2m"})
    slow = [fate for fate in found if fate.mutant.kind is MutantKind.TURN_SLOWER]
    assert [(fate.noticed, fate.counts) for fate in slow] == [(False, True)]


async def test_what_is_forbidden_in_the_last_reply_may_be_said_before_and_a_check_there_notices_it():
    case = case_of(turns=[{"input": "a"}, {"input": "b"}], assertions=[{"type": "not_contains", "value": "sorry"}])
    found = await fates_of(case, AgentReply(text="one"), AgentReply(text="two"))
    said = {fate.mutant.turn: fate for fate in found if fate.mutant.kind is MutantKind.FORBIDDEN_SAID}
    assert {turn: (fate.noticed, fate.counts) for turn, fate in said.items()} == {1: (False, False), 2: (True, True)}
    assert said[1].suggestion == {"type": "not_contains", "value": "sorry"}


async def test_a_late_result_is_no_way_around_a_check():
    asked = ToolCall(id="p", name="pay", args={"amount": 5})
    done = ToolCall(id="p", name="pay", args={"amount": 5}, result="paid")
    case = case_of(
        turns=[{"input": "pay"}, {"input": "yes"}],
        assertions=[
            {"type": "require", "name": "pay", "args_match": {"amount": "^5$"}, "result_match": "^paid$",
             "count": {"exact": 1}},
            {"type": "must_match", "value": "^Paid 5.$"},
        ],
    )  # fmt: skip
    replies = (AgentReply(calls=(asked,)), AgentReply(text="Paid 5.", late_results=(done,)))
    assert survivors([fate for fate in await fates_of(case, *replies) if fate.counts]) == set()


async def test_a_check_of_a_late_result_belongs_to_the_turn_in_which_it_came():
    asked = ToolCall(id="p", name="pay", args={"amount": 5})
    done = ToolCall(id="p", name="pay", args={"amount": 5}, result="paid")
    case = case_of(turns=[{"input": "pay"}, {"input": "yes"}])
    replies = (AgentReply(calls=(asked,)), AgentReply(text="Paid 5.", late_results=(done,)))
    (fails,) = [one for one in await fates_of(case, *replies) if one.mutant.kind is MutantKind.RESULT_ERROR]
    assert (fails.noticed, fails.mutant.turn) == (False, 2)
    assert fails.suggestion == {"type": "tool_result", "tool": "pay"}


async def test_expected_stays_a_check_beside_a_suggestion():
    case = case_of(input="refund it", expected=REPLY.text)
    dropped = next(one for one in await fates_of(case, REPLY) if one.mutant.kind is MutantKind.CALL_DROPPED)
    assert dropped.suggestion is not None
    stronger = with_check(case, 1, dropped.suggestion)
    assert (stronger.expected, len(stronger.final_assertions)) == (REPLY.text, 1)


async def test_the_same_seed_makes_the_same_mutants():
    first, second = await judged(), await judged()
    assert [fate.mutant.change for fate in first] == [fate.mutant.change for fate in second]
