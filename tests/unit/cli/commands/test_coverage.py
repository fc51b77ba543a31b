"""`viva coverage`: tables, limits, reports."""

import json
from pathlib import Path

import pytest
from tests.fakes.searched_project import PAYS, RUN, TALKS, cut, invoked, record

from vivavoce.cli.commands.coverage import command
from vivavoce.errors import UsageError


@pytest.fixture(autouse=True)
def _recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    record(PAYS, TALKS)


def test_the_totals_are_the_last_line():
    assert invoked(command, RUN).output.splitlines()[-1] == "exercised: 75.0 % (3 of 4)   checked: 25.0 % (1 of 4)"


@pytest.mark.parametrize(
    ("limit", "least", "code"),
    [("--fail-under", "75", 0), ("--fail-under", "76", 1), ("--fail-under-checked", "26", 1)],
)
def test_limits_decide_the_exit_code(limit: str, least: str, code: int):
    done = invoked(command, RUN, limit, least)
    assert done.return_value == code
    assert ("FAIL: " in done.output) is bool(code)


def test_a_limit_is_not_met_by_a_recording_that_was_cut_off():
    done = invoked(command, cut(), "--fail-under", "10")
    assert done.return_value == 1
    assert "FAIL: 1 line of the recording cannot be read: the figures are about the rest" in done.output
    assert invoked(command, "cut.jsonl::pays", "--fail-under", "10").return_value == 0


def test_nothing_to_count_is_no_hundred_percent():
    done = invoked(command, f"{RUN}::talks", "--fail-under", "50")
    assert done.return_value == 1
    assert "exercised: nothing (0 of 0)" in done.output
    assert "FAIL: nothing is known that could be exercised" in done.output


def test_reports_by_suffix_and_other_suffixes_are_refused_first():
    invoked(command, RUN, "-o", "c.json", "-o", "c.md", "-o", "c.html")
    assert json.loads(Path("c.json").read_text())["exercised"]["count"] == 3
    assert "| pay | checked | unchecked | never |" in Path("c.md").read_text()
    assert "75.0 % exercised" in Path("c.html").read_text()
    with pytest.raises(UsageError, match=r"no coverage format for c\.xml"):
        invoked(command, RUN, "-o", "c.xml")


def test_coding_agents_get_the_gaps():
    said = invoked(command, RUN, "--format", "agent").output
    assert "never: tool pay failed" in said
    assert "pay called" not in said
