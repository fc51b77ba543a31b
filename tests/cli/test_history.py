"""Runs are kept, listed, bounded; whatever happens to the process or to the store."""

import json
import signal
import sqlite3
import time

import pytest
from tests.cli.conftest import VivaProject

from vivavoce.results.history.reading import History

pytestmark = pytest.mark.process


def kept(project: VivaProject) -> list[dict[str, object]]:
    done = project.viva("history", "--json")
    assert done.code == 0, done.err
    return json.loads(done.out)


def wait_for(condition, seconds: float = 30) -> None:  # type: ignore[no-untyped-def]
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it never happened"
        time.sleep(0.02)


def test_runs_are_listed_newest_first(project: VivaProject):
    project.cases({"id": "a", "input": "hi"}, {"id": "b", "input": "raise"})
    project.viva("test", "-i", "cases.jsonl", "-o", "one.jsonl")
    project.viva("test", "-i", "cases.jsonl::a", "-o", "two.jsonl")
    first, second = kept(project)
    assert (first["total"], first["passed"], first["state"]) == (1, 1, "finished")
    assert (second["total"], second["passed"], second["errors"], second["overall_pass_rate"]) == (2, 1, 1, 50.0)
    assert second["run_id"] == project.rows("one.jsonl")[0]["run_id"]
    assert second["command"] == "viva test -i cases.jsonl -o one.jsonl"
    table = project.viva("history").out
    assert table.splitlines()[0].split() == ["RUN", "STARTED", "AGENT", "RESULT", "TIME", "INPUT"]
    assert [line.split()[0] for line in table.splitlines()[1:]] == [first["run_id"], second["run_id"]]
    assert "1/2 passed, 1 error " in table


def test_without_runs_the_list_says_how_to_get_one(project: VivaProject):
    done = project.viva("history")
    assert (done.code, done.out) == (0, "")
    assert "viva test keeps each one" in done.err
    assert kept(project) == []
    assert not (project.root / ".viva").exists()


def test_every_row_in_the_history_is_the_row_of_the_result_file(project: VivaProject):
    project.cases(*({"id": f"c{n}", "input": "tool" if n % 2 else "x" * 5000} for n in range(20)))
    project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", "-j", "4")
    run_id = project.rows()[0]["run_id"]
    lines = (project.root / "out.jsonl").read_bytes().splitlines()
    assert list(History(project.root / ".viva" / "history.db").rows(run_id)) == lines[1:-1]


def test_direct_messages_are_not_kept(project: VivaProject):
    project.viva("test", "-i", "hello there")
    project.viva("test", "--message", "hello there")
    assert kept(project) == []


@pytest.mark.parametrize("how", ["flag", "variable", "configuration"])
def test_no_history_keeps_nothing(project: VivaProject, how: str):
    project.cases({"id": "a", "input": "raise"})
    if how == "configuration":
        project.write("viva.yaml", "agents:\n  echo: {python: agent.py:echo}\nagent: echo\nrun: {history: false}\n")
    flags = ["--no-history"] if how == "flag" else []
    env = {"VIVA_NO_HISTORY": "1"} if how == "variable" else {}
    done = project.viva("test", "-i", "cases.jsonl", *flags, **env)
    assert (done.code, done.err) == (1, "")
    # The key belongs to the result file that was written: --resume compares with it.
    assert {path.name for path in (project.root / ".viva").iterdir()} == {".gitignore", "exam.key"}


@pytest.mark.parametrize("how", ["flag", "configuration"])
def test_only_so_many_runs_are_kept(project: VivaProject, how: str):
    project.cases({"id": "a", "input": "x"})
    if how == "configuration":
        project.write("viva.yaml", "agents:\n  echo: {python: agent.py:echo}\nagent: echo\nrun: {keep: 2}\n")
    flags = ["--keep", "2"] if how == "flag" else []
    for number in range(4):
        project.viva("test", "-i", "cases.jsonl", "-o", f"{number}.jsonl", *flags)
    assert [run["run_id"] for run in kept(project)] == [project.rows(f"{n}.jsonl")[0]["run_id"] for n in (3, 2)]


def test_what_failed_last_is_known_though_its_run_is_no_longer_kept(project: VivaProject):
    project.cases({"id": "a", "input": "hi"}, {"id": "b", "input": "raise"})
    project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    project.viva("test", "-i", "cases.jsonl::a", "-o", "out.jsonl", "--keep", "1")
    assert len(kept(project)) == 1
    project.viva("test", "-i", "cases.jsonl", "--lf", "-o", "again.jsonl")
    assert project.statuses("again.jsonl") == {"b": "error"}


