"""What is sent to other machines, and which agents may be asked twice."""

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from tests.fakes.distributions import PLUGIN_DIST
from tests.fakes.examining import case_of

from vivavoce.configuration.config_check import checked_config
from vivavoce.containment.working_folder import here
from vivavoce.engine.wiring import RunResources, RunSettings
from vivavoce.engine.worker_setup import BlueprintSetup, named_environment, open_worker, shared_out
from vivavoce.errors import UsageError
from vivavoce.executors.packing import unpacked
from vivavoce.model.case import AssertionSpec
from vivavoce.model.result import Attempt, Status
from vivavoce.project.project import Project
from vivavoce.project.run_options import AttemptOptions
from vivavoce.project.settings import Config
from vivavoce.protocols import Job

AGENTS = {
    "function": {"python": "agent.py:echo"},
    "model": {"openai": "http://127.0.0.1:1/v1", "model": "m"},
    "app": {"agui": "http://127.0.0.1:1/agui"},
    "command": {"cmd": ["true"]},
}


def config_of(root: Path, value: dict[str, Any]) -> Config:
    return checked_config(value, "viva.yaml", lambda steps: 0, root)


def project_of(root: Path, **config: Any) -> Project:
    (root / "agent.py").write_text("def echo(messages): return 'hi'")
    return Project(root=root, config=config_of(root, {"agents": AGENTS, **config}))


def setup_of(root: Path, settings: RunSettings | None = None, **config: Any) -> BlueprintSetup:
    return BlueprintSetup(RunResources(project_of(root, **config), settings or RunSettings()))


def job_for(agent: str, **fields: Any) -> Job:
    return Job(case=case_of(input="hi", agent=agent, **fields), index=1)


@pytest.mark.parametrize(("agent", "may"), [("function", True), ("model", True), ("app", False), ("command", False)])
def test_only_an_agent_that_changes_nothing_is_asked_again(tmp_path: Path, agent: str, may: bool):
    assert setup_of(tmp_path).may_repeat(job_for(agent)) is may


def test_hooks_are_not_run_again(tmp_path: Path):
    assert not setup_of(tmp_path).may_repeat(job_for("function", before="setup"))


@pytest.mark.parametrize("agent", ["app", "command"])
def test_with_retries_everything_may_be_repeated(tmp_path: Path, agent: str):
    assert setup_of(tmp_path, RunSettings(options=AttemptOptions(retries=1))).may_repeat(job_for(agent))


def test_workers_together_keep_to_the_limits(tmp_path: Path):
    config = config_of(
        tmp_path,
        {
            "agents": {"a": {"python": "m:f", "max_parallel": 9, "rate": "10/s"}, "b": {"python": "m:f"}},
            "connectors": {"c": {"type": "openai", "max_parallel": 2, "rate": "60/m"}},
        },
    )
    part = shared_out(config, 4)
    assert part.agents["a"].max_parallel == 2
    assert part.agents["a"].rate == "9000.000000/h"
    assert part.agents["b"] == config.agents["b"]
    assert part.connectors["c"].rate == "900.000000/h"


def test_there_are_never_more_workers_than_the_smallest_limit(tmp_path: Path):
    limits = {"connectors": {"c": {"type": "openai", "max_parallel": 3}, "d": {"type": "openai", "max_parallel": 5}}}
    assert setup_of(tmp_path, **limits).most == 3
    assert setup_of(tmp_path).most is None


def test_only_the_variables_that_the_project_names_travel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("IN_CONFIG", "IN_CONNECTOR", "IN_DOT_ENV", "UNNAMED"):
        monkeypatch.setenv(name, f"value of {name}")
    (tmp_path / "connectors").mkdir()
    (tmp_path / "connectors" / "m.conn.yao").write_text('{"options": {"key": "$ENV.IN_CONNECTOR"}}')
    (tmp_path / ".env").write_text("IN_DOT_ENV=overridden by the environment\nNEVER_SET\n")
    project = project_of(tmp_path, variables={"key": "${ENV.IN_CONFIG}", "other": "${ENV.NOT_SET:-x}"})
    assert named_environment(project) == {
        "IN_CONFIG": "value of IN_CONFIG",
        "IN_CONNECTOR": "value of IN_CONNECTOR",
        "IN_DOT_ENV": "value of IN_DOT_ENV",
    }


