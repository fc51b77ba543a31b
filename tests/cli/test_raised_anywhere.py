"""Whatever user code raises, wherever viva calls it: an error with the right fault, never green, never a traceback."""

import json
from typing import Any

import pytest
from tests.cli.conftest import VivaProject

pytestmark = pytest.mark.process

KINDS = ("GeneratorExit", "KeyboardInterrupt", "SystemExit", "CancelledError", "Own", "HalfACharacter")
CODE = """
import asyncio
from asyncio import CancelledError

class Own(BaseException):
    pass

class HalfACharacter(Exception):
    def __str__(self):
        return "raised by \\udcff, as the name of a file"

def plain(*_):
    raise KIND("raised")

async def waiting(*_):
    await asyncio.sleep(0)
    raise KIND("raised")

def stream(messages, ctx):
    yield "a part"
    raise KIND("raised")

async def async_stream(messages, ctx):
    yield "a part"
    raise KIND("raised")

class Made:
    def __init__(self):
        raise KIND("raised")
    def __call__(self, messages):
        return "fine"

class Iterated:
    def __init__(self):
        self.left = 1
    def __iter__(self):
        return self
    def __next__(self):
        raise KIND("raised")

def iterated(messages):
    return Iterated()

class Reply:
    @property
    def content(self):
        raise KIND("raised")
    @property
    def model_dump(self):
        raise KIND("raised")
    def __str__(self):
        raise KIND("raised")

def odd_reply(messages):
    return Reply()

def fine(*_):
    return "Is that fine?"
"""
PLUGIN = """
from asyncio import CancelledError
from msgspec import Struct
from vivavoce.model.verdict import passed
from vivavoce.plugins import AgentFields, ReportFormat, TargetKind, assertion, connector, executor, report, target
from vivavoce.protocols import AgentCard

class Own(BaseException):
    pass

class HalfACharacter(Exception):
    def __str__(self):
        return "raised by \\udcff, as the name of a file"

@assertion("asserts_KIND")
class Asserts(Struct, frozen=True):
    async def check(self, evidence, helpers):
        raise KIND("raised")

@connector("connects_KIND")
class Connects:
    def __init__(self, connector_id, options, surroundings): ...
    async def complete(self, request):
        raise KIND("raised")

@connector("unmade_KIND")
class Unmade:
    def __init__(self, connector_id, options, surroundings):
        raise KIND("raised")
    async def complete(self, request): ...

class Fields(AgentFields, frozen=True, kw_only=True):
    at: str = "send"

class Aimed:
    def __init__(self, spec, surroundings):
        self.at = spec.config.get("at", "send")
        self.card = AgentCard(id=spec.id, kind="aims_KIND")
        if self.at == "init":
            raise KIND("raised")
    async def open(self, context):
        if self.at == "open":
            raise KIND("raised")
        return self
    async def send(self, line, transcript):
        raise KIND("raised")
    async def close(self):
        if self.at == "close":
            raise KIND("raised")

AIMS = target(TargetKind(name="aims_KIND", target=Aimed, fields=Fields, may_repeat=True))

@executor("executes_KIND")
class Executes:
    def __init__(self, parallel, address, setup): ...
    async def run(self, jobs, work, done):
        raise KIND("raised")

def write(run, out):
    raise KIND("raised")

WRITES = report(ReportFormat(name="writes_KIND", suffixes=(), write=write))
"""
TESTS = """
from asyncio import CancelledError

class Own(BaseException):
    pass

class HalfACharacter(Exception):
    def __str__(self):
        return "raised by \\udcff, as the name of a file"

def test_plain(t):
    raise KIND("raised")

async def test_waiting(t):
    raise KIND("raised")
"""
FINE = {"type": "contains", "value": "fine"}
TALK = {"input": "hi", "max_turns": 3, "final_assertions": [FINE]}
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "agent": ("agent", {"agent": "plain_KIND", "input": "hi"}),
    "async-agent": ("agent", {"agent": "waiting_KIND", "input": "hi"}),
    "stream": ("agent", {"agent": "stream_KIND", "input": "hi"}),
    "async-stream": ("agent", {"agent": "async_stream_KIND", "input": "hi"}),
    "class": ("agent", {"agent": "Made_KIND", "input": "hi"}),
    "iterated": ("agent", {"agent": "iterated_KIND", "input": "hi"}),
    "odd-reply": ("agent", {"agent": "odd_reply_KIND", "input": "hi"}),
    "async-assertion": ("test", {"input": "hi", "assert": {"type": "script", "use": "scripts:code_KIND.waiting"}}),
    "assertion": ("test", {"input": "hi", "assert": {"type": "script", "use": "scripts:code_KIND.plain"}}),
    "plugin-assertion": ("test", {"input": "hi", "assert": {"type": "asserts_KIND"}}),
    "before": ("hook", {"input": "hi", "before": "scripts:code_KIND.plain"}),
    "async-before": ("hook", {"input": "hi", "before": "scripts:code_KIND.waiting"}),
    "after": ("", {"input": "hi", "after": "scripts:code_KIND.plain"}),
    "async-after": ("", {"input": "hi", "after": "scripts:code_KIND.waiting"}),
    "simulator": ("simulator", {**TALK, "simulator": {"use": "scripts:code_KIND.plain"}}),
    "async-simulator": ("simulator", {**TALK, "simulator": {"use": "scripts:code_KIND.waiting"}}),
    "simulating-agent": ("simulator", {**TALK, "simulator": {"use": "agents:waiting_KIND"}}),
    "judge": ("judge", {"input": "hi", "assert": {"type": "agent", "use": "agents:waiting_KIND", "value": "is fine"}}),
    "messages": ("hook", {"messages": {"use": "scripts:code_KIND.plain"}}),
    "async-messages": ("hook", {"messages": {"use": "scripts:code_KIND.waiting"}}),
    "connector": ("test", {"agent": "connected_KIND", "input": "hi"}),
    "package-hook": ("agent", {"agent": "hooked_KIND", "input": "hi"}),
    "async-package-hook": ("agent", {"agent": "later_KIND", "input": "hi"}),
    "plugin-open": ("test", {"agent": "open_KIND", "input": "hi"}),
    "plugin-send": ("test", {"agent": "send_KIND", "input": "hi"}),
    "plugin-close": ("test", {"agent": "close_KIND", "input": "hi"}),
}