def test_failed_first_runs_what_failed_before_the_rest(project: VivaProject):
    project.cases({"id": "a", "input": "hi"}, {"id": "b", "input": "hi"}, {"id": "c", "input": "raise"})
    project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    project.viva("test", "-i", "cases.jsonl", "--ff", "-o", "again.jsonl")
    assert list(project.statuses("again.jsonl")) == ["c", "a", "b"]


def test_several_processes_write_at_once(project: VivaProject):
    project.cases(*({"id": f"c{n}", "input": "x"} for n in range(300)))
    running = [project.start("test", "-i", "cases.jsonl", "-o", f"{n}.jsonl", "-j", "8") for n in range(3)]
    for process in running:
        _, err = process.communicate(timeout=90)
        assert (process.returncode, err) == (0, "")
    runs = kept(project)
    assert sorted(str(run["run_id"]) for run in runs) == sorted(
        project.rows(f"{n}.jsonl")[0]["run_id"] for n in range(3)
    )
    history = History(project.root / ".viva" / "history.db")
    for run in runs:
        assert (run["state"], run["passed"]) == ("finished", 300)
        assert len(list(history.rows(str(run["run_id"])))) == 300


def test_kill_9_leaves_a_store_that_reads_and_goes_on(project: VivaProject):
    project.cases(*({"id": f"c{n}", "input": "slow" if n > 20 else "hi"} for n in range(60)))
    process = project.start("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    history = History(project.root / ".viva" / "history.db")
    wait_for(lambda: history.runs() and history.runs()[0].results > 20)
    assert kept(project)[0]["state"] == "running"
    process.kill()
    process.communicate()
    (run,) = kept(project)
    assert (run["state"], run["interrupted"]) == ("killed", "killed")
    assert run["passed"] == len(list(history.rows(str(run["run_id"])))) > 20
    store = sqlite3.connect(project.root / ".viva" / "history.db")
    assert store.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    store.close()
    assert project.viva("test", "-i", "cases.jsonl::c0").code == 0
    assert [run["state"] for run in kept(project)] == ["finished", "killed"]
    assert "killed" in project.viva("history").out


def test_ctrl_c_is_kept_as_the_end_it_was(project: VivaProject):
    project.cases({"id": "a", "input": "hi"}, {"id": "b", "input": "hang"})
    process = project.start("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    history = History(project.root / ".viva" / "history.db")
    wait_for(lambda: history.runs() and history.runs()[0].results == 1)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=200)
    (run,) = kept(project)
    assert (run["state"], run["interrupted"], run["not_run"]) == ("finished", "ctrl-c", 1)


def test_a_broken_store_is_one_warning_and_fails_nothing(project: VivaProject):
    project.cases({"id": "a", "input": "hi"})
    project.write(".viva/history.db", "this is no database" * 500)
    done = project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    assert done.code == 0
    assert project.statuses() == {"a": "passed"}
    assert len(done.err.splitlines()) == 1
    assert "the history was damaged and is set aside as history.damaged-" in done.err
    for command in (["history"], ["diff"], ["view", "--no-browser"], ["test", "-i", "cases.jsonl", "--lf"]):
        project.write(".viva/history.db", "this is no database" * 500)
        asked = project.viva(*command)
        assert asked.code == 3, command
        assert "the history was damaged and is set aside as history.damaged-" in asked.err


def test_a_store_that_cannot_be_made_is_one_warning(project: VivaProject):
    project.cases({"id": "a", "input": "hi"})
    project.write(".viva", "a file where the folder should be")
    done = project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    assert done.code == 0
    assert len(done.err.splitlines()) == 1


def test_a_store_of_a_newer_viva_is_left_alone(project: VivaProject):
    project.cases({"id": "a", "input": "hi"})
    project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    store = sqlite3.connect(project.root / ".viva" / "history.db")
    store.execute("PRAGMA user_version = 7")
    store.close()
    done = project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    assert done.code == 0
    assert "written by a newer viva (version 7" in done.err
    asked = project.viva("history")
    assert asked.code == 3
    assert "update viva" in asked.err


def test_an_ascii_terminal_is_enough(project: VivaProject):
    project.cases({"id": "ä→b", "input": "héllo ✓"}, name="fälle.jsonl")
    project.viva("test", "-i", "fälle.jsonl", "-o", "out.jsonl")
    project.viva("test", "-i", "fälle.jsonl", "-o", "out.jsonl")
    for command in ("history", "diff"):
        done = project.viva(command, PYTHONIOENCODING="ascii", LC_ALL="C")
        assert done.code == 0, done.err
