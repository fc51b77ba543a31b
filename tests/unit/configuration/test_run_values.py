"""Durations, budgets and orders under `run:` are read before a run, and every bad one is told."""

from pathlib import Path

import pytest

from vivavoce.configuration.project_finder import find_project
from vivavoce.configuration.run_values import refuse_bad_run_values, run_objections
from vivavoce.errors import ManyProblems


def test_what_cannot_be_read_is_named_and_what_has_a_wrong_type_is_left_alone():
    run = {"timeout": "soon", "time_limit": "5m", "budget": "0usd", "order": "rsk", "judge_timeout": 5, "locale": "x"}
    assert [(steps, hint) for steps, _, hint in run_objections(run)] == [
        (("run", "timeout"), None),
        (("run", "budget"), None),
        (("run", "order"), "did you mean 'risk'?"),
    ]


def test_all_of_them_are_told_with_their_lines(tmp_path: Path):
    (tmp_path / "viva.yaml").write_text("run:\n  timeout: soon\n  order: any\n")
    with pytest.raises(ManyProblems) as raised:
        refuse_bad_run_values(find_project(tmp_path))
    told = [str(problem).partition(": ")[0].rpartition("/")[2] for problem in raised.value.problems]
    assert sorted(told) == ["viva.yaml:2", "viva.yaml:3"]


def test_a_project_in_order_passes(tmp_path: Path):
    (tmp_path / "viva.yaml").write_text("run: {timeout: 5s, budget: 2usd, order: risk}\n")
    refuse_bad_run_values(find_project(tmp_path))
