"""Cases over time: the heat map of all cases, and the page of one."""

from pathlib import Path

from tests.browser.conftest import Viewer
from tests.browser.contrast import TEXT_WITH_LITTLE_CONTRAST
from tests.browser.waiting import becomes
from tests.fakes.kept_runs import begun, changed, keep_run
from tests.fakes.results import flaky, plain

from vivavoce.model.result import Status
from vivavoce.results.history.case_grid import agents_known
from vivavoce.results.history.database import open_to_write
from vivavoce.results.history.reading import History

PAY = "tests/expense.jsonl::pay"
HOSTILE = """<script>document.title='owned'</script><img src=x onerror="document.title='owned'">\u202egnp"""


def five_runs(store: Path) -> None:
    """`pay` breaks in the fourth of five runs and answers differently then; `ask` always passes; `new` comes last."""
    for number in range(5):
        bad = number >= 3
        pay = changed(
            plain("pay"),
            status=Status.FAILED if bad else Status.PASSED,
            says="Your card was charged 99 euro." if bad else "Your card was charged 12 euro.",
            ms=1000 + 500 * number,
        )
        results = [pay, plain("ask"), *([plain("new")] if number == 4 else [])]
        keep_run(
            store,
            f"run-{number}",
            [begun(one, 60 * number) for one in results],
            started_at=f"2024-12-17T10:0{number}:00Z",
            revision=f"{number // 3}c0ffee",
            branch="main",
            title="nightly" if number == 2 else None,
        )


async def test_the_heat_map_has_the_worst_first_and_leads_to_a_case(viewer: Viewer):
    five_runs(viewer.store)
    page = await viewer.open("cases")
    await page.wait_for_selector(".heat-row")
    names = page.locator(".heat-row .heat-name a")
    assert await names.all_text_contents() == ["pay", "ask", "new"]
    row = page.locator(".heat-row").first
    cells = await row.locator(".heat-cell").evaluate_all("all => all.map(one => one.className.split('is-')[1])")
    assert cells == ["passed", "passed", "passed", "failed", "failed"]
    assert await row.locator(".heat-rate").text_content() == "60 %"
    assert await page.locator(".listed").text_content() == "3 cases over 5 runs"
    await names.first.click()
    await page.get_by_role("heading", name="pay").wait_for()
    assert "key=tests%2Fexpense.jsonl%3A%3Apay" in page.url


async def test_a_case_that_passed_half_of_its_runs_says_so_on_both_pages(viewer: Viewer):
    keep_run(viewer.store, "one", [flaky()])
    stability = flaky().stability
    assert stability is not None
    share = f"{100 * stability.passed / stability.runs:.0f} %"
    page = await viewer.open("cases")
    await page.locator(".heat-row .heat-rate", has_text=share).wait_for()
    await page.locator(".heat-row .heat-name a").click()
    await page.locator(".tile", has_text=f"{stability.passed} of {stability.runs}").wait_for()
    assert share in await page.locator(".tile", has_text="Runs passed").inner_text()


async def test_a_cell_opens_its_conversation(viewer: Viewer):
    five_runs(viewer.store)
    page = await viewer.open("cases")
    await page.get_by_role("link", name="pay: failed").last.click()
    await page.get_by_role("dialog").get_by_text("99 euro").first.wait_for()
    assert "/runs/run-4#case=" in page.url


async def test_the_heat_map_is_worked_by_keys_alone(viewer: Viewer):
    five_runs(viewer.store)
    page = await viewer.open("cases")
    await page.wait_for_selector(".heat-row")
    await page.keyboard.press("j")
    await becomes(lambda: page.evaluate("document.activeElement.textContent"), "pay")
    await page.keyboard.press("ArrowDown")
    for _ in range(2):
        await page.keyboard.press("ArrowRight")
    label = await page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert label.startswith("ask: passed, 17 Dec 2024")
    assert await page.locator(".heat-pointed").text_content() == label
    await page.keyboard.press("Enter")
    await page.wait_for_selector("table.cases")
    assert "/runs/run-1#case=" in page.url


