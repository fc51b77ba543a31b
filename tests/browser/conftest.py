"""A real Chromium. Pages opened in it may neither log errors nor make outside requests."""

import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from tests.browser.waiting import LONGEST_S

from vivavoce.model.result import RunReport
from vivavoce.reporters.html.page import write_html
from vivavoce.results.history.reading import History
from vivavoce.viewer.library import Library
from vivavoce.viewer.server import serving

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

LATE_PAGES = """
(() => {
  const LATE_MS = 400, LATE = new Set(["toggle", "hashchange", "popstate", "close"]);
  const add = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (kind, handler, ...rest) {
    const late = this instanceof EventSource || LATE.has(kind);
    const later = (event) => setTimeout(() => handler.call(this, event), LATE_MS);
    return add.call(this, kind, late ? later : handler, ...rest);
  };
  const fetched = fetch;
  window.fetch = async (...asked) => {
    const answer = await fetched(...asked);
    await new Promise((done) => setTimeout(done, LATE_MS));
    return answer;
  };
})()
"""
"""What a busy browser does late is done late always, with `VIVA_LATE_PAGES=1`: finds tests that look too early."""

OpenReport = Callable[..., Awaitable[Any]]
OpenPage = Callable[..., Awaitable[Any]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Runs all browser tests in one event loop, so that they share one browser."""
    for item in items:
        if Path(item.path).parent == Path(__file__).parent:
            item.add_marker(pytest.mark.xdist_group("browser"))
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


async def new_context(browser: Any, width: int, **options: Any) -> Any:
    context = await browser.new_context(viewport={"width": width, "height": 900}, **options)
    context.set_default_timeout(LONGEST_S * 1000)
    if os.environ.get("VIVA_LATE_PAGES"):
        await context.add_init_script(LATE_PAGES)
    return context


def unavailable(why: str) -> None:
    """Skips the test on a laptop without a browser; fails it in CI."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"browser tests cannot run: {why}")
    pytest.skip(f"BROWSER TESTS NOT RUN: {why}")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Any]:
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        unavailable("no chromium or google-chrome on the PATH")
    try:
        from playwright.async_api import async_playwright
    except ImportError:
        unavailable("the Python package playwright is not installed")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        await browser.close()


class Observed:
    """What a page did that a report must never do."""

    def __init__(self) -> None:
        self.complaints: list[str] = []

    def watch(self, page: Any) -> None:
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("dialog", self._dialog)
        page.on("popup", lambda popup: self.complaints.append(f"popup: {popup.url}"))
        page.on("request", self._request)

    def _console(self, message: Any) -> None:
        # A conflict is an answer, which the page shows in words.
        if message.type in ("error", "warning") and "409 (Conflict)" not in message.text:
            self.complaints.append(f"console: {message.text} {message.location}")

    async def _dialog(self, dialog: Any) -> None:
        self.complaints.append(f"dialog: {dialog.message}")
        await dialog.dismiss()

    def _request(self, request: Any) -> None:
        if not request.url.startswith(("file:", "data:", "blob:", "http://127.0.0.1:")):
            self.complaints.append(f"request: {request.url}")


@pytest_asyncio.fixture(loop_scope="session")
async def open_report(chromium: Any, tmp_path: Path) -> AsyncIterator[OpenReport]:
    """`await open_report(report, "#case=T003", width=390)` → its page. Fails in the end when a page complained."""
    observed = Observed()
    contexts: list[Any] = []

    async def opened(report: RunReport, address: str = "", *, width: int = 1280, **context: Any) -> Any:
        path = tmp_path / "report.html"
        with path.open("w", encoding="utf-8", newline="\n") as out:
            write_html(report, out)
        contexts.append(await new_context(chromium, width, **context))
        page = await contexts[-1].new_page()
        observed.watch(page)
        await page.goto(f"{path.as_uri()}{address}")
        await page.wait_for_selector("table.cases")
        return page

    yield opened
    for context in contexts:
        await context.close()
    assert observed.complaints == []


class Viewer:
    """A served history; what its pages complain about is collected."""

    def __init__(self, store: Path, address: str, open_page: OpenPage) -> None:
        self.store = store
        self.address = address
        self._open_page = open_page

    async def open(self, path: str = "", **context: Any) -> Any:
        return await self._open_page(self.address + path, **context)


@pytest_asyncio.fixture(loop_scope="session")
async def open_page(chromium: Any) -> AsyncIterator[OpenPage]:
    observed = Observed()
    contexts: list[Any] = []

    async def opened(url: str, *, width: int = 1280, **context: Any) -> Any:
        contexts.append(await new_context(chromium, width, **context))
        page = await contexts[-1].new_page()
        observed.watch(page)
        await page.goto(url)
        return page

    yield opened
    for context in contexts:
        await context.close()
    assert observed.complaints == []


@pytest_asyncio.fixture(loop_scope="session")
async def viewer(tmp_path: Path, open_page: OpenPage) -> AsyncIterator[Viewer]:
    store = tmp_path / "history.db"
    async with serving(Library(History(store))) as address:
        yield Viewer(store, address, open_page)
