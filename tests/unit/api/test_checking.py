"""check: every assertion as a function that raises when it does not hold."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from tests.fakes.assertion_table import smallest_fields

import vivavoce
from vivavoce import AgentReply, CaseResult, ToolCall, UsageError, Verdict, check
from vivavoce.api.checking import Judgement, forgotten
from vivavoce.model.transcript import Line, Transcript, Turn
from vivavoce.plugins.catalog import ASSERTIONS


def turn_of(*, said: str = "hi", took_ms: float = 5.0, number: int = 1, **reply: Any) -> Turn:
    return Turn(
        number=number, line=Line(content=said), reply=AgentReply(**reply), started_ms=1000.0, ended_ms=1000.0 + took_ms
    )


ANSWER = turn_of(
    text='Your order: {"status": "paid"}',
    calls=(ToolCall(id="1", name="charge_card", args={"amount": 5, "currency": "EUR"}, result={"ok": True}),),
)


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    forgotten()


def test_what_holds_gives_its_verdict():
    verdict = check.contains(ANSWER, "order")
    assert isinstance(verdict, Verdict)
    assert verdict.passed


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda: check.contains(ANSWER, "refund"), "output does not contain 'refund'"),
        (lambda: check.not_contains(ANSWER, ["order", "sorry"]), "`any: true` or `all: true`"),
        (lambda: check.regex(ANSWER, "^Order"), "output does not match /^Order/"),
        (lambda: check.equals(ANSWER, "x"), "wanted 'x'"),
        (lambda: check.json_path(ANSWER, "$.status", "open"), "$.status is 'paid', wanted 'open'"),
        (lambda: check.tool_called(ANSWER, "refund"), "refund was not called"),
        (lambda: check.tool_called(ANSWER, "charge_card", {"amount": 6}), "never with"),
        (lambda: check.tool_called(ANSWER, "charge_card", arguments={"currency": "USD"}), "never with"),
        (lambda: check.tool_result(ANSWER, "charge_card", {"ok": False}), "never returned"),
        (lambda: check.latency(ANSWER, max="1ms"), "5ms"),
        (lambda: check.contains(ANSWER, "order", negate=True), "it must not"),
        (lambda: check(ANSWER, type="regex", value="^Order"), "output does not match"),
        (lambda: check(ANSWER, type="type", value="object"), "output is a string, wanted an object"),
        (lambda: check.forbid(ANSWER, "charge_card"), "charge_card"),
    ],
)
def test_what_does_not_hold_raises_with_the_reason(call: Any, reason: str):
    with pytest.raises(AssertionError) as failure:
        call()
    assert reason in str(failure.value).splitlines()[0]


def test_the_message_shows_what_was_wanted_and_what_was_there():
    with pytest.raises(AssertionError) as failure:
        check.contains(ANSWER, "refund", message="nobody spoke of refunds")
    assert str(failure.value).splitlines() == [
        "nobody spoke of refunds",
        "  seen: output does not contain 'refund'",
        '  wanted: "refund"',
        '  found:  "Your order: {\\"status\\": \\"paid\\"}"',
    ]


def test_a_part_of_the_output_can_be_judged():
    assert check.contains(ANSWER, "pai", path="$.status").passed


def test_a_transcript_is_judged_as_a_whole():
    talk = Transcript(turns=(ANSWER, turn_of(text="Bye", number=2)))
    check.tool_called(talk, "charge_card")
    check.equals(talk, "Bye")
    with pytest.raises(AssertionError, match="charge_card called"):
        check.require(talk, name="charge_card", count={"exact": 2})


async def test_a_case_result_can_be_checked():
    report = await vivavoce.arun("hello there", agent=lambda text: {"said": text})
    result: CaseResult = report.results[0]
    check.json_path(result, "$.said", "hello there")
    with pytest.raises(AssertionError, match="is 'hello there', wanted 'bye'"):
        check.json_path(result, "$.said", "bye")


def test_a_conversation_without_a_reply_never_passes():
    with pytest.raises(AssertionError, match="no reply to judge"):
        check.not_contains(Transcript(), "x")


def test_every_assertion_type_is_there():
    assert set(dir(check)) == set(ASSERTIONS)
    assert all(callable(getattr(check, name)) for name in ASSERTIONS)


def test_an_unknown_check_is_told():
    with pytest.raises(AttributeError, match=r"no assertion 'contain'; did you mean 'contains'"):
        check.contain(ANSWER, "x")
    with pytest.raises(UsageError, match="did you mean 'contains'"):
        check(ANSWER, type="contain", value="x")


def test_a_wrong_field_is_told_and_never_ignored():
    with pytest.raises(UsageError, match="unknown field 'valeu'"):
        check.contains(ANSWER, valeu="x")
    with pytest.raises(UsageError, match="needs 'value'"):
        check.contains(ANSWER)
    with pytest.raises(TypeError, match="at most 1 arguments"):
        check.contains(ANSWER, "x", "y")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1}, b"x", "\ud800"], ids=repr)
def test_what_is_not_json_cannot_be_looked_for(value: Any):
    with pytest.raises(UsageError, match=r"check.equals was given what is not JSON: \$.value"):
        check.equals(ANSWER, value=value, negate=True)


def test_only_what_can_be_judged_is_judged():
    """A bare reply has no times and no question, so checks on those are refused."""
    with pytest.raises(TypeError, match="not a AgentReply"):
        check.latency(ANSWER.reply, max="1s")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not a str"):
        check.contains("text", "x")  # type: ignore[arg-type]


async def test_it_works_inside_a_running_loop_also_on_large_texts():
    huge = structs.replace(ANSWER, reply=AgentReply(text="x" * 2_000_000 + "needle"))
    assert check.regex(huge, "needle$").passed


# ── judges ──

SCRIPT = """
import asyncio
async def polite(output, input, expected, ctx):
    await asyncio.sleep(0)
    return {"pass": "please" in output, "message": f"{input} -> {output}"}
