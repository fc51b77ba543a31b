"""Review in a real browser: snapshots, labels, and a run judged again after an edit."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from tests.browser.conftest import OpenPage
from tests.browser.contrast import TEXT_WITH_LITTLE_CONTRAST
from tests.browser.waiting import held_back
from tests.unit.viewer.reviewed_project import make_reviewed

from vivavoce.app.history_keeping import open_history
from vivavoce.app.opening import open_project
from vivavoce.viewer.library import Library
from vivavoce.viewer.server import serving


@pytest_asyncio.fixture(loop_scope="session")
async def reviewed(tmp_path: Path, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Any]:
    """The start page over a project of which the newest run saw other values than the approved ones."""
    make_reviewed(tmp_path)
    monkeypatch.chdir(tmp_path)
    project = open_project(str(tmp_path / "viva.yaml"))
    async with serving(Library(open_history(project)), project=project) as address:
        yield await open_page(address)


async def test_a_snapshot_is_accepted_with_a_confirming_click(reviewed: Any, tmp_path: Path):
    approved = tmp_path / "tests" / "__snapshots__" / "a.jsonl.snap.yaml"
    await reviewed.get_by_role("link", name="Review", exact=True).click()
    card = reviewed.get_by_role("region", name="The price: output")
    await card.get_by_text("18").wait_for()
    await card.get_by_role("button", name="Accept …").press("Enter")
    await reviewed.get_by_role("dialog", name="Accept this value?").get_by_role("button", name="Cancel").click()
    assert "18 euro" in approved.read_text()
    await card.get_by_role("button", name="Accept …").click()
    await reviewed.get_by_role("button", name="Accept it").press("Enter")
    await card.get_by_text("Accepted: written to tests/__snapshots__/a.jsonl.snap.yaml").wait_for()
    assert "19 euro" in approved.read_text()


async def test_a_snapshot_that_is_kept_stays_as_it_is(reviewed: Any, tmp_path: Path):
    await reviewed.get_by_role("link", name="Review", exact=True).click()
    await reviewed.get_by_role("button", name="Keep").click()
    await reviewed.get_by_text("Kept: the approved value stays").wait_for()
    assert "18 euro" in (tmp_path / "tests" / "__snapshots__" / "a.jsonl.snap.yaml").read_text()


async def test_conversations_are_labelled_one_after_the_other(reviewed: Any, tmp_path: Path):
    await reviewed.get_by_role("link", name="Review", exact=True).click()
    await reviewed.get_by_role("tab", name="Snapshots").press("ArrowRight")
    await reviewed.get_by_text("2 of 2 conversations without a label.").wait_for()
    await reviewed.get_by_label("Bad").check()
    await reviewed.get_by_label("Why").fill("too dear")
    assert not (tmp_path / "labels.yaml").exists()
    await reviewed.get_by_role("button", name="Save the label").press("Enter")
    await reviewed.get_by_text("1 of 2 conversations without a label.").wait_for()
    await reviewed.get_by_role("heading", name="Delivery").wait_for()
    await reviewed.get_by_label("Good").check()
    await reviewed.get_by_role("button", name="Save the label").click()
    await reviewed.get_by_text("0 of 2 conversations without a label.").wait_for()
    written = (tmp_path / "labels.yaml").read_text()
    assert "label: fail\n  note: too dear" in written
    assert "label: pass" in written


async def test_a_tab_may_be_chosen_before_the_runs_are_known(reviewed: Any):
    """It asked for the conversations of no run then."""
    may_answer = await held_back(reviewed, "**/api/runs")
    await reviewed.get_by_role("link", name="Review", exact=True).click()
    await reviewed.get_by_role("tab", name="Labels").click()
    may_answer.set()
    await reviewed.get_by_text("2 of 2 conversations without a label.").wait_for()


async def test_a_run_is_judged_again_after_an_edit(reviewed: Any, tmp_path: Path):
    cases = tmp_path / "tests" / "a.jsonl"
    cases.write_text(cases.read_text().replace('"costs"', '"is free"'))
    await reviewed.locator(".run-row a").first.click()
    await reviewed.get_by_role("button", name="Judge again with today's cases").press("Enter")
    await reviewed.get_by_role("dialog", name="Judge this run again?").get_by_role("button", name="Judge again").click()
    found = reviewed.get_by_role("region", name="Judged again")
    await found.get_by_text("1 verdict changed").wait_for()
    assert "output does not contain 'is free'" in await found.inner_text()
    cases.write_text("{")
    await reviewed.get_by_role("button", name="Judge again with today's cases").click()
    await reviewed.get_by_role("dialog", name="Judge this run again?").get_by_role("button", name="Judge again").click()
    await found.get_by_text("It cannot be judged again: ").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_everything_can_be_read_also_on_a_narrow_page(reviewed: Any, scheme: str):
    await reviewed.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    await reviewed.set_viewport_size({"width": 400, "height": 800})
    await reviewed.get_by_role("link", name="Review", exact=True).click()
    wide = "document.documentElement.scrollWidth > innerWidth"
    await reviewed.locator(".review-card").wait_for()
    assert await reviewed.evaluate(TEXT_WITH_LITTLE_CONTRAST) == []
    assert not await reviewed.evaluate(wide)
    await reviewed.get_by_role("tab", name="Labels").click()
    await reviewed.locator(".review-form").wait_for()
    assert await reviewed.evaluate(TEXT_WITH_LITTLE_CONTRAST) == []
    assert not await reviewed.evaluate(wide)
