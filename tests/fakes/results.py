"""Realistic results and event streams, for everything that reports."""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Any

from msgspec import UNSET

from vivavoce.model.case import (
    AssertionSpec,
    Case,
    Checkpoint,
    ConversationRules,
    Identity,
    Origin,
    ScriptedTurn,
    SimulatorSpec,
)
from vivavoce.model.events import AttemptFinished, AttemptStarted, CaseFinished, Event, RunFinished, RunStarted
from vivavoce.model.json_value import text_of
from vivavoce.model.message import AgentReply, Message, ToolCall, Usage
from vivavoce.model.result import (
    Attempt,
    CaseOutcome,
    CaseResult,
    CheckpointOutcome,
    RunInfo,
    RunReport,
    Stability,
    Status,
    Summary,
)
from vivavoce.model.transcript import Awaiting, Ending, EndReason, Line, Transcript, Turn
from vivavoce.model.verdict import Outcome, Verdict

BEGAN_MS = 1_734_429_600_000.0
"""2024-12-17 10:00:00 UTC, the seeds' favourite moment."""


def spec(kind: str, **written: Any) -> AssertionSpec:
    fields = {k: v for k, v in written.items() if k not in ("negate", "message")}
    return AssertionSpec(
        type=kind,
        fields=fields,
        negate=written.get("negate", False),
        message=written.get("message"),
        written={"type": kind, **written},
    )


def passed(check: AssertionSpec) -> Verdict:
    return Verdict(outcome=Outcome.PASSED, spec=check)


def failed(check: AssertionSpec, reason: str, *, expected: Any = UNSET, actual: Any = UNSET, **details: Any) -> Verdict:
    return Verdict(outcome=Outcome.FAILED, reason=reason, expected=expected, actual=actual, details=details, spec=check)


def broken(check: AssertionSpec, reason: str) -> Verdict:
    return Verdict(outcome=Outcome.BROKEN, reason=reason, spec=check)


def turn(
    number: int,
    said: str,
    answer: str = "",
    *,
    source: Any = "static",
    calls: tuple[ToolCall, ...] = (),
    verdicts: tuple[Verdict, ...] = (),
    awaiting: bool = False,
    seconds: float = 2.0,
    **line: Any,
) -> Turn:
    started = BEGAN_MS + 1000 * 3 * (number - 1)
    return Turn(
        number=number,
        line=Line(content=said, source=source, assertions=tuple(v.spec for v in verdicts if v.spec), **line),
        reply=AgentReply(text=answer, calls=calls),
        awaiting=Awaiting(awaiting, "question" if awaiting else "completed"),
        verdicts=verdicts,
        started_ms=started,
        ended_ms=started + seconds * 1000,
    )


def plain(case_id: str = "T001", *, name: str | None = None, line: int = 1, seconds: float = 1.2) -> CaseResult:
    """One message, one answer, one check that holds."""
    check = spec("contains", value="type")
    case = Case(
        id=case_id,
        name=name,
        origin=Origin("tests/expense.jsonl", line),
        turns=(ScriptedTurn(content="I want to submit an expense"),),
        assertions=(check,),
    )
    transcript = Transcript(
        turns=(turn(1, "I want to submit an expense", "What type of expense?", seconds=seconds),),
        ending=Ending(EndReason.COMPLETED),
    )
    return CaseResult(
        case=case,
        status=Status.PASSED,
        attempts=(
            Attempt(
                status=Status.PASSED,
                transcript=transcript,
                verdicts=(passed(check),),
                started_ms=BEGAN_MS,
                duration_ms=seconds * 1000,
            ),
        ),
        index=line,
    )


