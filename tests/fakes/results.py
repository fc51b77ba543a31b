"""Realistic results and event streams, for everything that reports."""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Any

import msgspec
from tests.fakes.result_builders import (
    BEGAN_MS,
    attempt,
    bare_turn,
    call,
    case,
    failed,
    passed,
    result,
    script_of,
    spec,
    turn,
)

from vivavoce.model.case import Checkpoint, ConversationRules, Identity, SimulatorSpec
from vivavoce.model.events import AttemptFinished, AttemptStarted, CaseFinished, Event, RunFinished, RunStarted
from vivavoce.model.json_value import text_of
from vivavoce.model.message import AgentReply, Message, Usage
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
from vivavoce.model.transcript import Ending, EndReason
from vivavoce.results.rows import row_line

SIMULATOR = SimulatorSpec(use="agents:workers.test.user-sim")
CONVERSES = ConversationRules(multi_turn=True)


def plain(case_id: str = "T001", *, name: str | None = None, line: int = 1, seconds: float = 1.2) -> CaseResult:
    """One message, one answer, one check that holds."""
    check, said = spec("contains", value="type"), "I want to submit an expense"
    of = case(case_id, said, at=f"tests/expense.jsonl:{line}", name=name, assertions=(check,))
    answered = turn(1, said, "What type of expense?", seconds=seconds)
    return result(of, attempt(answered, seconds=seconds, verdicts=(passed(check),)), index=line)


def with_history() -> CaseResult:
    """The third expense turn of the seeds: history, structured answer, `expected`."""
    check, said = spec("contains", value="submitted"), "Business travel, $3500"
    history = (
        Message(role="user", content="I want to submit an expense"),
        Message(role="assistant", content="What type of expense?"),
    )
    of = case(
        "expense-turn2",
        said,
        at="tests/expense.jsonl:2",
        name="Second turn - create expense",
        tags=("smoke", "expense"),
        metadata={"owner": "finance"},
        history=history,
        assertions=(check,),
        expected={"status": "submitted"},
    )
    args = {"amount": 3500, "type": "travel"}
    made = call("create_expense", args, began=100, at=400, id="call_1", result={"id": "EXP-2025-001"})
    reply = AgentReply(text="Submitted.", data={"status": "submitted"}, calls=(made,), usage=Usage(812, 64, 0.0031))
    answered = bare_turn(said, 2.1, reply)
    return result(of, attempt(answered, seconds=2.1, history=history, verdicts=(passed(check),)), index=2)


def wrong_argument() -> CaseResult:
    """A tool was called with the wrong amount, and the answer lacks a word."""
    require = spec("require", name="charge_card", args_match={"amount": "^250$"})
    contains = spec("contains", value="receipt")
    path = spec("json_path", path="$.status", value="paid")
    args, said = {"amount": 300, "card": "visa"}, "I charged your card."
    verdicts = (
        failed(
            require,
            "charge_card with amount /^250$/ called 0 times, wanted at least 1; nearest: amount was 300",
            expected={"name": "charge_card", "args_match": {"amount": "^250$"}},
            actual=0,
            nearest={"turn": 1, "name": "charge_card", "args": args, "result": "ok"},
            diff=[{"path": "amount", "expected": "/^250$/", "actual": 300}],
        ),
        failed(contains, "output does not contain 'receipt'", expected="receipt", actual=said),
        failed(path, '$.status is "open"', expected="paid", actual="open"),
    )
    of = case(
        "pay-1",
        "Pay the invoice",
        at="tests/pay.jsonl:12",
        name="Charges the card once",
        assertions=(require, contains, path),
    )
    paid = turn(1, "Pay the invoice", said, calls=(call("charge_card", args, at=500, result="ok"),), seconds=0.8)
    error = "; ".join(v.reason for v in verdicts)
    return result(of, attempt(paid, status=Status.FAILED, error=error, seconds=0.8, verdicts=verdicts), index=3)


def conversation() -> CaseResult:
    """T001 of seed 004: three scripted turns and a final assertion, all good."""
    asked = passed(spec("contains", value="type of expense"))
    created = passed(spec("tool_called", name="create_expense"))
    submitted = passed(spec("contains", value="submitted"))
    final = spec("json_path", path="$.expense.status", value="submitted")
    made = call("create_expense", {"amount": 3500, "type": "travel"}, at=4000, id="c1")
    question = "What type of expense would you like to submit?"
    turns = (
        turn(1, "I want to submit an expense", question, verdicts=(asked,), awaiting=True, seconds=2.1),
        turn(2, "Business travel, $3500", calls=(made,), verdicts=(created,), awaiting=True, seconds=3.2),
        turn(3, "Yes, confirm", "Expense submitted. Reference: EXP-2025-001", verdicts=(submitted,), seconds=1.8),
    )
    of = case(
        "T001",
        at="tests/expense-flow.jsonl:1",
        name="Expense Reimbursement Flow",
        turns=script_of(turns),
        final_assertions=(final,),
        rules=CONVERSES,
    )
    return result(of, attempt(*turns, seconds=7.1, final_verdicts=(passed(final),)))


