"""`viva mutate`: scores, limits, and checks that are written."""

import json
from pathlib import Path

import pytest
from tests.fakes.searched_project import JUDGED, PAYS, RUN, TALKS, cut, invoked, record

from vivavoce.cli.commands.mutate import command
from vivavoce.errors import UsageError


@pytest.fixture(autouse=True)
def _recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    record(PAYS, JUDGED, TALKS)


def test_the_score_is_the_last_line_and_a_limit_decides_the_exit_code():
    done = invoked(command, RUN, "--fail-under", "10")
    assert done.return_value == 0
    assert done.output.splitlines()[-1].startswith("mutation score: ")
    assert "tests/cases.jsonl::talks: it does not pass" in done.output
    assert invoked(command, RUN, "--fail-under", "100").return_value == 1


def test_a_limit_is_not_met_by_a_recording_that_was_cut_off():
    done = invoked(command, cut(), "--fail-under", "10")
    assert done.return_value == 1
    assert "FAIL: 1 line of the recording cannot be read: the score is of the rest" in done.output
    assert invoked(command, "cut.jsonl").return_value == 0


def test_suggested_checks_are_written_and_then_notice_everything():
    done = invoked(command, f"{RUN}::pays", "--write")
    assert "checks added; viva rejudge shows whether they hold" in done.output
    assert "mutation score: 100 %" in invoked(command, f"{RUN}::pays").output


def test_reports_by_suffix_and_other_suffixes_are_refused_first():
    invoked(command, RUN, "-o", "score.json", "-o", "score.md", "-o", "score.html")
    assert json.loads(Path("score.json").read_text())["type"] == "mutation_score"
    assert Path("score.md").read_text().startswith("#")
    assert "<html" in Path("score.html").read_text()
    with pytest.raises(UsageError, match=r"no format of mutation scores for score\.xml"):
        invoked(command, RUN, "-o", "score.xml")


def test_coding_agents_get_what_is_to_be_done():
    said = invoked(command, RUN, "--format", "agent").output
    assert "survived" in said
    assert "not counted" not in said


def test_judges_are_asked_only_when_that_is_wanted():
    assert "judged: only judges check it: use --judges" in invoked(command, RUN).output
    assert "tests/cases.jsonl::judged: 0" in invoked(command, RUN, "--judges").output
