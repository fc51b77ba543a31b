"""Agents that try to take viva down with them: never green, never a traceback, no other case lost."""

import re
import subprocess
from subprocess import PIPE

import pytest
from tests.cli.conftest import VIVA, Done, VivaProject

pytestmark = pytest.mark.kill

RUDE = """
import os

class Mute(Exception):
    def __str__(self):
        raise ValueError("no words")

def reply(text: str):
    if text == "os._exit":
        os._exit(0)
    if text == "fork":
        child = os.fork()
        if child == 0:
            os._exit(7)
        return f"child ended {os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}"
    if text == "ctrl-c":
        raise KeyboardInterrupt
    if text == "generator":
        raise GeneratorExit
    if text == "mute":
        raise Mute
    if text == "number":
        return {"data": 10 ** 5000}
    return "fine"
"""


@pytest.fixture
def rude(project: VivaProject) -> VivaProject:
    project.write("rude.py", RUDE)
    project.write("viva.yaml", "agents:\n  rude: {python: rude.py:reply}\nagent: rude\n")
    return project


def test_an_agent_that_ends_the_process_is_not_a_pass(rude: VivaProject):
    rude.cases({"id": "one", "input": "os._exit"})
    done = rude.viva("test", "-i", "cases.jsonl")
    assert done.code == 3
    assert "ended the process with os._exit(0): the run is not complete" in done.err


def test_a_forked_child_may_end_as_it_likes(rude: VivaProject):
    rude.cases({"id": "one", "input": "fork", "assert": {"type": "contains", "value": "child ended 7"}})
    done = rude.viva("test", "-i", "cases.jsonl", PYTHONWARNINGS="ignore")
    assert done.code == 0, done.text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ctrl-c", "agent error: RuntimeError: KeyboardInterrupt was raised (rude.py:"),
        ("generator", "agent error: RuntimeError: GeneratorExit was raised (rude.py:"),
        ("mute", "agent error: Mute: <exception str() failed> (rude.py:"),
        ("number", "agent error: the agent answered what is not JSON: $.data is a number of more than 4,000 digits"),
    ],
)
def test_what_an_agent_raises_is_its_own_error_and_the_next_case_runs(rude: VivaProject, text: str, told: str):
    rude.cases({"id": "rude", "input": text}, {"id": "next", "input": "hello"})
    done = rude.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    assert (done.code, rude.statuses()) == (1, {"rude": "error", "next": "passed"}), done.text
    (row,) = [row for row in rude.rows() if row.get("id") == "rude"]
    assert row["error"].startswith(told)
    assert row["fault"] == "agent"


RUDE_TO_THE_PROCESS = """
import asyncio, os, sys

async def fails_later():
    await asyncio.sleep(0.05)
    raise ValueError("in the background")

async def reply(text: str):
    loop = asyncio.get_running_loop()
    if text == "stop":
        loop.stop()
    if text == "stop later":
        loop.call_soon(loop.stop)
        await asyncio.sleep(0.05)
    if text == "background":
        loop.task = asyncio.create_task(fails_later())
    if text == "close stdout":
        os.close(1)
    if text == "close sys.stdout":
        sys.__stdout__.close()
    if text == "close everything":
        os.closerange(3, 200)
    if text == "fork":
        os.fork()
    if text == "cancel":
        asyncio.current_task().cancel()
        await asyncio.sleep(0)
    if text == "cancel all":
        for task in asyncio.all_tasks():
            task.cancel()
    if text == "slow":
        await asyncio.sleep(0.2)
        loop.__dict__.pop("task", None)
    return "fine"

def blocking(text: str):
    if text == "fork":
        os.fork()
    return "fine"
"""


@pytest.fixture
def ruder(project: VivaProject) -> VivaProject:
    project.write("rude.py", RUDE_TO_THE_PROCESS)
    project.write("viva.yaml", "agents:\n  a: {python: rude.py:reply}\n  b: {python: rude.py:blocking}\nagent: a\n")
    return project


def _between_others(project: VivaProject, text: str, *arguments: str) -> Done:
    project.cases({"id": "first", "input": "hi"}, {"id": "rude", "input": text}, {"id": "last", "input": "slow"})
    return project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", *arguments, PYTHONWARNINGS="ignore")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "stop",
            "agent error: RuntimeError: the event loop is viva's: stop() is not for the code under test (rude.py:",
        ),
        ("cancel", "the agent cancelled the task that viva called it in"),
    ],
)
def test_what_an_agent_does_to_the_loop_is_its_own_error(ruder: VivaProject, text: str, told: str):
    done = _between_others(ruder, text)
    assert (done.code, ruder.statuses()) == (1, {"first": "passed", "rude": "error", "last": "passed"}), done.text
    (row,) = [row for row in ruder.rows() if row.get("id") == "rude"]
    assert (row["error"].startswith(told), row["fault"]) == (True, "agent")


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("stop later", "something the agent left running failed: RuntimeError: the event loop is viva's"),
        ("background", "something the agent left running failed: ValueError: in the background (rude.py:6)"),
    ],
)
def test_what_an_agent_leaves_running_is_one_warning(ruder: VivaProject, text: str, warning: str):
    done = _between_others(ruder, text)
    assert (done.code, len(ruder.statuses())) == (0, 3), done.text
    assert f"viva: warning: {warning}" in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize("text", ["close stdout", "close sys.stdout"])