async def test_cases_are_searched_chosen_and_ordered(viewer: Viewer):
    five_runs(viewer.store)
    page = await viewer.open("cases")
    await page.wait_for_selector(".heat-row")
    names = page.locator(".heat-row .heat-name a")
    await page.get_by_label("Order").select_option("By file and id")
    assert await names.all_text_contents() == ["ask", "new", "pay"]
    await page.get_by_label("Which cases").select_option("Failing now")
    assert await names.all_text_contents() == ["pay"]
    await page.get_by_label("Which cases").select_option("All cases")
    await page.keyboard.press("Escape")
    await page.get_by_label("Search").fill("-pay expense")
    await becomes(names.all_text_contents, ["ask", "new"])
    await page.get_by_label("Search").fill("nothing like it")
    await page.get_by_text("No case matches.").wait_for()


async def test_a_thousand_cases_are_scrolled_without_being_there_all(viewer: Viewer):
    keep_run(viewer.store, "big", [plain(f"T{number:04}") for number in range(1000)])
    page = await viewer.open("cases")
    await page.wait_for_selector(".heat-row")
    assert await page.locator(".heat-row").count() < 150
    await page.evaluate("scrollTo(0, document.body.scrollHeight)")
    await page.get_by_text("T0999").wait_for()


async def test_a_case_over_time(viewer: Viewer):
    five_runs(viewer.store)
    page = await viewer.open(f"case?key={PAY}")
    await page.get_by_text("failed in the last run").wait_for()
    tiles = await page.locator(".tile").all_inner_texts()
    assert "60 %" in tiles[0]
    assert "3 of 5, 95 % CI" in tiles[0]
    strip = page.get_by_role("group", name="Results, oldest first")
    assert await strip.locator(".heat-cell").count() == 5
    change = page.get_by_role("region", name="Where it changed")
    assert "passed → failed between 0c0ffee and 1c0ffee" in await change.inner_text()
    replies = page.get_by_role("region", name="Replies")
    await becomes(replies.locator("ins").all_text_contents, ["12"])
    assert await replies.locator("del").all_text_contents() == ["99"]
    names = await replies.locator("dt, .diff-key").all_text_contents()
    assert " ".join(names).replace("− ", "").replace("+ ", "") in ("most frequent this one", "this one most frequent")
    assert await page.locator(".case-results tbody tr").count() == 5
    assert "Cost" not in await page.locator(".case-results thead").inner_text(), "no empty column"
    await strip.get_by_role("link").last.focus()
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("Enter")
    await page.get_by_role("dialog").wait_for()
    assert "/runs/run-3#case=" in page.url


async def test_a_case_of_removed_runs_is_still_told(viewer: Viewer):
    five_runs(viewer.store)
    History(viewer.store).ask(agents_known)  # makes the facts
    store = open_to_write(viewer.store)
    store.execute("DELETE FROM runs")
    store.close()
    page = await viewer.open(f"case?key={PAY}")
    await page.get_by_text("The runs with this reply are no longer kept.").first.wait_for()
    assert await page.locator(".heat-strip .heat-cell").count() == 5
    assert await page.locator(".heat-strip a").count() == 0


async def test_hostile_names_are_only_text(viewer: Viewer):
    keep_run(viewer.store, "one", [plain(HOSTILE)], agent_id=HOSTILE, title=HOSTILE, branch=HOSTILE)
    keep_run(viewer.store, "two", [begun(plain(HOSTILE), 9)], agent_id=HOSTILE, title=HOSTILE)
    page = await viewer.open("cases")
    await page.locator(".heat-name a").click()
    await page.wait_for_selector(".case-results td")
    assert await page.evaluate("document.querySelectorAll('#viva script, #viva img').length") == 0


async def test_nothing_overflows_and_all_text_stands_out(viewer: Viewer):
    five_runs(viewer.store)
    for width, scheme in ((1280, "light"), (400, "light"), (400, "dark")):
        for path, ready in [("cases", ".heat-row"), (f"case?key={PAY}", ".case-replies ins")]:
            page = await viewer.open(path, width=width, color_scheme=scheme)
            await page.wait_for_selector(ready)
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, path)
            assert await page.evaluate(TEXT_WITH_LITTLE_CONTRAST) == [], (width, scheme, path)
            await page.close()


async def test_an_open_case_of_a_run_leads_to_its_page(viewer: Viewer):
    five_runs(viewer.store)
    page = await viewer.open("runs/run-2#case=pay")
    await page.get_by_role("link", name="Over time").click()
    await page.get_by_text("failed in the last run").wait_for()
