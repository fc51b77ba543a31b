"""What the agent tests of one pytest session share: projects, agents, one run."""

import shlex
from typing import Any

import pytest
from tests.fakes.commands import PYTEST
from tests.unit.pytest_plugin.suite import AGENT, CASES, CONFIG, Suite

from vivavoce.app.history_keeping import open_history
from vivavoce.project.project import Project

pytestmark = pytest.mark.process


def test_agent_by_flag_case_ini_and_configuration(suite: Suite):
    suite.write(
        "a.viva.json",
        '[{"id": "any", "input": "x", "assert": {"type": "contains", "value": "other"}},'
        ' {"id": "own", "agent": "echo", "input": "x", "assert": {"type": "contains", "value": "1: x"}}]',
    )
    suite.write(
        "test_it.py",
        "import pytest\n"
        "def test_any(viva):\n    assert viva.sync.say('x').text == 'other: x'\n"
        "@pytest.mark.viva(agent='echo')\n"
        "def test_own(viva):\n    assert viva.sync.say('x').text == '1: x'\n",
    )

    def passing(*arguments: str) -> set[str]:
        outcomes = suite.pytest("-v", *arguments).outcomes
        return {name.partition("::")[2] for name, outcome in outcomes.items() if outcome == "PASSED"}

    assert passing() == {"own", "test_own"}
    assert passing("-o", "viva_agent=other") == {"any", "own", "test_any", "test_own"}
    assert passing("--viva-agent", "other") == {"any", "test_any"}


def test_each_file_belongs_to_the_project_around_it(suite: Suite):
    suite.write("sub/viva.yaml", "agents: {local: {python: local.py:reply}}\nagent: local\n")
    suite.write("sub/local.py", "def reply(text):\n    return 'local'\n")
    suite.write("sub/tests/a.viva.yaml", "turns: [{user: hi, assert: {text: {must_match: '^local$'}}}]\n")
    suite.write("b.viva.yaml", "turns: [{user: hi, assert: {text: {must_match: '^1: hi$'}}}]\n")
    suite.write("sub/tests/test_c.py", "def test_c(viva):\n    assert viva.sync.say('x').text == 'local'\n")
    assert suite.pytest("-q").last.startswith("3 passed in")
    assert suite.pytest("-q", "..", folder="sub").last.startswith("3 passed in")


def kept_runs(suite: Suite) -> list[Any]:
    return open_history(Project(root=suite.root)).runs(9)


def test_a_session_is_one_run_in_the_history(suite: Suite):
    suite.write("cases.jsonl", CASES)
    suite.write("more.viva.yaml", "turns: [{user: hi}]\n")
    suite.pytest("-q", "cases.jsonl", "more.viva.yaml")
    (run,) = kept_runs(suite)
    counts = run.summary
    assert (counts.total, counts.passed, counts.failed, counts.errors, counts.skipped) == (8, 3, 2, 1, 2)
    assert (counts.not_run, counts.interrupted, run.info.command) == (
        0,
        None,
        shlex.join(["pytest", *PYTEST[3:], "-W", "error", "-q", "cases.jsonl", "more.viva.yaml"]),
    )
    assert suite.pytest("-q", "cases.jsonl::ok", "--viva-no-history").code == 0
    assert len(kept_runs(suite)) == 1


def test_hooks_reports_and_limits_are_those_of_every_run(suite: Suite):
    suite.write("scripts/around.py", "def before():\n    return {'WORD': 'hi'}\ndef after():\n    open('after', 'w')\n")
    suite.write(
        "cases.jsonl",
        '{"id": "A", "input": "${WORD}", "expected": "1: hi"}\n{"id": "B", "input": "raise"}\n'
        '{"id": "C", "input": "x"}\n',
    )
    flags = ["--viva-before=around.before", "--viva-after=around.after", "--viva-output=o.md", "--viva-fail-fast"]
    done = suite.pytest("-v", "cases.jsonl", *flags)
    assert done.outcomes == {"cases.jsonl::A": "PASSED", "cases.jsonl::B": "FAILED"}
    assert "viva: enough cases failed" in done.out
    assert (suite.root / "after").exists()
    assert "Not run" in (suite.root / "o.md").read_text() or "not run" in (suite.root / "o.md").read_text()


