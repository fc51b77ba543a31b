"""Hooks with real commands and real scripts."""

import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.processes import gone, number_in

from vivavoce.containment.captured_output import OutputLog
from vivavoce.engine.attempt import hooks as hooks_module
from vivavoce.engine.attempt.hooks import run_after, run_after_all, run_before, run_before_all, run_hook_commands
from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.case import Case, HookCommand, ScriptedTurn
from vivavoce.model.message import AgentReply
from vivavoce.model.result import Attempt, RunInfo, Status, Summary
from vivavoce.model.transcript import Line, Transcript, Turn
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.scripts.script_runner import ScriptRunner


def sh(code: str, *args: str, timeout_s: float = 60.0) -> HookCommand:
    return HookCommand(cmd=("sh", "-c", code, "sh", *args), timeout_s=timeout_s)


async def run(cwd: Path, *hooks: HookCommand, **variables: Any) -> dict[str, Any]:
    return await run_hook_commands(hooks, cwd, variables, Secrets())


async def failure(cwd: Path, hook: HookCommand) -> CallFailed:
    with pytest.raises(CallFailed) as caught:
        await run(cwd, hook)
    return caught.value


async def test_a_command_runs_in_the_project(tmp_path: Path):
    assert await run(tmp_path, sh("""echo "{\\"AT\\": \\"$PWD\\"}" """)) == {"AT": str(tmp_path)}


async def test_no_output_is_no_variables(tmp_path: Path):
    assert await run(tmp_path, sh("echo; true")) == {}


async def test_a_later_command_can_use_what_an_earlier_one_printed(tmp_path: Path):
    first = sh("""echo '{"ID": 7, "A": "one"}'""")
    second = sh("""echo "{\\"SEEN\\": \\"$1\\", \\"A\\": \\"two\\"}" """, "${ID}-${A}-${GIVEN}")
    assert await run(tmp_path, first, second, GIVEN="x") == {"ID": 7, "A": "two", "SEEN": "7-one-x"}


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("echo oh no >&2; exit 3", "failed: exit code 3: oh no"),
        ("echo not json", "printed no JSON: 'not json'"),
        ("echo '[1]'", "printed a JSON array, wanted one object"),
        ("echo '{}{}'", "printed no JSON: '{}{}'"),
        ("kill -9 $$", "failed: killed by SIGKILL"),
    ],
)
async def test_a_command_that_fails_says_how(tmp_path: Path, code: str, said: str):
    failed = await failure(tmp_path, sh(code))
    assert failed.fault == "hook"
    assert str(failed).startswith("hook `sh -c ")
    assert said in str(failed)


async def test_a_missing_program_is_told(tmp_path: Path):
    failed = await failure(tmp_path, HookCommand(cmd=("no-such-program-here",)))
    assert str(failed) == "hook `no-such-program-here` cannot be started: No such file or directory"


async def test_a_command_without_words_is_told(tmp_path: Path):
    assert (await failure(tmp_path, HookCommand(cmd=("",)))).fault == "hook"


async def test_a_command_that_hangs_is_killed_with_its_children(tmp_path: Path):
    failed = await failure(tmp_path, sh("sleep 60 & echo $! > pid; wait", timeout_s=0.5))
    assert str(failed).endswith("timed out after 500ms")
    assert await gone(await number_in(tmp_path / "pid"))


async def test_an_undefined_variable_is_the_tests_fault(tmp_path: Path):
    failed = await failure(tmp_path, sh("true", "${NOPE}"))
    assert (failed.fault, "undefined variable ${NOPE}" in str(failed)) == ("test", True)


async def test_what_a_good_command_says_on_stderr_is_kept(tmp_path: Path):
    with OutputLog() as log:
        await run(tmp_path, sh("echo seeding >&2"))
    assert log.text() == "seeding\n"


# ── scripts ──


@pytest.fixture
async def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ScriptRunner]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    runner = ScriptRunner(Project(root=tmp_path))
    yield runner
    await runner.close()


def write(code: str) -> None:
    Path("scripts").mkdir(exist_ok=True)
    Path("scripts", "env.py").write_text(code)


CASE = Case(id="T1", tags=("slow",), turns=(ScriptedTurn(content="hello"),))


async def test_before_sees_the_case_and_after_sees_data_and_result(scripts: ScriptRunner):
    write(
        "import json\n"
        "def before(case): return {'from': case['id'], 'input': case['input']}\n"
        "def after(case, result, data, ctx):\n"
        "  json.dump([case['id'], result['status'], result['passed'], result['output'], data], open('seen', 'w'))\n"
    )
    data = await run_before("scripts:env.before", CASE, scripts)
    turn = Turn(number=1, line=Line(content="hello"), reply=AgentReply(text="bye"))
    attempt = Attempt(status=Status.FAILED, transcript=Transcript(turns=(turn,)))
    await run_after("scripts:env.after", CASE, attempt, data, scripts)
    assert data == {"from": "T1", "input": "hello"}
    assert Path("seen").read_text() == '["T1", "failed", false, "bye", {"from": "T1", "input": "hello"}]'


async def test_hooks_around_the_run_see_the_run(scripts: ScriptRunner):
    write(
        "def before(run): return run['run_id']\n"
        "def after(run, summary, data): open('seen', 'w').write(f\"{summary['total']} {data}\")\n"
    )
    info = RunInfo(run_id="r1", started_at="now", agent_id="a")
    data = await run_before_all("scripts:env.before", info, scripts)
    await run_after_all("scripts:env.after", info, Summary(total=3), data, scripts)
    assert Path("seen").read_text() == "3 r1"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("def before(): 1/0", "before hook: script 'scripts:env.before': ZeroDivisionError: division by zero"),
        ("def before(): assert False, 'no database'", "before hook 'scripts:env.before': no database"),
    ],
)
async def test_a_failing_script_is_the_hooks_fault(scripts: ScriptRunner, code: str, said: str):
    write(code)
    with pytest.raises(CallFailed) as caught:
        await run_before("scripts:env.before", CASE, scripts)
    assert caught.value.fault == "hook"
    assert str(caught.value).startswith(said)


async def test_a_missing_script_is_a_mistake_in_the_test(scripts: ScriptRunner):
    with pytest.raises(UsageError, match="not found"):
        await run_before("scripts:nothing", CASE, scripts)


async def test_a_hook_that_never_returns_is_ended(scripts: ScriptRunner, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hooks_module, "SCRIPT_HOOK_TIMEOUT_S", 0.3)
    write("def before():\n  while True: pass")
    with pytest.raises(CallFailed, match="timed out after 300ms"):
        await run_before("scripts:env.before", CASE, scripts)
