"""Commands: their output, their end, and that nothing of them is left."""

import asyncio
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.processes import gone, number_in

from vivavoce.containment import processes
from vivavoce.containment.processes import TooMuchOutput, run_command


async def python(code: str, cwd: Path, stdin: bytes = b"") -> processes.Finished:
    return await run_command([sys.executable, "-c", code], cwd=cwd, stdin=stdin)


async def test_input_output_and_exit_code(tmp_path: Path):
    code = "import sys; print(sys.stdin.read().upper(), end=''); print('oh', file=sys.stderr); sys.exit(3)"
    done = await python(code, tmp_path, b"hi")
    assert (done.stdout, done.last_words, done.exit_code, done.how) == (b"HI", "oh", 3, "exit code 3")


async def test_the_signal_that_ended_it_is_named(tmp_path: Path):
    done = await python("import os; os.kill(os.getpid(), 9)", tmp_path)
    assert done.how == "killed by SIGKILL"


async def test_a_program_that_reads_no_input_is_no_problem(tmp_path: Path):
    done = await python("print('ok')", tmp_path, b"x" * 5_000_000)
    assert (done.exit_code, done.stdout) == (0, b"ok\n")


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_a_program_that_has_ended_before_it_is_told_anything_is_no_problem(loop: str, tmp_path: Path):
    library = pytest.importorskip(loop, reason=f"{loop} is not installed: commands in its loop go untested")
    with asyncio.Runner(loop_factory=library.new_event_loop) as runner:
        done = runner.run(ended_at_once(["echo", "ok"], tmp_path))
    assert (done.exit_code, done.stdout) == (0, b"ok\n")


async def ended_at_once(argv: list[str], cwd: Path) -> processes.Finished:
    """The loop says that the program was started only when it has ended, and writes to no closed pipe."""
    loop: Any = asyncio.get_running_loop()
    really_start = loop.subprocess_exec

    async def start(*args: Any, **kwargs: Any) -> Any:
        transport, output = await really_start(*args, **kwargs)
        pipe: Any = transport.get_pipe_transport(0)
        while not pipe.is_closing():
            await asyncio.sleep(0.01)
        if loop.__module__.startswith("asyncio"):
            pipe.write = refuse  # as uvloop's does
        return transport, output

    def refuse(_data: bytes) -> None:
        raise RuntimeError("the handler is closed")

    loop.subprocess_exec = start
    return await run_command(argv, cwd=cwd, stdin=b"hi")


@pytest.mark.memory
async def test_fifty_megabytes_come_through(tmp_path: Path):
    done = await python("import sys; sys.stdout.write('x' * 50_000_000)", tmp_path)
    assert len(done.stdout) == 50_000_000


async def test_a_flood_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(processes, "MAX_STDOUT_BYTES", 1 << 20)
    with pytest.raises(TooMuchOutput, match="more than 1 MB"):
        await python("while True: print('y' * 1000)", tmp_path)


async def test_of_a_long_stderr_the_end_is_kept(tmp_path: Path):
    done = await python("import sys; sys.stderr.write('x' * 500_000 + 'the end')", tmp_path)
    assert done.stderr.endswith(b"the end")
    assert len(done.stderr) == processes.MAX_STDERR_BYTES


async def test_a_background_process_does_not_hold_up_the_end(tmp_path: Path):
    began = time.perf_counter()
    done = await run_command(["sh", "-c", "sleep 600 & echo started"], cwd=tmp_path)
    assert done.stdout == b"started\n"
    assert time.perf_counter() - began < 60


async def test_cancelling_kills_the_whole_group(tmp_path: Path):
    running = asyncio.create_task(run_command(["sh", "-c", "sleep 60 & echo $! > pid; wait"], cwd=tmp_path))
    grandchild = await number_in(tmp_path / "pid")
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert await gone(grandchild)


async def test_a_missing_program_is_an_os_error(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        await run_command(["no-such-program-anywhere"], cwd=tmp_path)


async def test_a_command_cancelled_while_it_starts_is_killed_with_its_children(tmp_path: Path):
    running = asyncio.create_task(run_command(["sh", "-c", "sleep 60 & echo $! > pid; wait"], cwd=tmp_path))
    pid = tmp_path / "pid"
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    while not pid.exists() or not pid.read_text().strip():
        time.sleep(0.01)  # the loop must not get to know that it has started
    running.cancel()
    async with asyncio.timeout(60):
        with pytest.raises(asyncio.CancelledError):
            await running
    assert await gone(int(pid.read_text()))
