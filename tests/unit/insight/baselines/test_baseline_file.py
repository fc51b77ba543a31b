"""Baselines as files: read back as they were written, errors with their line."""

from pathlib import Path

import pytest
from msgspec import structs

from vivavoce.errors import UsageError
from vivavoce.insight.baselines.baseline import Baseline, BaselineCase, BaselineRun
from vivavoce.insight.baselines.baseline_file import (
    baseline_names,
    baseline_path,
    baseline_text,
    is_baseline,
    read_baseline,
)
from vivavoce.project.project import Project

CASES = tuple(
    BaselineCase(key=key, id=key, agent=agent, case_hash="h", runs=3, passed=2, durations_ms=(1.5,), tokens=(7,))
    for key, agent in (("b::T", "x"), ("a::T", "y"), ("a::T", "x"))
)
MAIN = Baseline(name="main", runs=(BaselineRun(run_id="r1", title="try"),), cases=CASES)


def written(folder: Path, text: str) -> Path:
    path = folder / "main.jsonl"
    path.write_text(text)
    return path


def test_it_comes_back_sorted_by_case_and_agent(tmp_path: Path):
    found = read_baseline(written(tmp_path, baseline_text(MAIN)))
    assert (found.name, found.runs) == (MAIN.name, MAIN.runs)
    assert [(case.key, case.agent) for case in found.cases] == [("a::T", "x"), ("a::T", "y"), ("b::T", "x")]
    by_agent = sorted(CASES, key=lambda case: (case.key, case.agent))
    assert [structs.asdict(case) for case in found.cases] == [structs.asdict(case) for case in by_agent]


def test_the_same_baseline_is_the_same_text_in_any_order():
    turned = Baseline(name="main", runs=MAIN.runs, cases=tuple(reversed(CASES)))
    assert baseline_text(turned) == baseline_text(MAIN)


@pytest.mark.parametrize("name", ["", "../up", "a b", ".hidden", "a/b"])
def test_names_that_cannot_be_a_file(name: str, tmp_path: Path):
    with pytest.raises(UsageError, match="cannot name a baseline"):
        baseline_path(name, Project(root=tmp_path))


def test_names_of_a_project(tmp_path: Path):
    project = Project(root=tmp_path)
    assert baseline_names(project) == []
    for name in ("main", "before-2"):
        path = baseline_path(name, project)
        path.parent.mkdir(exist_ok=True)
        path.write_text(baseline_text(MAIN))
    assert baseline_names(project) == ["before-2", "main"]


def test_only_a_baseline_looks_like_one(tmp_path: Path):
    assert is_baseline(written(tmp_path, baseline_text(MAIN)))
    assert not is_baseline(written(tmp_path, '{"type":"start"}\n'))
    assert not is_baseline(tmp_path / "none.jsonl")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it is empty"),
        ('{"type":"start"}\n', "main.jsonl:1: not a baseline"),
        ('{"type":"baseline","version":99,"name":"n"}\n', r"a newer viva wrote it \(version 99\)"),
        ('{"type":"baseline","version":1,"name":"n"}\n\n{"type":"case"}\n', "main.jsonl:3: this line"),
    ],
)
def test_what_cannot_be_read_is_an_error_with_its_place(text: str, message: str, tmp_path: Path):
    with pytest.raises(UsageError, match=message):
        read_baseline(written(tmp_path, text))


def test_a_file_that_is_not_there(tmp_path: Path):
    with pytest.raises(UsageError, match="cannot read it"):
        read_baseline(tmp_path / "none.jsonl")


IMPOSSIBLE: dict[str, dict[str, object]] = {
    "fewer than none": {"runs": -5, "passed": -5},
    "passed less than never": {"passed": -3},
    "passed more often than run": {"runs": 1, "passed": 5},
    "endlessly many": {"runs": 10**15, "passed": 10**15},
    "broken less than never": {"broken": -1},
    "a duration below zero": {"durations_ms": (-1.0,)},
    "an absurd duration": {"durations_ms": (1e308, 1e308)},
    "tokens below zero": {"tokens": (-7,)},
    "an absurd cost": {"costs": (1e200,)},
}


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_counts_that_no_run_can_have_are_an_error_with_their_line(what: str, tmp_path: Path):
    bent = structs.replace(CASES[0], **IMPOSSIBLE[what])
    path = written(tmp_path, baseline_text(structs.replace(MAIN, cases=(bent,))))
    with pytest.raises(UsageError, match=r"main.jsonl:2: this line of the baseline cannot be read"):
        read_baseline(path)


def test_a_case_that_stands_twice_is_an_error(tmp_path: Path):
    path = written(tmp_path, baseline_text(MAIN) + baseline_text(MAIN).splitlines()[1] + "\n")
    with pytest.raises(UsageError, match=r"main.jsonl:5: .*a::T with x stands above already"):
        read_baseline(path)
