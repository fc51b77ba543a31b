"""The code of an agent that a program handed over."""

import sys
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest

from vivavoce.engine.live_sources import live_source


def answer(text: str) -> str:
    return text


class Bot:
    def __call__(self, text: str) -> str:
        return text


@pytest.mark.parametrize("live", [answer, partial(answer), Bot, Bot(), Bot().__call__])
def test_its_own_text_is_read(live: object, tmp_path: Path):
    text, files = live_source(live, tmp_path)  # type: ignore[misc]
    assert "return text" in str(text)
    assert files == []


def test_what_is_built_in_has_no_text(tmp_path: Path):
    assert live_source(len, tmp_path) == [None, []]


def test_files_that_are_loaded_and_what_they_import_count_but_nothing_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / ".venv").mkdir()
    files = {"made.py": "import helper\n", "helper.py": "x = 1\n", ".venv/lib.py": "", "other.py": ""}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    for name in ("made.py", ".venv/lib.py"):
        module = ModuleType("a")
        module.__file__ = str(tmp_path / name)
        monkeypatch.setitem(sys.modules, f"live_sources_test_{name}", module)
    _, found = live_source(len, tmp_path)  # type: ignore[misc]
    assert [name for name, _ in found] == ["helper.py", "made.py"]  # type: ignore[misc]
    (tmp_path / "helper.py").write_text("import vivavoce; x = 1\nrun(cases, resume='r.jsonl')\n")
    first = live_source(len, tmp_path)
    (tmp_path / "helper.py").write_text("import vivavoce; x = 1\nrun(cases)\n")
    assert live_source(len, tmp_path) == first
    (tmp_path / "helper.py").write_text("import vivavoce; x = 2\nrun(cases)\n")
    assert live_source(len, tmp_path) != first


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("graph.invoke(Command(resume=True))", "graph.invoke(Command(resume=False))"),
        ("if resume == 1: go()", "if resume == 1: stop()"),
    ],
)
def test_what_else_is_called_resume_counts(before: str, after: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    module = ModuleType("a")
    module.__file__ = str(tmp_path / "agent.py")
    monkeypatch.setitem(sys.modules, "live_sources_test_agent", module)
    sources: list[object] = []
    for text in (before, after):
        (tmp_path / "agent.py").write_text(f"import vivavoce\n{text}\n")
        sources.append(live_source(len, tmp_path))
    assert sources[0] != sources[1]