def test_an_unfinished_session_is_gone_on_with(suite: Suite):
    mendable = "        import os\n        if os.path.exists('mended'):\n            return 'ok'\n"
    agent = AGENT.replace("        raise ValueError", f"{mendable}        raise ValueError")
    suite.write("agent.py", agent)
    suite.write("cases.jsonl", '{"id": "A", "input": "raise"}\n{"id": "B", "input": "x"}\n')
    suite.pytest("-q", "-x", "cases.jsonl", "--viva-output=out.jsonl")
    (suite.root / "mended").touch()
    done = suite.pytest("-v", "cases.jsonl", "--viva-output=out.jsonl", "--viva-resume=out.jsonl")
    assert done.outcomes == {"cases.jsonl::A": "FAILED", "cases.jsonl::B": "PASSED"}, "A is not asked again"
    suite.write("agent.py", agent + "# changed")
    done = suite.pytest("-v", "cases.jsonl", "--viva-output=out.jsonl", "--viva-resume=out.jsonl")
    assert done.outcomes == {"cases.jsonl::A": "PASSED", "cases.jsonl::B": "PASSED"}, "another agent is"


def test_a_value_that_cases_name_is_part_of_the_exam_and_secret(suite: Suite, monkeypatch: pytest.MonkeyPatch):
    wanted = '{"id": "B", "input": "x", "assert": {"type": "not_contains", "value": "${ENV.UNWANTED}"}}\n'
    suite.write("cases.jsonl", '{"id": "A", "input": "zebra: zq-long"}\n' + wanted)
    flags = ["-v", "cases.jsonl", "--viva-output=out.jsonl"]
    monkeypatch.setenv("UNWANTED", "zq-long")
    assert suite.pytest(*flags).outcomes == {"cases.jsonl::A": "PASSED", "cases.jsonl::B": "PASSED"}
    assert "zq-long" not in (suite.root / "out.jsonl").read_text(), "A speaks before B is begun"
    monkeypatch.setenv("UNWANTED", "1: x")
    done = suite.pytest(*flags, "--viva-resume=out.jsonl")
    assert done.outcomes == {"cases.jsonl::A": "PASSED", "cases.jsonl::B": "FAILED"}, "B is asked again"


def test_a_failing_hook_makes_the_session_red(suite: Suite):
    suite.write("scripts/around.py", "def bad():\n    raise ValueError('no database')\n")
    suite.write("a.viva.yaml", "turns: [{user: hi}]\n")
    assert "no database" in suite.pytest("-q", "--viva-before=around.bad").out
    assert suite.pytest("-q", "--viva-after=around.bad").code == 3


def test_a_broken_configuration_is_told_in_one_line(suite: Suite):
    suite.write("viva.yaml", "agnts: {}\n")
    suite.write("test_it.py", "def test_it(viva): ...\n")
    done = suite.pytest()
    assert "agnts" in done.out
    assert "src/vivavoce" not in done.out


def test_after_the_time_limit_no_case_is_begun(suite: Suite):
    suite.write("slow.py", "import time\n\ndef slow(text):\n    time.sleep(0.3)\n    return text\n")
    suite.write("a.viva.json", '[{"id": "A", "input": "x"}, {"id": "B", "input": "x"}, {"id": "C", "input": "x"}]')
    limited = ("-q", "--viva-agent=python:slow.py:slow", "--viva-time-limit=100ms", "-p", "no:cacheprovider")
    red = suite.pytest(*limited)
    assert (red.code, red.last.split(" in ")[0]) == (1, "1 failed, 1 passed")
    assert "not run: the time limit is over (raise --viva-time-limit)" in red.out
    green = suite.pytest(*limited, "--viva-allow-not-run")
    assert (green.code, green.last.split(" in ")[0]) == (0, "1 passed, 2 skipped")


def test_a_baseline_decides_nothing_under_pytest(suite: Suite):
    suite.write("viva.yaml", f"{CONFIG}run: {{baseline: gone}}\n")
    suite.write("a.viva.json", '[{"id": "A", "input": "x"}]')
    assert suite.pytest("-q").code == 0
