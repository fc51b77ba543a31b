"""Which results of an unfinished run are kept by --resume."""

import os
from pathlib import Path

import pytest
from msgspec import structs
from tests.fakes import results as made
from tests.fakes.agents import FakeTarget
from tests.fakes.examining import ListSource, case_of, earlier_of, run_all

from vivavoce.engine.plan.plan import Plan, Selection, make_plan
from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.model.events import CaseFinished, RunFinished, RunStarted
from vivavoce.model.result import CaseResult, RunInfo, Summary
from vivavoce.results.journal import JsonlReporter
from vivavoce.results.journal_file import JournalFile
from vivavoce.results.resume import begins_a_run, find_unfinished

CHECKED = {"assert": [{"type": "contains", "value": "ok"}, {"type": "tool_called", "name": "x", "negate": True}]}


def cases(count: int, **fields: object) -> list[Case]:
    return [case_of(**{"id": f"T{n}", "input": f"line {n}", **CHECKED, **fields}) for n in range(count)]


def plan_of(some: list[Case], runs: int = 1) -> Plan:
    plan, problems = make_plan([ListSource(*some)], Selection(), runs=runs)
    assert not problems
    return plan


def write(path: Path, some: list[CaseResult], *, end: Summary | None = None, **info: object) -> Path:
    about = structs.replace(made.run_info(len(some)), **info)
    reporter = JsonlReporter(path)
    reporter.handle(RunStarted(about))
    for result in some:
        reporter.handle(CaseFinished(result))
    if end is not None:
        reporter.handle(RunFinished(about, end))
    reporter.close()
    return path


async def ran(some: list[Case], **more: object) -> list[CaseResult]:
    return (await run_all(some, FakeTarget(), **more))[1]


async def test_cases_with_a_result_need_not_run_again(tmp_path):
    path = write(tmp_path / "out.jsonl", (await ran(cases(5)))[:3])
    earlier = earlier_of(path, plan_of(cases(5)))
    assert len(earlier) == 3
    assert [case in earlier for case in cases(5)] == [True, True, True, False, False]
    assert (earlier.stale, earlier.dropped) == (0, 0)


async def test_a_torn_line_is_no_result(tmp_path):
    path = write(tmp_path / "out.jsonl", (await ran(cases(3)))[:3])
    path.write_bytes(path.read_bytes()[:-40])
    assert len(earlier_of(path, plan_of(cases(3)))) == 2


async def test_a_case_that_reads_differently_now_runs_again(tmp_path):
    path = write(tmp_path / "out.jsonl", await ran(cases(3)))
    now = [*cases(2), case_of(id="T2", input="changed", **CHECKED)]
    earlier = earlier_of(path, plan_of(now))
    assert (len(earlier), earlier.stale) == (2, 1)


async def test_a_case_that_only_moved_in_its_file_does_not(tmp_path):
    path = write(tmp_path / "out.jsonl", await ran(cases(3)))
    moved = [structs.replace(case, origin=Origin(case.origin.path, 99)) for case in reversed(cases(3))]
    earlier = earlier_of(path, plan_of(moved))
    assert len(earlier) == 3
    assert {kept.result.case.id: kept.result.index for kept in earlier.results()} == {"T2": 1, "T1": 2, "T0": 3}


async def test_results_of_cases_that_are_gone_are_counted_and_left_out(tmp_path):
    path = write(tmp_path / "out.jsonl", await ran(cases(5)))
    earlier = earlier_of(path, plan_of(cases(3)))
    assert (len(earlier), earlier.dropped) == (3, 2)
    assert len(list(earlier.results())) == 3


async def test_the_file_of_quite_another_run_is_refused(tmp_path):
    path = write(tmp_path / "out.jsonl", await ran(cases(3)), command="viva test -i other")
    with pytest.raises(UsageError, match="viva test -i other"):
        earlier_of(path, plan_of([case_of(id="new", input="x")]))


@pytest.mark.parametrize(("before", "now", "kept"), [(3, 3, 2), (3, 5, 0), (3, 1, 0), (1, 1, 2), (1, 3, 0)])
async def test_a_case_is_final_only_with_all_its_runs(tmp_path, before, now, kept):
    path = write(tmp_path / "out.jsonl", await ran(cases(2), runs=before))
    assert len(earlier_of(path, plan_of(cases(2), runs=now))) == kept


async def test_a_decided_case_is_final_under_early_stop(tmp_path):
    some = cases(1, min_pass=2)
    path = write(tmp_path / "out.jsonl", await ran(some, runs=9, parallel=1, early_stop=True))
    assert len(earlier_of(path, plan_of(some, runs=9), early_stop=True)) == 1
    assert len(earlier_of(path, plan_of(some, runs=9))) == 0


