"""The list: finding cases in it."""

from typing import Any

from tests.browser.conftest import OpenReport
from tests.browser.sample_results import everything
from tests.browser.waiting import becomes
from tests.fakes.results import report_of

from vivavoce.model.result import UNSUCCESSFUL


async def ids(page: Any) -> list[str]:
    return await page.locator("tbody .col-id").all_inner_texts()


async def test_every_case_is_listed_those_that_did_not_pass_first(open_report: OpenReport):
    page = await open_report(report_of(everything()))
    failed = [result.case.id for result in everything() if result.status in UNSUCCESSFUL]
    others = [result.case.id for result in everything() if result.status not in UNSUCCESSFUL]
    await becomes(lambda: ids(page), [*failed, *others])
    await becomes(page.locator(".listed").inner_text, "14 cases")


async def test_status_chips_filter_and_add_up(open_report: OpenReport):
    page = await open_report(report_of(everything()))
    await page.get_by_role("button", name="timed out 1", exact=True).last.click()
    await becomes(lambda: ids(page), ["slow"])
    await page.get_by_role("group", name="Status").get_by_role("button", name="error").click()
    await becomes(lambda: ids(page), ["ping", "slow"])
    await becomes(page.locator(".listed").inner_text, "2 of 14 cases")
    await page.get_by_role("button", name="Clear filters").click()
    await becomes(page.locator("tbody .col-id").count, 14)


async def test_tag_tool_and_fault_narrow_the_list_together(open_report: OpenReport):
    page = await open_report(report_of(everything()))
    await page.get_by_role("combobox", name="Tag").select_option("smoke")
    await becomes(lambda: ids(page), ["refund-17", "expense-turn2"])
    await page.get_by_role("combobox", name="Tool").select_option("!find_order")
    await becomes(lambda: ids(page), ["expense-turn2"])
    await page.get_by_role("combobox", name="Tool").select_option("find_order")
    await becomes(lambda: ids(page), ["refund-17"])
    await page.get_by_role("combobox", name="Fault").select_option("target")
    await becomes(lambda: ids(page), [])
    assert await page.get_by_text("No case matches these filters.").is_visible()


async def test_search_looks_into_what_was_said_and_done(open_report: OpenReport):
    page = await open_report(report_of(everything()), "#sort=id")
    search = page.get_by_role("searchbox")
    for words, found in {
        "CLIENT dinner": ["expense-dynamic", "T003"],
        "card expired": ["refund-17"],
        "exp-2025-001": ["expense-turn2", "T001"],
        "orders.yaml": ["cancel"],
        "looking up ada": ["refund-17"],
        "no such words": [],
        "exp-2025-001 -T001": ["expense-turn2"],
    }.items():
        await search.fill(words)
        await becomes(lambda: ids(page), found)


async def test_names_of_fields_are_not_words(open_report: OpenReport):
    page = await open_report(report_of(everything()))
    await page.get_by_role("searchbox").fill("awaiting_reason")
    await becomes(lambda: ids(page), [])


async def test_a_column_sorts_up_down_and_back(open_report: OpenReport):
    page = await open_report(report_of(everything()))
    header = page.get_by_role("columnheader", name="Duration")
    await header.get_by_role("button").click()
    assert (await ids(page))[:2] == ["slow", "T003"]
    assert await header.get_attribute("aria-sort") == "descending"
    await header.get_by_role("button").click()
    assert (await ids(page))[-1] == "slow"
    assert await header.get_attribute("aria-sort") == "ascending"
    await header.get_by_role("button").click()
    assert (await ids(page))[0] == next(case.case.id for case in everything() if case.status in UNSUCCESSFUL)
    assert await header.get_attribute("aria-sort") == "none"


async def test_ids_sort_as_people_count_and_status_by_how_bad_it_is(open_report: OpenReport):
    page = await open_report(report_of(everything()), "#sort=id&status=passed")
    await becomes(lambda: ids(page), ["expense-turn1", "expense-turn2", "T001", "T003"])
    await page.get_by_role("button", name="Clear filters").click()
    await page.get_by_role("button", name="Status").click()
    assert (await ids(page))[0] == "pay-1"
    assert (await ids(page))[-1] == "T003"


async def test_cases_that_ran_often_sort_by_their_pass_rate(open_report: OpenReport):
    page = await open_report(report_of(everything()))
    await page.get_by_role("button", name="Pass rate").click()
    places = await ids(page)
    assert places.index("expense-turn1") < places.index("keywords") < places.index("pay-1")
    row = page.locator("tbody tr", has_text="keywords")
    assert await row.locator(".col-rate").inner_text() == "80 %"
    assert await row.locator(".dot.is-failed").count() == 2


async def test_charts_filter_the_list(open_report: OpenReport):
    page = await open_report(report_of(everything()))
    await page.get_by_role("region", name="Faults by kind").get_by_role("button", name="target").click()
    await becomes(lambda: ids(page), ["ping"])
    assert await page.get_by_role("combobox", name="Fault").input_value() == "target"


async def test_filters_live_in_the_address(open_report: OpenReport):
    page = await open_report(report_of(everything()), "#status=failed&tag=billing&q=tea&sort=-duration")
    await becomes(lambda: ids(page), ["refund-17"])
    assert await page.get_by_role("searchbox").input_value() == "tea"
    assert await page.locator(".chip.is-failed").get_attribute("aria-pressed") == "true"
    await page.get_by_role("searchbox").fill("")
    await page.get_by_role("combobox", name="Tag").select_option("")
    assert page.url.endswith("#status=failed&sort=-duration")


async def test_the_keyboard_does_it_all(open_report: OpenReport):
    page = await open_report(report_of(everything()), "#status=passed")
    await page.keyboard.press("/")
    await page.keyboard.type("expense")
    await becomes(page.locator("tbody .col-id").count, 4)
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("j")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("k")
    await becomes(lambda: page.evaluate("document.activeElement.textContent"), "expense-turn2")
    await page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("heading", name="Second turn - create expense").wait_for()
    await page.keyboard.press("j")
    await dialog.get_by_role("heading", name="Expense Reimbursement Flow").wait_for()
    await page.keyboard.press("Escape")
    await dialog.wait_for(state="detached")
    await becomes(lambda: page.evaluate("document.activeElement.textContent"), "T001")
    await page.keyboard.press("/")
    await page.keyboard.press("Escape")
    await becomes(page.get_by_role("searchbox").input_value, "")
