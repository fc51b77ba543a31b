"""Scripts really run: in processes that can be killed, or here when they are asynchronous."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.fakes.processes import gone

from vivavoce.containment.captured_output import OutputLog, capture_user_output
from vivavoce.errors import CallFailed, UsageError
from vivavoce.project.project import Project
from vivavoce.scripts.script_runner import MAX_PROCESSES, ScriptRunner, declared_async

pytestmark = pytest.mark.process


@pytest.fixture
async def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ScriptRunner]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    runner = ScriptRunner(Project(root=tmp_path))
    yield runner
    await runner.close()


def script(code: str, name: str = "x") -> str:
    file = Path("scripts", f"{name}.py")
    file.parent.mkdir(exist_ok=True)
    file.write_text(code)
    return f"scripts:{name}"


async def test_a_script_gets_only_the_arguments_it_takes(runner: ScriptRunner):
    ref = script("def main(output, ctx): return {'got': output, 'ctx': ctx}")
    assert await runner.call(ref, "out", "in", "expected", ctx={"a": 1}) == {"got": "out", "ctx": {"a": 1}}


async def test_a_synchronous_script_runs_in_a_process_that_is_used_again(runner: ScriptRunner):
    ref = script("import os\ndef main(): return os.getpid()")
    first, second = await runner.call(ref), await runner.call(ref)
    assert first == second != os.getpid()


async def test_an_asynchronous_script_runs_here(runner: ScriptRunner):
    ref = script("import asyncio, os\nasync def main(): await asyncio.sleep(0); return os.getpid()")
    assert await runner.call(ref) == os.getpid()


async def test_an_asynchronous_function_that_does_not_look_like_one_works_too(runner: ScriptRunner):
    ref = script("import functools\nasync def work(a): return a + 1\nmain = functools.partial(work, 1)")
    assert await runner.call(ref) == 2


async def test_what_a_generator_yields_is_a_list(runner: ScriptRunner):
    assert await runner.call(script("def main():\n  yield 1\n  yield 2")) == [1, 2]


async def test_scripts_run_side_by_side_and_no_more_than_allowed(runner: ScriptRunner):
    ref = script("import os, time\ndef main(): time.sleep(0.05); return os.getpid()")
    pids = await asyncio.gather(*(runner.call(ref) for _ in range(2 * MAX_PROCESSES)))
    assert 1 < len(set(pids)) <= MAX_PROCESSES


async def test_a_script_that_never_returns_is_killed_with_what_it_started(runner: ScriptRunner):
    ref = script(
        "import os, subprocess\n"
        "def main():\n"
        "  child = subprocess.Popen(['sleep', '60'])\n"
        "  open('pids', 'w').write(f'{os.getpid()} {child.pid}')\n"
        "  print('so far', flush=True)\n"
        "  while True: pass\n"
    )
    with OutputLog() as log:
        hanging = asyncio.create_task(runner.call(ref))
        while log.text() != "so far\n":
            await asyncio.sleep(0.01)
        hanging.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hanging
    for pid in Path("pids").read_text().split():
        assert await gone(int(pid))


async def test_a_script_that_hangs_on_import_is_killed_as_well(runner: ScriptRunner):
    ref = script("while True: pass\ndef main(): ...")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.6):
            await runner.call(ref)


async def test_the_others_go_on_while_one_blocks(runner: ScriptRunner):
    slow = script("import time\ndef main(): time.sleep(600)", "slow")
    quick = script("def main(): return 'done'", "quick")
    hanging = asyncio.create_task(runner.call(slow))
    assert await runner.call(quick) == "done"
    began = time.perf_counter()
    hanging.cancel()
    with pytest.raises(asyncio.CancelledError):
        await hanging
    assert time.perf_counter() - began < 60


@pytest.mark.parametrize("kind", ["def", "async def"])
async def test_prints_go_to_the_log_of_the_case(runner: ScriptRunner, kind: str):
    ref = script(f"import sys\n{kind} main():\n  print('üi')\n  print('err', file=sys.stderr)")
    with capture_user_output(), OutputLog() as log:
        await runner.call(ref)
    assert sorted(log.text().splitlines()) == ["err", "üi"]


async def test_each_call_gets_only_its_own_prints_even_of_other_programs(runner: ScriptRunner):
    ref = script("import os\ndef main(word): os.system(f'echo {word}')")
    for word in ("one", "two"):
        with OutputLog() as log:
            await runner.call(ref, word)
        assert log.text() == f"{word}\n"


async def test_all_of_a_long_output_is_there_when_the_call_returns(runner: ScriptRunner):
    ref = script("def main(): print('x' * 3_000_000); print('the end')")
    with OutputLog() as log:
        await runner.call(ref)
    assert log.text().endswith("the end\n")


async def test_a_call_waits_for_nothing_but_the_script(runner: ScriptRunner):
    ref = script("def main(): ...")
    await runner.call(ref)
    took: list[float] = []
    for _ in range(10):
        began = time.perf_counter()
        await runner.call(ref)
        took.append(time.perf_counter() - began)
    assert min(took) < 0.9, "it waits about a second in every call"


async def test_a_process_that_died_in_between_is_replaced(runner: ScriptRunner):
    ref = script("import os\ndef main(): return os.getpid()")
    first = await runner.call(ref)
    os.kill(first, signal.SIGKILL)
    assert await gone(first)
    await asyncio.sleep(0.1)
    assert await runner.call(ref) != first


async def test_a_script_cannot_read_viva_s_own_stdin(runner: ScriptRunner):
    assert await runner.call(script("import sys\ndef main(): return sys.stdin.read()")) == ""


@pytest.mark.parametrize("kind", ["def", "async def"])
async def test_a_failed_assertion_stays_one(runner: ScriptRunner, kind: str):
    said = script(f"{kind} main(x): assert x == 2, f'{{x}} is not 2'", "said")
    with pytest.raises(AssertionError, match=r"^1 is not 2$"):
        await runner.call(said, 1)
    unsaid = script(f"{kind} main(x):\n  assert x == 2", "unsaid")
    with pytest.raises(AssertionError) as caught:
        await runner.call(unsaid, 1)
    assert str(caught.value) == "assert x == 2 (scripts/unsaid.py:2)"


@pytest.mark.parametrize("kind", ["def", "async def"])
async def test_a_crash_is_the_tests_fault_and_shows_the_users_lines(runner: ScriptRunner, kind: str):
    ref = script(f"import json\ndef deeper(): json.loads('{{')\n{kind} main():\n  deeper()")
    with OutputLog() as log, pytest.raises(CallFailed) as caught:
        await runner.call(ref)
    assert caught.value.fault == "test"
    assert str(caught.value).startswith("script 'scripts:x': JSONDecodeError: Expecting property name")
    assert str(caught.value).endswith("(scripts/x.py:2)")
    lines = log.text().splitlines()
    assert [lines[0], lines[2]] == ["  scripts/x.py:4 in main", "  scripts/x.py:2 in deeper"]
    assert caught.value.__notes__ == ["\n".join(lines)]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import sys\ndef main(): sys.exit(3)", "SystemExit: 3 (scripts/x.py:2)"),
        ("import os\ndef main(): os._exit(7)", "script 'scripts:x' ended its process (exit code 7)"),
        ("import os\ndef main(): os.kill(os.getpid(), 11)", "ended its process (killed by SIGSEGV)"),
        ("import sys\nasync def main(): sys.exit(3)", "RuntimeError: sys.exit(3) was called (scripts/x.py:2)"),
        ("def main(): return {'a': [1, float('nan')]}", "returned what is not JSON: $.a[1] is NaN"),
        ("async def main(): return object()", "returned what is not JSON: $ is of type object, which is not JSON"),
        ("def main(a, b, c): ...", "TypeError: main() missing 2 required positional arguments"),
    ],
)
async def test_a_broken_script_is_told_and_the_next_call_works(runner: ScriptRunner, code: str, said: str):
    with pytest.raises(CallFailed) as caught:
        await runner.call(script(code), 1)
    assert said in str(caught.value)
    assert caught.value.fault == "test"
    assert await runner.call(script("def main(): return 'fine'", "y")) == "fine"


async def test_what_was_printed_before_a_crash_of_the_process_is_kept(runner: ScriptRunner):
    with OutputLog() as log, pytest.raises(CallFailed):
        await runner.call(script("import os\ndef main(): print('last words'); os._exit(1)"))
    assert log.text() == "last words\n"


@pytest.mark.parametrize("code", ["def main(:", "import no_such_module_here", "other = 1"])
async def test_a_script_that_cannot_be_found_is_the_users_to_mend(runner: ScriptRunner, code: str):
    ref = script(code)
    with pytest.raises(UsageError) as caught:
        await runner.call(ref)
    assert "scripts/x.py" in str(caught.value)


async def test_large_values_pass_both_ways(runner: ScriptRunner):
    text = "ä" * 5_000_000
    assert await runner.call(script("def main(x): return [x]"), text) == [text]


async def test_closing_ends_the_processes(runner: ScriptRunner):
    pid = await runner.call(script("import os\ndef main(): return os.getpid()"))
    await runner.close()
    assert await gone(pid)


def test_asynchronous_scripts_are_recognised_without_running_them(tmp_path: Path):
    project = Project(root=tmp_path)
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "gen.py").write_text("raise SystemExit\nasync def Generate(): ...\ndef other(): ...")
    (tmp_path / "mod.py").write_text("async def f(): ...")
    asked = ["scripts:gen.generate", "scripts:gen.other", "mod:f", "mod.py:f", "scripts:none"]
    assert [declared_async(ref, project) for ref in asked] == [True, False, True, True, False]
