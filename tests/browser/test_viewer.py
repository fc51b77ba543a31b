"""The web page over the history: list, trend, live run, comparison, and what it must never do."""

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.browser.conftest import OpenPage, Viewer
from tests.browser.sample_results import many, saying
from tests.browser.test_report_page import TEXT_WITH_LITTLE_CONTRAST
from tests.browser.waiting import LONGEST_S, becomes
from tests.fakes.kept_runs import changed, info_named, keep_run, start_run
from tests.fakes.results import events_of, every_kind, flaky, plain, summary_of

from vivavoce.model.events import CaseFinished, RunFinished
from vivavoce.model.result import Status, Summary
from vivavoce.reporters.html.comparison_page import write_comparison
from vivavoce.results.comparison.run_comparison import compare_runs
from vivavoce.results.history.database import open_to_write
from vivavoce.results.history.reading import History
from vivavoce.results.history.writing import NewResult, RunWriter
from vivavoce.results.journal import JsonlReporter
from vivavoce.results.rows import row_line
from vivavoce.results.stored_runs import StoredRun
from vivavoce.viewer.library import Library
from vivavoce.viewer.server import serving


def two_runs(store: Path) -> None:
    """In the second run a fails, b is fixed, c is slower, d answers differently, e is new and f is missing."""
    before = [
        changed(plain("a", name="Pays"), says="Your card was charged 12 euro. Thank you."),
        changed(plain("b"), status=Status.FAILED),
        changed(plain("c"), ms=1000),
        changed(plain("d"), says="Good morning, Ada."),
        plain("f"),
    ]
    after = [
        changed(plain("a", name="Pays"), says="Your card was charged 99 euro. Thank you.", status=Status.FAILED),
        plain("b"),
        changed(plain("c"), ms=9000),
        changed(plain("d"), says="Good evening, Ada."),
        plain("e"),
    ]
    keep_run(store, "earlier", before, started_at="2024-12-17T10:00:00Z")
    keep_run(store, "later", after, started_at="2024-12-17T11:00:00Z")


def keep_many(store: Path, run_id: str, total: int) -> None:
    """Writes a huge run from a few results that are repeated under new ids, because making each would take too long."""
    made = [(result.case.id, result.status, row_line(result)) for result in many(200)]
    database = open_to_write(store)
    run = RunWriter(database, info_named(run_id, total))
    for start in range(0, total, len(made)):
        run.append(
            [
                NewResult(case_id, status, renamed(row, case_id, start + at), None)
                for at, (case_id, status, row) in enumerate(made)
            ],
            Summary(total=total, passed=total),
            finished=True,
        )
    database.close()


def renamed(data: bytes, case_id: str, number: int) -> bytes:
    fresh = data.replace(f'"{case_id}"'.encode(), f'"N{number:06}"'.encode(), 1)
    return fresh if number == 50_099 else fresh.replace(b"needle", b"straw")


# ── the list ────────────────────────────────────────────────────────────────────────


async def test_runs_are_listed_with_their_trend(viewer: Viewer):
    for number in range(5):
        keep_run(viewer.store, f"run-{number}", every_kind()[: number + 3], started_at=f"2024-12-17T1{number}:00:00Z")
    page = await viewer.open()
    await page.wait_for_selector(".run-row")
    assert await page.locator(".run-row").evaluate_all("rows => rows.map(row => row.dataset.run)") == [
        f"run-{number}" for number in (4, 3, 2, 1, 0)
    ]
    chart = page.get_by_role("img", name=re.compile("^Pass rate; pass rate: .* now"))
    assert await chart.locator("a").count() == 5
    assert await chart.locator(".band").count() == 1, "the interval"
    assert await chart.locator("a").last.get_attribute("href") == "runs/run-4"
    await page.locator(".run-row a").first.click()
    await page.wait_for_selector("table.cases")
    assert page.url == f"{viewer.address}runs/run-4"


async def test_an_empty_history_says_how_to_begin(viewer: Viewer):
    page = await viewer.open()
    await page.get_by_text("No run is kept yet.").wait_for()


async def test_a_new_run_appears_by_itself_and_one_agent_can_be_chosen(viewer: Viewer):
    keep_run(viewer.store, "one", [plain()], agent_id="shop")
    page = await viewer.open()
    await page.wait_for_selector(".run-row")
    first = await page.query_selector(".run-row")
    keep_run(viewer.store, "two", [plain()], agent_id="bank")
    await page.locator(".run-row").nth(1).wait_for()
    assert await first.evaluate("row => row.isConnected"), "what has not changed stays where it is"
    await page.get_by_label("Agent").select_option("shop")
    assert await page.locator(".run-row").count() == 1


