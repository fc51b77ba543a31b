"""`viva record` against the shipped shop, and its recordings played back when the shop is gone."""

import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from tests.cli.conftest import VivaProject


def port_told(line: str) -> str:
    told = re.fullmatch(r"The shop speaks AG-UI at http://127\.0\.0\.1:(\d+)/agui \(Ctrl-C ends it\)\n", line)
    assert told is not None, line
    return told[1]


@pytest.fixture
def shop(project: VivaProject) -> Iterator["subprocess.Popen[str]"]:
    """The example project of `viva init --example shop`, its app running on a free port."""
    (project.root / "viva.yaml").unlink()
    assert project.viva("init", "--example", "shop").code == 0
    app = subprocess.Popen([sys.executable, "app.py", "0"], cwd=project.root, stdout=subprocess.PIPE, text=True)
    yield app
    app.kill()
    app.communicate()


def test_what_was_recorded_plays_back_without_the_app(project: VivaProject, shop: "subprocess.Popen[str]") -> None:
    assert shop.stdout is not None
    port = port_told(shop.stdout.readline())
    recorded = project.viva("record", "-i", "tests", "-o", "recordings", SHOP_PORT=port)
    assert recorded.code == 0, recorded.text
    shop.kill()
    shop.wait()
    assert project.viva("test", "-n", f"agui:http://127.0.0.1:{port}/agui").code == 1, "the app is gone"
    replayed = project.viva("test", "-i", "tests", "-n", "replay:recordings?timing=none", "-o", "out.jsonl")
    assert replayed.code == 0, replayed.text
    assert project.statuses() == {"checkout": "passed", "refused_payment": "passed"}
    assert project.viva("test", "-i", "tests", "-n", "agui-replay:recordings?timing=none").code == 0


def test_the_shop_charges_what_it_told_the_customer(project: VivaProject, shop: "subprocess.Popen[str]") -> None:
    assert shop.stdout is not None
    done = project.viva("test", "-i", "tests/checkout.yaml", SHOP_PORT=port_told(shop.stdout.readline()))
    assert "That makes 40.00" in done.out
    assert "charge_card({amount: 40" in done.out


def test_answers_of_an_agent_that_speaks_no_ag_ui_play_back_too(project: VivaProject) -> None:
    project.cases({"id": "a", "input": "hi"})
    assert project.viva("record", "-i", "cases.jsonl", "-o", "recordings").code == 0
    assert (project.root / "recordings" / "a" / "01.answer.json").is_file()
    assert project.viva("test", "-i", "cases.jsonl", "-n", "replay:recordings").code == 0


def test_a_recording_without_a_single_answer_is_told(project: VivaProject) -> None:
    project.cases({"id": "a", "input": "hi", "skip": True})
    done = project.viva("record", "-i", "cases.jsonl", "-o", "recordings")
    assert done.code == 2
    assert "nothing was recorded in recordings" in done.err


def test_a_folder_that_holds_something_else_is_not_replaced_by_a_recording(project: VivaProject):
    project.write("src/main.py", "x = 1\n")
    project.cases({"id": "src", "input": "hi"}, {"id": "fine", "input": "hi"})
    done = project.viva("record", "-i", "cases.jsonl", "-o", ".", "--no-history")
    assert done.code == 1
    assert "src/main.py is no recording of viva, and would be lost" in done.out
    assert project.statuses("results.jsonl") == {"src": "error", "fine": "passed"}
    assert (project.root / "src/main.py").read_text() == "x = 1\n"
