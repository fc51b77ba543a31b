"""`viva flaky --quarantine` and what the reports say of cases in quarantine, with the real process."""

import json
from xml.etree import ElementTree as ET

import pytest
from tests.cli.conftest import VivaProject

pytestmark = pytest.mark.process

COIN = """
import pathlib
def toss(text):
    if text != "coin":
        return "echo: " + text
    count = pathlib.Path("tosses")
    tossed = int(count.read_text()) if count.exists() else 0
    count.write_text(str(tossed + 1))
    return "heads" if tossed % 2 else "tails"
"""
CASES = (
    {"id": "steady", "input": "x", "assert": {"type": "contains", "value": "echo"}},
    {"id": "coin", "input": "coin", "assert": {"type": "contains", "value": "heads"}},
)
TEST = ("test", "-i", "cases.jsonl", "-n", "python:coin.py:toss")


@pytest.fixture
def flaky(project: VivaProject) -> VivaProject:
    (project.root / "coin.py").write_text(COIN)
    project.cases(*CASES)
    assert project.viva(*TEST, "--runs", "8").code == 1
    return project


def test_a_flaky_case_goes_into_quarantine_once(flaky: VivaProject):
    told = flaky.viva("flaky", "--quarantine")
    assert told.code == 0
    assert "added cases.jsonl::coin" in told.out
    written = (flaky.root / "quarantine.yaml").read_text()
    again = flaky.viva("flaky", "--quarantine")
    assert "stayed as written" in again.out
    assert (flaky.root / "quarantine.yaml").read_text() == written


def test_every_report_tells_it_apart_and_the_run_is_green(flaky: VivaProject):
    flaky.viva("flaky", "--quarantine")
    reports = [flag for name in ("r.json", "r.md", "r.xml", "r.html") for flag in ("-o", name)]
    done = flaky.viva(*TEST, *reports)
    assert done.code == 0, done.out
    assert "In quarantine, these do not decide (1)" in done.out
    report = json.loads((flaky.root / "r.json").read_text())
    assert report["summary"]["quarantined"] == 1
    assert [row["id"] for row in report["results"] if row.get("quarantine")] == ["coin"]
    assert "in quarantine until" in (flaky.root / "r.md").read_text()
    suite = ET.parse(flaky.root / "r.xml").getroot()
    assert (suite.get("failures"), suite.get("skipped")) == ("0", "1")
    assert '"quarantine":{' in (flaky.root / "r.html").read_text()


def test_no_quarantine_and_github(flaky: VivaProject):
    flaky.viva("flaky", "--quarantine")
    page = flaky.root / "page.md"
    github = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(page)}
    done = flaky.viva(*TEST, "-o", "out.jsonl", **github)
    assert done.code == 0
    assert "::warning file=cases.jsonl" in done.out
    assert "::error" not in done.out
    assert page.read_text().startswith("## ✅")
    flaky.viva(*TEST, "-o", "out.jsonl")  # heads
    assert flaky.viva(*TEST, "--no-quarantine").code == 1
