"""Pages of `viva view` about runs and cases: names for screen readers, and no motion for who wants none."""

from pathlib import Path
from typing import Any

from tests.browser.conftest import Viewer
from tests.browser.test_case_pages import PAY, five_runs
from tests.fakes.kept_runs import keep_run
from tests.unit.results.contest.test_contest import INFO, duel

PAGES = {
    "": ".run-row",
    "cases": ".heat-row",
    f"case?key={PAY}": ".case-replies ins",
    "runs/run-4": "table.cases tbody tr",
    "runs/duel": ".contest-cell",
    "compare?before=run-2&after=run-4": ".change",
}
NAMELESS = """() => [...document.querySelectorAll("a, button, select, input, summary, [role=img], [role=gridcell] > *")]
  .filter((node) => node.checkVisibility() && !node.closest("[aria-hidden=true]"))
  .filter((node) => !(node.getAttribute("aria-label") || node.innerText?.trim() || node.labels?.[0]?.innerText.trim()))
  .map((node) => node.outerHTML.slice(0, 120))"""
MOVING = """() => document.getAnimations().filter((one) => one.playState === "running")
  .map((one) => one.effect.target.outerHTML.slice(0, 80))"""


def keep_all(store: Path) -> None:
    five_runs(store)
    keep_run(store, "duel", duel(4, 2), agent_id=INFO.agent_id, contenders=INFO.contenders)


async def opened(viewer: Viewer, path: str, ready: str) -> Any:
    page = await viewer.open(path, reduced_motion="reduce")
    await page.wait_for_selector(ready)
    return page


async def test_everything_that_can_be_used_has_a_name(viewer: Viewer):
    keep_all(viewer.store)
    for path, ready in PAGES.items():
        page = await opened(viewer, path, ready)
        assert await page.evaluate(NAMELESS) == [], path
        assert await page.locator("h1").count() == 1, path
        assert await page.locator("main").count() == 1, path
        assert await page.locator(".site-nav [aria-current=page]").count() == 1, path
        await page.close()


async def test_nothing_moves_for_who_wants_no_motion(viewer: Viewer):
    keep_all(viewer.store)
    for path, ready in PAGES.items():
        page = await opened(viewer, path, ready)
        assert await page.evaluate(MOVING) == [], path
        await page.close()
