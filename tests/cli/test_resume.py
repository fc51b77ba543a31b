"""Nothing lost: runs that are killed, stopped, or lose their disk, and `--resume`. Real processes, real signals.

`KILLS=50 pytest tests/cli/test_resume.py -k killed` is the long version.
"""

import json
import os
import random
import resource
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import VIVA, VivaProject
from tests.fakes.commands import text_of

pytestmark = pytest.mark.kill

KILLS = int(os.environ.get("KILLS", "8"))

SLOW_AGENT = """
import asyncio, os

async def echo(messages):
    text = messages[-1]["content"]
    with open(f"heard-{os.environ.get('ROUND', '0')}", "a") as heard:
        heard.write(text + "\\n")
    await asyncio.sleep(0.015)
    return {"content": f"echo: {text}", "usage": {"input_tokens": 3, "output_tokens": 2}}
"""


def suite(project: VivaProject, count: int, **fields: Any) -> list[str]:
    """`count` cases of which every tenth fails and every eleventh is skipped."""
    project.write("agent.py", SLOW_AGENT)
    made = []
    for n in range(count):
        word = "never" if n % 10 == 9 else "echo"
        case = {"id": f"T{n}", "input": f"line {n}", "assert": {"type": "contains", "value": word}, **fields}
        made.append({**case, "skip": True} if n % 11 == 10 else case)
    project.cases(*made)
    return ["test", "-i", "cases.jsonl", "-j", "4", "--no-history"]


def heard(project: VivaProject, round_: int | str) -> list[str]:
    path = project.root / f"heard-{round_}"
    return path.read_text().splitlines() if path.exists() else []


def recorded(path: Path) -> set[str]:
    """The ids whose line is whole."""
    whole = text_of(path).split("\n")[:-1]
    return {row["id"] for row in map(json.loads, whole) if row["type"] == "result"}


