"""Coverage and mutants of a run, measured by viva itself while the page waits."""

import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from tests.browser.conftest import OpenPage, Viewer
from tests.browser.contrast import TEXT_WITH_LITTLE_CONTRAST

from vivavoce.app.history_keeping import open_history
from vivavoce.app.opening import open_project
from vivavoce.viewer.library import Library
from vivavoce.viewer.server import serving

AGENT = """
def reply(text):
    calls = [{"name": "charge_card", "arguments": {"amount": 12}, "result": "ok"}]
    return {"content": "I charged 12 euro.", "tool_calls": calls}
"""
CASES = """\
{"id": "pays", "input": "pay", "assert": [{"type": "require", "name": "charge_card"}]}
{"id": "weak", "input": "pay", "assert": [{"type": "contains", "value": "charged"}]}
"""


@pytest_asyncio.fixture(loop_scope="session")
async def measured(tmp_path: Path, open_page: OpenPage) -> AsyncIterator[Viewer]:
    (tmp_path / "agent.py").write_text(AGENT)
    (tmp_path / "cases.jsonl").write_text(CASES)
    (tmp_path / "viva.yaml").write_text("agents:\n  payer:\n    python: agent.py:reply\n")
    command = [sys.executable, "-m", "vivavoce", "test", "-i", "cases.jsonl", "-n", "payer"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    project = open_project(str(tmp_path / "viva.yaml"))
    async with serving(Library(open_history(project)), project=project) as address:
        yield Viewer(tmp_path, address, open_page)


async def test_what_survives_is_shown_with_the_check_that_would_notice(measured: Viewer):
    page = await measured.open()
    await page.locator(".run-row a").first.click()
    await page.get_by_role("link", name="Mutants").click()
    weak = page.get_by_role("region", name="weak")
    await weak.get_by_text("This check would notice").first.wait_for()
    assert await page.evaluate(TEXT_WITH_LITTLE_CONTRAST) == []
    narrow = await measured.open(page.url.removeprefix(measured.address), width=400, color_scheme="dark")
    await narrow.get_by_role("region", name="weak").wait_for()
    assert await narrow.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert await narrow.evaluate(TEXT_WITH_LITTLE_CONTRAST) == []
    await page.get_by_role("link", name="weak").click()
    await page.get_by_role("dialog").get_by_text("I charged 12 euro.").first.wait_for()


async def test_coverage_says_what_is_checked_and_fits(measured: Viewer):
    page = await measured.open()
    await page.locator(".run-row a").first.click()
    await page.get_by_role("link", name="Coverage").click()
    tools = page.get_by_role("region", name="Tools")
    await tools.wait_for()
    assert "charge_card" in await tools.inner_text()
    assert await tools.locator(".state-tag.is-passed").count() >= 1
    assert await page.evaluate(TEXT_WITH_LITTLE_CONTRAST) == []
    narrow = await measured.open(page.url.removeprefix(measured.address), width=400, color_scheme="dark")
    await narrow.get_by_role("region", name="Tools").wait_for()
    assert await narrow.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert await narrow.evaluate(TEXT_WITH_LITTLE_CONTRAST) == []
