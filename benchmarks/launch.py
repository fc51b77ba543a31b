"""Starts a command from a small process and reports what it took: `launch.py FD COMMAND...`.

A process begins with the peak memory of the one that started it, so the benchmark itself, grown large, must not.
"""

import os
import sys
import time


def main(report_fd: int, command: list[str]) -> int:
    os.set_inheritable(report_fd, False)
    began = time.perf_counter()
    pid = os.posix_spawnp(command[0], command, os.environ)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - began
    figures = (wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
    os.write(report_fd, " ".join(map(str, figures)).encode())
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    code = main(int(sys.argv[1]), sys.argv[2:])
    sys.exit(code if code >= 0 else 128 - code)
