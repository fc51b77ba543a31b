"""A run whose tool rules never met a call says so once."""

from vivavoce.engine.silent_tools import SilentTools
from vivavoce.model.case import AssertionSpec, Case
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.result import Attempt, CaseResult, Status
from vivavoce.model.transcript import Line, Transcript, Turn
from vivavoce.model.verdict import Outcome, Verdict


def result(check: str, *calls: ToolCall, outcome: Outcome = Outcome.PASSED) -> CaseResult:
    turn = Turn(number=1, line=Line(content="hi"), reply=AgentReply(calls=calls))
    verdict = Verdict(outcome=outcome, spec=AssertionSpec(type=check))
    attempt = Attempt(status=Status.PASSED, transcript=Transcript(turns=(turn,)), verdicts=(verdict,))
    return CaseResult(case=Case(id="A"), status=Status.PASSED, attempts=(attempt,))


def warned(*results: CaseResult) -> tuple[str, ...]:
    watch = SilentTools()
    for each in results:
        watch.add(each)
    return watch.warnings()


def test_it_is_said_once_for_all_rules():
    said = warned(result("forbid"), result("require"), result("contains"))
    assert said == (
        "2 checks looked at tool calls, but the agent never showed one in this run: does it show its calls?",
    )


def test_one_call_is_enough_to_be_silent():
    assert warned(result("forbid"), result("contains", ToolCall(name="search"))) == ()


def test_rules_that_broke_and_checks_of_words_do_not_count():
    assert warned(result("forbid", outcome=Outcome.BROKEN), result("contains")) == ()
