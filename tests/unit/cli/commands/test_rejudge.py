"""`viva rejudge`: exit codes and last lines."""

from pathlib import Path

import pytest
from tests.fakes.searched_project import PAYS, RUN, TALKS, cut, invoked, record, write_cases

from vivavoce.cli.commands.rejudge import command
from vivavoce.errors import UsageError


@pytest.fixture(autouse=True)
def _recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    record(PAYS, TALKS)


def test_what_did_not_change_keeps_its_exit_code():
    done = invoked(command, RUN)
    assert done.return_value == 1
    assert "no verdict changed: 2 conversations judged again" in done.output
    assert invoked(command, f"{RUN}::pays").return_value == 0


def test_a_changed_check_is_told_last():
    write_cases({**PAYS, "assert": [{"type": "tool_called", "value": "refund"}]}, TALKS)
    done = invoked(command, f"{RUN}::pays")
    assert done.return_value == 1
    assert "1 verdict changed:\n  tests/cases.jsonl::pays  passed → failed:" in done.output


def test_a_stale_case_is_red_unless_that_is_accepted():
    record(PAYS, {**PAYS, "id": "again"})
    write_cases({**PAYS, "input": "pay 6"}, {**PAYS, "id": "again"})
    assert invoked(command, RUN).return_value == 1
    assert invoked(command, RUN, "--allow-stale").return_value == 0
    assert invoked(command, f"{RUN}::pays", "--allow-stale").return_value == 1, "nothing was judged at all"


def test_a_recording_that_was_cut_off_is_never_green():
    """The lost line may have held the case that failed."""
    done = invoked(command, cut())
    assert done.return_value == 1
    assert "1 line of the recording cannot be read: what was in it is not judged, so this is no pass" in done.output
    assert invoked(command, "cut.jsonl::pays").return_value == 0


def test_a_run_that_does_not_exist_is_told():
    with pytest.raises(UsageError, match="is no result file and no run"):
        invoked(command, "nothing")


def test_a_report_is_written_only_when_it_is_asked_for():
    invoked(command, RUN, "-o", "again.md")
    assert Path("again.md").is_file()
    assert [path.name for path in Path("tests").iterdir()] == ["cases.jsonl"]