def missing_input() -> CaseResult:
    """T002 of seed 004: the agent asks on, and nobody answers."""
    said, why = "Submit $100,000 equipment purchase", "Agent awaiting input, no next turn defined"
    of = case("T002", said, at="tests/expense-flow.jsonl:14", name="Large Expense Approval", rules=CONVERSES)
    asked = turn(1, said, "This requires manager approval. Please provide PO number.", awaiting=True)
    ending = Ending(EndReason.MISSING_INPUT_SKIP, why)
    return result(of, attempt(asked, status=Status.SKIPPED, error=why, ending=ending, seconds=2), index=2)


def simulated() -> CaseResult:
    """T003 of seed 004: a simulator speaks after the opening, and reaches its goal."""
    final = spec("contains", value="submitted")
    of = case(
        "T003",
        "Help me file an expense",
        at="tests/expense-flow.jsonl:20",
        name="Dynamic Expense Flow",
        simulator=SIMULATOR,
        final_assertions=(final,),
        rules=CONVERSES,
    )
    reached = {"goal_achieved": True, "note": "Expense submitted"}
    turns = (
        turn(1, "Help me file an expense", "What is it for?", awaiting=True, seconds=2.1),
        turn(2, "It's for client dinner, $250", "When was it?", source="simulator", awaiting=True, seconds=2.8),
        turn(3, "Yesterday evening", "Shall I submit it?", source="simulator", awaiting=True, seconds=2.2),
        turn(4, "Confirm", "Expense submitted.", source="simulator", seconds=1.9, **reached),
    )
    done = attempt(*turns, ending=EndReason.GOAL_ACHIEVED, seconds=9, final_verdicts=(passed(final),))
    return result(of, done, index=3)


def missed_checkpoint() -> CaseResult:
    """A free conversation that ran out of turns before its last checkpoint."""
    ask = Checkpoint(id="ask_type", assertions=(spec("contains", value="type"),))
    confirm = Checkpoint(id="confirm", assertions=(spec("contains", value="submitted"),), after=("ask_type",))
    thanks = Checkpoint(id="thanks", assertions=(spec("contains", value="thank"),), required=False)
    of = case(
        "expense-dynamic",
        "Help me file an expense",
        at="tests/dynamic.jsonl:3",
        name="Expense Coverage Test",
        checkpoints=(ask, confirm, thanks),
        simulator=SIMULATOR,
        rules=ConversationRules(multi_turn=True, max_turns=2),
    )
    turns = (
        turn(1, "Help me file an expense", "What type of expense is it?", awaiting=True, reached=("ask_type",)),
        turn(2, "A client dinner", "I do not understand.", source="simulator"),
    )
    miss = "output does not contain 'submitted'"
    outcomes = (
        CheckpointOutcome(id="ask_type", reached_at_turn=1, verdicts=(passed(ask.assertions[0]),)),
        CheckpointOutcome(id="confirm", nearest_miss=miss, verdicts=(failed(confirm.assertions[0], miss),)),
        CheckpointOutcome(id="thanks", required=False, nearest_miss="output does not contain 'thank'"),
    )
    error = "max turns (2) exceeded"
    over = attempt(
        *turns, status=Status.FAILED, error=error, ending=EndReason.MAX_TURNS, checkpoints=outcomes, seconds=4.2
    )
    return result(of, over, index=4)


def failed_turn() -> CaseResult:
    """A conversation whose second turn calls a forbidden tool."""
    forbid, says = spec("forbid", name="delete_order"), spec("contains", value="cancelled")
    done, deleted = "Done, your order is gone.", {"deleted": True}
    made = call("shop__delete_order", {"id": 17}, at=3500, id="c9", result=deleted)
    verdicts = (
        failed(
            forbid,
            "shop__delete_order was called 1 time",
            expected={"never": {"name": "delete_order"}},
            actual=1,
            wrong_call={"turn": 2, "name": "shop__delete_order", "args": {"id": 17}, "result": deleted},
        ),
        failed(says, "output does not contain 'cancelled'", expected="cancelled", actual=done),
    )
    turns = (
        turn(1, "Cancel my order 17", "Are you sure?", awaiting=True),
        turn(2, "Yes", done, calls=(made,), verdicts=verdicts),
    )
    of = case(
        "cancel",
        at="tests/orders.yaml:4",
        name="Cancels, never deletes",
        turns=script_of(turns),
        rules=ConversationRules(multi_turn=True, stop_on_failure=True, on_missing_input="end"),
    )
    error = "shop__delete_order was called 1 time; output does not contain 'cancelled'"
    return result(
        of, attempt(*turns, status=Status.FAILED, error=error, ending=EndReason.TURN_FAILED, seconds=4.1), index=5
    )


