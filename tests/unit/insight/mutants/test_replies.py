"""Replies emptied, replaced, cut, swapped, and with another number."""

import re

from msgspec import UNSET

from vivavoce.insight.mutants.mutant import Mutant, RunPool
from vivavoce.insight.mutants.replies import ANOTHER_REPLY, reply_mutants
from vivavoce.model.message import AgentReply
from vivavoce.model.mutant_kinds import MutantKind
from vivavoce.model.transcript import Line, Transcript, Turn

SAID = "We pay 80 EUR on Monday. (Really?)"
NO_POOL = RunPool()


def mutants(reply: AgentReply, pool: RunPool = NO_POOL, key: str = "a::T1", seed: int = 0) -> dict[MutantKind, Mutant]:
    turn = Turn(number=1, line=Line(content="hi"), reply=reply)
    return {one.kind: one for one in reply_mutants(Transcript(turns=(turn,)), pool, key, seed)}


def said(mutant: Mutant) -> str:
    return mutant.transcript.turns[0].reply.text


def test_the_mutants_of_a_text():
    found = mutants(AgentReply(text=SAID, texts=(SAID,)))
    assert {kind: said(one) for kind, one in found.items()} == {
        MutantKind.REPLY_EMPTIED: "",
        MutantKind.REPLY_REPLACED: ANOTHER_REPLY,
        MutantKind.REPLY_CUT: "We pay 80 EUR on",
        MutantKind.REPLY_NUMBER: "We pay 81 EUR on Monday. (Really?)",
    }
    assert all(one.transcript.turns[0].reply.texts == () for one in found.values())


def test_suggested_checks_hold_for_what_was_said_and_not_for_the_mutant():
    for one in mutants(AgentReply(text=SAID)).values():
        for check in one.suggestions:
            if check["type"] == "contains":
                assert check["value"] in SAID
                assert check["value"] not in said(one)
            else:
                assert re.search(check["value"], SAID)
                assert not re.search(check["value"], said(one))


def test_another_reply_comes_from_another_case_and_the_seed_decides_which():
    pool = RunPool(replies=(("a::T1", "mine too"), ("a::T2", SAID), ("a::T3", "one"), ("a::T4", "two")))
    swapped = [said(mutants(AgentReply(text=SAID), pool, seed=seed)[MutantKind.REPLY_SWAPPED]) for seed in range(20)]
    assert set(swapped) == {"one", "two"}
    again = said(mutants(AgentReply(text=SAID), pool, seed=3)[MutantKind.REPLY_SWAPPED])
    assert again == swapped[3]


def test_nothing_to_swap_with():
    assert MutantKind.REPLY_SWAPPED not in mutants(AgentReply(text=SAID), RunPool(replies=(("a::T1", "mine"),)))


def test_silence_has_no_mutants():
    assert mutants(AgentReply(text="")) == {}


def test_structured_output_is_changed_as_data():
    found = mutants(AgentReply(text="see the data", data={"total": 80}))
    number = found[MutantKind.REPLY_NUMBER].transcript.turns[0].reply
    assert (number.text, number.data) == ("", {"total": 81})
    assert all(one.transcript.turns[0].reply.data is not UNSET for one in found.values())
