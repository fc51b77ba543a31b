"""`viva label` without a terminal: labels are set, mistakes are told."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import vivavoce
from vivavoce.cli.commands.label import command
from vivavoce.errors import UsageError
from vivavoce.insight.calibration.labels import read_labels


@pytest.fixture(autouse=True)
def _run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jsonl").write_text('{"id": "A", "input": "hi"}\n')
    vivavoce.run("a.jsonl", agent=lambda text: "yes", outputs="out.jsonl", history=False)


def test_a_label_is_set_in_the_projects_file(tmp_path: Path):
    done = CliRunner().invoke(command, ["out.jsonl", "--set", "A=fail", "--note", "curt"], standalone_mode=False)
    assert done.output == "labels.yaml: 1 label set\n"
    assert [(one.case, one.label, one.note) for one in read_labels(tmp_path / "labels.yaml")] == [
        ("a.jsonl::A", "fail", "curt")
    ]


@pytest.mark.parametrize("wrong", [[], ["--note", "x"], ["--criteria"], ["--set", "B=pass"]])
def test_what_cannot_be_done_is_told(wrong: list[str]):
    with pytest.raises(UsageError):
        CliRunner().invoke(command, ["out.jsonl", *wrong], standalone_mode=False, catch_exceptions=False)
