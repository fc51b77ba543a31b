"""The parent of every command: the exit code is the one that the command reported, or 3."""

import signal
import subprocess
import sys

import pytest

START = """
import os, signal, sys, time
from vivavoce.containment.guard_process import note_results, run_in_a_guarded_child, sign_off
run_in_a_guarded_child()
"""


def guarded(code: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", START + code], capture_output=True, text=True, timeout=60, check=False, stdin=-3
    )


def test_the_exit_code_is_the_one_that_was_signed_off_whatever_the_process_ends_with():
    assert guarded("sign_off(4); os._exit(0)").returncode == 4
    assert guarded("sign_off(0); os.kill(os.getpid(), signal.SIGKILL)").returncode == 0


@pytest.mark.parametrize(
    ("end", "why"),
    [
        ("os._exit(0)", "ended with exit code 0 and did not sign off"),
        ("os._exit(7)", "ended with exit code 7 and did not sign off"),
        ("os.execv('/bin/true', ['true'])", "ended with exit code 0 and did not sign off"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "was ended by signal 11"),
    ],
)
def test_a_process_that_vanishes_is_exit_3_with_the_reason(end: str, why: str):
    ended = guarded(end)
    assert ended.returncode == 3
    assert why in ended.stderr
    assert "the run is not complete" in ended.stderr


def test_the_message_says_where_the_results_are():
    ended = guarded("note_results('r.jsonl'); os._exit(0)")
    assert "what finished is in 'r.jsonl', but for its last moment, which --resume runs again (go on" in ended.stderr


def test_a_child_whose_descriptors_were_closed_is_not_believed():
    assert guarded("os.closerange(3, 5000); sign_off(0); os._exit(0)").returncode == 3


def test_a_signal_to_the_parent_reaches_the_child_and_ends_both_by_it():
    code = "print(os.getppid(), flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", START + code], stdout=-1, stderr=-1, stdin=-3, text=True) as started:
        assert started.stdout is not None
        assert int(started.stdout.readline()) == started.pid
        started.send_signal(signal.SIGTERM)
        assert started.wait(60) == -signal.SIGTERM
