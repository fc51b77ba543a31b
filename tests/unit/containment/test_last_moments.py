"""A finished process ends, whatever was left running in it, and with its own exit code."""

import subprocess
import sys

import pytest

BLOCKED = "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))\n"
NO_POSIX = "import os; os.write = os._exit = signal.setitimer = None\n"


@pytest.mark.parametrize("before", ["", BLOCKED, f"import signal\n{NO_POSIX}", "import sys; sys.stderr.close()\n"])
def test_a_thread_that_never_ends_is_named_and_the_exit_code_stays(before: str):
    code = (
        "import threading, time\n"
        "from vivavoce.containment.last_moments import end_soon\n"
        "threading.Thread(target=time.sleep, args=(600,), name='own\\x1b').start()\n"
        f"{before}end_soon(7, 0.01)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 7, done.stderr
    assert done.stderr == (
        "viva: warning: what the code under test left running did not end within 0.01 s, and was ended: "
        "thread 'own\\x1b'\n"
    )


def test_outside_of_the_main_thread_it_does_nothing():
    code = (
        "import threading\n"
        "from vivavoce.containment.last_moments import end_soon\n"
        "thread = threading.Thread(target=end_soon, args=(7, 0.01))\n"
        "thread.start(); thread.join()\n"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 0
