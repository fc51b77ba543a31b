"""Mutants that a check notices, and the checks that notice the others."""

from typing import Any

import pytest
from tests.fakes.evidence import helpers
from tests.fakes.examining import case_of
from tests.fakes.recording import held, read_back

from vivavoce.insight.mutants.survival import Fate, fates
from vivavoce.model.message import AgentReply, ToolCall

REPLY = AgentReply(
    text="Refunded 40 EUR for order A-17.",
    calls=(
        ToolCall(id="a", name="find_order", args={"id": "A-17"}, result={"ok": True}),
        ToolCall(id="b", name="refund", args={"amount": 40}, result={"ok": True}),
    ),
)


async def judged(*checks: dict[str, Any]) -> list[Fate]:
    case = case_of(input="refund it", **{"assert": list(checks)})
    return await fates(case, read_back(case, await held(case, REPLY)), helpers())


KINDS = {
    "call-dropped", "call-doubled", "call-renamed", "call-moved", "argument-changed", "argument-missing",
    "argument-type", "result-error", "reply-emptied", "reply-replaced", "reply-cut", "reply-number",
}  # fmt: skip


async def test_a_case_without_checks_notices_nothing():
    found = await judged()
    assert {fate.mutant.kind for fate in found} == KINDS
    assert not any(fate.noticed for fate in found)


@pytest.mark.parametrize("kind", sorted(KINDS))
async def test_the_suggested_check_holds_for_the_recording_and_notices_its_mutants(kind: str):
    for survivor in [fate.mutant for fate in await judged() if fate.mutant.kind == kind]:
        assert survivor.suggestion is not None
        after = await judged(survivor.suggestion)
        assert not all(fate.noticed for fate in after), "the check fails for the recording itself"
        same = [fate for fate in after if (fate.mutant.kind, fate.mutant.change) == (kind, survivor.change)]
        assert [fate.noticed for fate in same] == [True]


async def test_a_weaker_check_notices_less():
    strong = await judged({"type": "require", "name": "refund", "count": {"exact": 1}})
    weak = await judged({"type": "require", "name": "refund"})
    assert sum(fate.noticed for fate in strong) > sum(fate.noticed for fate in weak) > 0