def odd(output):
    return "perhaps"
"""


@pytest.fixture
def judge(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "judge.py").write_text(SCRIPT)
    (tmp_path / "viva.yaml").write_text("agents: {judge: {python: judge.py:judge}}\n")
    (tmp_path / "judge.py").write_text(
        "import json\ndef judge(text):\n    asked = json.loads(text)\n"
        "    return {'passed': asked['criteria'] in asked['output'], 'reason': 'judged by ' + asked['criteria']}\n"
    )


@pytest.mark.usefixtures("judge")
async def test_a_script_judges_when_awaited():
    verdict = await check.script(turn_of(text="please wait"), "scripts:judge.polite")
    assert verdict.reason == "hi -> please wait"
    with pytest.raises(AssertionError, match="hi -> wait"):
        await check.script(turn_of(text="wait"), "scripts:judge.polite")
    assert forgotten() == []


@pytest.mark.usefixtures("judge")
async def test_an_agent_judges_by_criteria():
    assert (await check.agent(turn_of(text="please"), "please", use="agents:judge")).passed
    with pytest.raises(AssertionError, match="judged by thanks"):
        await check(turn_of(text="please"), type="agent", value="thanks", use="judge")


@pytest.mark.usefixtures("judge")
def test_without_a_loop_the_judgement_is_there_at_once():
    assert asyncio.run(_awaited(check.script(turn_of(text="please"), "scripts:judge.polite"))).passed
    with pytest.raises(AssertionError, match="judged by thanks"):
        check.agent(turn_of(text="please"), "thanks", use="judge")


async def _awaited(judgement: Judgement) -> Verdict:
    return await judgement


@pytest.mark.usefixtures("judge")
async def test_a_judge_that_breaks_never_passes():
    with pytest.raises(AssertionError, match="could not be checked: script returned 'perhaps'"):
        await check.script(turn_of(text="x"), "scripts:judge.odd")
    with pytest.raises(AssertionError, match=r"could not be checked: .*unknown agent 'nobody'"):
        await check.agent(turn_of(text="x"), "y", use="nobody", negate=True)


async def test_a_judge_that_nobody_awaits_is_remembered():
    check.agent(turn_of(text="x"), "is polite")
    assert forgotten() == ["check.agent"]
    assert forgotten() == []


@pytest.mark.parametrize("negate", [False, True])
@pytest.mark.parametrize("kind", ["contains", "not_contains", "equals", "regex"])
@pytest.mark.parametrize("whole", [False, True])
def test_a_reply_that_broke_off_is_never_judged(kind: str, negate: bool, whole: bool):
    broke = structs.replace(turn_of(text="half of it"), error="agent error: the stream broke")
    subject = Transcript(turns=(ANSWER, broke)) if whole else broke
    with pytest.raises(AssertionError, match="could not be checked: turn 1 is no answer to judge: agent error"):
        check(subject, type=kind, value="x", negate=negate)


@pytest.mark.parametrize("negate", [False, True])
@pytest.mark.parametrize("kind", ASSERTIONS.built_in)
def test_no_check_of_any_type_is_made_of_a_reply_that_broke_off(kind: str, negate: bool):
    broke = structs.replace(turn_of(text="half of it"), error="agent error: the stream broke")
    with pytest.raises((AssertionError, UsageError)) as raised:
        check(broke, type=kind, **smallest_fields(kind), negate=negate)
    assert isinstance(raised.value, UsageError) or "could not be checked" in str(raised.value)
