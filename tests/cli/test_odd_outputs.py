"""`-o` at places that are no ordinary file: pipes, full devices, names that are no UTF-8."""

import os
import subprocess
from pathlib import Path

import pytest
from tests.cli.conftest import VivaProject

pytestmark = pytest.mark.process


@pytest.fixture
def ready(project: VivaProject) -> VivaProject:
    project.cases({"id": "a", "input": "x"})
    return project


@pytest.mark.parametrize("name", ["p.jsonl", "p.html", "p.json", "p.md", "p.xml"])
def test_a_pipe_that_nobody_reads_is_an_error_and_no_hang(ready: VivaProject, name: str):
    os.mkfifo(ready.root / name)
    done = ready.viva("test", "-i", "cases.jsonl", "-o", name, "--no-history")
    assert done.code in (2, 3)
    assert "pipe" in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("command", [("test", "-i", "cases.jsonl", "--dry-run"), ("merge", "a.jsonl")])
def test_nor_does_it_hang_for_other_files(ready: VivaProject, command: tuple[str, ...]):
    ready.viva("test", "-i", "cases.jsonl", "-o", "a.jsonl", "--no-history")
    os.mkfifo(ready.root / "p.jsonl")
    done = ready.viva(*command, "-o", "p.jsonl")
    assert done.code == 2
    assert "p.jsonl is a pipe" in done.err


def test_a_pipe_with_a_reader_gets_the_results(ready: VivaProject):
    os.mkfifo(ready.root / "p.jsonl")
    with subprocess.Popen(["cat", "p.jsonl"], cwd=ready.root, stdout=subprocess.PIPE) as reader:
        # Opened for both, so that the reader is there before viva looks.
        held = os.open(ready.root / "p.jsonl", os.O_RDWR)
        done = ready.viva("test", "-i", "cases.jsonl", "-o", "p.jsonl", "--no-history")
        os.close(held)
        assert reader.stdout is not None
        assert len(reader.stdout.read().splitlines()) == 3
    assert done.code == 0


@pytest.mark.parametrize("name", ["full.jsonl", "full.json"])
def test_a_full_device_is_never_a_success_in_silence(ready: VivaProject, name: str):
    (ready.root / name).symlink_to("/dev/full")
    done = ready.viva("test", "-i", "cases.jsonl", "-o", name, "--no-history")
    # A report replaces the link by a whole file; a result file is written to the device, and cannot be.
    written = (ready.root / name).is_file()
    assert (done.code, written) == ((0, True) if name.endswith(".json") else (3, False))
    assert written or "No space left" in done.err


def test_a_folder_that_is_made_is_named(ready: VivaProject):
    done = ready.viva("test", "-i", "cases.jsonl", "-o", "reports/new/out.html")
    assert (done.code, done.err) == (0, "viva: made the folder reports/new\n")
    assert ready.viva("test", "-i", "cases.jsonl", "-o", "reports/new/out.html").err == ""


@pytest.mark.parametrize("name", ["out.html", "deeper/out.jsonl"])
def test_no_folder_is_made_in_the_root(ready: VivaProject, name: str):
    done = ready.viva("test", "-i", "cases.jsonl", "-o", f"/viva-nonexist/{name}")
    hint = "is it misspelt? if not, make it first"
    assert (done.code, done.err) == (2, f"viva: -o: there is no folder /viva-nonexist ({hint})\n")
    assert not Path("/viva-nonexist").exists()


@pytest.mark.parametrize("name", [b"caf\xe9\xff", "é".encode()])
def test_names_that_are_no_utf_8_work_everywhere(ready: VivaProject, name: bytes):
    folder = Path(os.fsdecode(name))
    (ready.root / folder).mkdir()
    case = ready.root / folder / os.fsdecode(name + b".jsonl")
    case.write_text('{"id": "a", "input": "x"}\n')
    outputs = [folder / os.fsdecode(b"out-" + name + suffix) for suffix in (b".jsonl", b".html", b".md", b".xml")]
    flags = [word for out in outputs for word in ("-o", str(out))]
    done = ready.viva("test", "-i", str(folder), *flags)
    assert (done.code, done.err) == (0, "")
    assert all((ready.root / out).stat().st_size > 0 for out in outputs)
    resumed = ready.viva("test", "-i", str(folder / case.name), "--resume", str(outputs[0]))
    assert (resumed.code, "1 of 1 case done" in resumed.err) == (0, True)
    case.write_text('{"id": "a", "input": "raise"}\n')
    assert ready.viva("test", "-i", str(folder)).code == 1
    assert ready.viva("test", "-i", str(folder), "--last-failed").code == 1
    assert ready.viva("history").code == 0
    assert ready.viva("validate", "-i", str(folder)).code == 0
    assert ready.viva("list", "-i", str(folder)).code == 0