async def test_of_two_results_of_a_case_one_is_kept(tmp_path):
    [result] = await ran(cases(1))
    path = write(tmp_path / "out.jsonl", [result, result])
    assert len(list(earlier_of(path, plan_of(cases(1))).results())) == 1


async def test_a_resumed_run_counts_all_and_runs_only_the_rest(tmp_path):
    some = cases(6)
    whole, done = await run_all(some, FakeTarget())
    earlier = earlier_of(write(tmp_path / "out.jsonl", done[:4]), plan_of(some))
    agent = FakeTarget()
    summary, told = await run_all(some, agent, earlier=earlier)
    assert len(agent.contexts) == 2
    assert sorted(result.index for result in told) == [1, 2, 3, 4, 5, 6]
    same = {"duration_ms": 0.0, "completed_at": ""}
    assert structs.replace(summary, **same) == structs.replace(whole, **same)


async def test_failures_of_the_earlier_run_do_not_stop_this_one(tmp_path):
    bad = cases(4, **{"assert": {"type": "contains", "value": "never"}})
    earlier = earlier_of(write(tmp_path / "out.jsonl", (await ran(bad))[:2]), plan_of(bad))
    summary, _ = await run_all(bad, FakeTarget(), earlier=earlier, max_failures=2, parallel=1)
    assert (summary.failed, summary.not_run) == (4, 0)


@pytest.mark.parametrize("result", made.every_kind(), ids=lambda r: r.case.id)
def test_a_case_is_recognised_by_what_its_result_says_of_it(tmp_path, result):
    path = write(tmp_path / "out.jsonl", [result])
    runs = len(result.attempts)
    assert len(earlier_of(path, plan_of([result.case], runs=runs))) == (1 if result.case.runs in (None, runs) else 0)


# ── finding the file ──


def wanted(**fields: object) -> RunInfo:
    return structs.replace(made.run_info(1), **fields)


def test_the_newest_unfinished_file_of_the_same_inputs_is_found(tmp_path):
    old = write(tmp_path / "output-1.jsonl", [made.plain()])
    new = write(tmp_path / "output-2.jsonl", [made.plain()])
    write(tmp_path / "output-3.jsonl", [made.plain()], inputs=("other.jsonl",))
    write(tmp_path / "output-4.jsonl", [made.plain()], agent_id="other")
    (tmp_path / "cases.jsonl").write_text('{"id": "a", "input": "x"}\n')
    os.utime(old, (1, 1))
    assert find_unfinished(wanted(), [tmp_path, tmp_path / "nowhere"]) == new
    new.unlink()
    assert find_unfinished(wanted(), [tmp_path]) == old


def test_a_finished_run_is_not_gone_on_with(tmp_path):
    write(tmp_path / "output-1.jsonl", [made.plain()], end=Summary(total=1, passed=1))
    with pytest.raises(UsageError, match="no unfinished run"):
        find_unfinished(wanted(), [tmp_path])


@pytest.mark.parametrize("end", [Summary(total=2, not_run=1), Summary(total=1, interrupted="ctrl-c")])
def test_a_run_that_was_stopped_is(tmp_path, end):
    path = write(tmp_path / "output-1.jsonl", [made.plain()], end=end)
    assert find_unfinished(wanted(), [tmp_path]) == path


def test_a_run_that_still_goes_on_is_left_alone(tmp_path):
    path = write(tmp_path / "output-1.jsonl", [made.plain()])
    content = path.read_bytes()
    living = JournalFile(path)
    living.append(content)
    with pytest.raises(UsageError, match="no unfinished run"):
        find_unfinished(wanted(), [tmp_path])
    living.close()
    assert find_unfinished(wanted(), [tmp_path]) == path


@pytest.mark.parametrize("content", [b"", b"{", b'{"type":"start","timesta'])
def test_a_run_killed_at_once_left_nothing_to_go_on_with(tmp_path, content):
    path = tmp_path / "out.jsonl"
    path.write_bytes(content)
    assert begins_a_run(path) is False


@pytest.mark.parametrize("content", [b'{"id": "a", "input": "x"}\n', b'{"id"', b"hello", b"\n", b'{"type":"result"}\n'])
def test_a_file_that_is_none_of_ours_is_never_touched(tmp_path, content):
    path = tmp_path / "cases.jsonl"
    path.write_bytes(content)
    with pytest.raises(UsageError, match="no result file"):
        begins_a_run(path)
