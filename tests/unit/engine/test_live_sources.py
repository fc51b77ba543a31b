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


def is_the_same(before: str, after: str, root: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether a program of this text is taken for the same program as another one."""
    module = ModuleType("a")
    module.__file__ = str(root / "agent.py")
    monkeypatch.setitem(sys.modules, "live_sources_test_agent", module)
    sources: list[object] = []
    for text in (before, after):
        (root / "agent.py").write_text(text)
        sources.append(live_source(len, root))
    return sources[0] == sources[1]


@pytest.mark.parametrize(
    ("imported", "called"),
    [
        ("import vivavoce", "vivavoce.run"),
        ("import vivavoce as viva", "viva.arun"),
        ("from vivavoce import run", "run"),
        ("from vivavoce import run as examine", "examine"),
    ],
)
def test_a_program_that_resumes_is_the_same_program(
    imported: str, called: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    first = f"{imported}\n{called}(cases, history=False)\n"
    again = first.replace("False", "False,\n  resume=paths['a, b'](last())")
    assert is_the_same(first, again, tmp_path, monkeypatch)
    assert not is_the_same(first, again.replace("False", "True"), tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("graph.invoke(Command(resume=True))", "graph.invoke(Command(resume=False))"),
        ("graph.invoke(Command(goto='a', resume=True))", "graph.invoke(Command(goto='a', resume=False))"),
        ("graph.run(resume=True)", "graph.run(resume=False)"),
        ("resume = 1", "resume = 2"),
        ("if resume == 1: go()", "if resume == 1: stop()"),
        ("this is no Python: resume=1", "this is no Python: resume=2"),
    ],
)
def test_what_else_is_called_resume_counts(before: str, after: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert not is_the_same(f"import vivavoce\n{before}\n", f"import vivavoce\n{after}\n", tmp_path, monkeypatch)
