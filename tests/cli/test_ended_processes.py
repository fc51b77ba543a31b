"""Commands and all that they started end with the run, whatever signal ends it."""

import json
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


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
@pytest.mark.parametrize("place", ["agent", "hook"])
async def test_a_signal_ends_the_run_and_all_that_its_commands_started(
    project: VivaProject, number: signal.Signals, place: str
):
    project.write("runaway.py", RUNAWAY)
    command = [sys.executable, "runaway.py"]
    if place == "agent":
        project.write("viva.yaml", f"agents: {{a: {{cmd: {json.dumps(command)}}}}}\nagent: a\n")
        project.cases({"id": "a", "input": "hi"})
    else:
        project.cases({"id": "a", "input": "hi", "hooks": [{"cmd": command}]})
    with subprocess.Popen(
        [VIVA, "test", "-i", "cases.jsonl", "-o", "out.jsonl"],
        cwd=project.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as viva:
        runaway = await number_in(project.root / "pid")
        viva.send_signal(number)
        _, said = viva.communicate(timeout=120)
    assert viva.returncode == 130, said
    assert b"Traceback" not in said
    assert await gone(runaway)
    assert next(row["type"] for row in project.rows()) == "start"