async def test_the_list_is_worked_by_keys_alone(viewer: Viewer):
    two_runs(viewer.store)
    page = await viewer.open()
    await page.wait_for_selector(".run-row")
    await page.keyboard.press("j")
    await becomes(lambda: page.evaluate("document.activeElement.closest('li')?.dataset.run"), "later")
    await page.keyboard.press("x")
    await page.keyboard.press("j")
    await page.keyboard.press("x")
    await page.keyboard.press("c")
    await page.wait_for_selector(".change")
    assert page.url == f"{viewer.address}compare?before=earlier&after=later"


# ── a run ───────────────────────────────────────────────────────────────────────────


async def test_a_run_page_is_the_report_with_filters_search_and_cases(viewer: Viewer):
    keep_run(viewer.store, "one", [*every_kind(), saying("a needle in the hay")])
    page = await viewer.open("runs/one")
    await page.wait_for_selector("table.cases")
    await page.get_by_role("button", name=re.compile("^passed")).first.click()
    await listed(page, 4)
    await page.get_by_role("button", name="Clear filters").click()
    await page.keyboard.press("/")
    async with page.expect_response(lambda response: response.url.endswith("?q=NEEDLE+hay")):
        await page.keyboard.type("NEEDLE hay")
    await listed(page, 1)
    await page.locator("tbody tr").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_text("a needle in the hay").first.wait_for()
    assert page.url.endswith("#case=said&q=NEEDLE+hay")


async def test_a_deep_link_opens_its_case(viewer: Viewer):
    keep_run(viewer.store, "one", every_kind())
    page = await viewer.open("runs/one#case=T003")
    await page.get_by_role("dialog").get_by_text("T003").first.wait_for()


async def test_the_listed_cases_are_exported(viewer: Viewer):
    keep_run(viewer.store, "one", every_kind())
    page = await viewer.open("runs/one")
    await page.wait_for_selector("table.cases")
    await page.get_by_text("Export").click()
    async with page.expect_download() as started:
        await page.get_by_role("button", name="JSON, listed cases").click()
    saved = await (await started.value).path()
    assert len(json.loads(Path(saved).read_text())["results"]) == len(every_kind())


async def test_a_run_in_progress_is_seen_growing_until_it_ends(viewer: Viewer):
    run = start_run(viewer.store, "live", 4)
    run.handle(CaseFinished(plain("first")))
    await until(lambda: bool(History(viewer.store).runs()))
    page = await viewer.open("runs/live")
    banner = page.locator(".banner.is-live")
    await banner.get_by_text("1 of 4 cases finished.").wait_for()
    failed = changed(plain("second"), status=Status.FAILED)
    run.handle(CaseFinished(failed))
    await page.locator("tbody tr").nth(1).wait_for()
    await banner.get_by_text("2 of 4 cases finished.").wait_for()
    await page.get_by_role("button", name=re.compile("^failed")).first.wait_for()
    await page.get_by_text("1 of 2 cases did not pass").wait_for()
    results = [plain("first"), failed, plain("third"), plain("fourth")]
    for result in results[2:]:
        run.handle(CaseFinished(result))
    run.handle(RunFinished(info_named("live", 4), summary_of(results)))
    run.close()
    await banner.wait_for(state="detached")
    assert await page.locator("tbody tr").count() == 4
    await page.get_by_text("1 of 4 cases did not pass").wait_for()


async def test_an_open_case_and_a_search_survive_what_comes_in(viewer: Viewer):
    run = start_run(viewer.store, "live", 9)
    run.handle(CaseFinished(plain("first")))
    await until(lambda: bool(History(viewer.store).runs()))
    page = await viewer.open("runs/live")
    await page.wait_for_selector("tbody tr")
    await page.keyboard.press("/")
    await page.keyboard.type("s")
    run.handle(CaseFinished(plain("second")))
    await page.get_by_text("2 of 9 cases finished.").wait_for()
    assert await page.evaluate("document.activeElement.type") == "search"
    await page.keyboard.press("Escape")
    await page.locator("tbody tr").first.click()
    await page.get_by_role("dialog").wait_for()
    run.handle(CaseFinished(plain("third")))
    await page.get_by_text("3 of 9 cases finished.").wait_for()
    assert await page.get_by_role("dialog").is_visible()
    run.close()


async def test_rows_that_are_there_stay_while_others_come(viewer: Viewer):
    run = start_run(viewer.store, "live", 9)
    run.handle(CaseFinished(plain("first")))
    await until(lambda: bool(History(viewer.store).runs()))
    page = await viewer.open("runs/live")
    first = await page.wait_for_selector("tbody tr")
    run.handle(CaseFinished(plain("second")))
    await page.locator("tbody tr").nth(1).wait_for()
    assert await first.evaluate("row => row.isConnected && row === document.querySelector('tbody tr')")
    run.close()