def with_history() -> CaseResult:
    """The seeds' third expense turn: history, structured answer, `expected`."""
    check = spec("contains", value="submitted")
    history = (
        Message(role="user", content="I want to submit an expense"),
        Message(role="assistant", content="What type of expense?"),
    )
    case = Case(
        id="expense-turn2",
        name="Second turn - create expense",
        origin=Origin("tests/expense.jsonl", 2),
        tags=("smoke", "expense"),
        metadata={"owner": "finance"},
        history=history,
        turns=(ScriptedTurn(content="Business travel, $3500"),),
        assertions=(check,),
        expected={"status": "submitted"},
    )
    call = ToolCall(
        id="call_1",
        name="create_expense",
        args={"amount": 3500, "type": "travel"},
        result={"id": "EXP-2025-001"},
        started_ms=BEGAN_MS + 100,
        completed_ms=BEGAN_MS + 400,
    )
    answered = Turn(
        number=1,
        line=Line(content="Business travel, $3500"),
        reply=AgentReply(text="Submitted.", data={"status": "submitted"}, calls=(call,), usage=Usage(812, 64, 0.0031)),
        started_ms=BEGAN_MS,
        ended_ms=BEGAN_MS + 2100,
    )
    return CaseResult(
        case=case,
        status=Status.PASSED,
        attempts=(
            Attempt(
                status=Status.PASSED,
                transcript=Transcript(history=history, turns=(answered,), ending=Ending(EndReason.COMPLETED)),
                verdicts=(passed(check),),
                started_ms=BEGAN_MS,
                duration_ms=2100.0,
            ),
        ),
        index=2,
    )


def wrong_argument() -> CaseResult:
    """A tool was called with the wrong amount, and the answer lacks a word."""
    require = spec("require", name="charge_card", args_match={"amount": "^250$"})
    contains = spec("contains", value="receipt")
    path = spec("json_path", path="$.status", value="paid")
    call = ToolCall(name="charge_card", args={"amount": 300, "card": "visa"}, result="ok", completed_ms=BEGAN_MS + 500)
    verdicts = (
        failed(
            require,
            "charge_card with amount /^250$/ called 0 times, wanted at least 1; nearest: amount was 300",
            expected={"name": "charge_card", "args_match": {"amount": "^250$"}},
            actual=0,
            nearest={"turn": 1, "name": "charge_card", "args": {"amount": 300, "card": "visa"}, "result": "ok"},
            diff=[{"path": "amount", "expected": "/^250$/", "actual": 300}],
        ),
        failed(contains, "output does not contain 'receipt'", expected="receipt", actual="I charged your card."),
        failed(path, '$.status is "open"', expected="paid", actual="open"),
    )
    case = Case(
        id="pay-1",
        name="Charges the card once",
        origin=Origin("tests/pay.jsonl", 12),
        turns=(ScriptedTurn(content="Pay the invoice"),),
        assertions=(require, contains, path),
    )
    transcript = Transcript(
        turns=(turn(1, "Pay the invoice", "I charged your card.", calls=(call,), seconds=0.8),),
        ending=Ending(EndReason.COMPLETED),
    )
    return CaseResult(
        case=case,
        status=Status.FAILED,
        attempts=(
            Attempt(
                status=Status.FAILED,
                fault="agent",
                error="; ".join(v.reason for v in verdicts),
                transcript=transcript,
                verdicts=verdicts,
                started_ms=BEGAN_MS,
                duration_ms=800.0,
            ),
        ),
        index=3,
    )


def conversation() -> CaseResult:
    """Seed 004's T001: three scripted turns and a final assertion, all good."""
    asked = spec("contains", value="type of expense")
    created = spec("tool_called", name="create_expense")
    submitted = spec("contains", value="submitted")
    final = spec("json_path", path="$.expense.status", value="submitted")
    call = ToolCall(
        id="c1", name="create_expense", args={"amount": 3500, "type": "travel"}, completed_ms=BEGAN_MS + 4000
    )
    turns = (
        turn(
            1,
            "I want to submit an expense",
            "What type of expense would you like to submit?",
            verdicts=(passed(asked),),
            awaiting=True,
            seconds=2.1,
        ),
        turn(
            2,
            "Business travel, $3500",
            "",
            calls=(call,),
            verdicts=(passed(created),),
            awaiting=True,
            seconds=3.2,
        ),
        turn(
            3,
            "Yes, confirm",
            "Expense submitted. Reference: EXP-2025-001",
            verdicts=(passed(submitted),),
            seconds=1.8,
        ),
    )
    case = Case(
        id="T001",
        name="Expense Reimbursement Flow",
        origin=Origin("tests/expense-flow.jsonl", 1),
        turns=tuple(ScriptedTurn(content=t.line.content, assertions=t.line.assertions) for t in turns),
        final_assertions=(final,),
        rules=ConversationRules(multi_turn=True),
    )
    return CaseResult(
        case=case,
        status=Status.PASSED,
        attempts=(
            Attempt(
                status=Status.PASSED,
                transcript=Transcript(turns=turns, ending=Ending(EndReason.COMPLETED)),
                final_verdicts=(passed(final),),
                started_ms=BEGAN_MS,
                duration_ms=7100.0,
            ),
        ),
        index=1,
    )


def missing_input() -> CaseResult:
    """Seed 004's T002: the agent asks on, and nobody answers."""
    case = Case(
        id="T002",
        name="Large Expense Approval",
        origin=Origin("tests/expense-flow.jsonl", 14),
        turns=(ScriptedTurn(content="Submit $100,000 equipment purchase"),),
        rules=ConversationRules(multi_turn=True),
    )
    asked = turn(
        1,
        "Submit $100,000 equipment purchase",
        "This requires manager approval. Please provide PO number.",
        awaiting=True,
    )
    why = "Agent awaiting input, no next turn defined"
    return CaseResult(
        case=case,
        status=Status.SKIPPED,
        attempts=(
            Attempt(
                status=Status.SKIPPED,
                error=why,
                transcript=Transcript(turns=(asked,), ending=Ending(EndReason.MISSING_INPUT_SKIP, why)),
                started_ms=BEGAN_MS,
                duration_ms=2000.0,
            ),
        ),
        index=2,
    )


def simulated() -> CaseResult:
    """Seed 004's T003: a simulator speaks after the opening, and reaches its goal."""
    case = Case(
        id="T003",
        name="Dynamic Expense Flow",
        origin=Origin("tests/expense-flow.jsonl", 20),
        turns=(ScriptedTurn(content="Help me file an expense"),),
        simulator=SimulatorSpec(use="agents:workers.test.user-sim"),
        final_assertions=(spec("contains", value="submitted"),),
        rules=ConversationRules(multi_turn=True),
    )
    turns = (
        turn(1, "Help me file an expense", "What is it for?", awaiting=True, seconds=2.1),
        turn(2, "It's for client dinner, $250", "When was it?", source="simulator", awaiting=True, seconds=2.8),
        turn(3, "Yesterday evening", "Shall I submit it?", source="simulator", awaiting=True, seconds=2.2),
        turn(
            4,
            "Confirm",
            "Expense submitted.",
            source="simulator",
            seconds=1.9,
            goal_achieved=True,
            note="Expense submitted",
        ),
    )
    return CaseResult(
        case=case,
        status=Status.PASSED,
        attempts=(
            Attempt(
                status=Status.PASSED,
                transcript=Transcript(turns=turns, ending=Ending(EndReason.GOAL_ACHIEVED)),
                final_verdicts=tuple(passed(s) for s in case.final_assertions),
                started_ms=BEGAN_MS,
                duration_ms=9000.0,
            ),
        ),
        index=3,
    )


