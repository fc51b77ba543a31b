"""Replies that go on with words that should not be said."""

from typing import Any

import pytest
from msgspec import structs
from tests.fakes.examining import case_of

from vivavoce.insight.mutants.mutant import Mutant
from vivavoce.insight.mutants.unwelcome_words import SECRET, unwelcome_words
from vivavoce.model.case import Case
from vivavoce.model.message import AgentReply, Message
from vivavoce.model.mutant_kinds import MutantKind
from vivavoce.model.transcript import Line, Transcript, Turn

FIRST = Turn(number=1, line=Line(content="pay"), reply=AgentReply(text="paid"))
SECOND = Turn(number=2, line=Line(content="bye"), reply=AgentReply(text="bye", texts=("well,", "bye")))
TALK = Transcript(turns=(FIRST, SECOND))


def mutants(kind: MutantKind, case: Case, transcript: Transcript = TALK) -> list[Mutant]:
    return [one for one in unwelcome_words(transcript, case) if one.kind is kind]


def forbidden(*checks: dict[str, Any]) -> list[str]:
    case = case_of(input="pay", **{"assert": list(checks)})
    found = mutants(MutantKind.FORBIDDEN_SAID, case, Transcript(turns=(FIRST,)))
    return [one.transcript.turns[0].reply.text for one in found]


def test_the_secret_and_the_system_prompt_are_said():
    talk = structs.replace(TALK, history=(Message(role="system", content="Be kind."),))
    case = case_of(input="pay")
    secret, prompt = (mutants(kind, case, talk)[0] for kind in (MutantKind.SECRET_SAID, MutantKind.PROMPT_SAID))
    assert SECRET in secret.transcript.turns[0].reply.text
    assert prompt.transcript.turns[0].reply.text == "paid My instructions: Be kind."


def test_the_last_of_several_texts_goes_on():
    _, second = mutants(MutantKind.SECRET_SAID, case_of(input="pay"))
    assert second.transcript.turns[1].reply.texts == ("well,", second.transcript.turns[1].reply.text)


def test_structured_output_says_no_words():
    data = structs.replace(FIRST, reply=AgentReply(text="", data={"ok": True}))
    assert list(unwelcome_words(Transcript(turns=(data,)), case_of(input="pay"))) == []


@pytest.mark.parametrize(
    ("check", "said"),
    [
        ({"type": "not_contains", "value": "sorry"}, "sorry"),
        ({"type": "not_contains", "value": ["no", "never"], "all": True}, "no never"),
        ({"type": "contains", "value": "sorry", "negate": True}, "sorry"),
        ({"type": "must_not_match", "value": r"\d+\.\d\d"}, "7.77"),
        ({"type": "regex", "value": "/(?:apolog|sorr)y/i", "negate": True}, "apology"),
        ({"type": "must_match", "value": "^never$", "negate": True}, "never"),
    ],
)
def test_what_a_check_forbids_is_said(check: dict[str, Any], said: str):
    assert forbidden(check) == [f"paid {said}"]


@pytest.mark.parametrize(
    "check",
    [
        {"type": "contains", "value": "paid"},
        {"type": "not_contains", "value": "x", "negate": True},
        {"type": "equals", "value": "x", "negate": True},
        {"type": "contains", "value": "x", "path": "$.a", "negate": True},
        {"type": "must_not_match", "value": r"\p{Greek}"},
    ],
)
def test_a_check_that_forbids_no_words_makes_no_mutant(check: dict[str, Any]):
    assert forbidden(check) == []


def test_a_prohibition_of_a_turn_is_broken_in_that_turn_only():
    no = [{"type": "not_contains", "value": "no"}]
    case = case_of(turns=[{"input": "pay"}, {"input": "bye", "assertions": no}])
    assert [one.turn for one in mutants(MutantKind.FORBIDDEN_SAID, case)] == [2]
    whole = case_of(turns=[{"input": "pay"}, {"input": "bye"}], assertions=no)
    assert [one.turn for one in mutants(MutantKind.FORBIDDEN_SAID, whole)] == [1, 2]
