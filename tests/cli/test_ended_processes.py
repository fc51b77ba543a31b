"""Commands and all that they started end with the run, whatever signal ends it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import VIVA, VivaProject
from tests.fakes.processes import children_of, gone, nobody_in, number_in

pytestmark = [
    pytest.mark.kill,
    pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="only Linux shows what left its group"),
]

RUNAWAY = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    open("pid.new", "w").write(str(os.getpid()))
    os.rename("pid.new", "pid")
time.sleep(600)
"""


def start_with_command(project: VivaProject, place: str, script: str) -> "subprocess.Popen[bytes]":
    """Starts a run whose agent or hook is that script, or whose own Python code starts it."""
    project.write("script.py", script)
    command = [sys.executable, "script.py"]
    if place == "agent":
        project.write("viva.yaml", f"agents: {{a: {{cmd: {json.dumps(command)}}}}}\nagent: a\n")
        project.cases({"id": "a", "input": "hi"})
    elif place in ("Python agent", "--before"):
        project.write("own.py", f"import subprocess\ndef reply(text=''):\n    subprocess.run({command!r})\n")
        project.write("viva.yaml", "agents: {a: {python: 'own.py:reply'}}\nagent: a\n")
        project.cases({"id": "a", "input": "hi"})
    else:
        project.cases({"id": "a", "input": "hi", "hooks": [{"cmd": command}]})
    return subprocess.Popen(
        [
            VIVA,
            "test",
            "-i",
            "cases.jsonl",
            "-o",
            "out.jsonl",
            *(["--before", "own:reply"] if place == "--before" else []),
        ],
        cwd=project.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
@pytest.mark.parametrize("place", ["agent", "hook", "Python agent", "--before"])
async def test_a_signal_ends_the_run_and_all_that_its_commands_started(
    project: VivaProject, number: signal.Signals, place: str
):
    with start_with_command(project, place, RUNAWAY) as viva:
        runaway = await number_in(project.root / "pid")
        viva.send_signal(number)
        said, _ = viva.communicate(timeout=120)
    assert b"Traceback" not in said
    assert await gone(runaway)
    if place == "--before":  # the run has not begun
        assert viva.returncode in (130, -number), said
        return
    assert viva.returncode == 130, said
    assert next(row["type"] for row in project.rows()) == "start"


HIDDEN = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    tell = "open('pid.new', 'w').write(str(os.getpid())); os.rename('pid.new', 'pid')"
    sleep = f"import os, time; {tell}; time.sleep(600)"
    os.execve(sys.executable, [sys.executable, "-c", sleep], {})
time.sleep(600)
"""


@pytest.mark.parametrize("place", ["agent", "hook"])
async def test_what_hides_from_the_end_of_the_run_is_named(project: VivaProject, place: str):
    with start_with_command(project, place, HIDDEN) as viva:
        hidden = await number_in(project.root / "pid")
        viva.send_signal(signal.SIGTERM)
        said, _ = viva.communicate(timeout=120)
    os.kill(hidden, signal.SIGKILL)
    assert viva.returncode == 130, said
    assert f"could not end what commands started: {hidden} (".encode() in said
    assert project.rows()[-1]["warnings"][0].startswith("could not end what commands started")


@pytest.mark.parametrize("killed", ["the process that was started", "the one that runs the cases"])
@pytest.mark.parametrize("place", ["agent", "hook"])
async def test_nothing_that_a_command_started_outlives_a_killed_run(project: VivaProject, place: str, killed: str):
    with start_with_command(project, place, RUNAWAY) as viva:
        runaway = await number_in(project.root / "pid")
        if killed == "the process that was started":
            viva.kill()
        else:
            (inner,) = children_of(viva.pid)
            os.kill(inner, signal.SIGKILL)
        assert await gone(runaway)
        viva.communicate(timeout=120)
    assert viva.returncode == (-signal.SIGKILL if killed == "the process that was started" else 3)


async def test_a_run_that_comes_to_its_own_end_leaves_no_process_behind(project: VivaProject):
    with start_with_command(project, "agent", "print('fine')") as viva:
        said, _ = viva.communicate(timeout=120)
    assert viva.returncode == 0, said
    assert await nobody_in(project.root)
