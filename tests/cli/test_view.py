"""`viva view`: the address it prints, how it ends, and the browser it opens or not."""

import json
import os
import signal
import time
from pathlib import Path
from urllib.request import urlopen

from tests.cli.conftest import VivaProject


def test_view_prints_its_address_and_ends_cleanly_with_ctrl_c(project: VivaProject):
    project.cases({"id": "a", "input": "hi"})
    project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    process = project.start("view", "--no-browser")
    assert process.stdout is not None
    line = process.stdout.readline()
    address = line.split()[-1]
    assert line.startswith("1 run at http://127.0.0.1:")
    with urlopen(f"{address}api/runs") as response:
        assert json.load(response)["runs"][0]["summary"]["passed"] == 1
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=200)
    assert (process.returncode, err) == (0, "")


def test_view_of_one_file_opens_on_its_run(project: VivaProject):
    project.cases({"id": "a", "input": "hi"})
    project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", "--no-history")
    process = project.start("view", "out.jsonl", "--no-browser")
    assert process.stdout is not None
    address = process.stdout.readline().split()[-1]
    assert address.endswith(f"/runs/{project.rows()[0]['run_id']}")
    with urlopen(address) as response:
        assert response.status == 200
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=200)
    assert process.returncode == 0


def test_view_says_what_it_cannot_read_before_it_serves(project: VivaProject):
    project.cases({"id": "a", "input": "hi"})
    for name, said in (("gone.jsonl", "cannot read it"), ("cases.jsonl", "not a result file")):
        done = project.viva("view", name, "--no-browser", timeout=200)
        assert done.code == 2
        assert said in done.err


def test_no_browser_is_opened_where_nobody_sits(project: VivaProject, tmp_path: Path):
    opened = tmp_path / "opened"
    browser = project.write("browser.sh", f"#!/bin/sh\ntouch {opened}\n")
    browser.chmod(0o755)
    process = project.start("view", BROWSER=str(browser))
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=200)
    assert not opened.exists()
    assert os.access(browser, os.X_OK)
