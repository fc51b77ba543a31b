"""An open case: the conversation, the tools, the checks, the runs."""

import json
import re
from typing import Any

from msgspec import structs
from tests.browser.conftest import OpenReport
from tests.browser.sample_results import everything, refund, seldom_seen
from tests.browser.waiting import becomes
from tests.fakes import result_builders as made
from tests.fakes.results import conversation, every_kind, flaky, plain, report_of

from vivavoce.model.case import Case, Origin
from vivavoce.model.message import AgentReply
from vivavoce.model.result import CaseResult, Status
from vivavoce.model.transcript import Ending, EndReason
from vivavoce.model.verdict import Outcome, Verdict
from vivavoce.model.workspace import FileChange, WorkspaceAfter
from vivavoce.sources.decoding.case_decoder import decode_case


async def opened(open_report: OpenReport, case_id: str) -> Any:
    page = await open_report(report_of(everything()), f"#case={case_id}")
    return page.get_by_role("dialog")


async def test_a_deep_link_opens_its_case(open_report: OpenReport):
    case = await opened(open_report, "T003")
    await case.get_by_role("heading", name="Dynamic Expense Flow").wait_for()
    assert await case.locator(".case-bar").inner_text() == "13 of 14\nCopy as test case"
    assert "tests/expense-flow.jsonl:20" in await case.inner_text()


async def test_a_link_to_a_case_that_is_not_there_says_so(open_report: OpenReport):
    page = await open_report(report_of(every_kind()), "#case=nope")
    await page.get_by_text("There is no case nope in this report.").wait_for()


async def test_a_click_opens_a_case_and_going_back_closes_it(open_report: OpenReport):
    page = await open_report(report_of(everything()), "#status=failed")
    await page.get_by_text("Cancels, never deletes").click()
    assert page.url.endswith("#case=cancel&status=failed")
    await page.go_back()
    await page.get_by_role("dialog").wait_for(state="detached")
    assert page.url.endswith("#status=failed")


async def test_cases_of_one_id_in_two_files_have_links_of_their_own(open_report: OpenReport):
    there = plain("same")
    here = structs.replace(there, case=structs.replace(there.case, origin=Origin("b.jsonl", 9), name="The other one"))
    page = await open_report(report_of([there, here]), "#case=b.jsonl%3A%3Asame")
    await page.get_by_role("dialog").get_by_role("heading", name="The other one").wait_for()


async def test_the_conversation_tells_who_spoke_and_who_waits(open_report: OpenReport):
    case = await opened(open_report, "refund-17")
    who = await case.locator(".bubble .who").all_inner_texts()
    assert who == ["User", "Agent", "Simulated user", "Agent"], "one bubble for each reply"
    assert await case.get_by_text("awaiting input").count() == 1
    await case.get_by_text("Why it said so").click()
    await case.get_by_text("I own two cards.").wait_for()
    for shown in ("the judge was asked twice", "812 tokens in · 64 out · $0.0031", "ended: goal achieved"):
        assert await case.get_by_text(shown).first.is_visible(), shown
    await case.get_by_text("Logs").click()
    await case.get_by_text("found 1 order").wait_for()


async def test_an_ending_is_told_once(open_report: OpenReport):
    result = conversation()
    attempt = result.attempts[0]
    for detail, shown in (("completed", "ended: completed"), ("nobody asked", "ended: completed\nnobody asked")):
        ending = Ending(EndReason.COMPLETED, detail)
        transcript = structs.replace(attempt.transcript, ending=ending)
        told = structs.replace(result, attempts=(structs.replace(attempt, transcript=transcript),))
        page = await open_report(report_of([told]), "#case=T001")
        assert await page.locator(".ending").inner_text() == shown


async def test_turns_that_were_never_said_are_named(open_report: OpenReport):
    no = made.failed(made.spec("contains", value="x"), "no x")
    case = made.case("T1", "one", "two", "three", "four", at="tests/talk.yaml:1")
    stopped = made.attempt(
        made.turn(1, "one", "b"), made.turn(2, "two", "d", verdicts=(no,)), status=Status.FAILED, error="no x"
    )
    page = await open_report(report_of([made.result(case, stopped)]), "#case=T1")
    await page.get_by_role("dialog").get_by_text("Turns 3–4 were not reached").wait_for()