async def test_the_list_shows_a_run_in_progress(viewer: Viewer):
    run = start_run(viewer.store, "live", 4)
    run.handle(CaseFinished(plain("first")))
    await until(lambda: bool(History(viewer.store).runs()))
    page = await viewer.open()
    row = page.locator(".run-row.is-running")
    await row.get_by_text("1 of 1 passed · 3 to go").wait_for()
    run.handle(RunFinished(info_named("live", 1), summary_of([plain()])))
    run.close()
    await row.wait_for(state="detached")


async def test_a_result_file_is_followed_while_it_is_written(tmp_path: Path, open_page: OpenPage):
    path = tmp_path / "out.jsonl"
    writer = JsonlReporter(path)
    started, *_, ended = events_of([plain("first"), plain("second")])
    writer.handle(started)
    async with serving(Library(History(tmp_path / "none.db"), [path])) as address:
        page = await open_page(f"{address}runs/20241217-100000-ab12")
        await page.get_by_text("0 of 2 cases finished.").wait_for()
        writer.handle(CaseFinished(plain("first")))
        await page.locator("tbody tr").first.wait_for()
        writer.handle(CaseFinished(plain("second")))
        writer.handle(ended)
        await page.locator(".banner.is-live").wait_for(state="detached")
        await page.get_by_text("all 2 cases passed").wait_for()
        writer.close()
        await page.close()


async def test_a_hundred_thousand_cases_open_filter_and_search(viewer: Viewer):
    keep_many(viewer.store, "big", 100_000)
    page = await viewer.open("runs/big")
    await page.wait_for_selector("table.cases")
    assert await page.locator(".listed").text_content() == "100,000 cases"
    assert await page.locator("tbody tr").count() < 500
    await page.keyboard.press("/")
    await page.keyboard.type("needle")
    await page.get_by_text("1 of 100,000 cases").wait_for()


async def test_a_run_that_is_gone_is_said_in_words(tmp_path: Path, chromium: Any):
    async with serving(Library(History(tmp_path / "none.db"))) as address:
        page = await (await chromium.new_context()).new_page()
        await page.goto(f"{address}runs/nothing")
        await page.get_by_text("This run cannot be shown").wait_for()
        await page.context.close()


# ── comparing ───────────────────────────────────────────────────────────────────────


async def test_two_runs_are_chosen_and_compared(viewer: Viewer):
    two_runs(viewer.store)
    page = await viewer.open()
    await page.get_by_label("Choose later to compare").check()
    await page.get_by_label("Choose earlier to compare").check()
    await page.get_by_role("button", name="Compare them").click()
    await expect_the_comparison(page)


async def test_the_run_page_leads_to_the_comparison_with_the_run_before(viewer: Viewer):
    two_runs(viewer.store)
    page = await viewer.open("runs/later")
    await page.get_by_role("link", name="Compare with the run before").click()
    await expect_the_comparison(page)


async def test_the_comparison_is_one_file_too(viewer: Viewer, open_page: OpenPage, tmp_path: Path):
    two_runs(viewer.store)
    history = History(viewer.store)
    path = tmp_path / "diff.html"
    with path.open("w", encoding="utf-8") as out:
        write_comparison(compare_runs(StoredRun(history, "earlier"), StoredRun(history, "later")), out)
    await expect_the_comparison(await open_page(path.as_uri()))


async def expect_the_comparison(page: Any) -> None:
    await page.get_by_text("1 regression").wait_for()
    groups = await page.locator(".change-group").evaluate_all("all => all.map(one => one.innerText.split('\\n')[0])")
    assert [group.split("\u00a0")[0] for group in groups] == [
        "New failures", "Fixed", "Added", "Not in the later run", "Slower", "Other replies",
    ]  # fmt: skip
    await page.locator(".change", has_text="Pays").locator("summary").first.click()
    compared_case = page.locator(".change[open] .compared")
    await compared_case.locator(".columns").wait_for()
    assert await compared_case.locator("del").all_text_contents() == ["12"]
    assert await compared_case.locator("ins").all_text_contents() == ["99"]
    assert await compared_case.get_by_text("it went wrong").count() == 1
    await page.get_by_role("button", name=re.compile("^Slower")).click()
    assert await page.locator(".change-id").all_text_contents() == ["c"]
    await page.get_by_role("button", name=re.compile("^Slower")).click()
    await page.keyboard.press("/")
    await page.keyboard.type("pay")
    await becomes(page.locator(".change-id").all_text_contents, ["a"])


