"""Results with something in every corner of the report."""

import random
from collections.abc import Iterator
from typing import Any

from msgspec import structs
from tests.fakes.results import BEGAN_MS, conversation, every_kind, failed, passed, plain, spec, turn, wrong_argument

from vivavoce.model.case import Case, ConversationRules, Origin, ScriptedTurn, SimulatorSpec
from vivavoce.model.message import AgentReply, ToolCall, Usage
from vivavoce.model.result import Attempt, CaseResult, Status
from vivavoce.model.transcript import Awaiting, Ending, EndReason, Line, Transcript, Turn

ORDER_BEFORE = {"id": 17, "items": [{"sku": "tea", "count": 2}], "status": "paid", "total": 12.5}
ORDER_AFTER = {"id": 17, "items": [{"sku": "tea", "count": 3}], "status": "open", "total": 12.5}


def refund() -> CaseResult:
    """Three turns, a simulated one among them; tools that work, fail and say nothing; text and JSON differences."""
    says = spec("equals", value="Your refund of 12.50 is on its way.")
    order = spec("json_path", path="$.order", value=ORDER_BEFORE)
    letter = spec("equals", value="Dear Ada,\nyour tea\nis on its way.\nYours")
    calls = (
        ToolCall(id="c1", name="find_order", args={"customer": "ada"}, result=ORDER_AFTER, started_ms=BEGAN_MS + 100,
                 completed_ms=BEGAN_MS + 700),
        ToolCall(id="c2", name="shop__refund", args={"order": 17, "amount": 12.5}, error="card expired",
                 started_ms=BEGAN_MS + 800, completed_ms=BEGAN_MS + 1900),
        ToolCall(id="c3", name="notify", args={"how": "mail"}, started_ms=BEGAN_MS + 1900, frontend=True),
    )  # fmt: skip
    turns = (
        Turn(
            number=1,
            line=Line(content="I want my money back for order 17."),
            reply=AgentReply(text="Let me see. Which card was it?", texts=("One moment.", "Which card was it?"),
                             calls=calls, usage=Usage(812, 64, 0.0031)),
            awaiting=Awaiting(True, "question"),
            started_ms=BEGAN_MS,
            ended_ms=BEGAN_MS + 2000,
        ),
        turn(2, "The blue one.", "Your refund of 21.50 is on its way.", source="simulator", note="I own two cards.",
             verdicts=(
                 failed(says, "output is 'Your refund of 21.50 is on its way.'",
                        expected="Your refund of 12.50 is on its way.", actual="Your refund of 21.50 is on its way."),
             )),
    )  # fmt: skip
    case = Case(
        id="refund-17",
        name="Refunds an order",
        description="Ada wants her money back, and says so twice.",
        tags=("billing", "smoke"),
        metadata={"owner": "ada"},
        origin=Origin("tests/refunds.jsonl", 7),
        turns=(ScriptedTurn(content="I want my money back for order 17."),),
        assertions=(order, letter),
        simulator=SimulatorSpec(use="agents:viva.simulator"),
        rules=ConversationRules(multi_turn=True),
    )
    verdicts = (
        failed(order, "$.order.items[0].count is 3", expected=ORDER_BEFORE, actual=ORDER_AFTER),
        failed(letter, "the third line differs", expected="Dear Ada,\nyour tea\nis on its way.\nYours",
               actual="Dear Ada,\nyour tea\nis lost.\nYours"),
    )  # fmt: skip
    attempt = Attempt(
        status=Status.FAILED,
        fault="agent",
        error="output is 'Your refund of 21.50 is on its way.'",
        transcript=Transcript(turns=turns, ending=Ending(EndReason.GOAL_ACHIEVED)),
        verdicts=verdicts,
        started_ms=BEGAN_MS,
        duration_ms=5000.0,
        warnings=("the judge was asked twice",),
        logs="looking up ada\nfound 1 order",
    )
    return CaseResult(case=case, status=Status.FAILED, attempts=(attempt,), index=14)


def seldom_seen() -> CaseResult:
    """One of several users, a structured answer that is a text, a late result, a judge that cost something."""
    late = ToolCall(id="c0", name="print_label", args={}, result="printed at last")
    reply = AgentReply(text="", data="just a word", late_results=(late,), state={"step": 2}, input_hint="yes or no",
                       warnings=("slow stream",))  # fmt: skip
    only = Turn(
        number=1,
        line=Line(content="Where is it?", name="Grace"),
        reply=reply,
        awaiting=Awaiting(True, "declared"),
        started_ms=BEGAN_MS,
        ended_ms=BEGAN_MS + 40,
    )
    attempt = Attempt(
        status=Status.PASSED,
        transcript=Transcript(turns=(only,), ending=Ending(EndReason.COMPLETED)),
        started_ms=BEGAN_MS,
        duration_ms=40.0,
        overhead=Usage(100, 7),
    )
    case = Case(
        id="grace", origin=Origin("tests/label.jsonl", 3), turns=(ScriptedTurn(content="Where is it?", name="Grace"),)
    )
    return CaseResult(case=case, status=Status.PASSED, attempts=(attempt,), index=15)


def saying(answer: Any, *, case_id: str = "said", name: str | None = None) -> CaseResult:
    """A case whose agent gave this answer, and whose check complains about it."""
    check = spec("contains", value="<b>")
    reply = AgentReply(text=answer) if isinstance(answer, str) else AgentReply(data=answer)
    answered = Turn(
        number=1, line=Line(content=f"say {case_id}"), reply=reply, started_ms=BEGAN_MS, ended_ms=BEGAN_MS + 5
    )
    attempt = Attempt(
        status=Status.FAILED,
        fault="agent",
        error=str(answer)[:500],
        transcript=Transcript(turns=(answered,), ending=Ending(EndReason.COMPLETED)),
        verdicts=(failed(check, str(answer)[:500], expected="<b>", actual=answer), passed(check)),
        started_ms=BEGAN_MS,
        duration_ms=5.0,
        logs=str(answer)[:500],
    )
    case = Case(
        id=case_id, name=name, origin=Origin("tests/said.jsonl", 1), turns=(ScriptedTurn(content=f"say {case_id}"),)
    )
    return CaseResult(case=case, status=Status.FAILED, attempts=(attempt,), index=1)


def everything() -> list[CaseResult]:
    return [*every_kind(), refund()]


WORDS = ("order", "refund", "card", "invoice", "expense", "travel", "approve", "shipping", "receipt", "thanks")


def many(total: int) -> Iterator[CaseResult]:
    """Conversations enough to make a slow page slow: a needle is in one of them."""
    rng = random.Random(7)
    kinds = (plain(), conversation(), plain(), wrong_argument())
    for index in range(1, total + 1):
        base = kinds[index % 4]
        (attempt,) = base.attempts
        turns = tuple(
            structs.replace(t, reply=structs.replace(t.reply, text=" ".join(rng.choices(WORDS, k=60))))
            for t in attempt.transcript.turns
        )
        if index == total // 2:
            turns = (structs.replace(turns[0], reply=AgentReply(text="a needle in the hay")), *turns[1:])
        attempt = structs.replace(
            attempt,
            transcript=structs.replace(attempt.transcript, turns=turns),
            duration_ms=rng.lognormvariate(7, 1),
        )
        case = structs.replace(
            base.case, id=f"T{index:05}", name=" ".join(rng.choices(WORDS, k=4)), tags=(rng.choice(("smoke", "slow")),)
        )
        yield structs.replace(base, case=case, attempts=(attempt,), index=index)