async def test_what_would_help_is_beside_the_check(open_report: OpenReport):
    changed = made.failed(made.spec("snapshot"), "output changed", suggestions=["accept it", "or review it"])
    failing = made.attempt(made.turn(1, "one", "b"), status=Status.FAILED, error="output changed", verdicts=(changed,))
    page = await open_report(report_of([made.result(made.case("T1", "one"), failing)]), "#case=T1")
    await page.get_by_role("dialog").get_by_text("Suggestion: accept it; or review it").wait_for()


async def test_what_is_seldom_seen_is_seen(open_report: OpenReport):
    page = await open_report(
        report_of([seldom_seen()]), "#case=grace", permissions=["clipboard-read", "clipboard-write"]
    )
    case = page.get_by_role("dialog")
    for shown in (
        "User, Grace",
        '"just a word"',
        "awaiting input: yes or no",
        "Judges and simulators: 100 tokens in · 7 out",
    ):
        assert await case.get_by_text(shown).is_visible(), shown
    for fold, inside in {"State": '"step"', "Warnings": '"slow stream"', "earlier calls": '"printed at last"'}.items():
        await case.get_by_text(fold).click()
        await case.get_by_text(inside).wait_for()
    copied = await copied_case(page)
    assert copied["input"] == {"role": "user", "content": "Where is it?", "name": "Grace"}


async def test_a_tool_card_unfolds_and_shows_when_it_ran(open_report: OpenReport):
    case = await opened(open_report, "refund-17")
    found, refused, silent = [case.locator("details.tool").nth(place) for place in range(3)]
    assert await found.get_by_text('"sku"').count() == 0
    await found.locator("summary").click()
    await found.get_by_text('"sku"').wait_for()
    assert await found.get_by_role("img").get_attribute("aria-label") == "from 100 ms to 700 ms of a turn of 2 s"
    assert await refused.get_by_text("card expired").is_visible(), "a failed call is open from the start"
    assert await silent.get_by_text("no result seen").is_visible()
    assert await silent.get_by_text("front end").is_visible()


async def test_a_line_of_text_differs_word_by_word(open_report: OpenReport):
    case = await opened(open_report, "refund-17")
    pair = case.locator(".turn .verdict .pair")
    assert await pair.locator("dd.is-found del").all_inner_texts() == ["21.50"]
    assert await pair.locator("dd.is-wanted ins").all_inner_texts() == ["12.50"]


async def test_red_is_what_was_found_green_what_was_wanted(open_report: OpenReport):
    case = await opened(open_report, "refund-17")
    for shown in (case.locator(".pair"), case.locator(".diff")):
        found, wanted = [await _color(shown.locator(tag).first) for tag in ("del", "ins")]
        assert found[0] > found[1], f"what was found is red, not {found}"
        assert wanted[1] > wanted[0], f"what was wanted is green, not {wanted}"


async def _color(element: Any) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", await element.evaluate("node => getComputedStyle(node).color"))]


async def test_json_and_letters_differ_line_by_line(open_report: OpenReport):
    case = await opened(open_report, "refund-17")
    order, letter = case.locator(".diff").nth(0), case.locator(".diff").nth(1)
    assert await order.locator("del.diff-line").all_inner_texts() == ['−      "count": 3,', '−  "status": "open",']
    assert await order.locator("ins.diff-line").all_inner_texts() == ['+      "count": 2,', '+  "status": "paid",']
    assert await letter.locator("del.diff-line").all_inner_texts() == ["−is lost."]
    assert await letter.locator("ins.diff-line").all_inner_texts() == ["+is on its way."]


async def test_checks_that_hold_are_folded_and_open_on_a_click(open_report: OpenReport):
    case = await opened(open_report, "expense-turn1")
    verdict = case.locator(".verdict[data-outcome=passed]")
    assert await verdict.get_by_text("The check as written").count() == 0
    await verdict.locator("summary").first.click()
    await verdict.get_by_text("The check as written").click()
    await verdict.get_by_text('"contains"').wait_for()


async def test_checkpoints_say_where_they_were_reached_or_what_came_closest(open_report: OpenReport):
    case = await opened(open_report, "expense-dynamic")
    section = case.get_by_role("region", name="Checkpoints")
    text = await section.inner_text()
    assert "ask_type reached at turn 1" in text
    assert "confirm never reached" in text
    assert "What came closest" in text
    assert "thanks not reached (optional)" in text


