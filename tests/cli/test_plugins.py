"""Plug-ins through the real command: from an installed distribution, and from a file of the project."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.cli.conftest import Done, VivaProject
from tests.fakes.commands import PYTEST
from tests.fakes.distributions import PLUGIN_DIST, fresh_virtualenv, install, install_source

CONFIG = """\
agents:
  parrot: {kind: echo, loud: true}
  helper: {package: helper}
connectors:
  offline: {type: canned, options: {says: "yes, please"}}
"""
FILES = sorted(path.name for path in (PLUGIN_DIST / "viva_dummy").glob("[a-z]*.py"))


class PluggedProject:
    """A project, and how viva is called in it."""

    def __init__(self, root: Path, python: Path, config: str) -> None:
        self.root = root
        self.python = python
        files = {
            "viva.yaml": config,
            "cases.jsonl": '{"id": "A", "input": "please", "assert": {"type": "polite", "word": "PLEASE"}}\n'
            '{"id": "B", "input": "now", "assert": {"type": "polite"}}\n',
            "assistants/helper/package.yao": '{"name": "Helper", "connector": "offline"}',
        }
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)

    def viva(self, *arguments: str) -> Done:
        code = "from vivavoce.cli.entry import main; main()"
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        done = subprocess.run(
            [self.python, "-c", code, *arguments],
            cwd=self.root,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
        )
        return Done(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def virtualenv(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return fresh_virtualenv(tmp_path_factory.mktemp("env") / "venv")


@pytest.fixture(scope="module", params=["installed", "of the project"])
def plugged(request: pytest.FixtureRequest, virtualenv: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory):
    python, site = virtualenv
    root = tmp_path_factory.mktemp("project")
    if request.param == "installed":
        install_source(PLUGIN_DIST, site)
        yield PluggedProject(root, python, CONFIG)
        shutil.rmtree(site / "viva_dummy-1.2.dist-info")
        shutil.rmtree(site / "viva_dummy")
    else:
        shutil.copytree(PLUGIN_DIST / "viva_dummy", root / "extra")
        yield PluggedProject(root, python, f"{CONFIG}plugins: [{', '.join(f'extra/{name}' for name in FILES)}]\n")


def test_a_target_an_assertion_a_report_and_an_executor_work_together(plugged: PluggedProject):
    done = plugged.viva("test", "cases.jsonl", "-n", "parrot", "-o", "r.csv", "--executor", "one_by_one=here")
    assert done.code == 1, done.text
    assert "no 'please' in it" in done.out
    assert "one by one at here" in done.err
    assert (plugged.root / "r.csv").read_text() == "id,status\nA,passed\nB,failed\n"


def test_a_target_is_reached_by_its_prefix_and_a_report_by_its_name(plugged: PluggedProject):
    done = plugged.viva("test", "cases.jsonl", "-n", "echo:please, you said", "-r", "report.csv", "-k", "B")
    assert done.code == 0, done.text
    assert done.out.endswith("id,status\nB,passed\n")


def test_a_connector_serves_a_package(plugged: PluggedProject):
    case = '{"id": "A", "input": "hi", "assert": {"type": "polite"}}\n'
    (plugged.root / "hi.jsonl").write_text(case)
    done = plugged.viva("test", "hi.jsonl", "-n", "helper", "-o", "hi_out.jsonl")
    assert done.code == 0, done.text
    assert plugged.viva("report", "hi_out.jsonl", "-o", "hi.csv").code == 0
    assert (plugged.root / "hi.csv").read_text() == "id,status\nA,passed\n"


def test_the_schemas_know_them(plugged: PluggedProject):
    case = json.loads(plugged.viva("schema", "case").out)
    assert "polite" in {entry["title"] for entry in case["$defs"]["Assertion"]["anyOf"]}
    config = json.loads(plugged.viva("schema", "config").out)
    agents = config["$defs"]["Config"]["properties"]["agents"]["additionalProperties"]["anyOf"]
    [echo] = [entry for entry in agents if entry["title"] == "echo"]
    assert {"kind", "echo", "loud", "rate"} <= set(echo["properties"])


def test_misspelt_names_are_hinted_at(plugged: PluggedProject):
    (plugged.root / "bad.jsonl").write_text('{"id": "A", "input": "x", "assert": {"type": "polit"}}\n')
    assert "did you mean 'polite'?" in plugged.viva("validate", "bad.jsonl", "-n", "parrot").err
    assert "did you mean 'echo'?" in plugged.viva("test", "cases.jsonl", "-n", "ecko:x").err
    assert ".csv" in plugged.viva("test", "cases.jsonl", "-n", "parrot", "-o", "r.cvs").err
    assert "did you mean 'report.csv'?" in plugged.viva("test", "cases.jsonl", "-n", "parrot", "-r", "report.cvs").err
    assert (
        "did you mean 'one_by_one'?"
        in plugged.viva("test", "cases.jsonl", "-n", "parrot", "--executor", "one_by_on").err
    )


def test_they_work_in_worker_processes_and_in_every_command_on_runs(plugged: PluggedProject):
    run = ("cases.jsonl", "-n", "parrot", "-o", "kept.jsonl", "--no-history")
    assert plugged.viva("test", *run, "--executor", "processes", "-j", "2").code == 1
    table = ["A,passed", "B,failed", "id,status"]  # sorted: two workers finish in any order
    for command in (("report", "kept.jsonl"), ("merge", "kept.jsonl"), ("rejudge", "kept.jsonl")):
        done = plugged.viva(*command, "-o", f"{command[0]}.csv")
        assert sorted((plugged.root / f"{command[0]}.csv").read_text().split()) == table, done.text
    assert "no verdict changed" in plugged.viva("rejudge", "kept.jsonl").out
    compared = plugged.viva("compare", "cases.jsonl", "-n", "echo:please, you said", "-n", "parrot")
    assert compared.code == 1, compared.text
    assert "echo:please, you said" in compared.out
    agents = plugged.viva("agents")
    assert "parrot  (echo)" in agents.out
    assert agents.out.count("helper") == 2  # its name and its folder, once


def test_the_schema_of_viva_yaml_names_connectors_and_executors(plugged: PluggedProject):
    groups = json.loads(plugged.viva("schema", "config").out)["$defs"]
    assert {"canned", "openai"} <= set(groups["ConnectorConfig"]["properties"]["type"]["enum"])
    assert {"one_by_one", "local"} <= set(groups["RunDefaults"]["properties"]["executor"]["examples"])


def test_viva_plugins_lists_them(plugged: PluggedProject):
    done = plugged.viva("plugins", "--json")
    assert done.code == 0, done.text
    rows = {(row["group"], row["name"]): row for row in json.loads(done.out)}
    assert set(rows) == {
        ("viva.assertions", "polite"),
        ("viva.targets", "echo"),
        ("viva.connectors", "canned"),
        ("viva.reports", "csv"),
        ("viva.executors", "one_by_one"),
    }
    polite = rows["viva.assertions", "polite"]
    assert (polite["source"], polite["version"]) in {("viva-dummy", "1.2"), ("extra/polite.py", "")}
    assert "polite" in plugged.viva("plugins").out


def test_broken_plugins_are_named_and_leave_the_rest_alone(project: VivaProject, monkeypatch: pytest.MonkeyPatch):
    site = project.root / "site"
    points = {
        "viva.assertions": {"lost": "no_such_module:Lost", "odd": "odd_module:odd"},
        "viva.reports": {"json": "odd_module:odd"},
    }
    install(site, "viva-broken", "0.1", points, odd_module="odd = 3\n")
    monkeypatch.setenv("PYTHONPATH", str(site), prepend=os.pathsep)
    project.cases({"id": "A", "input": "x", "assert": {"type": "contains", "value": "x"}})
    assert project.viva("test", "cases.jsonl", "-o", "out.json").code == 0
    project.cases({"id": "A", "input": "x", "assert": {"type": "lost"}})
    done = project.viva("test", "cases.jsonl")
    assert done.code == 2
    assert "plug-in 'lost' (viva.assertions) of viva-broken 0.1 does not work: ModuleNotFoundError" in done.err
    listed = project.viva("plugins")
    assert listed.code == 2
    assert "an assertion must be a msgspec.Struct class, not an object of class int" in listed.out
    assert "plug-in 'json' (viva.reports) of viva-broken 0.1 has the name of the built-in report format" in listed.out
    assert "Traceback" not in listed.text + done.text


def test_a_plugin_file_that_does_not_work_is_told_with_its_line(project: VivaProject):
    project.write("viva.yaml", "agent: x\nplugins:\n  - gone.py\n  - broken.py\n  - taken.py\n")
    project.write("broken.py", "import no_such_thing\n")
    project.write(
        "taken.py",
        "from msgspec import Struct\nfrom vivavoce.plugins import assertion\n\n@assertion('contains')\n"
        "class Mine(Struct):\n    async def check(self, evidence, helpers): ...\n",
    )
    done = project.viva("validate")
    assert done.code == 2
    assert "viva.yaml:3: plugins: no such file: gone.py" in done.err
    assert "broken.py:1: broken.py cannot be imported: ModuleNotFoundError" in done.err
    assert "plug-in 'contains' (viva.assertions) of taken.py has the name of the built-in assertion type" in done.err
    assert "Traceback" not in done.err


def test_viva_plugins_lists_those_that_work_beside_a_broken_file(project: VivaProject):
    shutil.copy(PLUGIN_DIST / "viva_dummy" / "polite.py", project.root / "polite.py")
    project.write("viva.yaml", "plugins: [polite.py, gone.py]\n")
    done = project.viva("plugins")
    assert done.code == 2
    assert "polite  (polite.py)  ok" in done.out
    assert "viva.yaml:1: plugins: no such file: gone.py" in done.err


BROKEN = """\
from msgspec import Struct
from vivavoce.plugins import ReportFormat, TargetKind, assertion, executor, report, target
from vivavoce.protocols import AgentCard