def missed_checkpoint() -> CaseResult:
    """A free conversation that ran out of turns before its last checkpoint."""
    ask = Checkpoint(id="ask_type", assertions=(spec("contains", value="type"),))
    confirm = Checkpoint(id="confirm", assertions=(spec("contains", value="submitted"),), after=("ask_type",))
    thanks = Checkpoint(id="thanks", assertions=(spec("contains", value="thank"),), required=False)
    case = Case(
        id="expense-dynamic",
        name="Expense Coverage Test",
        origin=Origin("tests/dynamic.jsonl", 3),
        turns=(ScriptedTurn(content="Help me file an expense"),),
        checkpoints=(ask, confirm, thanks),
        simulator=SimulatorSpec(use="agents:workers.test.user-sim"),
        rules=ConversationRules(multi_turn=True, max_turns=2),
    )
    first = turn(1, "Help me file an expense", "What type of expense is it?", awaiting=True)
    second = turn(2, "A client dinner", "I do not understand.", source="simulator")
    first = Turn(number=1, line=first.line, reply=first.reply, awaiting=first.awaiting, reached=("ask_type",),
                 started_ms=first.started_ms, ended_ms=first.ended_ms)  # fmt: skip
    outcomes = (
        CheckpointOutcome(id="ask_type", reached_at_turn=1, verdicts=(passed(ask.assertions[0]),)),
        CheckpointOutcome(
            id="confirm",
            nearest_miss="output does not contain 'submitted'",
            verdicts=(failed(confirm.assertions[0], "output does not contain 'submitted'"),),
        ),
        CheckpointOutcome(id="thanks", required=False, nearest_miss="output does not contain 'thank'"),
    )
    return CaseResult(
        case=case,
        status=Status.FAILED,
        attempts=(
            Attempt(
                status=Status.FAILED,
                fault="agent",
                error="max turns (2) exceeded",
                transcript=Transcript(turns=(first, second), ending=Ending(EndReason.MAX_TURNS)),
                checkpoints=outcomes,
                started_ms=BEGAN_MS,
                duration_ms=4200.0,
            ),
        ),
        index=4,
    )


def failed_turn() -> CaseResult:
    """A conversation whose second turn calls a forbidden tool."""
    forbid = spec("forbid", name="delete_order")
    says = spec("contains", value="cancelled")
    call = ToolCall(
        id="c9", name="shop__delete_order", args={"id": 17}, result={"deleted": True}, completed_ms=BEGAN_MS + 3500
    )
    turns = (
        turn(1, "Cancel my order 17", "Are you sure?", awaiting=True),
        turn(
            2,
            "Yes",
            "Done, your order is gone.",
            calls=(call,),
            verdicts=(
                failed(
                    forbid,
                    "shop__delete_order was called 1 time",
                    expected={"never": {"name": "delete_order"}},
                    actual=1,
                    nearest={"turn": 2, "name": "shop__delete_order", "args": {"id": 17}, "result": {"deleted": True}},
                ),
                failed(
                    says,
                    "output does not contain 'cancelled'",
                    expected="cancelled",
                    actual="Done, your order is gone.",
                ),
            ),
        ),
    )
    case = Case(
        id="cancel",
        name="Cancels, never deletes",
        origin=Origin("tests/orders.yaml", 4),
        turns=tuple(ScriptedTurn(content=t.line.content, assertions=t.line.assertions) for t in turns),
        rules=ConversationRules(multi_turn=True, stop_on_failure=True, on_missing_input="end"),
    )
    return CaseResult(
        case=case,
        status=Status.FAILED,
        attempts=(
            Attempt(
                status=Status.FAILED,
                fault="agent",
                error="shop__delete_order was called 1 time; output does not contain 'cancelled'",
                transcript=Transcript(turns=turns, ending=Ending(EndReason.TURN_FAILED)),
                started_ms=BEGAN_MS,
                duration_ms=4100.0,
            ),
        ),
        index=5,
    )


def skipped() -> CaseResult:
    """`skip: true` in the file: no call was made."""
    case = Case(
        id="later",
        name="Not yet built",
        origin=Origin("tests/expense.jsonl", 9),
        turns=(ScriptedTurn(content="Approve all"),),
        assertions=(spec("contains", value="approved"),),
        skip="approvals come in May",
    )
    return CaseResult(
        case=case,
        status=Status.SKIPPED,
        attempts=(Attempt(status=Status.SKIPPED, error="approvals come in May"),),
        index=6,
    )