@pytest.fixture
def raising(project: VivaProject) -> VivaProject:
    agents = ["  good: {python: scripts/code_Own.py:fine}"]
    connectors: list[str] = []
    for kind in KINDS:
        file = f"scripts/code_{kind}.py"
        project.write(file, CODE.replace("KIND", kind))
        project.write(f"plug_{kind}.py", PLUGIN.replace("KIND", kind))
        functions = ("plain", "waiting", "stream", "async_stream", "Made", "iterated", "odd_reply")
        agents += [f"  {name}_{kind}: {{python: '{file}:{name}'}}" for name in functions]
        agents += [f"  {at}_{kind}: {{kind: aims_{kind}, at: {at}}}" for at in ("open", "send", "close")]
        agents += [f"  {name}_{kind}: {{package: {name}_{kind}}}" for name in ("connected", "hooked", "later")]
        connectors += [f"  con_{kind}: {{type: connects_{kind}}}"]
        for name in ("connected", "hooked", "later"):
            connector = f"con_{kind}" if name == "connected" else "quiet"
            project.write(f"assistants/{name}_{kind}/package.yao", f'{{"name": "K", "connector": "{connector}"}}')
        code = CODE.replace("KIND", kind)
        project.write(f"assistants/hooked_{kind}/src/index.py", code.replace("plain(*_)", "Create(ctx, messages, o)"))
        project.write(f"assistants/later_{kind}/src/index.py", code.replace("waiting(*_)", "Create(ctx, messages, o)"))
    plugins = ", ".join(f"plug_{kind}.py" for kind in KINDS)
    connectors += ["  quiet: {type: scripted, options: {rules: [{say: fine}]}}"]
    lines = ["agents:", *agents, "agent: good", "connectors:", *connectors, f"plugins: [{plugins}]", ""]
    project.write("viva.yaml", "\n".join(lines))
    project.cases({"id": "one", "input": "hi"}, name="one.jsonl")
    return project


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_raised_in_a_case_is_its_error_and_the_other_cases_run(raising: VivaProject, kind: str):
    named = [{"id": name, **_filled(case, kind)} for name, (_, case) in CASES.items()]
    raising.cases(*named, {"id": "next", "input": "hi", "assert": FINE})
    done = raising.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    assert (raising.root / "out.jsonl").exists(), done.text
    rows = {row["id"]: row for row in raising.rows() if "id" in row}
    found = {name: (row["status"], row.get("fault") or "") for name, row in rows.items()}
    wanted = {name: ("error" if fault else "passed", fault) for name, (fault, _) in CASES.items()}
    wanted["next"] = ("passed", "")
    told = {name: (was, row.get("error")) for name, row in rows.items() if (was := found[name]) != wanted[name]}
    assert (told, sorted(wanted.keys() - rows.keys())) == ({}, []), done.err
    assert done.code == 1