def timeless(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A result file without what may differ: order and times."""
    ends = {"timestamp", "run_id", "command", "completed_at", "duration_ms"}
    times = {"duration_ms", "overhead_ms", "test_start_ts", "test_end_ts", "turn_start_ts", "turn_end_ts"}
    plain = [{k: v for k, v in row.items() if k not in (times if row["type"] == "result" else ends)} for row in rows]
    order = {"start": 0, "result": 1, "summary": 2}
    return sorted(plain, key=lambda row: (order[row["type"]], row.get("index", 0)))


def kill_when(process: "subprocess.Popen[str]", path: Path, lines: int) -> None:
    """kill -9 once the file has so many lines, or when the process is through."""
    while process.poll() is None:
        if text_of(path).count("\n") >= lines:
            break
        time.sleep(0.002)
    process.kill()
    process.communicate()


def test_a_run_killed_at_random_moments_and_resumed_each_time_equals_one_that_was_not(project: VivaProject):
    count = KILLS * 40
    command = suite(project, count)
    whole = project.viva(*command, "-o", "whole.jsonl", "-o", "whole.json", timeout=300, ROUND="whole")
    assert whole.code == 1
    out, chance = project.root / "out.jsonl", random.Random(20)
    for number in range(KILLS):
        before = recorded(out)
        process = project.start(*command, "-o", "out.jsonl", "--resume", ROUND=str(number))
        if number % 4 == 3:
            time.sleep(chance.uniform(0, 1.2))
            process.kill()
            process.communicate()
        else:
            kill_when(process, out, int(count * (number + chance.random()) / (KILLS + 1)))
        assert before <= recorded(out), "a result that was there is gone"
        ran = {f"T{line.removeprefix('line ')}" for line in heard(project, number)}
        assert not ran & before, "a case with a result was run again"
    before = recorded(out)
    final = project.viva(
        *command, "-o", "out.jsonl", "-o", "out.json", "-o", "out.xml", "--resume", timeout=300, ROUND="last"
    )
    assert final.code == 1
    assert not {f"T{line.removeprefix('line ')}" for line in heard(project, "last")} & before
    for name in ("Total", "Passed", "Failed", "Skipped"):
        assert final.counts[name] == whole.counts[name]
    assert timeless(project.rows("out.jsonl")) == timeless(project.rows("whole.jsonl"))
    reports = [json.loads((project.root / name).read_text()) for name in ("out.json", "whole.json")]
    assert len(reports[0]["results"]) == len(reports[1]["results"]) == count
    assert [path.name for path in project.root.iterdir() if path.name.endswith(".tmp")] == []


def test_ctrl_c_and_then_resume_without_naming_the_file(project: VivaProject):
    command = suite(project, 60)
    process = project.start(*command)
    while not recorded(next(iter(project.root.glob("output-*.jsonl")), project.root / "none")):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=200)
    assert process.returncode == 130
    [out] = project.root.glob("output-*.jsonl")
    done = project.viva(*command, "--resume", ROUND="2")
    assert done.code == 1
    assert f"going on with {out.name}" in done.err
    rows = project.rows(out.name)
    assert [row["type"] for row in rows] == ["start", *["result"] * 60, "summary"]
    assert (rows[-1]["total"], rows[-1]["not_run"], rows[-1]["interrupted"]) == (60, 0, None)
    assert len(heard(project, 2)) < 60
    assert list(project.root.glob("output-*.jsonl")) == [out]
    again = project.viva(*command, "--resume")
    assert again.code == 2
    assert "no unfinished run" in again.err


def test_a_finished_file_can_be_resumed_by_name_and_nothing_is_run(project: VivaProject):
    command = suite(project, 5)
    project.viva(*command, "-o", "out.jsonl")
    done = project.viva(*command, "--resume", "out.jsonl", ROUND="2")
    assert (done.code, heard(project, 2)) == (0, [])
    assert len(project.rows()) == 7


def test_only_documents_were_wanted_and_they_hold_everything_after_the_resume(project: VivaProject):
    command = [*suite(project, 80), "-o", "report.json"]
    process = project.start(*command)
    state = project.root / ".viva"
    while not any(len(recorded(path)) > 5 for path in state.glob("journal-*.jsonl")):
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.communicate()
    assert not (project.root / "report.json").exists()
    done = project.viva(*command, "--resume", ROUND="2")
    assert done.code == 1
    assert len(json.loads((project.root / "report.json").read_text())["results"]) == 80
    assert len(heard(project, 2)) < 80
    assert list(state.glob("journal-*.jsonl")) == []


def test_resuming_into_another_file_leaves_the_old_one_alone(project: VivaProject):
    command = suite(project, 6)
    project.viva(*command, "-o", "whole.jsonl")
    lines = (project.root / "whole.jsonl").read_bytes().splitlines(keepends=True)
    project.write("old.jsonl", b"".join(lines[:4]))
    done = project.viva(*command, "--resume", "old.jsonl", "-o", "new.jsonl", ROUND="2")
    assert done.code == 0
    assert (project.root / "old.jsonl").read_bytes() == b"".join(lines[:4])
    assert timeless(project.rows("new.jsonl")) == timeless(project.rows("whole.jsonl"))
    assert len(heard(project, 2)) == 3


def test_changed_and_vanished_cases_are_told_and_the_old_file_is_kept(project: VivaProject):
    command = suite(project, 6)
    project.viva(*command, "-o", "out.jsonl")
    before = (project.root / "out.jsonl").read_bytes()
    texts = (project.root / "cases.jsonl").read_text().splitlines()
    texts[0] = texts[0].replace("line 0", "another line")
    project.write("cases.jsonl", "\n".join(texts[:5]))
    done = project.viva(*command, "-o", "out.jsonl", "--resume", ROUND="2")
    assert done.code == 0
    assert heard(project, 2) == ["another line"]
    assert "1 case reads differently now" in done.err
    assert "1 result belongs to no selected case" in done.err
    assert (project.root / "out.before-resume.jsonl").read_bytes() == before
    assert sorted(project.statuses()) == ["T0", "T1", "T2", "T3", "T4"]


def interrupted(project: VivaProject, *flags: str) -> str:
    """A run of 60 cases, ended with Ctrl-C after the first of them; what it said."""
    process = project.start(*suite(project, 60), *flags)
    while not recorded(project.root / "res.jsonl"):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=200)
    assert process.returncode == 130
    return out


def test_an_interrupted_run_with_its_own_output_is_found_by_its_inputs_and_by_its_id(project: VivaProject):
    said = interrupted(project, "-o", "res.jsonl")
    command = "viva test -i cases.jsonl -j 4 --no-history -o res.jsonl --resume res.jsonl"
    assert said.endswith(f"To go on with it:\n  {command}\n")
    run_id = project.rows("res.jsonl")[0]["run_id"]
    project.write("copy/res.jsonl", (project.root / "res.jsonl").read_bytes())
    done = project.viva(*suite(project, 60), "--resume", run_id[:6], ROUND="2")
    assert "going on with res.jsonl" in done.err
    project.write("res.jsonl", (project.root / "copy/res.jsonl").read_bytes())
    done = project.viva(*suite(project, 60), "--resume", ROUND="3")
    assert "going on with res.jsonl" in done.err
    assert len(heard(project, 3)) < 60
    assert len(project.rows("res.jsonl")) == 62
    assert "no result file of run 000000" in project.viva(*suite(project, 60), "--resume", "000000").err


def test_resuming_without_inputs_tells_the_command_of_the_run(project: VivaProject):
    command = suite(project, 2)
    project.viva(*command, "-o", "out.jsonl")
    done = project.viva("test", "--resume", "out.jsonl")
    assert done.code == 2
    assert "viva test -i cases.jsonl -j 4 --no-history -o out.jsonl --resume out.jsonl" in done.err
    start = json.loads((project.root / "out.jsonl").read_text().splitlines()[0])
    project.write("bad.jsonl", json.dumps({**start, "command": "viva test; touch pwned\x1b[2J"}) + "\n")
    hostile = project.viva("test", "--resume", "bad.jsonl")
    assert hostile.code == 2
    assert "touch" not in hostile.text
    assert not (project.root / "pwned").exists()


def test_documents_alone_can_be_gone_on_with_after_a_spent_budget(project: VivaProject):
    command = [*suite(project, 30), "-o", "report.json"]
    stopped = project.viva(*command, "--budget", "20tok")
    assert stopped.code == 1
    [journal] = (project.root / ".viva").glob("journal-*.jsonl")
    assert f"-o report.json --budget 40tok --resume .viva/{journal.name}\n" in stopped.out
    done = project.viva(*command, "--resume", ROUND="2")
    assert len(json.loads((project.root / "report.json").read_text())["results"]) == 30
    assert 0 < len(heard(project, 2)) < 30
    assert done.code == 1


def test_a_file_that_is_no_result_file_is_never_overwritten(project: VivaProject):
    command = suite(project, 3)
    before = (project.root / "cases.jsonl").read_bytes()
    done = project.viva(*command, "--resume", "cases.jsonl")
    assert done.code == 2
    assert "no result file" in done.err
    assert (project.root / "cases.jsonl").read_bytes() == before


def test_a_file_that_does_not_exist_is_a_usage_error(project: VivaProject):
    done = project.viva(*suite(project, 3), "--resume", "nowhere.jsonl")
    assert done.code == 2
    assert "nowhere.jsonl" in done.err


def test_two_runs_do_not_write_the_same_file(project: VivaProject):
    command = [*suite(project, 4000), "-o", "out.jsonl"]
    first = project.start(*command)
    while not recorded(project.root / "out.jsonl"):
        assert first.poll() is None
        time.sleep(0.01)
    for more in ([], ["--resume"]):
        second = project.viva(*command, *more, ROUND="2")
        assert second.code in (2, 3)
        assert "another viva is writing it" in second.err
    kept = recorded(project.root / "out.jsonl")
    first.send_signal(signal.SIGTERM)
    first.communicate(timeout=200)
    assert kept <= recorded(project.root / "out.jsonl")
    assert heard(project, 2) == []


# ── disks ──


def test_a_full_disk_moves_the_run_to_another_file_and_says_so(project: VivaProject):
    command = suite(project, 12)
    (project.root / "out.jsonl").symlink_to("/dev/full")
    done = project.viva(*command, "-o", "out.jsonl", "-o", "out.json")
    assert done.code == 3
    assert "No space left on device" in done.err
    assert "all results are in " in done.err
    refuge = project.root / ".viva" / "out.jsonl"
    assert str(refuge) in done.err
    assert [row["type"] for row in project.rows(".viva/out.jsonl")] == ["start", *["result"] * 12, "summary"]
    assert len(json.loads((project.root / "out.json").read_text())["results"]) == 12


def test_a_disk_that_fills_up_everywhere_ends_the_run_and_what_was_written_can_be_resumed(project: VivaProject):
    command = [*suite(project, 60), "-o", "out.jsonl"]

    def small_files_only() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (9_000, 9_000))

    done = subprocess.run(
        [str(VIVA), *command],
        cwd=project.root,
        capture_output=True,
        text=True,
        preexec_fn=small_files_only,
        timeout=200,
        # Python would leave cut-off bytecode behind, for everybody.
        env=project.environment(PYTHONDONTWRITEBYTECODE="1"),
    )
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert "could not be written: File too large" in done.stderr
    kept = recorded(project.root / "out.jsonl")
    assert 0 < len(kept) < 60
    assert (project.root / "out.jsonl").read_bytes().endswith(b"\n")
    assert project.viva(*command, "--resume", ROUND="2").code == 1
    assert not {f"T{line.removeprefix('line ')}" for line in heard(project, 2)} & kept
    assert len(recorded(project.root / "out.jsonl")) == 60


def test_a_result_file_deleted_underneath_is_written_again_elsewhere(project: VivaProject):
    command = [*suite(project, 100), "-o", "results/out.jsonl"]
    process = project.start(*command)
    out = project.root / "results" / "out.jsonl"
    while len(recorded(out)) < 10:
        assert process.poll() is None
        time.sleep(0.005)
    out.unlink()
    out.parent.rmdir()
    _, complaint = process.communicate(timeout=200)
    assert process.returncode == 3
    assert "deleted while the run went on" in complaint
    assert len(recorded(project.root / ".viva" / "out.jsonl")) == 100


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_default_place_that_cannot_be_written_is_replaced_at_once(project: VivaProject):
    command = suite(project, 3)
    project.root.chmod(0o555)
    try:
        done = project.viva(*command)
    finally:
        project.root.chmod(0o755)
    assert done.code == 0
    assert "results go to" in done.err


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (("-n", "python:bad.py:reply"), "another agent: echo, not python:bad.py:reply"),
        (("-u", "somebody"), "another user, team or locale: test-user, test-team, en-us, not somebody"),
    ],
)
def test_results_of_another_agent_or_user_are_not_taken_over(project: VivaProject, flags: tuple[str, str], told: str):
    project.write("bad.py", "def reply(text):\n    raise RuntimeError('broken')\n")
    project.cases({"id": "a", "input": "x"}, {"id": "b", "input": "x"})
    assert project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl").code == 0
    before = (project.root / "out.jsonl").read_bytes()
    done = project.viva("test", "-i", "cases.jsonl", *flags, "--resume", "out.jsonl")
    assert (done.code, told in done.err) == (2, True), done.text
    assert (project.root / "out.jsonl").read_bytes() == before


@pytest.mark.parametrize("share", [0, 0.3, 0.99])
def test_a_file_cut_inside_its_first_line_begins_anew_and_says_so(project: VivaProject, share: float):
    project.cases({"id": "a", "input": "x"}, {"id": "b", "input": "raise"})
    project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", "--no-history")
    start = (project.root / "out.jsonl").read_bytes().partition(b"\n")[0]
    (project.root / "out.jsonl").write_bytes(start[: int(len(start) * share)])
    done = project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", "--resume", "--no-history")
    assert done.code == 1
    assert "out.jsonl holds no result: the run begins anew with 2 cases" in done.err
    assert [row.get("status") for row in project.rows("out.jsonl")[1:-1]] == ["passed", "error"]
