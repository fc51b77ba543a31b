"""Results with something in every corner of the report."""

import random
from collections.abc import Iterator
from typing import Any

from msgspec import structs
from tests.fakes.result_builders import attempt, bare_turn, call, case, failed, passed, result, spec, turn
from tests.fakes.results import conversation, every_kind, plain, wrong_argument

from vivavoce.model.case import ConversationRules, ScriptedTurn, SimulatorSpec
from vivavoce.model.message import AgentReply, ToolCall, Usage
from vivavoce.model.result import CaseResult, Status
from vivavoce.model.transcript import Awaiting, EndReason, Line

ORDER_BEFORE = {"id": 17, "items": [{"sku": "tea", "count": 2}], "status": "paid", "total": 12.5}
ORDER_AFTER = {"id": 17, "items": [{"sku": "tea", "count": 3}], "status": "open", "total": 12.5}


def refund() -> CaseResult:
    """Three turns, a simulated one among them; tools that work, fail and say nothing; text and JSON differences."""
    says = spec("equals", value="Your refund of 12.50 is on its way.")
    order = spec("json_path", path="$.order", value=ORDER_BEFORE)
    letter = spec("equals", value="Dear Ada,\nyour tea\nis on its way.\nYours")
    calls = (
        call("find_order", {"customer": "ada"}, id="c1", began=100, at=700, result=ORDER_AFTER),
        call("shop__refund", {"order": 17, "amount": 12.5}, id="c2", began=800, at=1900, error="card expired"),
        call("notify", {"how": "mail"}, id="c3", began=1900, frontend=True),
    )
    opening, right, wrong = (
        "I want my money back for order 17.",
        "Your refund of 12.50 is on its way.",
        "Your refund of 21.50 is on its way.",
    )
    asked = AgentReply(
        text="Let me see. Which card was it?",
        texts=("One moment.", "Which card was it?"),
        calls=calls,
        usage=Usage(812, 64, 0.0031),
    )
    refused = failed(says, f"output is '{wrong}'", expected=right, actual=wrong)
    turns = (
        bare_turn(opening, 2, asked, awaiting=Awaiting(True, "question")),
        turn(2, "The blue one.", wrong, source="simulator", note="I own two cards.", verdicts=(refused,)),
    )
    of = case(
        "refund-17",
        opening,
        at="tests/refunds.jsonl:7",
        name="Refunds an order",
        description="Ada wants her money back, and says so twice.",
        tags=("billing", "smoke"),
        metadata={"owner": "ada"},
        assertions=(order, letter),
        simulator=SimulatorSpec(use="agents:viva.simulator"),
        rules=ConversationRules(multi_turn=True),
    )
    lost = "Dear Ada,\nyour tea\nis lost.\nYours"
    verdicts = (
        failed(order, "$.order.items[0].count is 3", expected=ORDER_BEFORE, actual=ORDER_AFTER),
        failed(letter, "the third line differs", expected=letter.fields["value"], actual=lost),
    )
    went = attempt(
        *turns,
        status=Status.FAILED,
        error=f"output is '{wrong}'",
        ending=EndReason.GOAL_ACHIEVED,
        verdicts=verdicts,
        seconds=5,
        warnings=("the judge was asked twice",),
        logs="looking up ada\nfound 1 order",
    )
    return result(of, went, index=14)


def seldom_seen() -> CaseResult:
    """One of several users, a structured answer that is a text, a late result, a judge that cost something."""
    late = ToolCall(id="c0", name="print_label", args={}, result="printed at last")
    reply = AgentReply(text="", data="just a word", late_results=(late,), state={"step": 2}, input_hint="yes or no",
                       warnings=("slow stream",))  # fmt: skip
    said = "Where is it?"
    only = bare_turn(said, 0.04, reply, line=Line(content=said, name="Grace"), awaiting=Awaiting(True, "declared"))
    of = case("grace", at="tests/label.jsonl:3", turns=(ScriptedTurn(content=said, name="Grace"),))
    return result(of, attempt(only, seconds=0.04, overhead=Usage(100, 7)), index=15)


def saying(answer: Any, *, case_id: str = "said", name: str | None = None) -> CaseResult:
    """A case whose agent gave this answer, and whose check complains about it."""
    check, why = spec("contains", value="<b>"), str(answer)[:500]
    reply = AgentReply(text=answer) if isinstance(answer, str) else AgentReply(data=answer)
    went = attempt(
        bare_turn(f"say {case_id}", 0.005, reply),
        status=Status.FAILED,
        error=why,
        verdicts=(failed(check, why, expected="<b>", actual=answer), passed(check)),
        seconds=0.005,
        logs=why,
    )
    return result(case(case_id, f"say {case_id}", at="tests/said.jsonl:1", name=name), went)


def everything() -> list[CaseResult]:
    return [*every_kind(), refund()]


WORDS = ("order", "refund", "card", "invoice", "expense", "travel", "approve", "shipping", "receipt", "thanks")


def many(total: int) -> Iterator[CaseResult]:
    """Many conversations, one of them with the word `needle`, to test the speed of the page."""
    rng = random.Random(7)
    kinds = (plain(), conversation(), plain(), wrong_argument())
    for index in range(1, total + 1):
        base = kinds[index % 4]
        (tried,) = base.attempts
        turns = tuple(
            structs.replace(t, reply=structs.replace(t.reply, text=" ".join(rng.choices(WORDS, k=60))))
            for t in tried.transcript.turns
        )
        if index == total // 2:
            turns = (structs.replace(turns[0], reply=AgentReply(text="a needle in the hay")), *turns[1:])
        tried = structs.replace(
            tried,
            transcript=structs.replace(tried.transcript, turns=turns),
            duration_ms=rng.lognormvariate(7, 1),
        )
        renamed = structs.replace(
            base.case, id=f"T{index:05}", name=" ".join(rng.choices(WORDS, k=4)), tags=(rng.choice(("smoke", "slow")),)
        )
        yield structs.replace(base, case=renamed, attempts=(tried,), index=index)
