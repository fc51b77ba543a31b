"""`make quick`: the tests that are not slow, the files shared out among plain pytest processes.

pytest-xdist would have every process collect every test, and passes each result on from process to process: together
that took a sixth of the time. The answer is that of all processes together.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.conftest import HERE, marks_of_file

PYTEST = (sys.executable, "-m", "pytest", "-q", "-m", "not slow", "--hypothesis-profile", "quick")
MOST_PROCESSES = 8
"""Each needs three seconds of CPU before its first test."""
NO_TESTS = 5
"""pytest's exit code when every test of a part is slow, or none was selected."""


def quick_files(selected: Sequence[Path]) -> list[Path]:
    """The test files in these files and folders, but for those in which every test is slow."""
    found = {file for one in selected for file in ([one] if one.is_file() else one.rglob("test_*.py"))}
    return sorted(file for file in found if not marks_of_file(file.resolve()))


def run_parts(files: Sequence[Path], processes: int) -> int:
    """Runs every file in one of the processes; returns the exit code.

    The first one prints as it goes, what the others printed comes at the end. Of two processes the second gets every
    second file: neighbours are alike, so both take about as long.
    """
    parts = [part for start in range(processes) if (part := files[start::processes])]
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as opened:
        outputs = [opened.enter_context(Path(folder, str(number)).open("w+b")) for number in range(1, len(parts))]
        started = [
            subprocess.Popen([*PYTEST, *map(str, part)], stdout=out, stderr=subprocess.STDOUT if out else None)
            for part, out in zip(parts, [None, *outputs], strict=True)
        ]
        try:
            codes = [process.wait() for process in started]
        except KeyboardInterrupt:  # they were interrupted too, and tell what they know
            codes = [process.wait() for process in started]
        for out in outputs:
            out.seek(0)
            print(out.read().decode(errors="replace"), end="", flush=True)
    return exit_code(codes)


def exit_code(codes: Sequence[int]) -> int:
    """0 when every process passed and at least one had tests; else the first other code, 1 for a killed process."""
    wrong = [code for code in codes if code not in (0, NO_TESTS)]
    if wrong:
        return wrong[0] if wrong[0] > 0 else 1
    return 0 if 0 in codes else NO_TESTS


def main(selected: Sequence[str]) -> int:
    """Whatever is no file and no folder, such as `-k words`, is for pytest itself, in one process."""
    paths = [Path(one) for one in selected] or [HERE]
    if not all(path.exists() for path in paths):
        return subprocess.run([*PYTEST, *selected], check=False).returncode
    # One more than cores: tests wait for the disk, for other processes and for time limits.
    return run_parts(quick_files(paths), min((os.cpu_count() or 1) + 1, MOST_PROCESSES))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
