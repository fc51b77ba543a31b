"""The conformance checks about connectors, packages, prompts and where agents lie."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.surroundings import surroundings_at, write_files

from vivavoce.calling.connections import SUFFIXES, connect, read_connector
from vivavoce.connectors.openai import OpenAiConnector, completions_url
from vivavoce.errors import UsageError
from vivavoce.model.case import Origin
from vivavoce.project.files import yao_files
from vivavoce.project.packages import nearest_package, package_dir, package_id
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.targets.agent_package.loader import load_package
from vivavoce.targets.agent_package.prompts import checked_prompt, filled
from vivavoce.targets.call_payload import Context

CHECKS = json.loads((Path(__file__).parent / "checks.json").read_text())["checks"]


def checks(group: str) -> Any:
    found = [pytest.param(check, id=check["id"]) for check in CHECKS if check["group"] == group]
    assert found, f"no checks of group {group}"
    return pytest.mark.parametrize("check", found)


@checks("connector.id")
def test_connector_ids(check, tmp_path):
    write_files(tmp_path, {check["path"]: "{}"})
    assert list(yao_files(tmp_path / "connectors", SUFFIXES)) == [check["connector_id"]]


@checks("connector.load")
async def test_connector_files(check, tmp_path, monkeypatch):
    for name, value in check["env"].items():
        monkeypatch.setenv(name, value)
    write_files(tmp_path, {"connectors/x.conn.yao": check["text"]})
    async with surroundings_at(tmp_path) as around:
        entry = read_connector("x", tmp_path / "connectors" / "x.conn.yao")
        if "error_contains" in check:
            with pytest.raises(UsageError, match=check["error_contains"]):
                connect(entry, around, {})
            return
        live = connect(entry, around, {}).connector
        wanted = check["parsed"]
        assert entry.type == wanted["type"]
        assert (entry.options["model"], entry.options["key"]) == (wanted["model"], wanted["key"])
        assert isinstance(live, OpenAiConnector)
        assert live.url.startswith(wanted["host"])


@checks("connector.url")
def test_connector_urls(check):
    assert completions_url(check["host"]) == check["url"]


@checks("package.load")
def test_package_files(check, tmp_path):
    write_files(tmp_path, {"package.yao": check["text"]})
    project = Project(root=tmp_path)
    if "error_contains" in check:
        with pytest.raises(UsageError, match=check["error_contains"]):
            load_package(tmp_path, project)
        return
    package = load_package(tmp_path, project)
    assert {name: getattr(package, name) for name in check["parsed"]} == check["parsed"]


@checks("prompts")
def test_prompts(check, monkeypatch):
    for name, value in check.get("env", {}).items():
        monkeypatch.setenv(name, value)
    prompts = [checked_prompt(prompt, Origin("prompts.yml")) for prompt in check["prompts"]]
    made = [
        {"role": prompt.role, "content": filled(prompt, Context(check["ctx"]), Secrets(), {})} for prompt in prompts
    ]
    assert made == check["parsed"]


@checks("agent.id_to_dir")
def test_the_folder_of_an_id(check, tmp_path):
    folder = package_dir(check["agent_id"], Project(root=tmp_path))
    assert folder.relative_to(tmp_path).as_posix() == check["dir"]


@checks("agent.resolve")
def test_the_agent_of_an_input(check, tmp_path):
    write_files(tmp_path, {path.lstrip("/"): '{"name": "K"}' for path in check["tree"]})
    start = tmp_path / (check.get("from") or check["cwd"]).lstrip("/")
    os.makedirs(start.parent if "from" in check else start, exist_ok=True)
    found = nearest_package(start)
    assert found == tmp_path / check["agent_dir"].lstrip("/")
    assert package_id(found, Project(root=tmp_path / "app")) == check["agent_id"]
