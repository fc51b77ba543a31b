"""`before` and `after` of a case: what was set up is taken down again, however the case ended."""

import signal
import time

import pytest
from tests.cli.conftest import VivaProject

pytestmark = pytest.mark.kill

HOOKS = """
import pathlib

def before(case, ctx):
    pathlib.Path("made").touch()

def after(case, result, data, ctx):
    pathlib.Path("made").unlink()
    pathlib.Path("told").write_text(f"{result['status']}: {result['error']}")

def breaks(case, result, data, ctx):
    raise ValueError("boom")
"""
AGENT = """
import asyncio, pathlib

async def reply(text):
    if text == "wait":
        pathlib.Path("waiting").touch()
        await asyncio.sleep(600)
    if text == "cancel":
        asyncio.current_task().cancel()
        await asyncio.sleep(1)
    return text

class Broken:
    def __init__(self):
        raise ValueError("cannot be made")
    def __call__(self, text):
        return text
"""


@pytest.fixture
def hooked(project: VivaProject) -> VivaProject:
    project.write("scripts/hooks.py", HOOKS)
    project.write("exam.py", AGENT)
    project.write("viva.yaml", "agents:\n  a: {python: exam.py:reply}\n  broken: {python: exam.py:Broken}\nagent: a\n")
    return project


def told(project: VivaProject, **case: str) -> str:
    project.cases({"id": "a", "before": "scripts:hooks.before", "after": "scripts:hooks.after", **case})
    done = project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    assert "Traceback" not in done.text
    assert not (project.root / "made").exists()
    return (project.root / "told").read_text()


@pytest.mark.parametrize(
    ("case", "ending"),
    [
        ({"input": "fine"}, "passed: None"),
        ({"input": "wait", "timeout": "200ms"}, "timeout: timeout after 200ms"),
        ({"input": "${NOWHERE}"}, "error: cases.jsonl:1: undefined variable ${NOWHERE}"),
        ({"input": "x", "agent": "broken"}, "error: "),
        ({"input": "cancel"}, "error: the run was stopped"),
    ],
)
def test_after_runs_whenever_before_did(hooked: VivaProject, case: dict[str, str], ending: str):
    assert told(hooked, **case).startswith(ending)


def test_after_runs_when_the_run_is_stopped(hooked: VivaProject):
    hooked.cases({"id": "a", "input": "wait", "before": "scripts:hooks.before", "after": "scripts:hooks.after"})
    process = hooked.start("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    try:
        for _ in range(1200):
            if (hooked.root / "waiting").exists():
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=200)
    finally:
        process.kill()
    assert process.returncode == 130, out + err
    assert (hooked.root / "told").read_text() == "error: the run was stopped"
    assert not (hooked.root / "made").exists()


def test_an_after_that_fails_is_a_warning(hooked: VivaProject):
    hooked.cases({"id": "a", "input": "x", "after": "scripts:hooks.breaks"})
    done = hooked.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    assert done.code == 0
    (row,) = [row for row in hooked.rows() if row["type"] == "result"]
    assert row["warnings"] == ["after hook: script 'scripts:hooks.breaks': ValueError: boom (scripts/hooks.py:12)"]


def test_a_program_that_a_hook_builds_need_not_be_there_before(project: VivaProject):
    project.write("viva.yaml", "agent: built\nagents:\n  built: {cmd: [./built.sh]}\n")
    build = "printf '#!/bin/sh\\necho pong\\n' > built.sh && chmod +x built.sh"
    project.cases(
        {
            "id": "A",
            "input": "ping",
            "hooks": [{"cmd": ["sh", "-c", build]}],
            "assert": {"type": "contains", "value": "pong"},
        }
    )
    done = project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    assert done.code == 0, done.text
