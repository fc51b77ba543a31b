"""Commands and all that they started end with the run, whatever signal ends it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import VIVA, VivaProject
from tests.fakes.processes import gone, number_in

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
    """Starts a run whose agent or hook is that script."""
    project.write("script.py", script)
    command = [sys.executable, "script.py"]
    if place == "agent":
        project.write("viva.yaml", f"agents: {{a: {{cmd: {json.dumps(command)}}}}}\nagent: a\n")
        project.cases({"id": "a", "input": "hi"})
    else:
        project.cases({"id": "a", "input": "hi", "hooks": [{"cmd": command}]})
    return subprocess.Popen(
        [VIVA, "test", "-i", "cases.jsonl", "-o", "out.jsonl"],
        cwd=project.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
@pytest.mark.parametrize("place", ["agent", "hook"])
async def test_a_signal_ends_the_run_and_all_that_its_commands_started(
    project: VivaProject, number: signal.Signals, place: str
):
    with start_with_command(project, place, RUNAWAY) as viva:
        runaway = await number_in(project.root / "pid")
        viva.send_signal(number)
        said, _ = viva.communicate(timeout=120)
    assert viva.returncode == 130, said
    assert b"Traceback" not in said
    assert await gone(runaway)
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
