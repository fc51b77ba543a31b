"""What `viva fuzz` found, in lines, as Markdown and as JSON."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.result_builders import case

from vivavoce.app.find_shrinking import FuzzFinding
from vivavoce.app.fuzz_report import (
    as_json,
    as_markdown,
    find_lines,
    note_lines,
    refuse_other_formats,
    table_lines,
    write_reports,
)
from vivavoce.app.fuzzing import Fuzzed
from vivavoce.errors import UsageError
from vivavoce.insight.fuzzing.robustness import OperatorScore

CASE, SPACES = OperatorScore("case", "meaning", held=3, finds=1), OperatorScore("spaces", "meaning", not_run=2)
NOTHING = OperatorScore("nothing", "hostile", held=1, finds=1, unclear=1)


def find(**fields: Any) -> FuzzFinding:
    known: dict[str, Any] = {
        "operators": ("case", "spaces"),
        "case": case("T1", "WHAT | is a `mug`?"),
        "original": "cases.jsonl::T1",
        "turn": 0,
        "seed": "0-1",
        "error": "output does not contain '18'\nand more",
        "times": 2,
        "failed": "1 of 1 run",
        "failed_again": True,
    }
    return FuzzFinding(**{**known, **fields})


def fuzzed(*finds: FuzzFinding, **fields: Any) -> Fuzzed:
    known: dict[str, Any] = {"seed": 7, "agent": "shop", "cases": 2, "left_out": {}, "scores": (CASE, SPACES, NOTHING)}
    return Fuzzed(finds=finds, **{**known, **fields})


def test_the_table_groups_the_operators_and_tells_what_was_not_judged():
    assert list(table_lines((CASE, SPACES, NOTHING))) == [
        "operator  variants   held  finds  robust",
        "· the same in other words",
        "case             4      3      1    75 %",
        "spaces           0      0      0       –  (2 not run)",
        "· hostile",
        "nothing          2      1      1    50 %  (1 unclear)",
    ]


def test_a_find_says_who_found_it_which_line_does_it_and_how_to_run_it():
    assert list(find_lines(find(), "finds.jsonl::T1")) == [
        "✗ case, spaces (2 variants): 'WHAT | is a `mug`?'",
        "  output does not contain '18' and more",
        "  viva test -i finds.jsonl::T1",
    ]


@pytest.mark.parametrize(
    ("again", "said"),
    [(None, "neither repeated nor shrunk"), (False, "it comes and goes (try --runs 5)"), (True, None)],
)
def test_a_find_that_was_not_seen_twice_says_so(again: bool | None, said: str | None):
    lines = list(find_lines(find(failed_again=again, times=1), "x"))
    assert any(said in line for line in lines) if said else len(lines) == 3
    assert "variant" not in lines[0]


def test_notes_tell_what_the_numbers_leave_out():
    notes = list(
        note_lines(
            fuzzed(left_out=dict.fromkeys("abcdefg", "no\nway"), warnings=("budget: spent",), stopped_by="budget")
        )
    )
    assert notes == [
        "7 cases do not pass unchanged and were left out:",
        *(f"  {key}: no way" for key in "abcde"),
        "  … and 2 more",
        "1 variant could not be judged: a check broke, or viva could not tell",
        "budget: spent",
        "stopped early (budget): 2 variants were not run; nothing is known about them",
    ]
    assert list(note_lines(fuzzed(scores=(CASE,)))) == []
    [note] = note_lines(fuzzed(scores=(CASE,), stopped_by="time limit"))
    assert note == "stopped early (time limit): every variant was run, but not every find was shrunk"


def test_markdown_keeps_its_table_whatever_was_said():
    text = as_markdown(fuzzed(find()), ["finds.jsonl::T1"])
    assert "| case | meaning | 4 | 3 | 1 | 75 % |" in text
    # A bar or a backtick of the line would end the cell or the code.
    assert "* **case, spaces**: `'WHAT ¦ is a 'mug'?'`:" in text
    assert "## Finds" not in as_markdown(fuzzed(), [])


def test_json_has_every_number_and_where_each_find_lies():
    written = as_json(fuzzed(find()), ["finds.jsonl::T1"])
    assert written["operators"][1] == {
        "operator": "spaces",
        "kind": "meaning",
        "variants": 0,
        "held": 0,
        "finds": 0,
        "unclear": 0,
        "not_run": 2,
        "robust_percent": None,
    }
    assert (written["finds"][0]["case"], written["finds"][0]["failed_again"]) == ("finds.jsonl::T1", True)


def test_reports_are_written_with_their_folders(tmp_path: Path):
    names = [str(tmp_path / "out" / name) for name in ("r.json", "r.md", "r.markdown")]
    write_reports(fuzzed(find()), ["x"], names)
    assert json.loads(Path(names[0]).read_text())["seed"] == 7
    assert Path(names[1]).read_text() == Path(names[2]).read_text() == as_markdown(fuzzed(find()), ["x"])


@pytest.mark.parametrize("name", ["r.html", "r", "r.JSON"])
def test_no_other_format_is_written(name: str):
    with pytest.raises(UsageError, match=r"the table is written as \.json or \.md"):
        refuse_other_formats(["fine.md", name])
