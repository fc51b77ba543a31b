"""Judges of recorded runs beside labels; asked again where that is wanted."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

import vivavoce
from vivavoce.app.calibrating import Calibration, calibrate, refuse_other_formats, write_calibration
from vivavoce.app.opening import open_project
from vivavoce.app.request import RunRequest
from vivavoce.errors import UsageError
from vivavoce.insight.calibration.labels import Label, Labels

JUDGE = """
import json
asked = []
def judge(text):
    said = json.loads(text)["output"]
    asked.append(said)
    passed = "bad" not in said if asked.count(said) == 1 or "odd" not in said else False
    return json.dumps({"passed": passed, "score": 0.9 if passed else 0.1, "reason": "so"})
"""
CHECK = {"type": "agent", "use": "judge", "value": "is right"}


@pytest.fixture(autouse=True)
def _recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four conversations; the judge fails the bad one, and contradicts itself about the odd one."""
    monkeypatch.chdir(tmp_path)
    Path("judge.py").write_text(JUDGE)
    Path("agent.py").write_text("def say(text):\n    return text\n")
    config = "agents:\n  a: {python: agent.py:say}\n  judge: {python: judge.py:judge}\nagent: a\n"
    Path("viva.yaml").write_text(config)
    write("good", "fine", "bad", "odd")
    vivavoce.run("a.jsonl", outputs="out.jsonl", history=False)


def write(*lines: str, **more: Any) -> None:
    Path("a.jsonl").write_text(
        "".join(json.dumps({"id": line, "input": line, "assert": CHECK, **more}) + "\n" for line in lines)
    )


LABELS = {"good": "pass", "fine": "fail", "bad": "fail", "odd": "pass"}


async def calibrated(labels: dict[str, str] = LABELS, again: int = 0) -> Calibration:
    given = Labels(msgspec.convert({"case": case, "label": label}, Label) for case, label in labels.items())
    project = open_project(None)
    request = RunRequest.of({"config": None})
    return await calibrate(["out.jsonl"], given, project, request, again=again)


async def test_recorded_verdicts_are_compared_and_nobody_is_asked():
    found = await calibrated()
    (one,) = found.measures
    assert (one.judge, one.criterion, one.labels, one.agreement) == ("judge", "is right", 4, 0.75)
    assert one.confusion.too_lenient == 1
    assert one.repeats is None


async def test_a_judge_that_is_asked_again_shows_noise_and_bias():
    (one,) = (await calibrated(again=3)).measures
    assert one.repeats is not None
    assert one.repeats.conversations == 4
    assert one.repeats.bias > 0, "it always passes `fine`"
    assert one.labels == 4


async def test_cases_that_read_differently_are_not_asked_again():
    write("good", "fine", "bad", "odd", messages=[])
    Path("a.jsonl").write_text(Path("a.jsonl").read_text().replace('"input": "good"', '"input": "changed"'))
    found = await calibrated(again=2)
    assert any("2 answers could not be had again" in note for note in found.notes)


async def test_conversations_without_a_label_are_counted():
    found = await calibrated({"good": "pass"})
    assert "3 judged conversations have no label" in found.notes


async def test_no_label_at_all_is_an_error():
    with pytest.raises(UsageError, match="has a label"):
        await calibrated({"other": "pass"})


async def test_a_kappa_below_the_limit_or_none_at_all_does_not_reach_it():
    found = await calibrated()
    assert len(found.below(0.9)) == 1
    assert found.below(0.1) == []
    one_sided = await calibrated({"good": "pass"})
    assert len(one_sided.below(-1)) == 1


async def test_it_is_written_as_json_and_as_markdown():
    project = open_project(None)
    found = await calibrated()
    for _ in range(2):  # what viva wrote may be replaced
        write_calibration(found, ["j.json", "j.md"], project)
    assert json.loads(Path("j.json").read_text())["measures"][0]["agreement"] == 0.75
    assert "| judge | is right | 4 | 75.0 %" in Path("j.md").read_text()
    Path("mine.md").write_text("mine")
    with pytest.raises(UsageError, match="would be lost"):
        write_calibration(found, ["mine.md"], project)


def test_other_formats_are_refused():
    with pytest.raises(UsageError, match="not known"):
        refuse_other_formats(["a.json", "a.txt"])


async def test_a_case_with_a_workspace_is_not_asked_again():
    Path("files").mkdir()
    write("good", "fine", "bad", "odd", workspace="files")
    Path("out.jsonl").unlink()
    await vivavoce.arun("a.jsonl", outputs="out.jsonl", history=False)
    found = await calibrated(again=1)
    assert "4 cases with a workspace not asked again: its files are gone" in found.notes
    assert found.measures[0].repeats is None


async def test_judges_of_checkpoints_are_compared_and_asked_again():
    checkpoints = {"checkpoints": [{"id": "right", "assert": CHECK}]}
    Path("a.jsonl").write_text(
        "".join(json.dumps({"id": line, "input": line, **checkpoints}) + "\n" for line in ("good", "bad"))
    )
    await vivavoce.arun("a.jsonl", outputs="out.jsonl", history=False)
    found = await calibrated({"good": "pass", "bad": "fail"}, again=2)
    (one,) = found.measures
    assert (one.labels, one.agreement, found.notes) == (2, 1.0, [])


async def test_lines_that_cannot_be_read_are_told_and_counted():
    with Path("out.jsonl").open("a") as file:
        file.write('{"type": "result", "id"')
    found = await calibrated()
    assert found.unreadable == 1
    assert sum("cannot be read" in note for note in found.notes) == 1
