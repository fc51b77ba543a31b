"""The same texts, judged by promptfoo and by viva: the verdicts are equal, or the import says what differs."""

import json
import shutil
from pathlib import Path

import pytest
from tests.unit.imports.example_files import imported

import vivavoce
from vivavoce.imports.importing import Account

DATA = Path(__file__).parents[3] / "data" / "imports" / "promptfoo" / "verdicts"
TOLD = {"equals JSON in a fence": "viva also reads JSON in a code fence"}
"""Verdicts that differ, and how the import tells it."""
BROKEN = {"python raises", "python nothing"}
"""Checks that say nothing: promptfoo calls the answer wrong, viva calls the check broken."""


@pytest.fixture
def account(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Account:
    shutil.copytree(DATA, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return imported(Path(), "promptfoo", Path("promptfooconfig.yaml"))[0]


def echo(text: str) -> str:
    return text


@pytest.mark.process
@pytest.mark.timeout(120)
async def test_the_verdicts_are_promptfoo_s_own(account: Account):
    assert account.target is not None
    assert (account.is_whole, account.checks("exact", "different")) == (True, 210)
    report = await vivavoce.arun(account.target, agent=echo)
    ours = {result.case.name: result.status.value for result in report.results}
    theirs = json.loads((DATA / "verdicts.json").read_text())["verdicts"]
    assert ours.keys() == theirs.keys()
    differ = {name for name, passed in theirs.items() if ours[name] != ("passed" if passed else "failed")}
    assert differ == TOLD.keys() | BROKEN
    assert {ours[name] for name in BROKEN} == {"error"}
    remarks = {found.case["name"]: [remark.what for remark in found.remarks] for found in account.cases}
    for name, words in TOLD.items():
        assert words in remarks[name][0]


def test_python_is_written_down_and_not_run(account: Account):
    (code,) = account.code
    text = code.path.read_text()
    assert text.startswith("# viva import promptfoo promptfooconfig.yaml\n")
    assert "\ndef check_1(output, input, expected, ctx):\n" in text
    assert code.checks == text.count("\ndef check_")
    assert not (DATA / "__pycache__").exists()
