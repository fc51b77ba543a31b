"""Who is compared, and what reports call them."""

from pathlib import Path

import pytest

import vivavoce


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(f"def reply(messages):\n    return '{name}'\n\n\nother = reply\n")
    (tmp_path / "cases.jsonl").write_text(
        '{"id": "a", "input": "Hello", "assert": {"type": "contains", "value": "o"}}\n'
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("agents", "labels"),
    [
        (["python:one.py:reply", "python:two.py:other"], ["reply", "other"]),
        (["python:one.py:reply", "python:two.py:reply"], ["one.py:reply", "two.py:reply"]),
    ],
)
def test_agents_of_one_name_are_called_by_their_file_too(project: Path, agents: list[str], labels: list[str]):
    assert [standing.label for standing in vivavoce.compare("cases.jsonl", agents=agents).standings] == labels


def test_an_agent_is_named_once(project: Path):
    with pytest.raises(vivavoce.UsageError, match="is named twice"):
        vivavoce.compare("cases.jsonl", agents=["python:one.py:reply", "python:one.py:reply"])
