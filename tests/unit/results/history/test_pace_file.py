"""What the cases of the last runs took, written and read back."""

from pathlib import Path

from msgspec import structs
from tests.fakes.results import every_kind, plain

from vivavoce.model.result import CaseResult, RunInfo, Status
from vivavoce.results.history.pace_file import MOST_RUNS, CasePace, RunPace, asked_of, pace_of, read_paces, write_paces

INFO = RunInfo(run_id="r", started_at="", agent_id="shop")


def with_attempts(*attempts: dict[str, object]) -> CaseResult:
    result = plain("A")
    return structs.replace(result, attempts=tuple(structs.replace(result.attempts[0], **one) for one in attempts))


def test_the_means_of_the_attempts_that_say_something():
    broken = {"status": Status.ERROR, "fault": "judge", "duration_ms": 9_000.0}
    found = pace_of(INFO, with_attempts({"duration_ms": 100.0}, {"duration_ms": 300.0}, broken))
    assert found is not None
    assert (found.agent, found.duration_ms, found.tokens, found.cost) == ("shop", 200.0, None, None)
    assert pace_of(INFO, with_attempts(broken)) is None


def test_tokens_and_cost_where_the_agent_tells_them():
    results = [one for one in every_kind() if one.attempts[0].usage is not None]
    found = [pace_of(INFO, one) for one in results]
    assert found
    for pace, result in zip(found, results, strict=True):
        usage = result.attempts[0].usage
        if pace is not None and usage is not None and len(result.attempts) == 1:
            assert (pace.tokens, pace.cost) == (usage.input_tokens + usage.output_tokens, usage.cost)


def test_the_duration_of_a_replayed_attempt_is_not_known():
    found = pace_of(INFO, with_attempts({"replayed": True}))
    assert found is not None
    assert found.duration_ms is None


def test_another_question_is_another_checksum():
    case = plain("A").case
    turn = structs.replace(case.turns[0], content="something else")
    assert asked_of(case) == asked_of(structs.replace(case, name="other", tags=("x",)))
    assert asked_of(case) != asked_of(structs.replace(case, turns=(turn,)))


def test_the_newest_runs_are_kept_and_a_damaged_line_is_left_out(tmp_path: Path):
    path = tmp_path / ".viva" / "pace.jsonl"
    assert read_paces(path) == []
    runs = [RunPace(f"r{number}", (CasePace("a::T", "shop", 7, 1.0),)) for number in range(MOST_RUNS + 5)]
    write_paces(path, runs)
    assert read_paces(path) == runs[5:]
    path.write_bytes(b"\xff{damaged\n" + path.read_bytes())
    assert read_paces(path) == runs[5:]
    assert path.stat().st_mode & 0o077 == 0
    assert [one.name for one in path.parent.iterdir() if one.name.startswith("pace")] == ["pace.jsonl"]
