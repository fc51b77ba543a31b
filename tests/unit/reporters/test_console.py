"""The console: the seeds' samples, failures explained, and terminals of every kind."""

import io
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from msgspec import structs
from tests.fakes import results
from tests.fakes.result_builders import attempt, case, failed, result, spec, turn

from vivavoce.model.events import AttemptStarted, CaseFinished, Event, RunFinished, RunStarted, TurnFinished
from vivavoce.model.message import AgentReply, Interrupt, Usage
from vivavoce.model.result import CaseResult, Status
from vivavoce.model.transcript import Ending, EndReason
from vivavoce.reporters.console import ConsoleReporter
from vivavoce.results.rows import row_of
from vivavoce.wording.terminal_text import columns

Golden = Callable[[str, str], None]


class Terminal(io.StringIO):
    """A stream that remembers each write and may support only a few characters."""

    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__()
        self._encoding = encoding
        self.writes: list[str] = []

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def write(self, text: str) -> int:
        text.encode(self._encoding)
        self.writes.append(text)
        return super().write(text)


def shown(
    events: Iterable[Event],
    *,
    out: Terminal | None = None,
    color: bool = False,
    live: bool = False,
    verbose: bool = False,
    width: int = 80,
    **more: Any,
) -> str:
    out = out or Terminal()
    reporter = ConsoleReporter(out, color=color, live=live, verbose=verbose, width=width, **more)
    for event in events:
        reporter.handle(event)
    reporter.note_output("tests/output-20241217100000.jsonl")
    reporter.close()
    return out.getvalue()


def numbered(result: CaseResult, count: int) -> list[CaseResult]:
    return [structs.replace(result, case=structs.replace(result.case, id=f"T{n}")) for n in range(count)]


def test_single_turn_cases_as_seed_003_prints_them(golden: Golden):
    golden("console_single.txt", shown(results.events_of([results.plain(name="First turn"), results.with_history()])))


def test_conversations_as_seed_004_prints_them(golden: Golden):
    listed = [results.conversation(), results.missing_input(), results.simulated()]
    golden("console_conversations.txt", shown(results.events_of(listed, inputs=("./tests/expense-flow.jsonl",))))


def test_failures_explained(golden: Golden):
    listed = [results.wrong_argument(), results.missed_checkpoint(), results.failed_turn()]
    golden("console_failures.txt", shown(results.events_of([*listed, results.unreachable(), results.timed_out()])))


def test_several_runs(golden: Golden):
    golden("console_runs.txt", shown(results.events_of([results.flaky()], runs=10)))


def test_everything_skipped(golden: Golden):
    golden("console_skipped.txt", shown(results.events_of([results.skipped()])))


def test_every_message_and_tool_call_with_v(golden: Golden):
    listed = [results.with_history(), results.wrong_argument(), results.conversation(), results.failed_turn()]
    golden("console_verbose.txt", shown(results.events_of(listed), verbose=True))


def test_the_stability_line_is_the_issues():
    assert "  8/10 ✓✓✗✓✓✓✗✓✓✓ mostly stable (95 % CI 49–94 %)\n" in shown(results.events_of([results.flaky()]))


@pytest.mark.parametrize("width", [40, 60, 80, 200])
@pytest.mark.parametrize("verbose", [False, True])
def test_nothing_is_wider_than_the_terminal(width: int, verbose: bool):
    long = results.wrong_argument()
    case = structs.replace(long.case, name="a name " * 40, id="very-long-id" * 3)
    listed = [*results.every_kind(), structs.replace(long, case=case)]
    text = shown(results.events_of(listed), width=width, verbose=verbose)
    # What is to be copied stays whole.
    lines = [line for line in text.splitlines() if not line.startswith(("  viva test", "ℹ Report:"))]
    assert max(columns(line) for line in lines) <= max(width, 66)


def test_agent_output_reaches_the_terminal_only_as_text():
    text = shown(results.events_of([results.hostile()]), verbose=True)
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "\u202e" not in text
    assert "\\x1b[2J" in text


def test_without_colour_there_is_no_escape_sequence():
    assert "\x1b" not in shown(results.events_of(results.every_kind()))


def test_with_colour_the_words_are_the_same():
    import re

    painted = shown(results.events_of(results.every_kind()), color=True)
    assert "\x1b[32m✓\x1b[0m" in painted
    assert re.sub(r"\x1b\[\d+m", "", painted) == shown(results.events_of(results.every_kind()))