async def test_a_turn_never_taken_is_told_apart(open_report: OpenReport):
    case = await opened(open_report, "T002")
    assert "Never taken: Agent awaiting input, no next turn defined" in await case.locator(".not-taken").inner_text()


async def test_runs_stand_side_by_side_and_one_can_be_picked(open_report: OpenReport):
    page = await open_report(report_of([flaky()], runs=10), "#case=keywords")
    case = page.get_by_role("dialog")
    runs = case.locator("article.run")
    await becomes(runs.count, 10)
    first, third = await runs.nth(0).bounding_box(), await runs.nth(2).bounding_box()
    assert first["y"] == third["y"]
    assert first["x"] + first["width"] <= third["x"]
    assert await case.locator("article.run.is-failed").count() == 2
    assert "95 % CI 49–94 %" in await case.locator(".stability").inner_text()
    await case.get_by_role("button", name="Run 3, failed").click()
    await becomes(runs.count, 1)
    assert page.url.endswith("#case=keywords&run=3")
    await case.get_by_role("button", name="All side by side").click()
    await becomes(runs.count, 10)


async def copied_case(page: Any) -> dict[str, Any]:
    await page.evaluate("for (const old of document.querySelectorAll('.toast')) old.remove()")
    await page.get_by_role("button", name="Copy as test case").click()
    await page.get_by_text("Test case copied").wait_for()
    return json.loads(await page.evaluate("navigator.clipboard.readText()"))


async def test_every_case_copies_as_a_test_case_that_loads(open_report: OpenReport):
    page = await open_report(report_of(everything()), permissions=["clipboard-read", "clipboard-write"])
    for result in everything():
        await page.get_by_role("link", name=result.case.id, exact=True).click()
        copied = decode_case(await copied_case(page), result.case.origin)
        assert said_by_the_author(copied) == said_by_the_author(result.case)
        await page.keyboard.press("Escape")


def said_by_the_author(case: Case) -> Any:
    return (case.id, case.name, case.tags, case.metadata, case.history, case.assertions, case.checkpoints, case.rules)


async def test_a_script_test_shows_its_own_checks_and_no_other(open_report: OpenReport):
    function = made.spec("script_test")

    def ran(name: str, verdict: Verdict, status: Status, **record: Any) -> CaseResult:
        said = made.bare_turn(name, 0.1, AgentReply(data={"test": name, **record}))
        one = made.attempt(said, status=status, verdicts=(verdict,))
        return made.result(made.case(name, name, agent="script_tests:x", assertions=(function,)), one, status=status)

    raised = Verdict(outcome=Outcome.BROKEN, reason="ValueError: x", spec=function, fault="test")
    page = await open_report(
        report_of([ran("bare", made.passed(function), Status.PASSED), ran("raised", raised, Status.ERROR, checks=[])]),
        "#case=bare",
    )
    await page.get_by_role("dialog").wait_for()
    assert await page.locator("dialog .verdict").count() == 0
    await page.keyboard.press("Escape")
    await page.get_by_role("link", name="raised", exact=True).click()
    assert (await page.locator("dialog .verdict-title").all_inner_texts()) == ["test"]
    assert "script_test" not in await page.locator("dialog .verdicts").inner_text()


async def test_what_nobody_wanted_stands_against_nothing(open_report: OpenReport):
    surplus = made.failed(made.spec("equals", value={}), "b was not wanted", diff=[{"path": "b", "actual": "xx"}])
    told = made.result(made.case("more", "hi"), made.attempt(status=Status.FAILED, verdicts=(surplus,)))
    page = await open_report(report_of([told]), "#case=more")
    assert await page.locator("dialog .pair dd").all_inner_texts() == ["(nothing)", "xx"]


async def test_what_must_not_be_there_is_not_shown_as_wanted(open_report: OpenReport):
    text = made.failed(made.spec("not_contains", value="ell"), "has ell", expected={"never": "ell"}, actual="hello")
    called = {"turn": 1, "name": "pay", "args": {"n": 2}}
    call = made.failed(made.spec("forbid"), "pay called", expected={"never": "pay"}, actual=1, wrong_call=called)
    told = made.result(made.case("never", "hi"), made.attempt(status=Status.FAILED, verdicts=(text, call)))
    page = await open_report(report_of([told]), "#case=never")
    shown = [said.split() for said in await page.locator("dialog .pair").all_inner_texts()]
    assert shown == [
        ["wanted", "not", "ell", "found", "hello"],
        ["the", "call", "pay", "{", '"n":', "2", "}"],
    ]


