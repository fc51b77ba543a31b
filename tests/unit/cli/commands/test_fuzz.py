"""`viva fuzz`: the table, the finds, the exit codes."""

import json
from pathlib import Path

import pytest
from tests.fakes.searched_project import RUN, TALKS, invoked, record

import vivavoce
from vivavoce.cli.commands.fuzz import command
from vivavoce.errors import UsageError, VivaError

PAYS = {"id": "pays", "input": "please pay", "assert": {"type": "contains", "value": "Paid"}}


@pytest.fixture(autouse=True)
def _recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    record(PAYS, TALKS)


def test_finds_are_saved_and_told_with_the_command_that_runs_them():
    done = invoked(command, "--operators", "case", "--variants", "4", "--save", "finds.jsonl")
    assert done.return_value == 1
    assert "viva test -i 'finds.jsonl::pays~case~" in done.output
    assert (
        "1 case does not pass unchanged and was left out:\n  tests/cases.jsonl::talks: output contains '900'"
        in done.output
    )
    assert not vivavoce.run("finds.jsonl", history=False).passed


def test_an_agent_that_bears_it_is_green_and_nothing_is_saved():
    done = invoked(command, "--operators", "repeated", "--variants", "4")
    assert done.return_value == 0
    assert done.output.splitlines()[-1].startswith("0 finds in ")
    assert not Path("fuzz-finds.jsonl").exists()


def test_no_variant_at_all_is_not_green():
    assert invoked(command, "tests/cases.jsonl::talks", "--variants", "4").return_value == 1


def test_reports_have_the_table():
    invoked(command, "--operators", "case", "--variants", "4", "-o", "r.json", "-o", "r.md")
    assert json.loads(Path("r.json").read_text())["left_out"][0]["case"] == "tests/cases.jsonl::talks"
    assert "| case | meaning |" in Path("r.md").read_text()


@pytest.mark.parametrize(
    ("flags", "problem", "told"),
    [
        (["--save", "x.yaml"], UsageError, "JSON lines"),
        (["--save", RUN], UsageError, "is a result file"),
        (["--save", "/proc/x.jsonl"], VivaError, "cannot write /proc/x.jsonl"),
        (["-o", "x.html"], UsageError, "as .json or .md"),
        (["-o", "/proc/x.json"], VivaError, "cannot write /proc/x.json"),
        (["--operators", "nonsense"], UsageError, "unknown operator"),
    ],
)
def test_what_cannot_work_is_told_before_anybody_is_called(flags: list[str], problem: type[VivaError], told: str):
    Path("agent.py").write_text("def clerk(text):\n    open('called', 'w')\n    return 'Paid'\n")
    with pytest.raises(problem, match=told):
        invoked(command, *flags)
    assert not Path("called").exists()


def test_the_operators_are_listed():
    lines = invoked(command, "--list-operators").output.splitlines()
    assert {line.split()[1] for line in lines} == {"meaning", "hostile"}
    assert lines[-1].startswith("paraphrase")
