"""Baselines together with what else a run may be: resumed, split, merged, judged again, a comparison of agents."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.unit.app.conftest import MakeRequest

from vivavoce.app.baselines import compare_finished, find_baseline
from vivavoce.app.examine import examine
from vivavoce.app.opening import open_project
from vivavoce.cli.main import viva
from vivavoce.errors import EXIT_FAILED, EXIT_PASSED, UsageError
from vivavoce.results.encoding import encoded
from vivavoce.results.merging import merge
from vivavoce.results.rows import start_row, summary_row

CASES = [{"id": name, "input": name, "expected": f"echo: {name}"} for name in ("A", "B", "C", "D")]
WORSE = "def reply(text):\n    return 'no' if text == 'A' else 'echo: ' + text\n"
YAML = "agents: {a: {python: agent.py:reply}, b: {python: agent.py:reply}}\nagent: a\nrun: {baseline: main}\n"


@pytest.fixture
async def suite(root: Path, request_for: MakeRequest) -> Path:
    """A baseline in which everything passed, and an agent that now fails A."""
    await examine(request_for(*CASES, agent="a", runs=3, baseline="main", update_baseline=True))
    (root / "agent.py").write_text(WORSE)
    return root


def invoked(command: str) -> Result:
    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(CliRunner().invoke, viva, command.split(), standalone_mode=False).result()


async def test_what_a_resumed_run_did_before_counts_too(suite: Path, request_for: MakeRequest):
    await examine(request_for(*CASES, agent="a", runs=3))
    lines = (suite / "out.jsonl").read_text().splitlines(keepends=True)
    assert '"id":"A"' in lines[1]
    (suite / "out.jsonl").write_text("".join(lines[:2]))
    done = await examine(request_for(*CASES, agent="a", runs=3, resume="out.jsonl", baseline="main"))
    assert (done.summary.passed, done.summary.failed) == (3, 1)
    assert done.exit_code == EXIT_FAILED


async def merged(suite: Path, request_for: MakeRequest) -> Path:
    files = [suite / f"s{part}.jsonl" for part in (1, 2)]
    for part, file in enumerate(files, 1):
        await examine(request_for(*CASES, agent="a", runs=3, shard=f"{part}/2", outputs=(file.name,)))
    found = merge(files)
    parts = [encoded(start_row(found.info)), *found.rows(), encoded(summary_row(found.summary))]
    (suite / "all.jsonl").write_bytes(b"\n".join(parts) + b"\n")
    return suite / "all.jsonl"


async def test_shards_are_compared_when_they_are_merged(suite: Path, request_for: MakeRequest):
    whole = await merged(suite, request_for)
    found = compare_finished("main", str(whole), open_project(None))
    assert found.exit_code == EXIT_FAILED
    assert found.lines[0] == "✗ worse: A: 3 of 3 passed before, 0 of 3 now (all passed before and none now)"
    assert "4 cases compared" in found.lines[1]
    told = invoked("baseline compare main all.jsonl")
    assert told.return_value == EXIT_FAILED
    assert "✗ worse: A" in told.output


async def test_a_shard_is_compared_with_its_part_of_the_baseline(suite: Path, request_for: MakeRequest):
    codes = [
        (await examine(request_for(*CASES, agent="a", runs=3, shard=f"{part}/2", baseline="main"))).exit_code
        for part in (1, 2)
    ]
    assert sorted(codes) == [EXIT_PASSED, EXIT_FAILED]


async def test_a_baseline_of_merged_shards_is_that_of_the_whole_run(suite: Path, request_for: MakeRequest):
    await merged(suite, request_for)
    assert invoked("baseline set shards all.jsonl").exception is None
    counted = {
        case.id: (case.passed, case.runs, case.agent) for case in find_baseline("shards", open_project(None)).cases
    }
    assert counted == {"A": (0, 3, "a"), "B": (3, 3, "a"), "C": (3, 3, "a"), "D": (3, 3, "a")}
    done = await examine(request_for(*CASES, agent="a", runs=3, baseline="shards"))
    assert done.exit_code == EXIT_PASSED


async def test_a_single_failure_of_a_finished_run_counts_as_it_cannot_be_confirmed(
    suite: Path, request_for: MakeRequest
):
    await examine(request_for(*CASES, agent="a"))
    assert compare_finished("main", "last", open_project(None)).exit_code == EXIT_FAILED


async def test_judging_again_compares_with_no_baseline(suite: Path, request_for: MakeRequest):
    """The baseline of viva.yaml is about what the agent does now."""
    (suite / "viva.yaml").write_text(YAML)
    await examine(request_for(CASES[0], agent="a"))
    told = invoked("rejudge last")
    assert told.return_value == EXIT_FAILED
    assert "Compared with the baseline" not in told.output


async def test_a_comparison_of_agents_has_no_baseline_but_can_make_one(suite: Path, request_for: MakeRequest):
    (suite / "viva.yaml").write_text(YAML)
    told = invoked("compare cases.jsonl -n a -n b --runs 3 -o both.jsonl")
    assert told.return_value == EXIT_FAILED
    assert "Compared with the baseline" not in told.output
    assert "about one agent" in str(invoked("compare cases.jsonl -n a -n b --baseline main").exception)
    with pytest.raises(UsageError, match="compared 2 agents"):
        compare_finished("main", "both.jsonl", open_project(None))
    assert invoked("baseline set both both.jsonl").exception is None
    assert len(find_baseline("both", open_project(None)).cases) == 8
    done = await examine(request_for(*CASES, agent="b", runs=3, baseline="both"))
    assert done.exit_code == EXIT_PASSED, "A failed with b in the comparison too"


async def test_a_message_is_compared_with_no_baseline_of_the_configuration(suite: Path):
    (suite / "viva.yaml").write_text(YAML)
    told = invoked("test --message A")
    assert told.return_value == EXIT_PASSED
    assert "Compared with the baseline" not in told.output
