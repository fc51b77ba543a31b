"""Results → standings, matrix and differences, live and read back alike."""

from tests.fakes.examining import case_of

from vivavoce.model.contender import Contender
from vivavoce.model.message import AgentReply, Usage
from vivavoce.model.result import Attempt, CaseResult, RunInfo, Status
from vivavoce.model.transcript import Line, Transcript, Turn
from vivavoce.results.contest.contest import Contest
from vivavoce.results.rows import row_line

INFO = RunInfo(
    run_id="r",
    started_at="",
    agent_id="a vs b",
    contenders=(Contender(label="a", agent="a"), Contender(label="b", agent="b")),
)


def attempt(status: Status, *, ms: float = 100.0, usage: Usage | None = None, run: int = 1) -> Attempt:
    turn = Turn(number=1, line=Line(content="x"), reply=AgentReply(text="y", usage=usage))
    return Attempt(status=status, run=run, duration_ms=ms, transcript=Transcript(turns=(turn,)))


def result(label: str, case: int, *attempts: Attempt) -> CaseResult:
    status = next((one.status for one in attempts if one.status is not Status.PASSED), Status.PASSED)
    return CaseResult(case=case_of(id=f"T{case}", input="x", agent=label), status=status, attempts=attempts)


def duel(cases: int = 12, lost_by_b: int = 12) -> list[CaseResult]:
    """`a` passes everything at 100 ms, `b` loses the first cases and takes 300 ms."""
    ours = [result("a", n, attempt(Status.PASSED, usage=Usage(10, 5, 0.01))) for n in range(cases)]
    theirs = [
        result(
            "b",
            n,
            attempt(Status.FAILED if n < lost_by_b else Status.PASSED, ms=300.0 + n, usage=Usage(10, 5, 0.01)),
        )
        for n in range(cases)
    ]
    return [one for pair in zip(ours, theirs, strict=True) for one in pair]


def collected(results: list[CaseResult]) -> Contest:
    contest = Contest(INFO)
    for one in results:
        contest.add(one)
    return contest


def test_standings_count_cases_runs_money_and_time():
    first, second = collected(duel(10, 4)).standings
    assert (first.passed, first.cases, first.pass_rate) == (10, 10, 1.0)
    assert (second.passed, second.pass_rate, second.unsuccessful) == (6, 0.6, 4)
    assert (first.p50_ms, second.p50_ms, second.p95_ms) == (100.0, 304.0, 309.0)
    assert (first.tokens, first.cost, first.cost_per_pass) == (150, 0.1, 0.01)
    assert second.cost_per_pass is not None
    assert round(second.cost_per_pass, 6) == round(0.1 / 6, 6)


def test_pass_hat_k_counts_runs_of_each_case():
    runs = [attempt(Status.PASSED, run=1), attempt(Status.PASSED, run=2), attempt(Status.FAILED, run=3)]
    standing = collected([result("a", 1, *runs)]).standings[0]
    assert [round(chance, 4) for chance in standing.pass_hat] == [0.6667, 0.3333, 0.0]


def test_a_cost_that_not_every_run_told_is_partial_and_gives_no_cost_per_pass():
    told, silent = attempt(Status.PASSED, usage=Usage(1, 1, 0.5)), attempt(Status.PASSED)
    standing = collected([result("a", 1, told), result("a", 2, silent)]).standings[0]
    assert (standing.cost, standing.cost_is_partial, standing.cost_per_pass) == (0.5, True, None)


def test_cases_left_out_are_not_judged():
    standing = collected([result("a", 1, Attempt(status=Status.NOT_RUN))]).standings[0]
    assert (standing.cases, standing.pass_rate, standing.p50_ms) == (0, None, None)


def test_the_matrix_has_a_row_for_each_case_and_knows_which_differ():
    rows = list(collected(duel(3, 1)).rows())
    assert [(row.id, row.differs) for row in rows] == [("T0", True), ("T1", False), ("T2", False)]
    assert [cell and cell.status.value for cell in rows[0].cells] == ["passed", "failed"]
    assert [cell and cell.position for cell in rows[2].cells] == [4, 5]


def test_a_contender_without_a_result_has_an_empty_cell():
    [row] = collected([result("b", 1, attempt(Status.PASSED))]).rows()
    assert row.cells[0] is None
    assert row.differs


def test_lines_of_a_result_file_tell_the_same():
    results = duel(8, 3)
    read = Contest.in_rows(INFO, map(row_line, results))
    live = collected(results)
    assert read.as_data() == live.as_data()


def test_as_data_is_plain_json():
    data = collected(duel()).as_data()
    assert [one["label"] for one in data["contenders"]] == ["a", "b"]
    assert {one["measure"]: one["real"] for one in data["differences"]} == {
        "passed": True,
        "duration": True,
        "tokens": False,
        "cost": False,
    }
    assert data["matrix"][0]["cells"][1]["status"] == "failed"
