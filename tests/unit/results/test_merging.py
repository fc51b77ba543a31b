"""Result files of several runs as one: which result counts, and what is missing."""

from pathlib import Path

import msgspec
import pytest
from msgspec import structs
from tests.fakes.kept_runs import changed
from tests.fakes.results import events_of, plain

from vivavoce.errors import ManyProblems, UsageError
from vivavoce.model.contender import Contender
from vivavoce.model.events import RunFinished, RunStarted
from vivavoce.model.result import AgentVersion, CaseResult, Status
from vivavoce.results.journal import JsonlReporter
from vivavoce.results.merging import merge
from vivavoce.results.result_file import INCOMPLETE, result_in


def written(path: Path, *results: CaseResult, **info: object) -> Path:
    """A result file; `info` are fields of its run."""
    reporter = JsonlReporter(path)
    for event in events_of(list(results)):
        if isinstance(event, RunStarted | RunFinished):
            event = structs.replace(event, info=structs.replace(event.info, **{"run_id": path.stem, **info}))
        reporter.handle(event)
    reporter.close()
    return path


def failing(case_id: str) -> CaseResult:
    return changed(plain(case_id), status=Status.FAILED)


def left_out(case_id: str) -> CaseResult:
    return changed(plain(case_id), status=Status.NOT_RUN)


def test_every_case_is_there_once_and_counted_anew(tmp_path: Path):
    one, two = written(tmp_path / "one.jsonl", plain("A"), failing("B")), written(tmp_path / "two.jsonl", plain("C"))
    run = merge([one, two])
    assert [(result.case.id, result.index) for result in run.results()] == [("A", 1), ("B", 2), ("C", 3)]
    assert (run.summary.total, run.summary.passed, run.summary.failed) == (3, 2, 1)
    assert run.summary.interrupted is None
    assert run.info.total_cases == 3


def test_lines_are_copied_and_only_their_place_is_new(tmp_path: Path):
    one, two = written(tmp_path / "one.jsonl", plain("A")), written(tmp_path / "two.jsonl", plain("B", line=7))
    rows = list(merge([one, two]).rows())
    assert [msgspec.json.decode(row)["index"] for row in rows] == [1, 2]
    assert structs.replace(result_in(rows[1]), index=7) == plain("B", line=7)


def test_two_different_results_are_a_problem_unless_the_last_wins(tmp_path: Path):
    one, two = written(tmp_path / "one.jsonl", plain("A")), written(tmp_path / "two.jsonl", failing("A"))
    with pytest.raises(ManyProblems, match=r"::A has two different results, in .*one\.jsonl and .*two\.jsonl"):
        merge([one, two])
    assert [result.status for result in merge([one, two], last_wins=True).results()] == [Status.FAILED]
    assert [result.status for result in merge([two, one], last_wins=True).results()] == [Status.PASSED]


def test_the_same_result_twice_is_one(tmp_path: Path):
    one, two = written(tmp_path / "one.jsonl", plain("A")), written(tmp_path / "two.jsonl", plain("A", line=1))
    assert len(list(merge([one, two]).rows())) == 1


def test_a_result_beats_a_case_that_was_not_run_in_any_order(tmp_path: Path):
    one, two = written(tmp_path / "one.jsonl", left_out("A")), written(tmp_path / "two.jsonl", plain("A"))
    for files in ([one, two], [two, one]):
        assert [result.status for result in merge(files).results()] == [Status.PASSED]


def test_cases_without_a_result_are_missed(tmp_path: Path):
    run = merge([written(tmp_path / "one.jsonl", plain("A"), total_cases=3)])
    assert (run.summary.total, run.summary.not_run, run.summary.interrupted) == (3, 2, INCOMPLETE)


def test_a_missing_shard_is_told(tmp_path: Path):
    run = merge([written(tmp_path / "one.jsonl", plain("A"), shard="1/2", cases_of_all_shards=2)])
    assert run.objections == ("shard 2/2 is missing: 1 case was not run",)
    assert run.info.shard == "1/2"
    assert run.summary.interrupted == INCOMPLETE
    assert run.objections[0] in run.summary.warnings


def test_different_agents_are_both_named(tmp_path: Path):
    one = written(tmp_path / "one.jsonl", plain("A"), agent_id="x", connector="m1")
    two = written(tmp_path / "two.jsonl", plain("B"), agent_id="y", connector="m2")
    info = merge([one, two], command="viva merge").info
    assert (info.agent_id, info.connector, info.command) == ("x, y", None, "viva merge")


def test_comparisons_of_different_agents_cannot_be_merged(tmp_path: Path):
    contenders = (Contender(label="x", agent="x"),)
    one, two = written(tmp_path / "one.jsonl", plain("A"), contenders=contenders), written(tmp_path / "b.jsonl")
    with pytest.raises(UsageError, match="compared different agents"):
        merge([one, two])


def test_in_a_comparison_each_agent_has_its_own_result(tmp_path: Path):
    contenders = (Contender(label="x", agent="x"), Contender(label="y", agent="y"))
    of_x, of_y = (structs.replace(plain("A"), case=structs.replace(plain("A").case, agent=label)) for label in "xy")
    one = written(tmp_path / "one.jsonl", of_x, contenders=contenders)
    two = written(tmp_path / "two.jsonl", of_y, contenders=contenders)
    assert [result.case.agent for result in merge([one, two]).results()] == ["x", "y"]


def test_commit_title_and_agents_stay_where_all_files_agree(tmp_path: Path):
    same = {"title": "nightly", "revision": "3f2a90c1b7de", "branch": "main", "dirty": False}
    shop, other = AgentVersion(configuration="c", source="s"), AgentVersion(configuration="d")
    one = written(tmp_path / "one.jsonl", plain("A"), agents={"shop": shop}, **same)
    two = written(tmp_path / "two.jsonl", plain("B"), agents={"shop": shop, "other": other}, **same)
    merged = merge([one, two]).info
    assert (merged.title, merged.revision, merged.branch, merged.dirty) == ("nightly", "3f2a90c1b7de", "main", False)
    assert merged.agents == {"shop": shop, "other": other}


def test_what_differs_is_left_open(tmp_path: Path):
    old, new = AgentVersion(configuration="old"), AgentVersion(configuration="new")
    one = written(tmp_path / "one.jsonl", plain("A"), revision="aaaa", agents={"shop": old})
    two = written(tmp_path / "two.jsonl", plain("B"), revision="bbbb", agents={"shop": new})
    merged = merge([one, two]).info
    assert (merged.revision, merged.agents) == (None, {})
