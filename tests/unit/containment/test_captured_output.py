"""Prints of user code: each to its own case, none into viva's output."""

import asyncio
import logging
import os
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from vivavoce.containment import captured_output
from vivavoce.containment.captured_output import (
    KEPT_AT_EACH_END,
    OutputLog,
    RoutedStream,
    capture_user_output,
    current_log,
)
from vivavoce.containment.user_functions import call_user_function


def test_prints_are_collected_and_viva_s_own_pass(capsys: pytest.CaptureFixture[str]):
    with capture_user_output():
        print("viva before")
        with OutputLog() as log:
            print("user")
            print("trouble", file=sys.stderr)
            sys.stdout.buffer.write("bytes ü\n".encode())
        print("viva after")
    assert log.text() == "user\ntrouble\nbytes ü\n"
    assert capsys.readouterr() == ("viva before\nviva after\n", "")


def test_user_code_may_treat_its_streams_like_the_ones_of_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with (tmp_path / "out").open("w", encoding="ascii") as real:
        monkeypatch.setattr(sys, "stdout", real)
        with capture_user_output(), OutputLog() as log:
            assert isinstance(sys.stdout, RoutedStream)
            sys.stdout.reconfigure(encoding="utf-8", errors="replace", line_buffering=True)
            about = (sys.stdout.name, sys.stdout.encoding, sys.stdout.errors, sys.stdout.line_buffering)
            assert about == (real.name, "ascii", "strict", False)
            assert sys.stdout.buffer.fileno() == sys.stdout.fileno() == real.fileno()
            sys.stdout.detach().write("ü".encode())
        assert (log.text(), real.encoding) == ("ü", "ascii")


def test_the_streams_are_put_back():
    before = sys.stdout, sys.stderr
    with capture_user_output(), capture_user_output():
        assert sys.stdout is not before[0]
    assert (sys.stdout, sys.stderr) == before


async def test_cases_at_once_keep_their_prints_apart():
    async def case(name: str) -> str:
        def blocking() -> None:
            for _ in range(20):
                print(name)

        with OutputLog() as log:
            print(name)
            await asyncio.sleep(0)
            await call_user_function(blocking)
        return log.text()

    with capture_user_output():
        texts = await asyncio.gather(*(case(str(n)) for n in range(8)))
    assert texts == [f"{n}\n" * 21 for n in range(8)]


def test_what_an_inner_log_saw_before_an_error_is_not_lost():
    with capture_user_output(), OutputLog() as outer:
        with OutputLog() as inner:
            print("fine")
        with suppress(ValueError), OutputLog():
            print("then it broke")
            raise ValueError
    assert (inner.text(), outer.text()) == ("fine\n", "then it broke\n")


def test_too_much_output_keeps_both_ends_and_says_so():
    log = OutputLog()
    for n in range(100_000):
        log.write(f"{n:07}\n")
    text = log.text()
    assert text.startswith("0000000\n0000001\n")
    assert text.endswith("0099998\n0099999\n")
    left_out = 800_000 - 2 * KEPT_AT_EACH_END
    assert f"\n… {left_out} characters left out …\n" in text
    assert log.text() == text
    assert len(text) < 2 * KEPT_AT_EACH_END + 100


def test_one_huge_print_is_clipped():
    log = OutputLog()
    log.write("x" * 10_000_000)
    assert len(log.text()) < 70_000


def test_user_code_may_close_its_stdout(capsys: pytest.CaptureFixture[str]):
    with capture_user_output():
        with OutputLog():
            sys.stdout.close()
        print("viva still speaks")
    assert capsys.readouterr().out == "viva still speaks\n"


def test_a_logger_made_during_one_case_writes_to_the_case_that_logs():
    with capture_user_output():
        with OutputLog() as first:
            handler = logging.StreamHandler()
            logger = logging.Logger("mine")
            logger.addHandler(handler)
            logger.warning("one")
        with OutputLog() as second:
            logger.warning("two")
    assert (first.text(), second.text()) == ("one\n", "two\n")


def test_code_that_asks_for_a_terminal_is_told_there_is_none():
    with capture_user_output(), OutputLog():
        assert not sys.stdout.isatty()


def test_many_threads_may_write_at_once():
    log = OutputLog()
    threads = [threading.Thread(target=lambda: [log.write("abc\n") for _ in range(500)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert log.text() == "abc\n" * 4000


def test_outside_of_a_case_there_is_no_log():
    assert current_log() is None


def test_a_forked_child_prints_although_another_thread_was_printing():
    log = OutputLog()
    with captured_output._lock:  # as the other thread would hold it
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            log.write("from the child")
            os._exit(0 if log.text() == "from the child" else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert log.text() == ""