class Agent:
    card = AgentCard(id="x", kind="lost", description="")
    def __init__(self, spec, surroundings): ...
    async def open(self, context): return self
    async def send(self, line, transcript): raise ValueError("from send")
    async def close(self): ...

target(TargetKind(name="lost", target=Agent))

def write(run, out): raise ValueError("from write")

report(ReportFormat(name="csv", suffixes=(".csv",), write=write))

@assertion("leaving")
class Leaving(Struct, frozen=True):
    async def check(self, evidence, helpers): raise SystemExit(0)

@executor("odd")
class Odd:
    def __init__(self, parallel, address, setup): ...
    async def run(self, jobs, work, done): raise ValueError("from run")
"""


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (
            ["-n", "lost:x"],
            1,
            "plug-in 'lost' (viva.targets) of odd.py does not work: ValueError: from send (odd.py:9)",
        ),
        (
            ["-o", "r.csv"],
            3,
            "plug-in 'csv' (viva.reports) of odd.py does not work: ValueError: from write (odd.py:14)",
        ),
        (["-r", "report.csv"], 3, "from write (odd.py:14) (the results are in "),
        (["--executor", "odd"], 3, "plug-in 'odd' (viva.executors) of odd.py does not work: ValueError: from run"),
        (["-k", "leaving"], 1, "SystemExit: 0 (odd.py:20)"),
    ],
)
def test_a_plugin_that_breaks_during_the_run_is_named(project: VivaProject, arguments: list[str], code: int, said: str):
    project.write("odd.py", BROKEN)
    with (project.root / "viva.yaml").open("a") as config:
        config.write("plugins: [odd.py]\n")
    project.cases({"id": "A", "input": "x"}, {"id": "leaving", "input": "x", "assert": {"type": "leaving"}})
    selected = [] if "-k" in arguments else ["-k", "A"]
    done = project.viva("test", "cases.jsonl", *selected, *arguments)
    assert done.code == code, done.text
    assert said in done.text
    assert "viva broke" not in done.text


def test_plugins_of_the_project_are_known_to_pytest_and_to_check(project: VivaProject):
    for name in FILES:
        shutil.copy(PLUGIN_DIST / "viva_dummy" / name, project.root / name)
    project.write("viva.yaml", f"{CONFIG}agent: parrot\nplugins: [{', '.join(FILES)}]\n")
    project.write(
        "polite.viva.yaml", "id: polite\nturns:\n  - input: please\n    assert: {type: polite, word: PLEASE}\n"
    )
    project.write(
        "test_it.py",
        "from vivavoce import check\n\ndef test_it(viva):\n    check.polite(viva.sync.say('please'), 'PLEASE')\n",
    )
    argv = [*PYTEST, "-q", "-p", "no:cacheprovider", "polite.viva.yaml", "test_it.py"]
    done = subprocess.run(argv, cwd=project.root, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout
