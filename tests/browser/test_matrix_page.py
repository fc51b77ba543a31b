"""The matrix of `viva compare` in `viva view`: each cell has verdict, time and cost, and opens its conversation."""

from msgspec import structs
from tests.browser.conftest import Viewer
from tests.browser.contrast import TEXT_WITH_LITTLE_CONTRAST
from tests.browser.waiting import becomes
from tests.fakes.kept_runs import keep_run
from tests.unit.results.contest.test_contest import INFO, duel

MORE = {name: getattr(INFO, name) for name in ("agent_id", "contenders")}


async def test_a_comparison_of_agents_is_a_matrix(viewer: Viewer):
    keep_run(viewer.store, "duel", duel(4, 3), **MORE)
    page = await viewer.open("runs/duel")
    await page.wait_for_selector(".contest-matrix tbody tr")
    rows = page.locator(".contest-matrix tbody tr")
    assert await rows.count() == 4
    cell = rows.first.locator(".contest-cell").first
    label = await cell.get_attribute("aria-label")
    assert label.startswith("T0, a: passed, "), label
    assert label.split(", ")[2] in await cell.inner_text(), "how long it took"
    await page.get_by_role("button", name="Different only").click()
    await becomes(rows.count, 3)
    await page.locator(".contest-cell.is-failed").first.click()
    await page.get_by_role("dialog").wait_for()
    assert "#result-" in page.url
    await page.keyboard.press("Escape")
    await page.get_by_role("dialog").wait_for(state="hidden")
    await page.get_by_role("link", name="Runs").click()
    await page.wait_for_selector(".run-row")


async def test_it_fits_and_all_text_stands_out(viewer: Viewer):
    results = [structs.replace(one, index=at) for at, one in enumerate(duel(4, 2))]
    keep_run(viewer.store, "duel", results, **MORE)
    for width, scheme in ((1280, "light"), (400, "light"), (400, "dark")):
        page = await viewer.open("runs/duel", width=width, color_scheme=scheme)
        await page.wait_for_selector(".contest-cell")
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        assert await page.evaluate(TEXT_WITH_LITTLE_CONTRAST) == [], (width, scheme)
        await page.close()