def test_a_terminal_without_these_characters_gets_others():
    text = shown(results.events_of(results.every_kind()), out=Terminal("ascii"))
    assert text.isascii()
    assert "+ [expense-turn1] First turn - ask type (1.2s)" in text
    assert "  |- Turn 1:" in text


def test_a_long_suite_is_a_line_per_case():
    text = shown(results.events_of(numbered(results.plain(name="short"), 60)))
    assert "\n✓ [T0] short (1.2s)\n✓ [T1] short (1.2s)\n" in text
    assert "Messages:" not in text


def test_a_failure_in_a_long_suite_is_still_explained():
    text = shown(results.events_of([*numbered(results.plain(), 60), results.wrong_argument()]))
    assert "    amount  wanted /^250$/\n            found  300\n" in text


def test_a_case_is_written_in_one_piece():
    out = Terminal()
    reporter = ConsoleReporter(out, color=True, live=False, verbose=True, width=80)
    reporter.handle(RunStarted(results.run_info(1)))
    before = len(out.writes)
    reporter.handle(CaseFinished(results.conversation()))
    assert len(out.writes) == before + 1


def test_many_failures_are_counted_but_not_all_listed():
    told = results.wrong_argument()
    other = [replace_reason(result, f"reason {n}") for n, result in enumerate(numbered(told, 70))]
    text = shown(results.events_of(other))
    assert "  Failures (70)\n" in text
    assert text.count("viva test -i") == 50
    assert "  … and 20 more\n" in text


def replace_reason(result: CaseResult, error: str) -> CaseResult:
    attempts = tuple(structs.replace(attempt, error=error) for attempt in result.attempts)
    return structs.replace(result, attempts=attempts)


def test_cases_that_failed_alike_are_told_once():
    text = shown(results.events_of(numbered(results.wrong_argument(), 24)))
    running, _, recap = text.partition("Failures (24)")
    assert running.count("nearest call:") == 1
    assert running.count("tests/pay.jsonl:12: the same as [T0]\n") == 23
    assert "✗ 24 cases: charge_card with amount" in recap
    ids = ", ".join(f"T{n}" for n in range(24))
    assert f"tests/pay.jsonl: {ids}" in " ".join(recap.split())
    assert recap.count("viva test") == 1


def test_with_v_every_failure_is_told_in_full():
    text = shown(results.events_of(numbered(results.wrong_argument(), 3)), verbose=True)
    assert "the same as" not in text


def test_the_recap_names_the_turn():
    recap = shown(results.events_of([results.failed_turn()])).partition("Failures (1)")[2]
    assert "  turn 2: " in recap
    assert "; turn 2: output does not contain 'cancelled'" in " ".join(recap.split())


def test_a_traceback_keeps_its_lines():
    trace = 'agent error: Traceback:\n  File "a.py", line 1\n    raise ValueError\nValueError'
    running, _, recap = shown(results.events_of([replace_reason(results.unreachable(), trace)])).partition("Failures")
    assert '\n  agent error: Traceback:\n    File "a.py", line 1\n      raise ValueError\n  ValueError\n' in running
    assert '\n  agent error: Traceback:\n    File "a.py", line 1\n      raise ValueError\n  ValueError\n' in recap


def test_after_failures_the_command_that_repeats_them_is_offered():
    listed = [results.plain(), results.wrong_argument()]
    assert "Run it again: viva test tests/ --lf\n" in shown(results.events_of(listed), again="viva test tests/ --lf")
    assert "again:" not in shown(results.events_of([results.plain()]), again="viva test tests/ --lf")


def test_cases_left_out_are_counted():
    text = shown(results.events_of([results.plain()]), left_out="17 left out by -k")
    assert " (1 test case; 17 left out by -k)\n" in text


def test_what_was_found_is_red_and_what_was_wanted_green():
    text = shown(results.events_of([results.wrong_argument()]), color=True)
    assert 'wanted: \x1b[32m"receipt"\x1b[0m\n' in text
    assert 'found:  \x1b[31m"I charged your card."\x1b[0m\n' in text
    assert "amount  wanted \x1b[32m/^250$/\x1b[0m\n" in text


def test_a_stopped_run_says_so():
    info = results.run_info(3)
    listed = [results.wrong_argument()]
    summary = results.summary_of(listed, total=3, not_run=2, interrupted="fail-fast", warnings=("disk is nearly full",))
    text = shown([RunStarted(info), CaseFinished(listed[0]), RunFinished(info, summary)])
    assert "! The run ended early (fail-fast): 2 cases were not run.\n" in text
    assert "! warning: disk is nearly full\n" in text
    assert "  Not run: 2\n" in text


