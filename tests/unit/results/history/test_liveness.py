"""Which unfinished runs still go on, also when the clock was set in between."""

import os
import platform
import subprocess
import sys
import time
from pathlib import Path

import pytest

from vivavoce.results.history.liveness import is_alive

NO_PROCESS = 2**22 + 1


@pytest.mark.parametrize(
    ("seen_s_ago", "pid", "alive"),
    [
        (1, os.getpid(), True),
        (1, NO_PROCESS, False),
        (3600, os.getpid(), False),
        (-3600, os.getpid(), False),
    ],
    ids=["just seen", "its process is gone", "silent for long", "last seen before the clock was set back"],
)
def test_a_run_goes_on_while_it_is_heard_of(seen_s_ago: float, pid: int, alive: bool):
    assert is_alive(0, platform.node(), pid, time.time() - seen_s_ago) is alive


def test_a_finished_run_does_not_go_on():
    assert not is_alive(1, platform.node(), os.getpid(), time.time())


def test_a_process_that_ended_and_was_not_collected_is_not_alive():
    ended = subprocess.Popen([sys.executable, "-c", "pass"])
    while Path(f"/proc/{ended.pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
        time.sleep(0.01)
    assert not is_alive(0, platform.node(), ended.pid, time.time())
    ended.wait()
