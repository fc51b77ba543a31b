"""`viva flaky --why` over recorded conversations: judges are asked again, the agent is not called."""

from pathlib import Path

from tests.fakes.surroundings import write_files
from tests.unit.app.conftest import MakeRequest

from vivavoce.app.examine import examine
from vivavoce.app.flaky_why import reasons_of
from vivavoce.app.history_keeping import open_history
from vivavoce.app.opening import open_project
from vivavoce.insight.flakiness import flaky_cases

CONFIG = "agents: {a: {python: agent.py:reply}, judge: {python: judge.py:judge}}\n"
MOODY = """
asked = []
def judge(text):
    asked.append(text)
    return {"passed": len(asked) % 2 == 0, "reason": "my mood"}
"""
MOODY_AGENT = """
asked = []
def reply(text):
    asked.append(text)
    return "yes" if len(asked) % 2 else "no"
"""


async def blamed(root: Path, request_for: MakeRequest, check: dict[str, str]) -> dict[str, int]:
    await examine(request_for({"id": "A", "input": "hi", "assert": check}, agent="a", runs=8))
    project = open_project(None)
    flaky = flaky_cases(open_history(project).facts())
    (root / "agent.py").write_text("raise SystemExit('the agent must not be called')\n")
    (found,) = await reasons_of(flaky, project, again=3)
    assert found is not None
    return dict(found.blamed)


async def test_a_judge_that_flips_on_the_same_transcript_is_blamed_as_judge(root: Path, request_for: MakeRequest):
    write_files(root, {"viva.yaml": CONFIG, "judge.py": MOODY})
    found = await blamed(root, request_for, {"type": "agent", "use": "agents:judge", "value": "is it polite?"})
    assert set(found) == {"judge"}


async def test_an_agent_with_moods_is_blamed_as_agent(root: Path, request_for: MakeRequest):
    write_files(root, {"viva.yaml": CONFIG, "judge.py": MOODY, "agent.py": MOODY_AGENT})
    assert await blamed(root, request_for, {"type": "contains", "value": "yes"}) == {"agent": 4}


async def test_without_kept_runs_there_are_no_reasons(root: Path):
    assert await reasons_of([], open_project(None)) == []