async def test_the_comparison_is_worked_by_keys_alone(viewer: Viewer):
    two_runs(viewer.store)
    page = await viewer.open("compare?before=earlier&after=later")
    await page.wait_for_selector(".change")
    await page.keyboard.press("j")
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await becomes(page.locator(".change[open] .change-id").all_text_contents, ["b"])


async def test_repeated_cases_show_their_rates(viewer: Viewer):
    keep_run(viewer.store, "earlier", [flaky()])
    keep_run(viewer.store, "later", [flaky()])
    page = await viewer.open("compare?before=earlier&after=later")
    await page.get_by_text("by chance 100 %").wait_for()


# ── looks and safety ────────────────────────────────────────────────────────────────


PAGES = {"": ".run-row", "runs/later": "tbody tr", "compare?before=earlier&after=later": ".change"}
HOSTILE = """<script>document.title='owned'</script><img src=x onerror="document.title='owned'"></script>\u202egnp"""


async def test_hostile_text_is_only_text_everywhere(viewer: Viewer):
    named = {"agent_id": HOSTILE, "inputs": (HOSTILE,)}
    keep_run(viewer.store, "earlier", [saying(HOSTILE, case_id=HOSTILE, name=HOSTILE)], **named)
    keep_run(viewer.store, "later", [saying(HOSTILE + " more", case_id=HOSTILE, name=HOSTILE), plain()], **named)
    for path, ready in PAGES.items():
        page = await viewer.open(path)
        await page.wait_for_selector(ready)
        if path.startswith("compare"):
            await page.locator(".change > summary").first.click()
            await page.wait_for_selector(".columns")
        assert await page.evaluate("document.querySelectorAll('#viva script, #viva img').length") == 0, path
        assert "owned" not in (await page.title()).split("=")[0]
        assert await page.evaluate("document.title !== 'owned'")


async def test_pages_of_other_sites_can_read_nothing(viewer: Viewer, chromium: Any):
    keep_run(viewer.store, "one", [plain()])
    context = await chromium.new_context()
    page = await context.new_page()
    await context.route(
        "http://evil.example/", lambda route: route.fulfill(body="<p>evil</p>", content_type="text/html")
    )
    await page.goto("http://evil.example/")
    outcome = await page.evaluate(
        """async (address) => {
          const tries = {
            fetch: () => fetch(`${address}api/runs`).then((r) => r.text()),
            blind: () => fetch(`${address}api/runs`, { mode: "no-cors" }).then((r) => r.text()),
            script: () => new Promise((done, failed) => {
              const script = document.createElement("script");
              [script.src, script.onload, script.onerror] = [`${address}assets/dom.js`, done, failed];
              script.type = "module";
              document.head.append(script);
            }),
            events: () => new Promise((done, failed) => {
              const events = new EventSource(`${address}api/events`);
              [events.onmessage, events.onerror] = [done, failed];
              events.addEventListener("runs", done);
            }),
          };
          const read = [];
          for (const [name, attempt] of Object.entries(tries))
            try { const text = await attempt(); if (text !== "") read.push([name, String(text)]); } catch { continue; }
          return read;
        }""",
        viewer.address,
    )
    assert outcome == []
    await context.close()


async def test_a_wrong_token_shows_nothing(viewer: Viewer, chromium: Any):
    page = await (await chromium.new_context()).new_page()
    host = "/".join(viewer.address.split("/")[:3])
    for wrong in ("/", "/wrong/", "/wrong/api/runs"):
        response = await page.goto(host + wrong)
        assert response.status == 404
    await page.context.close()


async def test_nothing_overflows_and_all_text_stands_out(viewer: Viewer):
    two_runs(viewer.store)
    for width, scheme in ((1280, "light"), (390, "light"), (390, "dark")):
        for path, ready in [
            ("", ".run-row"),
            ("runs/later", "tbody tr"),
            ("compare?before=earlier&after=later", ".change"),
        ]:
            page = await viewer.open(path, width=width, color_scheme=scheme)
            await page.wait_for_selector(ready)
            if path.startswith("compare"):
                await page.locator(".change > summary").first.click()
                await page.wait_for_selector(".columns")
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, path)
            assert await page.evaluate(TEXT_WITH_LITTLE_CONTRAST) == [], (width, scheme, path)
            await page.close()


async def listed(page: Any, cases: int) -> None:
    await becomes(page.locator("tbody tr").count, cases)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(LONGEST_S):
        while not condition():
            await asyncio.sleep(0.02)
