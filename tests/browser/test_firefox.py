"""The pages of the viewer in Debian's Firefox, where it is installed."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from tests.browser.firefox import Firefox, firefox_window
from tests.unit.viewer.reviewed_project import make_reviewed

from vivavoce.app.history_keeping import open_history
from vivavoce.app.opening import open_project
from vivavoce.viewer.library import Library
from vivavoce.viewer.server import serving


@pytest_asyncio.fixture(loop_scope="session")
async def firefox(tmp_path: Path) -> AsyncIterator[Firefox]:
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        pytest.skip("FIREFOX TESTS NOT RUN: no firefox-esr or firefox on the PATH")
    async with firefox_window(program, tmp_path / "profile") as window:
        yield window


async def test_every_page_works_in_firefox(firefox: Firefox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    root = tmp_path / "project"
    root.mkdir()
    make_reviewed(root)
    monkeypatch.chdir(root)
    project = open_project(str(root / "viva.yaml"))
    async with serving(Library(open_history(project)), project=project) as address:
        await firefox.open(address)
        assert await firefox.until('document.querySelectorAll(".run-row").length') == 2
        await firefox.click(".run-row a")
        await firefox.until('document.querySelector("table.cases") !== null')
        await firefox.click("button", "Judge again with today's cases")
        await firefox.click("dialog button", "Judge again")
        await firefox.until('document.querySelector(".rejudged")?.textContent.includes("No verdict changed")')

        await firefox.open(f"{address}talk")
        await firefox.click("button", "Start")
        await firefox.until('document.activeElement?.tagName === "TEXTAREA"')
        await firefox.type("textarea", "hello")
        await firefox.until('document.querySelector(".talk-turns .turn")?.textContent.includes("It costs 19 euro.")')
        await firefox.click("button", "Save as test")
        await firefox.click("button", "Write the file")
        await firefox.until('document.querySelector(".talk-note")?.textContent.includes("Written.")')
        assert (root / "tests" / "a-conversation.yaml").exists()

        await firefox.open(f"{address}review")
        await firefox.click("button", "Accept …")
        await firefox.click("dialog button", "Accept it")
        await firefox.until('document.querySelector(".review-state")?.textContent.includes("Accepted")')
        await firefox.click("[role=tab]", "Labels")
        await firefox.click(".review-choice", "Good")
        await firefox.click("button", "Save the label")
        await firefox.until('document.querySelector(".review-head")?.textContent.includes("1 of 2")')
        assert "label: pass" in (root / "labels.yaml").read_text()
        # Conversations end before the server does: their streams would be cut off.
        await firefox.open("about:blank")
    assert firefox.complaints == []
