"""Review through the page's server: snapshots accepted, conversations labelled, inside the project only."""

import asyncio
import errno
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.unit.viewer.conftest import PageClient
from tests.unit.viewer.reviewed_project import make_reviewed


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made once: it takes two runs."""
    root = tmp_path_factory.mktemp("reviewed")
    make_reviewed(root)
    return root


@pytest.fixture
def project_root(project_root: Path, reviewed: Path) -> Path:
    shutil.copytree(reviewed, project_root, dirs_exist_ok=True)
    return project_root


async def newest(page: PageClient) -> str:
    _, known = await page.get("api/runs")
    return known["runs"][0]["id"]


async def pending(page: PageClient) -> dict[str, Any]:
    status, found = await page.get(f"api/review/snapshots?run={await newest(page)}")
    assert status == 200
    return found["pending"][0]


async def test_an_accepted_value_is_written_and_no_longer_open(page: PageClient, project_root: Path):
    run, one = await newest(page), await pending(page)
    assert (one["case"], one["name"]) == ("tests/a.jsonl::price", "output")
    assert one["file"] == "tests/__snapshots__/a.jsonl.snap.yaml"
    verdict = one["seen"][0]["verdict"]
    assert (verdict["expected"], verdict["actual"]) == ("It costs 18 euro.", "It costs 19 euro.")
    wish = {"run": run, "case": one["case"], "name": one["name"], "seen": one["seen"][0]["digest"]}
    assert await page.post("api/review/accept", wish) == (200, {"file": one["file"]})
    assert "19 euro" in (project_root / one["file"]).read_text()
    assert (await page.get(f"api/review/snapshots?run={run}"))[1] == {"pending": [], "left_out": []}
    assert (await page.post("api/review/accept", wish))[0] == 409


@pytest.mark.parametrize(
    "other", [{"seen": "0" * 64}, {"case": "tests/a.jsonl::days"}, {"name": "tools"}, {"case": "../x::price"}], ids=str
)
async def test_only_a_value_that_is_open_can_be_accepted(page: PageClient, project_root: Path, other: dict[str, str]):
    one = await pending(page)
    before = (project_root / one["file"]).read_bytes()
    wish = {"run": await newest(page), "case": one["case"], "name": one["name"], "seen": one["seen"][0]["digest"]}
    assert (await page.post("api/review/accept", wish | other))[0] == 409
    assert (project_root / one["file"]).read_bytes() == before


async def test_two_browsers_may_accept_the_same_value_at_once(page: PageClient, project_root: Path):
    one = await pending(page)
    wish = {"run": await newest(page), "case": one["case"], "name": one["name"], "seen": one["seen"][0]["digest"]}
    answers = await asyncio.gather(*[page.post("api/review/accept", wish) for _ in range(6)])
    statuses = {status for status, _ in answers}
    assert 200 in statuses
    assert statuses <= {200, 409}
    assert (project_root / one["file"]).read_text().count("19 euro") == 1


async def test_a_full_disk_leaves_what_was_approved(
    page: PageClient, project_root: Path, monkeypatch: pytest.MonkeyPatch
):
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    one = await pending(page)
    file = project_root / one["file"]
    before = file.read_bytes()
    wish = {"run": await newest(page), "case": one["case"], "name": one["name"], "seen": one["seen"][0]["digest"]}
    monkeypatch.setattr(os, "replace", full)
    status, why = await page.post("api/review/accept", wish)
    assert (status, "No space left" in why) == (409, True)
    assert (file.read_bytes(), list(file.parent.iterdir())) == (before, [file])


async def test_a_snapshot_file_that_leads_out_of_the_project_is_not_written(page: PageClient, project_root: Path):
    one = await pending(page)
    folder, outside = project_root / "tests" / "__snapshots__", project_root.parent / "outside"
    folder.rename(outside)
    folder.symlink_to(outside)
    before = (outside / "a.jsonl.snap.yaml").read_bytes()
    wish = {"run": await newest(page), "case": one["case"], "name": one["name"], "seen": one["seen"][0]["digest"]}
    status, why = await page.post("api/review/accept", wish)
    assert (status, "lies outside the project" in why) == (409, True)
    assert (outside / "a.jsonl.snap.yaml").read_bytes() == before


async def test_a_conversation_is_labelled(page: PageClient, project_root: Path):
    run = await newest(page)
    _, asked = await page.get(f"api/review/conversations?run={run}")
    assert [(one["title"], one["label"]) for one in asked["questions"]] == [("The price", None), ("Delivery", None)]
    one = asked["questions"][1]
    where = f"run={run}&case={one['case']}&conversation={one['conversation']}"
    _, shown = await page.get(f"api/review/conversation?{where}")
    assert [turn["output"] for turn in shown["turns"]] == ["It costs 19 euro."]
    # What the checks said would sway people.
    assert "assertions" not in shown["turns"][0]
    wish = {"run": run, "case": one["case"], "conversation": one["conversation"], "label": "fail", "note": " rude "}
    assert await page.post("api/review/label", wish) == (200, {"file": "labels.yaml"})
    assert "note: rude" in (project_root / "labels.yaml").read_text()
    _, again = await page.get(f"api/review/conversations?run={run}")
    assert [(one["label"], one["note"]) for one in again["questions"]] == [(None, ""), ("fail", "rude")]


async def test_labels_outside_the_project_are_not_written(page: PageClient, project_root: Path):
    outside = project_root.parent / "labels.yaml"
    (project_root / "labels.yaml").symlink_to(outside)
    run = await newest(page)
    one = (await page.get(f"api/review/conversations?run={run}"))[1]["questions"][0]
    wish = {"run": run, "case": one["case"], "conversation": one["conversation"], "label": "pass"}
    assert (await page.post("api/review/label", wish))[0] == 409
    assert not outside.exists()


@pytest.mark.parametrize(
    "wrong",
    [{"label": "maybe"}, {"label": None}, {"more": 1}, {"note": "x" * 10_001}, {"conversation": 5}],
    ids=["no such label", "no label", "unknown field", "long note", "a number"],
)
async def test_what_is_no_label_is_refused(page: PageClient, project_root: Path, wrong: dict[str, object]):
    wish = {"run": await newest(page), "case": "tests/a.jsonl::days", "conversation": "x", "label": "pass"}
    assert (await page.post("api/review/label", wish | wrong))[0] == 400
    assert not (project_root / "labels.yaml").exists()


@pytest.mark.parametrize(
    "run", ["", "last", "nope", "..%2Fout.jsonl", "out.jsonl", "%2Fetc%2Fpasswd", "0" * 4000, "%00"]
)
async def test_only_runs_that_the_page_shows_can_be_reviewed(page: PageClient, run: str):
    for path in ("snapshots", "conversations", "conversation"):
        assert (await page.get(f"api/review/{path}?run={run}"))[0] == 404
    assert (await page.post(f"api/runs/{run or 'x'}/rejudge", {}))[0] == 404


@pytest.mark.parametrize("path", ["api/review/accept", "api/review/label", "api/runs/x/rejudge"])
@pytest.mark.parametrize(
    "headers", [{"Origin": "https://evil.example"}, {"Host": "evil.example"}, {"Sec-Fetch-Site": "cross-site"}], ids=str
)
async def test_another_site_can_do_nothing(page: PageClient, path: str, headers: dict[str, str]):
    assert await page.post(path, {}, **headers) == (403, "not here\n")


# ── judging again ───────────────────────────────────────────────────────────────────


async def test_a_run_is_judged_by_todays_cases(page: PageClient, project_root: Path):
    cases = project_root / "tests" / "a.jsonl"
    cases.write_text(cases.read_text().replace('"costs"', '"is free"'))
    status, found = await page.post(f"api/runs/{await newest(page)}/rejudge", {})
    assert (status, found["judged"], found["changed"]) == (200, 2, 1)
    [change] = found["changes"]
    assert (change["key"], change["was"], change["now"]) == ("tests/a.jsonl::days", "passed", "failed")
    assert "is free" in change["why"]


async def test_cases_that_cannot_be_read_are_told_in_words(page: PageClient, project_root: Path):
    (project_root / "tests" / "a.jsonl").write_text("{")
    status, why = await page.post(f"api/runs/{await newest(page)}/rejudge", {})
    assert (status, "a.jsonl:1" in why, "Traceback" in why) == (409, True, False)