def unreachable() -> CaseResult:
    """The endpoint refused the connection: nobody's bad agent."""
    why = "connection refused: http://127.0.0.1:9 (is the server running?)"
    lost = Turn(number=1, line=Line(content="hello"), reply=AgentReply(), error=why, started_ms=BEGAN_MS,
                ended_ms=BEGAN_MS + 12)  # fmt: skip
    case = Case(id="ping", origin=Origin("tests/expense.jsonl", 10), turns=(ScriptedTurn(content="hello"),))
    return CaseResult(
        case=case,
        status=Status.ERROR,
        attempts=(
            Attempt(
                status=Status.ERROR,
                fault="target",
                error=why,
                transcript=Transcript(turns=(lost,), ending=Ending(EndReason.TARGET_ERROR, why)),
                started_ms=BEGAN_MS,
                duration_ms=12.0,
                retries=("connection refused",),
            ),
        ),
        index=7,
    )


def timed_out() -> CaseResult:
    case = Case(
        id="slow",
        name="Answers at all",
        origin=Origin("tests/expense.jsonl", 11),
        turns=(ScriptedTurn(content="Think hard"),),
    )
    hung = Turn(
        number=1, line=Line(content="Think hard"), reply=AgentReply(), error="timeout after 30s", started_ms=BEGAN_MS,
        ended_ms=BEGAN_MS + 30_000,
    )  # fmt: skip
    return CaseResult(
        case=case,
        status=Status.TIMEOUT,
        attempts=(
            Attempt(
                status=Status.TIMEOUT,
                fault="agent",
                error="timeout after 30s",
                transcript=Transcript(turns=(hung,), ending=Ending(EndReason.TIMEOUT)),
                started_ms=BEGAN_MS,
                duration_ms=30_000.0,
            ),
        ),
        index=8,
    )


def flaky() -> CaseResult:
    """Ten runs of which eight passed: seed 000's "mostly stable"."""
    check = spec("contains", value="cloud")
    case = Case(
        id="keywords",
        name="Finds the keyword",
        origin=Origin("tests/keywords.jsonl", 4),
        turns=(ScriptedTurn(content="Extract keywords"),),
        assertions=(check,),
        runs=10,
    )
    attempts: list[Attempt] = []
    for run in range(1, 11):
        good = run not in (3, 7)
        answer = "cloud, AI" if good else "no idea"
        verdict = passed(check) if good else failed(check, "output does not contain 'cloud'", expected="cloud",
                                                    actual=answer)  # fmt: skip
        attempts.append(
            Attempt(
                status=Status.PASSED if good else Status.FAILED,
                run=run,
                fault=None if good else "agent",
                error=None if good else "output does not contain 'cloud'",
                transcript=Transcript(
                    turns=(turn(1, "Extract keywords", answer, seconds=0.2 + run / 100),),
                    ending=Ending(EndReason.COMPLETED),
                ),
                verdicts=(verdict,),
                started_ms=BEGAN_MS + run,
                duration_ms=200.0 + 10 * run,
            )
        )
    stability = Stability(
        runs=10,
        passed=8,
        failed=2,
        pass_rate=80.0,
        consistency=0.8,
        stable=False,
        stability_class="mostly_stable",
        avg_duration_ms=255.0,
        min_duration_ms=210.0,
        max_duration_ms=300.0,
        std_deviation_ms=28.7228,
        ci_low=49.0,
        ci_high=94.3,
        pass_hat_k=0.107,
    )
    return CaseResult(case=case, status=Status.FAILED, attempts=tuple(attempts), stability=stability, index=9)


def hostile() -> CaseResult:
    """An agent that writes escape sequences, markup, pipes, fences, and marks that turn text around."""
    answer = "\x1b[2J\x1b]0;owned\x07 <script>alert(1)</script> | `x` ```\n# not a heading\n]]> \u202egnirts \x00"
    check = spec("contains", value="<b>|</b>")
    case = Case(
        id="evil|<id>",
        name="Says\nnasty `things` | <i>",
        origin=Origin("tests/evil.jsonl", 1),
        turns=(ScriptedTurn(content="speak \x1b[31mred"),),
        assertions=(check,),
    )
    return CaseResult(
        case=case,
        status=Status.FAILED,
        attempts=(
            Attempt(
                status=Status.FAILED,
                fault="agent",
                error=f"output is {answer}",
                transcript=Transcript(
                    turns=(turn(1, "speak \x1b[31mred", answer),), ending=Ending(EndReason.COMPLETED)
                ),
                verdicts=(failed(check, f"output is {answer}", expected="<b>|</b>", actual=answer),),
                started_ms=BEGAN_MS,
                duration_ms=2000.0,
            ),
        ),
        index=10,
    )


