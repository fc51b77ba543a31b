"""One round of a watched run: what is run, and the outcome that is written in any case."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from vivavoce.cli.watching.rounds import Round, RoundOutcome, run_round
from vivavoce.errors import EXIT_FAILED, EXIT_PASSED, VivaError

AGENT = "def reply(text):\n    return text\n"


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("viva.yaml").write_text("agents: {a: {python: bots/agent.py:reply}}\nagent: a\n")
    Path("bots").mkdir()
    Path("bots/agent.py").write_text(AGENT)
    cases = [{"id": name, "input": "hi", "expected": "hi" if name == "A" else "no"} for name in "ABC"]
    Path("cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))


def ran(**asked: Any) -> tuple[int, RoundOutcome]:
    flags = {"inputs": ["cases.jsonl"], "history": False, "parallel": 1}
    code = run_round(Round(flags=flags, command="viva test --watch", reply_to="outcome.json", **asked))
    return code, outcome()


def outcome() -> RoundOutcome:
    return msgspec.json.decode(Path("outcome.json").read_bytes(), type=RoundOutcome)


def test_everything_runs_and_what_failed_is_told_with_the_files_that_matter():
    code, told = ran()
    assert (code, told.ran, told.failed) == (
        EXIT_FAILED,
        ("cases.jsonl::A", "cases.jsonl::B", "cases.jsonl::C"),
        ("cases.jsonl::B", "cases.jsonl::C"),
    )
    assert [Path(path).name for path in told.case_files] == ["cases.jsonl"]
    assert {"cases.jsonl", "agent.py"} <= {Path(path).name for path in told.known_files}
    assert "vivavoce.cli.examining" in told.modules


def test_only_these_cases_run():
    code, told = ran(only=("cases.jsonl::A",))
    assert (code, told.ran) == (EXIT_PASSED, ("cases.jsonl::A",))


def test_these_run_first():
    assert ran(first=("cases.jsonl::C",))[1].ran[0] == "cases.jsonl::C"


def test_a_saved_file_that_matters_to_no_case_is_no_failure():
    Path("notes.md").write_text("")
    code, told = ran(changed=(str(Path("notes.md").absolute()),))
    assert (code, told.ran) == (EXIT_PASSED, ())


def test_a_saved_agent_matters_to_its_cases():
    assert len(ran(changed=(str(Path("bots/agent.py").absolute()),))[1].ran) == 3


def test_the_outcome_is_written_though_the_cases_cannot_be_read():
    Path("cases.jsonl").write_text("{\n")
    with pytest.raises(VivaError):
        ran()
    assert outcome().known_files == ()
