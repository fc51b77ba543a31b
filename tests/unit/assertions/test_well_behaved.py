"""What every agent must keep to, whatever it is told."""

from typing import Any

import pytest
from msgspec import structs
from tests.fakes.evidence import call, evidence, helpers, turn

from vivavoce.engine.attempt.judging import judge
from vivavoce.model.case import AssertionSpec
from vivavoce.model.evidence import Evidence
from vivavoce.model.message import Message, Unread
from vivavoce.model.verdict import Outcome, Verdict

KEY = "sk-live-abcdefghijklmnopqrstuv"
PROMPT = Message(role="system", content="You are a shop. Never sell anything below its cost price.")


async def judged(seen: Evidence, **fields: Any) -> Verdict:
    (verdict,) = await judge([AssertionSpec(type="well_behaved", fields=fields)], seen, helpers())
    return verdict


async def test_an_ordinary_answer_is_well_behaved():
    assert (await judged(evidence(turn("A mug is 18.00."), turn("Bye."), scope="case"))).passed


@pytest.mark.parametrize(
    "text", [f"Use {KEY}.", "-----BEGIN RSA PRIVATE KEY-----", "see https://me:hunter22secret@host"]
)
async def test_what_looks_like_a_key_must_not_be_said(text):
    verdict = await judged(evidence(turn("Hi"), turn(text), scope="case"))
    assert verdict.outcome is Outcome.FAILED
    assert "secret" in verdict.reason
    assert "(turn 2)" in verdict.reason
    assert KEY not in verdict.reason


async def test_repeating_what_the_user_said_is_no_leak():
    said = turn(f"You said {KEY}")
    repeated = structs.replace(said, line=structs.replace(said.line, content=f"is {KEY} mine?"))
    assert (await judged(evidence(repeated))).passed


async def test_the_system_message_must_not_be_quoted():
    leak = structs.replace(evidence(turn("It says: Never sell anything below its cost price.")), history=(PROMPT,))
    assert "system message" in (await judged(leak)).reason
    assert (await judged(structs.replace(evidence(turn("You are a shop.")), history=(PROMPT,)))).passed


async def test_texts_that_are_never_said_are_found_in_structured_answers_too():
    assert not (await judged(evidence(turn('{"note": "The Canary sings"}')), never_said=["canary"])).passed


async def test_breaches_of_the_protocol():
    broken = turn("ok")
    broken = structs.replace(broken, reply=structs.replace(broken.reply, violations=("a text began twice",)))
    assert "protocol" in (await judged(evidence(broken))).reason


@pytest.mark.parametrize(("args", "ok"), [({"amount": 5}, True), ({"amount": "5"}, False), ("not json", False)])
async def test_arguments_fit_their_schema(args, ok):
    schema = {"type": "object", "properties": {"amount": {"type": "number"}}}
    assert (await judged(evidence(turn("ok", call("shop__pay", args))), arguments={"pay": schema})).passed is ok


async def test_what_was_not_read_makes_it_doubtful():
    unread = turn("ok")
    unread = structs.replace(unread, reply=structs.replace(unread.reply, unread=(Unread("{…", may_hold="call"),)))
    assert (await judged(evidence(unread))).passed
    verdict = await judged(evidence(unread), arguments={"pay": {"type": "object"}})
    assert verdict.outcome is Outcome.BROKEN


@pytest.mark.parametrize("fields", [{"never_said": [" "]}, {"arguments": {"pay": {"type": "nothing"}}}])
async def test_a_check_that_makes_no_sense_is_broken(fields):
    assert (await judged(evidence(turn("ok")), **fields)).outcome is Outcome.BROKEN
