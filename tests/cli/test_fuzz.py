"""`viva fuzz`: the table, the finds as cases, the files, the exit codes."""

import json

import pytest
from tests.cli.conftest import VivaProject

from vivavoce.insight.fuzzing.variants import OPERATORS

FRAGILE = """
def clerk(text):
    if not text.strip():
        raise ValueError("nothing was said")
    return "Of course."
"""
CASE = {"id": "hi", "input": "Hello.", "assert": {"type": "contains", "value": "Of course"}}
FEW = ("--variants", "4", "--candidates", "4")


@pytest.fixture
def shop(project: VivaProject) -> VivaProject:
    project.write("agent.py", FRAGILE)
    project.write("viva.yaml", "agents:\n  clerk: {python: agent.py:clerk}\nagent: clerk\n")
    project.cases(CASE)
    return project


def test_a_find_is_exit_1_and_is_saved_as_a_case_that_fails(shop: VivaProject):
    done = shop.viva("fuzz", "-i", "cases.jsonl", "--operators", "nothing", *FEW, "--save", "finds.jsonl")
    assert done.code == 1, done.text
    assert "nothing was said" in done.out
    assert "(--seed 0)" in done.out.splitlines()[-1]
    assert shop.viva("test", "-i", "finds.jsonl").code == 1


def test_an_agent_that_bears_it_all_is_exit_0(shop: VivaProject):
    done = shop.viva("fuzz", "-i", "cases.jsonl", "--operators", "case,polite", *FEW)
    assert done.code == 0, done.text
    assert done.out.splitlines()[-1].startswith("0 finds in ")
    assert not (shop.root / "fuzz-finds.jsonl").exists()


def test_the_table_is_written_to_files(shop: VivaProject):
    shop.viva("fuzz", "-i", "cases.jsonl", "--operators", "case", *FEW, "-o", "r.json", "-o", "r.md")
    assert json.loads((shop.root / "r.json").read_text())["operators"][0]["operator"] == "case"
    assert "| case | meaning |" in (shop.root / "r.md").read_text()


def test_the_operators_are_listed(shop: VivaProject):
    done = shop.viva("fuzz", "--list-operators")
    assert done.code == 0
    assert [line.split()[0] for line in done.out.splitlines()] == [*(one.name for one in OPERATORS), "paraphrase"]


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["-o", "r.html"], "r.html: the table is written as .json or .md"),
        (["--save", "finds.yaml"], "cases are written as JSON lines"),
        (["--operators", "nonsense"], "unknown operator 'nonsense'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_what_cannot_be_done_is_exit_2_and_the_agent_is_not_called(shop: VivaProject, flags: list[str], said: str):
    shop.write("agent.py", "def clerk(text):\n    open('called', 'w').close()\n    return text\n")
    done = shop.viva("fuzz", "-i", "cases.jsonl", *flags)
    assert (done.code, said in done.err) == (2, True), done.text
    assert not (shop.root / "called").exists()


DYING = """
import os
import time


def clerk(text):
    if text != "Hello.":
        {how}
    return "Of course."
"""


@pytest.mark.process
@pytest.mark.parametrize(
    ("how", "code", "said"),
    [
        ("os._exit(0)", 3, "the run is not complete"),
        ("time.sleep(60)", 1, "timeout after"),
        ("raise SystemExit(0)", 1, "1 find in "),
    ],
)
def test_an_agent_that_ends_hangs_or_leaves_on_a_variant_is_never_green(
    shop: VivaProject, how: str, code: int, said: str
):
    shop.write("agent.py", DYING.format(how=how))
    done = shop.viva("fuzz", "-i", "cases.jsonl", "--operators", "polite", *FEW, "--timeout", "2s")
    assert (done.code, said in done.text) == (code, True), done.text


def test_a_seed_that_does_not_pass_unchanged_is_never_green(shop: VivaProject):
    shop.cases({**CASE, "assert": {"type": "contains", "value": "never said"}})
    done = shop.viva("fuzz", "-i", "cases.jsonl", "--operators", "case", *FEW)
    assert done.code == 1, done.text
    assert "1 case does not pass unchanged and was left out" in done.out