def test_what_is_sent_can_be_pickled_and_knows_the_variables_of_the_hook(tmp_path: Path):
    resources = RunResources(project_of(tmp_path), RunSettings(agent="function"))
    resources.variables["from_hook"] = "1"
    resources.secrets.add("a secret value")
    (blueprint,) = pickle.loads(pickle.dumps(BlueprintSetup(resources).opener(1))).args
    assert blueprint.settings == resources.settings
    assert blueprint.variables["from_hook"] == "1"
    assert blueprint.secrets.mask("a secret value") == "***"
    assert blueprint.folder == Path.cwd()


WORKER = """
import asyncio, pickle, sys
from vivavoce.executors.packing import packed

async def main():
    opener, job = pickle.load(sys.stdin.buffer)
    async with opener() as work:
        print("not a word of this may get lost", flush=True)
        attempt = await work(job)
    sys.stdout.buffer.write(packed(attempt))

asyncio.run(main())
"""


def test_another_process_examines_as_this_one_would(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    project = project_of(tmp_path)
    (tmp_path / "agent.py").write_text(
        "import os\n"
        "def echo(messages):\n"
        "    print('printed:', messages[-1]['content'])\n"
        "    return os.getcwd() + ' ' + messages[-1]['content']\n"
    )
    monkeypatch.chdir(tmp_path)
    resources = RunResources(project, RunSettings(agent="function"))
    resources.variables["greeting"] = "hello"
    resources.secrets.add("known-only-here")
    opener = BlueprintSetup(resources).opener(1)
    job = Job(case=case_of(input="${greeting} known-only-here"), index=1, run=2)

    worker = subprocess.run(
        [sys.executable, "-c", WORKER], input=pickle.dumps((opener, job)), cwd="/", capture_output=True, check=True
    )

    said, _, data = worker.stdout.partition(b"\n")
    attempt = unpacked(data, Attempt)
    assert said == b"not a word of this may get lost"
    assert attempt.status is Status.PASSED
    assert attempt.run == 2
    assert attempt.output == f"{tmp_path} hello ***"
    assert attempt.transcript.turns[0].reply.logs == "printed: hello ***\n"


def test_another_process_knows_the_plugins_of_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    shutil.copy(PLUGIN_DIST / "viva_dummy" / "polite.py", tmp_path / "polite_here.py")
    project = project_of(tmp_path, plugins=["polite_here.py"])
    monkeypatch.chdir(tmp_path)
    opener = BlueprintSetup(RunResources(project, RunSettings(agent="function"))).opener(1)
    check = AssertionSpec(type="polite", fields={"word": "hi"})
    job = Job(case=structs.replace(case_of(input="x"), assertions=(check,)), index=1)

    worker = subprocess.run(
        [sys.executable, "-c", WORKER], input=pickle.dumps((opener, job)), cwd="/", capture_output=True, check=True
    )

    assert unpacked(worker.stdout.partition(b"\n")[2], Attempt).status is Status.PASSED


async def test_a_worker_stays_where_it_is_when_an_agent_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    opener = BlueprintSetup(RunResources(project_of(tmp_path), RunSettings())).opener(1)
    async with opener():
        os.chdir("/")
        assert here() == tmp_path
    assert Path.cwd() == tmp_path


async def test_a_machine_without_the_project_says_which_folder_it_lacks(tmp_path: Path):
    resources = RunResources(project_of(tmp_path), RunSettings())
    opener = BlueprintSetup(resources).opener(1)
    (blueprint,) = opener.args  # type: ignore[attr-defined]
    gone = structs.replace(blueprint, folder=tmp_path / "gone")
    before = os.getcwd()
    with pytest.raises(UsageError, match=r"has no folder .*gone .*same path on every machine"):
        async with open_worker(gone):
            pass
    assert os.getcwd() == before
