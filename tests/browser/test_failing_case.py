"""Why a case failed: each reason with its turn, the argument that differs, JSON as JSON, violations as a list."""

from tests.browser.conftest import OpenReport
from tests.browser.sample_results import saying
from tests.fakes.result_builders import attempt, case, failed, result, spec, turn
from tests.fakes.results import report_of, wrong_argument

from vivavoce.model.case import ConversationRules
from vivavoce.model.result import CaseResult, Status

IN_VIEW = "node => { const at = node.getBoundingClientRect(); return at.top >= 0 && at.top < innerHeight; }"


def failing_twice() -> CaseResult:
    """Ten turns; the second and the ninth fail a check."""
    price, name = spec("contains", value="12"), spec("contains", value="Ada")
    turns = [
        turn(
            number,
            f"question {number}",
            "a long answer " * 40,
            verdicts={2: (failed(price, "no price"),), 9: (failed(name, "no name"),)}.get(number, ()),
        )
        for number in range(1, 11)
    ]
    went = attempt(*turns, status=Status.FAILED, error="no price; no name")
    return result(case("twice", "question 1", rules=ConversationRules(multi_turn=True)), went)


async def test_each_reason_has_its_line_and_its_turn_is_one_click_away(open_report: OpenReport):
    page = await open_report(report_of([failing_twice()]), "#case=twice")
    why = page.get_by_role("dialog").locator(".callout .reasons li")
    assert await why.all_inner_texts() == ["Turn 2\nno price", "Turn 9\nno name"]
    await why.nth(1).get_by_role("link").click()
    assert page.url.endswith("#case=twice&turn=9")
    assert await page.evaluate("document.activeElement.dataset.turn") == "9"
    assert await page.locator('[data-turn="9"]').evaluate(IN_VIEW)
    again = await open_report(report_of([failing_twice()]), "#case=twice&turn=9")
    await again.wait_for_selector('[data-turn="9"]:focus')
    assert await again.locator('[data-turn="9"]').evaluate(IN_VIEW)


async def test_the_argument_that_differs_is_marked(open_report: OpenReport):
    page = await open_report(report_of([wrong_argument()]), f"#case={wrong_argument().case.id}")
    card = page.get_by_role("dialog").locator(".tool").first
    assert 'amount: 300, card: "visa"' in await card.locator("summary").inner_text()
    assert await card.locator("dt.differs").all_inner_texts() == ["amount"]
    assert "wanted" in await card.locator("dd.differs").inner_text()
    assert "/^250$/" in await card.locator("dd.differs").inner_text()


async def test_json_is_shown_as_json_and_violations_as_a_list(open_report: OpenReport):
    page = await open_report(report_of([saying('{"status": "paid", "id": 12345678901234567890}')]), "#case=said")
    said = page.get_by_role("dialog").locator(".bubble.from-agent .json")
    assert (await said.inner_text()).split() == ["{", '"status":', '"paid",', '"id":', "12345678901234567890", "}"]
    check = spec("schema", schema={"type": "object"})
    reason = "output does not fit the schema in 2 places:\n  $.a: is missing\n  $.b: is no number"
    went = attempt(turn(1, "hi", "no"), status=Status.FAILED, error=reason, verdicts=(failed(check, reason),))
    page = await open_report(report_of([result(case("bad", "hi"), went)]), "#case=bad")
    places = page.get_by_role("dialog").locator(".callout .violations li")
    assert await places.all_inner_texts() == ["$.a: is missing", "$.b: is no number"]
