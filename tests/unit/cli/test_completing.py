"""What a shell is offered."""

from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from vivavoce.cli.main import viva


@pytest.fixture
def offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "viva.yaml").write_text("tests: cases.jsonl\n")
    cases = ['{"id": "refund-1", "input": "x y", "tags": ["slow"]}', '{"id": "pay", "input": "x y", "tags": ["smoke"]}']
    (tmp_path / "cases.jsonl").write_text("\n".join(cases))
    monkeypatch.chdir(tmp_path)

    def complete(*words: str) -> list[str]:
        *args, incomplete = words
        return [
            item.value for item in ShellComplete(viva, {}, "viva", "_VIVA_COMPLETE").get_completions(args, incomplete)
        ]

    return complete


def test_the_ids_of_a_file(offered):
    assert offered("test", "-i", "cases.jsonl::") == ["cases.jsonl::refund-1", "cases.jsonl::pay"]
    assert offered("test", "-i", "cases.jsonl::re") == ["cases.jsonl::refund-1"]
    assert offered("test", "cases.jsonl::p") == ["cases.jsonl::pay"]


def test_bash_splits_words_at_colons(offered):
    assert offered("test", "-i", "cases.jsonl", "::", "re") == ["refund-1"]
    assert offered("test", "cases.jsonl", "::", "") == ["refund-1", "pay"]


def test_tags(offered):
    assert offered("test", "--tag", "s") == ["slow", "smoke"]
    assert offered("test", "-m", "sm") == ["smoke"]


def test_tags_of_the_files_that_are_named_already(offered, tmp_path: Path):
    (tmp_path / "viva.yaml").write_text("run: {}\n")
    assert offered("test", "--tag", "s") == []
    assert offered("test", "-i", "cases.jsonl", "--tag", "s") == ["slow", "smoke"]
    assert offered("test", "cases.jsonl", "--tag", "sm") == ["smoke"]


def test_other_sources_are_files_and_a_broken_file_offers_nothing(offered):
    assert offered("test", "-i", "ca") == ["ca"], "a file, which the shell completes"
    assert offered("test", "-i", "nowhere.jsonl::") == []
