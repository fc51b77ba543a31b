"""The list of runs: what each was, what changed in it, charts, filters, what a live run is at work on."""

import re
from pathlib import Path

from tests.browser.conftest import Viewer
from tests.browser.contrast import TEXT_WITH_LITTLE_CONTRAST
from tests.browser.waiting import becomes
from tests.fakes.kept_runs import begun, changed, info_named, keep_run, start_run
from tests.fakes.results import plain, summary_of

from vivavoce.model.events import CaseFinished, RunFinished
from vivavoce.model.result import AgentVersion, Status


def three_runs(store: Path) -> None:
    """In the third, `pay` fails that had passed; each run says what it is."""
    for number in range(3):
        pay = changed(plain("pay"), status=Status.FAILED if number == 2 else Status.PASSED, ms=1000 + 400 * number)
        results = [begun(one, 60 * number) for one in (pay, plain("ask"))]
        keep_run(
            store,
            f"run-{number}",
            results,
            started_at=f"2024-12-17T10:0{number}:00Z",
            agent_id="shop",
            title="nightly" if number else None,
            revision=f"{number}c0ffee1234",
            branch="try" if number == 1 else "main",
            dirty=number == 2,
            tags=("smoke",) if number == 2 else (),
            agents={"shop": AgentVersion(configuration="x", model="gpt-9" if number else "gpt-8")},
        )


async def test_a_run_says_what_it_was_and_what_changed(viewer: Viewer):
    three_runs(viewer.store)
    page = await viewer.open()
    row = page.locator(".run-row").first
    await row.get_by_text("1 new failure: pay").wait_for()
    words = await row.inner_text()
    for told in ("nightly", "shop", "gpt-9", "2c0ffee* on main", "17 Dec 2024", "1 of 2 passed", "50 %"):
        assert told in words, told
    assert "fixed" not in await page.locator(".run-row").nth(1).inner_text()


async def test_durations_are_drawn_on_a_scale_that_shows_a_change(viewer: Viewer):
    three_runs(viewer.store)
    page = await viewer.open()
    chart = page.get_by_role("img", name=re.compile("^Duration of a case; p50: .*; p95: "))
    await chart.wait_for()
    tops = await chart.locator("a.is-second").evaluate_all("all => all.map(one => parseFloat(one.style.top))")
    assert tops[0] - tops[-1] > 60, "from 1.2 s to 1.8 s is most of the height"


async def test_runs_are_filtered_by_title_branch_model_and_tag(viewer: Viewer):
    three_runs(viewer.store)
    page = await viewer.open()
    await page.wait_for_selector(".run-row")

    async def listed() -> list[str]:
        return await page.locator(".run-row").evaluate_all("all => all.map(one => one.dataset.run)")

    assert await page.get_by_label("Agent").is_hidden(), "a choice that all runs have says nothing"
    for label, value, wanted in [
        ("Title", "nightly", ["run-2", "run-1"]),
        ("Branch", "try", ["run-1"]),
        ("Branch", "", ["run-2", "run-1"]),
        ("Title", "", ["run-2", "run-1", "run-0"]),
        ("Model", "gpt-8", ["run-0"]),
        ("Tag", "smoke", []),
        ("Model", "", ["run-2"]),
    ]:
        await page.get_by_label(label, exact=True).select_option(value)
        await becomes(listed, wanted)
    await page.get_by_label("Branch").select_option("try")
    await page.get_by_text("No run matches these filters.").wait_for()


async def test_a_live_run_names_what_is_in_flight(viewer: Viewer):
    run = start_run(viewer.store, "live", 3)
    run.in_flight = lambda: ["tests/pay.jsonl::pay", "tests/pay.jsonl::ask"]
    run.handle(CaseFinished(plain("first")))
    page = await viewer.open()
    await page.locator(".run-row.is-running").get_by_text("in flight: pay, ask").wait_for()
    inside = await viewer.open("runs/live")
    await inside.get_by_text("In flight: pay, ask").wait_for()
    run.handle(RunFinished(info_named("live", 1), summary_of([plain()])))
    run.close()
    await page.get_by_text("in flight").wait_for(state="detached")


async def test_nothing_overflows_and_all_text_stands_out(viewer: Viewer):
    three_runs(viewer.store)
    for width, scheme in ((1280, "dark"), (400, "light"), (400, "dark")):
        page = await viewer.open(width=width, color_scheme=scheme)
        await page.get_by_text("1 new failure").wait_for()
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        assert await page.evaluate(TEXT_WITH_LITTLE_CONTRAST) == [], (width, scheme)
        await page.close()