async def test_numbers_read_as_people_write_them_unless_every_digit_counts(open_report: OpenReport):
    pay = made.call("pay", {"amount": 0.1 + 0.2}, result={"total": 0.1 + 0.7})
    noise = [{"path": "a", "expected": 0.3, "actual": 0.1 + 0.2}, {"path": "b", "expected": 1, "actual": 0.1 + 0.7}]
    differs = made.failed(made.spec("equals", value={}), "a was not wanted", diff=noise)
    one = made.attempt(made.turn(1, "hi", "x", calls=(pay,)), status=Status.FAILED, verdicts=(differs,))
    page = await open_report(report_of([made.result(made.case("sums", "hi"), one)]), "#case=sums")
    await page.locator("dialog details.tool summary").click()
    card = page.locator("dialog details.tool")
    await card.get_by_text("amount: 0.3").wait_for()
    await card.get_by_text('{ "total": 0.8 }').wait_for()
    shown = await page.locator("dialog .verdict .pair dd").all_inner_texts()
    assert shown == ["0.3", "0.30000000000000004", "1", "0.8"]


async def test_a_conversation_that_never_began_is_not_offered_as_a_test_case(open_report: OpenReport):
    """Its row has the first turn only: the copy would check less than the case."""
    never = made.result(made.case("never", "hi", "and then"), made.attempt(status=Status.ERROR, error="down"))
    page = await open_report(report_of([never]), "#case=never")
    await page.get_by_role("dialog").wait_for()
    assert await page.get_by_role("button", name="Copy as test case").count() == 0


async def test_what_a_simulator_said_becomes_the_script(open_report: OpenReport):
    page = await open_report(
        report_of([refund()]), "#case=refund-17", permissions=["clipboard-read", "clipboard-write"]
    )
    copied = await copied_case(page)
    assert [turn["input"] for turn in copied["turns"]] == ["I want my money back for order 17.", "The blue one."]
    assert "simulator" not in copied


async def test_where_copying_is_forbidden_the_text_is_offered(open_report: OpenReport):
    page = await open_report(report_of([refund()]), "#case=refund-17")
    await page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('forbidden')) }")
    await page.get_by_role("button", name="Copy as test case").click()
    offered = await page.get_by_label("Test case", exact=True).input_value()
    assert json.loads(offered)["id"] == "refund-17"


async def test_a_script_test_is_a_list_of_checks_and_no_chat(open_report: OpenReport):
    checks = [
        {"check": "Equal", "outcome": "passed", "reason": "the sum", "line": 7},
        {"check": "Contains", "outcome": "failed", "reason": "zzz is not there", "line": 9},
    ]
    record = {"test": "test_sums", "checks": checks, "logs": ["a line of the log"]}
    of = made.case("setup::test_sums", "test_sums", at="setup_test.py:1", agent="script_tests:expense.setup")
    answered = made.bare_turn("test_sums", 0.1, AgentReply(data=record))
    verdict = made.failed(made.spec("script_test"), "Contains: zzz is not there (line 9)")
    test = made.result(of, made.attempt(answered, seconds=0.1, status=Status.FAILED, verdicts=(verdict,)))
    page = await open_report(report_of([test]), "#case=setup::test_sums")
    shown = page.get_by_role("dialog")
    titles = await shown.locator(".verdict-title").all_inner_texts()
    assert titles == ["Equal the sum · line 7", "Contains line 9"]
    assert await shown.locator(".bubble").count() == 0
    await shown.get_by_text("a line of the log").wait_for()


async def test_what_an_agent_left_in_its_workspace_unfolds(open_report: OpenReport):
    after = WorkspaceAfter(
        source="shop",
        files=("app.py",),
        changes=(FileChange(path="app.py", change="changed", size=42, size_before=46, diff="-<b>old\n+<i>new"),),
    )
    result = plain("same")
    result = structs.replace(result, attempts=(structs.replace(result.attempts[0], workspace=after),))
    page = await open_report(report_of([result]), "#case=same")
    part = page.get_by_role("dialog").get_by_role("region", name="Workspace")
    await part.get_by_text("Workspace shop: 1 change").click()
    await part.get_by_text("-<b>old").wait_for()
    assert "changed app.py (46 → 42 bytes)" in await part.inner_text()
    assert "Files afterwards" in await part.inner_text()
