"""The last line of a run that took more than usual, in the console and in reports."""

from pathlib import Path

from tests.fakes.results import plain
from tests.unit.app.conftest import MakeRequest

from vivavoce.app.drift_watch import ENOUGH_CASES, FILE, DriftWatch
from vivavoce.app.examine import examine
from vivavoce.app.opening import open_project
from vivavoce.model.events import CaseFinished
from vivavoce.model.result import RunInfo

WORDY = "def reply(messages):\n    return {'content': 'echo', 'usage': {'input_tokens': 10, 'output_tokens': %d}}\n"
CASES = [{"id": f"T{number}", "input": "hi", "expected": "echo"} for number in range(3)]


async def warnings(request_for: MakeRequest, **options: object) -> tuple[str, ...]:
    return (await examine(request_for(*CASES, agent="a", **options))).summary.warnings


async def test_a_run_that_got_wordier_says_so_and_stays_green(root: Path, request_for: MakeRequest):
    (root / "agent.py").write_text(WORDY % 20)
    for _ in range(4):
        assert await warnings(request_for) == ()
    (root / "agent.py").write_text(WORDY % 200)
    outcome = await examine(request_for(*CASES, agent="a", outputs=("out.jsonl", "out.md", "out.json")))
    line = "wordier (+600 %) than the last 4 runs: 3 cases, each compared with itself"
    assert (outcome.exit_code, outcome.summary.warnings) == (0, (line,))
    for name in ("out.jsonl", "out.json"):
        assert line in (root / name).read_text()
    assert "than the last 4 runs" in (root / "out.md").read_text()


async def test_a_run_that_is_not_kept_looks_at_no_history(root: Path, request_for: MakeRequest):
    (root / "agent.py").write_text(WORDY % 20)
    for _ in range(3):
        await warnings(request_for)
    (root / "agent.py").write_text(WORDY % 200)
    assert await warnings(request_for, history=False) == ()


async def test_a_file_that_cannot_be_read_or_written_says_nothing(root: Path, request_for: MakeRequest):
    watch = DriftWatch(RunInfo(run_id="r", started_at="", agent_id="a", total_cases=1), open_project(None))
    (root / ".viva" / FILE).mkdir(parents=True)
    watch.handle(CaseFinished(plain("A")))
    assert watch.warnings() == ()


def test_of_a_long_suite_some_cases_are_looked_at_always_the_same_ones(root: Path):
    def looked_at() -> list[str]:
        info = RunInfo(run_id="r", started_at="", agent_id="a", total_cases=10 * ENOUGH_CASES)
        watch = DriftWatch(info, open_project(None))
        for number in range(10 * ENOUGH_CASES):
            watch.handle(CaseFinished(plain(f"T{number}")))
        return [one.key for one in watch._cases]  # pyright: ignore[reportPrivateUsage]

    assert 0.7 * ENOUGH_CASES < len(looked_at()) < 1.4 * ENOUGH_CASES
    assert looked_at() == looked_at()