def test_an_agent_may_close_stdout_and_the_console_goes_on(ruder: VivaProject, text: str):
    done = _between_others(ruder, text)
    assert (done.code, len(ruder.statuses())) == (0, 3), done.text
    assert "Report: out.jsonl" in done.out


def test_an_agent_that_closes_vivas_files_is_told_about(ruder: VivaProject):
    done = _between_others(ruder, "close everything")
    assert done.code == 3
    assert "does the code under test close what it did not open?" in done.err


def test_an_agent_that_cancels_every_task_ends_the_run_and_what_finished_is_kept(ruder: VivaProject):
    done = _between_others(ruder, "cancel all")
    assert done.code == 3
    assert "viva: the code under test cancelled viva's own tasks: the run is not complete" in done.err
    assert ruder.statuses()["first"] == "passed"


@pytest.mark.parametrize("agent", ["a", "b"])
def test_a_forked_child_never_goes_on_as_a_second_viva(ruder: VivaProject, agent: str):
    done = _between_others(ruder, "fork", "-n", agent)
    assert (done.code, len(ruder.statuses())) == (0, 3), done.text
    assert done.out.count("Report: out.jsonl") == 1
    again = _between_others(ruder, "hi")
    assert again.code == 0, again.text  # nobody keeps the result file


def test_a_full_stdout_is_named(ruder: VivaProject):
    ruder.cases({"id": "one", "input": "hi"})
    with open("/dev/full", "w") as full:
        process = subprocess.run(
            [VIVA, "list", "-i", "cases.jsonl"], cwd=ruder.root, stdout=full, stderr=PIPE, text=True
        )
    assert (process.returncode, process.stderr) == (3, "viva: No space left on device: stdout\n")


VANDAL = """
import asyncio, builtins, gc, json, locale, os, sys, threading, time

DEEDS = {
    "json": lambda: (setattr(json, "dumps", lambda *_, **__: "{}"), setattr(json, "loads", lambda *_, **__: {})),
    "time": lambda: (setattr(time, "monotonic", lambda: 0.0), setattr(time, "time", lambda: 0.0)),
    "all": lambda: (setattr(builtins, "all", lambda *_: True), setattr(builtins, "any", lambda *_: False)),
    "asyncio": lambda: (setattr(asyncio, "wait_for", None), setattr(asyncio, "create_task", None)),
    "exit": lambda: setattr(sys, "exit", lambda *_: None),
    "folder": lambda: os.chdir("/"),
    "mask": lambda: os.umask(0o777),
    "locale": lambda: locale.setlocale(locale.LC_ALL, "C"),
    "environment": lambda: os.environ.clear(),
    "gc": lambda: (gc.freeze(), gc.disable()),
    "recursion": lambda: sys.setrecursionlimit(10**6),
    "thread": lambda: threading.Thread(target=time.sleep, args=(3600,), daemon=True).start(),
    "hooks": lambda: (setattr(sys, "excepthook", None), setattr(threading, "excepthook", None)),
    "trace": lambda: (sys.settrace(lambda *_: None), sys.setprofile(None)),
    "path": lambda: sys.path.clear(),
    "streams": lambda: (setattr(sys, "stdout", None), setattr(sys, "stderr", None)),
}

def reply(text: str):
    DEEDS.get(text, lambda: None)()
    return {"content": "fine"}
"""


def test_whatever_an_agent_does_to_its_process_the_next_check_still_fails(project: VivaProject):
    project.write("vandal.py", VANDAL)
    project.write("viva.yaml", "agents:\n  a: {python: vandal.py:reply}\nagent: a\n")
    deeds = re.findall(r'^    "(\w+)": lambda', VANDAL, re.MULTILINE)
    for deed in [*deeds, ""]:
        fine = {"type": "contains", "value": "fine"}
        failing = {"type": "contains", "value": "not there"}
        cases = [{"id": f"does {each}", "input": each, "assert": fine} for each in ([deed] if deed else deeds)]
        (project.root / "out.jsonl").unlink(missing_ok=True)
        project.cases(*cases, {"id": "fails", "input": "hi", "assert": failing}, {"id": "x", "input": "hi"})
        done = project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", timeout=300)
        kept = project.statuses()
        assert (done.code, kept.get("fails"), kept.get("x")) == (1, "failed", "passed"), (deed, done.text)


