"""`viva shrink`: what it writes, and what it refuses before it calls anybody."""

from pathlib import Path

import pytest
from tests.fakes.searched_project import PAYS, RUN, TALKS, invoked, record

import vivavoce
from vivavoce.cli.commands.shrink import command
from vivavoce.errors import UsageError


@pytest.fixture(autouse=True)
def _recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    record(PAYS, TALKS)


def test_the_smallest_case_is_written_and_the_last_line_runs_it():
    done = invoked(command, RUN, "-o", "small.jsonl")
    assert done.return_value == 0
    assert "→ 2 turns, 2 words after" in done.output
    assert done.output.splitlines()[-1] == "viva test -i small.jsonl::talks-shrunk"
    assert not vivavoce.run("small.jsonl", history=False).passed


def test_without_a_name_the_file_is_named_after_the_case_and_never_overwritten():
    invoked(command, f"{RUN}::talks")
    first = Path("talks-shrunk.jsonl").read_text()
    invoked(command, f"{RUN}::talks")
    assert Path("talks-shrunk-2.jsonl").is_file()
    assert Path("talks-shrunk.jsonl").read_text() == first


def test_a_limit_of_candidates_is_told():
    done = invoked(command, RUN, "-o", "small.jsonl", "--candidates", "1")
    assert "stopped early, it may not be the smallest: 1 conversation was tried (--candidates)" in done.output


def test_a_conversation_that_does_not_fail_any_more_writes_nothing():
    Path("agent.py").write_text(Path("agent.py").read_text().replace("900", "9"))
    done = invoked(command, RUN, "-o", "small.jsonl")
    assert done.return_value == 1
    assert "talks did not fail again in the same way: it passes now" in done.output
    assert not Path("small.jsonl").exists()


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["-o", "small.yaml"], "cases are written as JSON lines"),
        (["-o", RUN], "is a result file"),
        (["--runs", "2", "--min-fail", "3"], "cannot fail 3 times in 2 runs"),
    ],
)
def test_what_cannot_work_is_told_before_anybody_is_called(flags: list[str], told: str):
    Path("agent.py").unlink()
    with pytest.raises(UsageError, match=told):
        invoked(command, RUN, *flags)


def test_a_case_that_passed_cannot_be_shrunk():
    with pytest.raises(UsageError, match="no conversation failed in it"):
        invoked(command, f"{RUN}::pays")
