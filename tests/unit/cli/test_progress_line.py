"""The line that tells how far a search is."""

import io

import pytest

from vivavoce.cli.progress_line import ProgressLine
from vivavoce.containment.safe_stream import ERASE_LINE


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)


@pytest.mark.parametrize(("name", "value"), [("TERM", "dumb"), ("CI", "true")])
def test_a_terminal_that_cannot_erase_and_a_log_get_no_escapes(monkeypatch: pytest.MonkeyPatch, name: str, value: str):
    monkeypatch.setenv(name, value)
    out = Terminal()
    ProgressLine(out).show("1 of 4")
    assert out.getvalue() == ""


def test_a_terminal_sees_the_line_and_then_nothing_of_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "20")
    out = Terminal()
    line = ProgressLine(out)
    line.show("1 of 4 cases, \x1b[31m and far too many words")
    shown = out.getvalue()
    assert shown.startswith(f"{ERASE_LINE}1 of 4 cases")
    assert len(shown.removeprefix(ERASE_LINE)) < 20
    assert "\x1b" not in shown.removeprefix(ERASE_LINE)
    line.clear()
    line.clear()
    assert out.getvalue() == f"{shown}{ERASE_LINE}"


def test_nobody_reads_faster_than_ten_lines_a_second():
    out = Terminal()
    line = ProgressLine(out)
    for number in range(1000):
        line.show(f"{number}")
    assert out.getvalue().count(ERASE_LINE) < 500


def test_elsewhere_nothing_is_written():
    out = io.StringIO()
    line = ProgressLine(out)
    line.show("1 of 4")
    line.clear()
    assert out.getvalue() == ""
