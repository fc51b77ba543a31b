import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from vivavoce.errors import VivaError
from vivavoce.project.locked_files import change_file, locked_folder

ADD_LINES = """
import sys
from pathlib import Path
from vivavoce.project.locked_files import change_file
for number in range(int(sys.argv[3])):
    change_file(Path(sys.argv[1]), lambda text: (text or "") + f"{sys.argv[2]}-{number}\\n")
"""
REWRITE_FOREVER = """
import itertools, sys
from pathlib import Path
from vivavoce.project.locked_files import change_file
for letter in itertools.cycle("ab"):
    change_file(Path(sys.argv[1]), lambda text: letter * 3_000_000)
    print("written", flush=True)
"""


def test_two_processes_at_once_lose_nothing(tmp_path: Path):
    file = tmp_path / "new" / "file.txt"
    both = [subprocess.Popen([sys.executable, "-c", ADD_LINES, str(file), name, "60"]) for name in ("one", "two")]
    assert [process.wait(60) for process in both] == [0, 0]
    lines = file.read_text().splitlines()
    assert sorted(lines) == sorted(f"{name}-{number}" for name in ("one", "two") for number in range(60))


def test_a_killed_writer_leaves_the_old_file_or_the_new_one(tmp_path: Path):
    file = tmp_path / "file.txt"
    for _ in range(5):
        with subprocess.Popen([sys.executable, "-c", REWRITE_FOREVER, str(file)], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            writer.send_signal(signal.SIGKILL)
        assert file.read_text() in ("a" * 3_000_000, "b" * 3_000_000)
    # Nor does it keep the next one out.
    change_file(file, lambda text: "mine")
    assert [path.name for path in tmp_path.iterdir()] == ["file.txt"]


def test_nothing_is_written_when_nothing_changes(tmp_path: Path):
    file = tmp_path / "file.txt"
    file.write_text("same")
    before = file.stat().st_ino
    change_file(file, lambda text: text)
    assert file.stat().st_ino == before


def test_a_file_keeps_its_mode_and_a_link_stays_a_link(tmp_path: Path):
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    change_file(link, lambda text: f"{text} and new")
    assert link.is_symlink()
    assert real.read_text() == "old and new"
    assert real.stat().st_mode & 0o777 == 0o640


def test_none_removes_the_file(tmp_path: Path):
    file = tmp_path / "file.txt"
    file.write_text("x")
    change_file(file, lambda text: None)
    assert not file.exists()


def test_a_folder_that_stays_locked_is_told(tmp_path: Path):
    descriptor = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        with pytest.raises(VivaError, match="another process has kept"), locked_folder(tmp_path, patience_s=0.02):
            raise AssertionError
    finally:
        os.close(descriptor)


APPEND_UNTIL_FULL = """
import resource, sys
from pathlib import Path
from vivavoce.project.locked_files import append_whole
limit = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
for number in range(4000):
    try:
        append_whole(Path(sys.argv[1]), b"%03d" % number * int(sys.argv[3]) + b"\\n")
    except OSError as error:
        print(number, error)
        break
"""


@pytest.mark.parametrize("limit", [0, 1, 1000, 1024, 4096, 10_000])
@pytest.mark.parametrize("length", [1, 50, 1000])
def test_a_full_disk_leaves_whole_lines_and_names_the_file(tmp_path: Path, limit: int, length: int):
    file = tmp_path / "lines"
    command = [sys.executable, "-c", APPEND_UNTIL_FULL, str(file), str(limit), str(length)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=True)
    number, said = done.stdout.split(" ", 1)
    assert f"'{file}'" in said
    written = file.read_text().splitlines(keepends=True) if file.exists() else []
    assert written == [f"{at:03}" * length + "\n" for at in range(int(number))]