def skipped() -> CaseResult:
    """`skip: true` in the file: no call was made."""
    why, check = "approvals come in May", spec("contains", value="approved")
    of = case("later", "Approve all", at="tests/expense.jsonl:9", name="Not yet built", assertions=(check,), skip=why)
    return result(of, Attempt(status=Status.SKIPPED, error=why), index=6)


def unreachable() -> CaseResult:
    """The endpoint refused the connection: not a fault of the agent."""
    why = "connection refused: http://127.0.0.1:9 (is the server running?)"
    lost = attempt(
        bare_turn("hello", 0.012, error=why),
        status=Status.ERROR,
        fault="target",
        error=why,
        ending=Ending(EndReason.TARGET_ERROR, why),
        seconds=0.012,
        retries=("connection refused",),
    )
    return result(case("ping", "hello", at="tests/expense.jsonl:10"), lost, index=7)


def timed_out() -> CaseResult:
    """The agent did not answer within 30 seconds."""
    why = "timeout after 30s"
    hung = bare_turn("Think hard", 30, error=why)
    late = attempt(hung, status=Status.TIMEOUT, error=why, ending=EndReason.TIMEOUT, seconds=30)
    return result(case("slow", "Think hard", at="tests/expense.jsonl:11", name="Answers at all"), late, index=8)


def flaky() -> CaseResult:
    """Ten runs of which eight passed: "mostly stable" in seed 000."""
    check, why = spec("contains", value="cloud"), "output does not contain 'cloud'"
    of = case(
        "keywords",
        "Extract keywords",
        at="tests/keywords.jsonl:4",
        name="Finds the keyword",
        assertions=(check,),
        runs=10,
    )

    def run(number: int) -> Attempt:
        good = number not in (3, 7)
        answer = "cloud, AI" if good else "no idea"
        verdict = passed(check) if good else failed(check, why, expected="cloud", actual=answer)
        return attempt(
            turn(1, "Extract keywords", answer, seconds=0.2 + number / 100),
            status=Status.PASSED if good else Status.FAILED,
            run=number,
            error=None if good else why,
            verdicts=(verdict,),
            started_ms=BEGAN_MS + number,
            duration_ms=200.0 + 10 * number,
        )

    stability = Stability(
        runs=10,
        passed=8,
        failed=2,
        pass_rate=80.0,
        consistency=0.8,
        similar_consistency=0.9,
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
    return result(of, *map(run, range(1, 11)), status=Status.FAILED, stability=stability, index=9)


def hostile() -> CaseResult:
    """An agent that writes escape sequences, markup, pipes, fences, and marks that turn text around."""
    answer = "\x1b[2J\x1b]0;owned\x07 <script>alert(1)</script> | `x` ```\n# not a heading\n]]> \u202egnirts \x00"
    check, said, why = spec("contains", value="<b>|</b>"), "speak \x1b[31mred", f"output is {answer}"
    of = case("evil|<id>", said, at="tests/evil.jsonl:1", name="Says\nnasty `things` | <i>", assertions=(check,))
    verdicts = (failed(check, why, expected="<b>|</b>", actual=answer),)
    return result(
        of, attempt(turn(1, said, answer), status=Status.FAILED, error=why, verdicts=verdicts, seconds=2), index=10
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
    return RunReport(
        info=run_info(len(listed), **info),
        summary=summary_of(listed),
        rows=lambda: (row_line(result).rstrip() for result in listed),
        results=lambda: iter(listed),
    )


def events_of(results: Iterable[CaseResult], **info: Any) -> Iterator[Event]:
    """The run as a reporter hears it."""
    listed = list(results)
    started = run_info(len(listed), **info)
    yield RunStarted(started)
    for one in listed:
        for tried in one.attempts:
            yield AttemptStarted(one.case, tried.run)
            yield AttemptFinished(one.case, tried)
        yield CaseFinished(one)
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
        replies_digest=blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest(),
        calls_digest=_calls_digest(result.decisive),
        calls_of_other_runs=tuple({_calls_digest(one) for one in result.attempts}) if len(result.attempts) > 1 else (),
        tokens=_mean([used.input_tokens + used.output_tokens for a in judged if (used := a.usage)]),
        cost=_mean([used.cost for a in judged if (used := a.usage) and used.cost is not None]),
    )


def _calls_digest(attempt: Attempt) -> str:
    told = [
        [number, call.name, call.args, call.error is not None]
        for number, turn in enumerate(attempt.transcript.turns, 1)
        for call in turn.reply.calls
    ]
    return blake2b(msgspec.json.encode(told, order="sorted"), digest_size=8).hexdigest() if told else ""


def _mean(numbers: list[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None