THIEF = """
import asyncio, builtins, sys

TAKES = {
    "len": lambda: setattr(builtins, "len", lambda _: 0),
    "isinstance": lambda: setattr(builtins, "isinstance", lambda *_: True),
    "getattr": lambda: setattr(builtins, "getattr", None),
    "str": lambda: setattr(builtins, "str", None),
    "super": lambda: delattr(builtins, "super"),
    "Exception": lambda: (setattr(builtins, "Exception", None), setattr(builtins, "OSError", None)),
    "sys.modules": lambda: sys.modules.clear(),
    "sys.meta_path": lambda: sys.meta_path.clear(),
    "__import__": lambda: setattr(builtins, "__import__", None),
    "abs": lambda: builtins.__dict__.clear(),
}

def reply(text: str):
    TAKES.get(text, lambda: None)()
    return "fine"

async def patient(text: str):
    TAKES.get(text, lambda: None)()
    await asyncio.sleep(0.01)
    return "fine"
"""


@pytest.mark.parametrize("agent", ["reply", "patient"])
@pytest.mark.parametrize("taken", re.findall(r'^    "([\w.]+)": lambda', THIEF, re.MULTILINE))
def test_an_agent_that_takes_from_python_itself_is_named_and_the_run_ends(project: VivaProject, agent: str, taken: str):
    """An async one may bring the loop down before viva can put things back: then the run is broken, and says why."""
    project.write("thief.py", THIEF)
    project.write("viva.yaml", f"agents:\n  a: {{python: thief.py:{agent}}}\nagent: a\n")
    failing = {"type": "contains", "value": "not there"}
    project.cases({"id": "takes", "input": taken}, {"id": "fails", "input": "hi", "assert": failing})
    process = project.start("test", "-i", "cases.jsonl", "-o", "out.jsonl", "-v")
    out, err = process.communicate(timeout=120)
    words = f"the code under test replaced or removed {taken}"
    assert process.returncode in (1, 3), out + err
    assert words in " ".join((out + err).split()), out + err
    if process.returncode == 1:
        assert project.statuses() == {"takes": "error", "fails": "failed"}
    else:
        assert "the run is not complete" in err


LEAVES = """
import asyncio, atexit, multiprocessing, threading, time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

kept = []

def pool(kind):
    kept.append(kind(1))
    kept[-1].submit(time.sleep, 600)

LEAVES = {
    "thread 'mine'": lambda: threading.Thread(target=time.sleep, args=(600,), name="mine", daemon=False).start(),
    "thread 'ThreadPoolExecutor-0_0'": lambda: pool(ThreadPoolExecutor),
    "thread 'asyncio_0'": lambda: asyncio.get_running_loop().run_in_executor(None, time.sleep, 600),
    "process ": lambda: multiprocessing.get_context("fork").Process(target=time.sleep, args=(600,)).start(),
    "a function of atexit": lambda: atexit.register(time.sleep, 600),
}

def reply(text: str):
    LEAVES[text]()
    return "fine"

async def patient(text: str):
    return reply(text)
"""


def test_what_an_agent_leaves_running_does_not_keep_a_finished_run(project: VivaProject):
    project.write("leaves.py", LEAVES)
    project.write("viva.yaml", "agents: {reply: {python: 'leaves.py:reply'}, patient: {python: 'leaves.py:patient'}}\n")
    runs: dict[tuple[str, str], subprocess.Popen[str]] = {}
    for number, what in enumerate(re.findall(r'^    "(.+)": lambda', LEAVES, re.MULTILINE)):
        for agent in ("patient",) if "asyncio" in what else ("patient", "reply"):
            case = {"id": "leaves", "input": what, "assert": {"type": "contains", "value": "fine"}}
            project.cases(case, name=f"{number}.jsonl")
            runs[what, agent] = project.start("test", "-i", f"{number}.jsonl", "-n", agent, "--no-history")
    for (what, agent), process in runs.items():
        out, err = process.communicate(timeout=120)
        assert (process.returncode, f"and was ended: {what}" in err) == (0, True), (what, agent, out + err)


def test_what_an_agent_left_and_ends_by_itself_is_waited_for(project: VivaProject):
    project.write(
        "agent.py",
        """
import pathlib, threading

def write_when_main_is_over():
    threading.main_thread().join()
    pathlib.Path("written").touch()

async def reply(text: str):
    threading.Thread(target=write_when_main_is_over).start()
    return "fine"
""",
    )
    process = project.start("test", "-i", "a message", "-n", "python:agent.py:reply", "--no-history")
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, ""), out + err
    assert (project.root / "written").exists()