def test_the_live_line_counts_and_is_gone_at_the_end():
    out = Terminal()
    reporter = ConsoleReporter(out, color=False, live=True, verbose=False, width=60)
    first, second = results.plain("T1"), results.conversation()
    reporter.handle(RunStarted(results.run_info(3)))
    reporter.handle(CaseFinished(first))
    assert out.writes[-1].endswith("1/3 · 1 passed")
    assert out.writes[-1].startswith("\r\x1b[2K✓ [T1]")
    reporter.handle(AttemptStarted(second.case, 1))
    reporter.handle(TurnFinished(second.case, 1, second.attempts[0].transcript.turns[0]))
    reporter.handle(CaseFinished(second))
    assert out.writes[-1].endswith("2/3 · 2 passed · T001 turn 1")
    reporter.handle(RunFinished(results.run_info(3), results.summary_of([first, second])))
    reporter.close()
    assert out.writes[-1].endswith("\n")


def test_a_reply_of_fifty_megabytes_costs_no_more_than_a_glance():
    huge = results.wrong_argument()
    turn = huge.attempts[0].transcript.turns[0]
    turn = structs.replace(turn, reply=structs.replace(turn.reply, text="word " * 10_000_000))
    attempt = structs.replace(huge.attempts[0], transcript=structs.replace(huge.attempts[0].transcript, turns=(turn,)))
    assert len(shown(results.events_of([structs.replace(huge, attempts=(attempt,))]), verbose=True)) < 60_000


def last_turn_broke_off(reason: EndReason, status: Status) -> CaseResult:
    result = results.conversation()
    talk = result.decisive.transcript
    broken = structs.replace(talk.turns[-1], error="it went wrong", verdicts=())
    talk = structs.replace(talk, turns=(*talk.turns[:-1], broken), ending=Ending(reason, "it went wrong"))
    attempt = structs.replace(
        result.decisive, status=status, fault="agent", error="it went wrong", transcript=talk, final_verdicts=()
    )
    return structs.replace(result, status=status, attempts=(attempt,))


@pytest.mark.parametrize(
    ("reason", "status"),
    [
        (EndReason.AGENT_ERROR, Status.ERROR),
        (EndReason.TARGET_ERROR, Status.ERROR),
        (EndReason.TIMEOUT, Status.TIMEOUT),
        (EndReason.INTERRUPT_IGNORED, Status.FAILED),
    ],
)
def test_a_turn_that_broke_off_has_failed_on_the_console_as_in_the_result_file(reason: EndReason, status: Status):
    result = last_turn_broke_off(reason, status)
    text = shown(results.events_of([result]))
    (line,) = [line for line in text.splitlines() if "Turn 3:" in line]
    assert "→ FAILED" in line
    assert row_of(result)["turns"][2]["status"] == "failed"
    assert f"Result: {status.upper()}" in text


@pytest.mark.parametrize("verbose", [True, False])
@pytest.mark.parametrize("make", [results.conversation, results.plain])
def test_what_the_agent_stopped_for_is_shown_with_v_as_without(make: Callable[[], CaseResult], verbose: bool):
    result = make()
    talk = result.decisive.transcript
    stop = Interrupt(id="i1", reason="approve_payment", message="Pay 100 $?")
    asked = structs.replace(talk.turns[-1], reply=structs.replace(talk.turns[-1].reply, interrupts=(stop,)))
    talk = structs.replace(talk, turns=(*talk.turns[:-1], asked))
    result = structs.replace(result, attempts=(structs.replace(result.decisive, transcript=talk),))
    text = shown(results.events_of([result]), verbose=verbose)
    if verbose:
        assert "Interrupt: approve_payment: Pay 100 $?" in text
    elif make is results.conversation:
        assert "[interrupt: approve_payment]" in text


@pytest.mark.parametrize(("cost", "words"), [(0.00004, "<$0.0001"), (0.0, "$0.0000"), (0.0123, "$0.0123")])
def test_a_cost_is_never_rounded_to_nothing(cost: float, words: str):
    info, case = results.run_info(1), results.plain()
    summary = results.summary_of([case], usage=Usage(12, 5, cost=cost))
    text = shown([RunStarted(info), CaseFinished(case), RunFinished(info, summary)])
    (line,) = [line for line in text.splitlines() if "Cost:" in line]
    assert line.split()[-1] == words


