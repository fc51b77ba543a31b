"""`viva calibrate`: what it prints, and when it answers 1."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import vivavoce
from vivavoce.cli.commands.calibrate import command
from vivavoce.errors import EXIT_FAILED, EXIT_PASSED, UsageError

CHECK = {"type": "agent", "use": "judge", "value": "is right"}


@pytest.fixture(autouse=True)
def _recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("judge.py").write_text('def judge(text):\n    return \'{"passed": true, "reason": "so"}\'\n')
    Path("viva.yaml").write_text("agents:\n  judge: {python: judge.py:judge}\n")
    Path("a.jsonl").write_text(
        "".join(json.dumps({"id": name, "input": name, "assert": CHECK}) + "\n" for name in ("A", "B"))
    )
    vivavoce.run("a.jsonl", agent=lambda text: text, outputs="out.jsonl", history=False)
    Path("labels.yaml").write_text("type: labels\nlabels:\n- {case: A, label: pass}\n- {case: B, label: fail}\n")


@pytest.mark.parametrize(("more", "code"), [([], EXIT_PASSED), (["--min-kappa", "0.5"], EXIT_FAILED)])
def test_it_tells_the_numbers_and_keeps_to_the_limit(more: list[str], code: int):
    done = CliRunner().invoke(command, ["out.jsonl", *more], standalone_mode=False, catch_exceptions=False)
    assert done.return_value == code
    assert "agrees with people in 50.0 % of 2 conversations" in done.output
    assert "too few labels: 2" in done.output


def test_a_file_of_labels_must_be_there():
    with pytest.raises(UsageError, match="no such file of labels"):
        CliRunner().invoke(
            command, ["out.jsonl", "--labels", "other.yaml"], standalone_mode=False, catch_exceptions=False
        )
