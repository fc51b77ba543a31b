"""A request: what was given, over variables, over viva.yaml."""

from pathlib import Path

import pytest

from vivavoce.app.request import RunRequest
from vivavoce.errors import UsageError
from vivavoce.project.run_defaults import RunDefaults
from vivavoce.project.run_options import GROUPS, RUN_OPTIONS


def test_given_beats_variable_beats_viva_yaml_beats_built_in():
    defaults = RunDefaults(runs=2, parallel=2, retries=2, timeout="2s")
    request = RunRequest.of({"runs": 4, "parallel": None}, {"VIVA_RUNS": "3", "VIVA_PARALLEL": "3"})
    request = request.with_defaults(defaults)
    assert (request.runs, request.parallel, request.retries, request.max_turns) == (4, 3, 2, 20)
    assert request.settings().timeout_s == 2.0


def test_false_was_given_too():
    assert RunRequest.of({"fail_fast": False}).with_defaults(RunDefaults(fail_fast=True)).max_failures is None


def test_a_bad_value_in_viva_yaml_is_named():
    with pytest.raises(UsageError, match=r"run\.timeout: bad duration 'soon'"):
        RunRequest.of({}).with_defaults(RunDefaults(timeout="soon"))
    with pytest.raises(UsageError, match=r"run\.budget: bad budget"):
        _ = RunRequest.of({}).with_defaults(RunDefaults(budget="much")).allowance


def test_files_of_viva_yaml_count_only_where_none_is_given():
    defaults = RunDefaults(output=["a.html", "b.md"], junitxml="c.xml")
    assert RunRequest.of({}).with_defaults(defaults).files == ["a.html", "b.md", "c.xml"]
    assert RunRequest.of({"outputs": "x.md"}).with_defaults(defaults).files == ["x.md"]
    assert RunRequest.of({"junitxml": "x.xml"}).with_defaults(defaults).files == ["x.xml"]


def test_a_folder_in_viva_yaml_is_where_result_files_go(tmp_path: Path):
    request = RunRequest.of({}).with_defaults(RunDefaults(output=["results/", "a.html"]))
    assert (request.files, request.result_folder) == (["a.html"], "results/")
    assert RunRequest.of({}).with_defaults(RunDefaults(output=str(tmp_path))).result_folder == str(tmp_path)
    assert RunRequest.of({"outputs": "x.md"}).with_defaults(RunDefaults(output="results/")).result_folder is None


def test_results_or_a_report_take_standard_output_from_the_console():
    assert RunRequest(outputs="-").takes_stdout
    assert RunRequest(outputs=("-", "x.html")).files == ["x.html"]
    assert RunRequest(reporter="report.json").takes_stdout
    assert not RunRequest(reporter="report.json", outputs="x.json").takes_stdout


def test_a_request_has_every_group_of_options():
    """Its bases cannot be made from GROUPS: type checkers want to read them."""
    assert set(GROUPS) <= set(RunRequest.__bases__)
    assert {one.name for one in RunRequest.declared} == {one.name for one in RUN_OPTIONS}