def every_kind() -> list[CaseResult]:
    return [
        plain("expense-turn1", name="First turn - ask type"),
        with_history(),
        wrong_argument(),
        conversation(),
        missing_input(),
        simulated(),
        missed_checkpoint(),
        failed_turn(),
        skipped(),
        unreachable(),
        timed_out(),
        flaky(),
        hostile(),
    ]


def run_info(total: int, *, runs: int = 1, inputs: tuple[str, ...] = ("tests/expense.jsonl",)) -> RunInfo:
    return RunInfo(
        run_id="20241217-100000-ab12",
        started_at="2024-12-17T10:00:00Z",
        agent_id="assistants.expense",
        connector="deepseek.v3",
        identity=Identity(),
        inputs=inputs,
        total_cases=total,
        runs_per_case=runs,
        version="0.1.0",
        command="viva test -i tests/expense.jsonl",
    )


def summary_of(results: Iterable[CaseResult], **more: Any) -> Summary:
    """The totals of some results, counted the simple way."""
    listed = list(results)
    count = {status: sum(r.status is status for r in listed) for status in Status}
    attempts = [a for r in listed for a in r.attempts]
    faults = [a.fault for a in (r.decisive for r in listed) if a.fault]
    usage: Usage | None = None
    for spent in (a.usage for a in attempts):
        usage = spent.plus(usage) if spent else usage
    return Summary(
        **{
            "total": len(listed),
            "passed": count[Status.PASSED],
            "failed": count[Status.FAILED],
            "errors": count[Status.ERROR],
            "timeouts": count[Status.TIMEOUT],
            "skipped": count[Status.SKIPPED],
            "total_turns": sum(len(a.transcript.turns) for a in attempts),
            "total_runs": len(attempts),
            "passed_runs": sum(a.status is Status.PASSED for a in attempts),
            "stable_cases": sum(r.stability is not None and r.stability.stable for r in listed),
            "unstable_cases": sum(r.stability is not None and not r.stability.stable for r in listed),
            "duration_ms": sum(a.duration_ms for a in attempts),
            "completed_at": "2024-12-17T10:00:12Z",
            "usage": usage,
            "faults": {fault: faults.count(fault) for fault in sorted(set(faults))},
            **more,
        }
    )


def report_of(results: Iterable[CaseResult], **info: Any) -> RunReport:
    listed = list(results)
    return RunReport(info=run_info(len(listed), **info), summary=summary_of(listed), results=lambda: iter(listed))


def events_of(results: Iterable[CaseResult], **info: Any) -> Iterator[Event]:
    """The run as a reporter hears it."""
    listed = list(results)
    started = run_info(len(listed), **info)
    yield RunStarted(started)
    for result in listed:
        for attempt in result.attempts:
            yield AttemptStarted(result.case, attempt.run)
            yield AttemptFinished(result.case, attempt)
        yield CaseFinished(result)
    yield RunFinished(started, summary_of(listed))


def outcome_of(result: CaseResult) -> CaseOutcome:
    """What a comparison must see of a result, told from the result itself."""
    judged = [attempt for attempt in result.attempts if attempt.status is not Status.SKIPPED]
    said = "\x1e".join(text_of(turn.reply.output) for turn in result.decisive.transcript.turns)
    return CaseOutcome(
        key=result.case.key,
        id=result.case.id,
        name=result.case.name,
        status=result.status,
        duration_ms=result.stability.avg_duration_ms if result.stability else result.decisive.duration_ms,
        runs=len(judged),
        passed=len([attempt for attempt in judged if attempt.status is Status.PASSED]),
        said=blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest(),
    )
