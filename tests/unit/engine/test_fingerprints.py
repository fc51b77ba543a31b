"""The fingerprint of a judge changes with whatever decides its answers, and holds no secret."""

from pathlib import Path

from vivavoce.engine.wiring import RunResources, RunSettings
from vivavoce.project.project import Project
from vivavoce.project.settings import Config


def fingerprint(root: Path, **settings: str) -> str:
    resources = RunResources(Project(root=root, config=Config()), RunSettings(**settings))
    assert resources.helpers.fingerprint is not None
    return resources.helpers.fingerprint("agents:judge")


def package(root: Path, prompt: str) -> Path:
    folder = root / "assistants" / "judge"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.yao").write_text('{"name": "judge", "connector": "model"}')
    (folder / "prompts.yml").write_text(f"- role: system\n  content: {prompt}\n")
    return root


def test_the_same_judge_has_the_same_one_wherever_the_project_lies(tmp_path):
    here, there = package(tmp_path / "here", "be strict"), package(tmp_path / "there", "be strict")
    assert fingerprint(here) == fingerprint(here) == fingerprint(there)


def test_its_prompt_its_connector_and_the_flag_count(tmp_path):
    before = fingerprint(package(tmp_path, "be strict"))
    assert fingerprint(tmp_path, connector="other") != before
    assert fingerprint(package(tmp_path, "be kind")) != before
    (tmp_path / "connectors").mkdir()
    (tmp_path / "connectors" / "model.yao").write_text('{"type": "openai", "options": {"model": "new"}}')
    assert fingerprint(package(tmp_path, "be strict")) != before


def test_an_unknown_agent_has_one_too(tmp_path):
    assert fingerprint(tmp_path)