RUNS: dict[str, tuple[int, tuple[str, ...]]] = {
    "before": (3, ("test", "-i", "one.jsonl", "--before", "scripts:code_KIND.plain")),
    "async before": (3, ("test", "-i", "one.jsonl", "--before", "scripts:code_KIND.waiting")),
    "after": (3, ("test", "-i", "one.jsonl", "--after", "scripts:code_KIND.plain")),
    "async after": (3, ("test", "-i", "one.jsonl", "--after", "scripts:code_KIND.waiting")),
    "generator": (3, ("test", "-i", "scripts:code_KIND.plain")),
    "async generator": (3, ("test", "-i", "scripts:code_KIND.waiting")),
    "generating agent": (3, ("test", "-i", "agents:waiting_KIND")),
    "reporter": (3, ("test", "-i", "one.jsonl", "-r", "scripts:code_KIND.plain", "-o", "r.md")),
    "async reporter": (3, ("test", "-i", "one.jsonl", "-r", "scripts:code_KIND.waiting", "-o", "r.md")),
    "reporting agent": (3, ("test", "-i", "one.jsonl", "-r", "agents:waiting_KIND", "-o", "r.md")),
    "report plug-in": (3, ("test", "-i", "one.jsonl", "-r", "report.writes_KIND", "-o", "r.md")),
    "executor plug-in": (3, ("test", "-i", "one.jsonl", "--executor", "executes_KIND")),
    "agent import": (2, ("test", "-i", "one.jsonl", "-n", "python:imported_KIND.py:fine")),
    "agent module": (2, ("test", "-i", "one.jsonl", "-n", "python:imported_KIND:fine")),
    "script import": (2, ("test", "-i", "one.jsonl", "--before", "scripts:imported_KIND.plain")),
    "validate": (2, ("validate", "-i", "one.jsonl", "-n", "python:imported_KIND.py:fine")),
    "agents": (0, ("agents",)),
    "script tests": (1, ("test", "-i", "scripts.hooked_KIND.own")),
    "workers": (1, ("test", "-i", "one.jsonl", "-n", "waiting_KIND", "--executor", "processes", "-j", "2")),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", RUNS)
def test_what_is_raised_around_the_cases_is_told_and_never_green(raising: VivaProject, place: str, kind: str):
    code, arguments = RUNS[place]
    raising.write(f"imported_{kind}.py", f"{CODE.replace('KIND', kind)}\nplain()\n")
    raising.write(f"scripts/imported_{kind}.py", f"{CODE.replace('KIND', kind)}\nplain()\n")
    raising.write(f"assistants/hooked_{kind}/src/own_test.py", TESTS.replace("KIND", kind))
    done = raising.viva(*(argument.replace("KIND", kind) for argument in arguments))
    assert done.code == code, done.text
    assert place == "agents" or "raised" in done.text
    assert "viva itself" not in done.text


@pytest.mark.parametrize("kind", KINDS)
def test_a_plug_in_that_raises_when_it_is_imported_is_named(raising: VivaProject, kind: str):
    raising.write("bad.py", f"{CODE.replace('KIND', kind)}\nplain()\n")
    raising.write("viva.yaml", "plugins: [bad.py]\nagents: {a: {python: scripts/code_Own.py:fine}}\nagent: a\n")
    for command in ("test", "validate", "list"):
        done = raising.viva(command, "-i", "one.jsonl")
        assert (done.code, "bad.py" in done.err, "viva itself" in done.err) == (2, True, False), done.text


def _filled(case: dict[str, Any], kind: str) -> dict[str, Any]:
    return json.loads(json.dumps(case).replace("KIND", kind))