def ended(result: CaseResult, ending: Ending, **last: Any) -> CaseResult:
    """The same, with another ending and another last turn."""
    attempt = result.attempts[0]
    turns = attempt.transcript.turns
    turns = (*turns[:-1], structs.replace(turns[-1], **last))
    transcript = structs.replace(attempt.transcript, turns=turns, ending=ending)
    return structs.replace(result, attempts=(structs.replace(attempt, transcript=transcript),))


def test_the_goal_is_told_also_when_the_simulator_says_nothing_more():
    result = results.simulated()
    line = structs.replace(result.attempts[0].transcript.turns[-1].line, goal_achieved=False, note=None)
    silent = ended(result, Ending(EndReason.GOAL_ACHIEVED, "Expense submitted"), line=line)
    assert shown(results.events_of([silent])).count("Goal achieved: Expense submitted") == 1
    assert shown(results.events_of([result])).count("Goal achieved: Expense submitted") == 1


def test_what_the_agent_asked_is_in_its_own_words_before_its_hint():
    result = results.missing_input()
    ending = result.attempts[0].transcript.ending
    assert ending is not None
    reply = AgentReply(text="Which PO? I cannot go on without.", input_hint="PO-0000")
    text = shown(results.events_of([ended(result, ending, reply=reply)]))
    assert 'Agent asked: "Which PO?"' in text
    assert 'It wants: "PO-0000"' in text
    only_hint = ended(result, ending, reply=AgentReply(input_hint="PO-0000"))
    assert 'Agent asked: "PO-0000"' in shown(results.events_of([only_hint]))


@pytest.mark.parametrize("make", [results.unreachable, results.simulated])
def test_waits_and_new_tries_are_shown(make: Callable[[], CaseResult]):
    result = make()
    attempt = structs.replace(result.attempts[0], retries=("turn 1: HTTP 429, waited 2s as the server asked",))
    text = shown(results.events_of([structs.replace(result, attempts=(attempt,))]))
    assert "turn 1: HTTP 429, waited 2s as the server asked\n" in text


def test_the_list_of_failures_keeps_the_end_of_a_long_reason():
    result = results.unreachable()
    attempt = structs.replace(result.attempts[0], error=f"HTTP 401: {'x' * 1000} (is OPENAI_API_KEY set?)")
    text = shown(results.events_of([structs.replace(result, attempts=(attempt,))]))
    assert "(is OPENAI_API_KEY set?)" in " ".join(text.partition("Failures (1)")[2].split())


def test_the_reply_is_shown_when_no_check_quotes_it():
    code = spec("javascript", value="output.length < 3")
    verdict = failed(code, "JavaScript returned false: output.length < 3", actual="Please submit it.")
    answered = turn(1, "hi", "Please submit it.", seconds=1)
    judged = attempt(answered, status=Status.FAILED, seconds=1, verdicts=(verdict,))
    unhappy = result(case("T1", "hi", assertions=(code,)), judged)
    assert 'Agent: "Please submit it."' in shown(results.events_of([unhappy]))


@pytest.mark.parametrize("status", [Status.ERROR, Status.TIMEOUT])
def test_checks_that_were_not_judged_are_counted(status: Status):
    checks = (spec("contains", value="a"), spec("contains", value="b"))
    lost = attempt(turn(1, "hi", "", seconds=1), status=status, error="connection refused", seconds=1)
    text = shown(results.events_of([result(case("T1", "hi", assertions=checks), lost)]))
    assert "Assertions: 2 not judged" in text


def test_a_case_that_failed_by_its_score_shows_it():
    check = spec("contains", value="a")
    judged = attempt(
        turn(1, "hi", "b", seconds=1),
        status=Status.FAILED,
        error="score 0.50, min_score 0.9: output does not contain 'a'",
        seconds=1,
        verdicts=(failed(check, "output does not contain 'a'"),),
    )
    text = shown(results.events_of([result(case("T1", "hi", assertions=(check,), min_score=0.9), judged)]))
    assert "Assertions: 0/1 passed, Score 0.50, min_score 0.9" in text


def test_the_tree_tells_what_was_not_judged():
    done = results.conversation()
    broke = structs.replace(done.attempts[0], status=Status.ERROR, error="agent error: boom", final_verdicts=())
    text = shown(results.events_of([structs.replace(done, status=Status.ERROR, attempts=(broke,))]))
    assert "1 check not judged" in text
