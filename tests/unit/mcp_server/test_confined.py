"""What a coding agent may name."""

from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.mcp_server.confined import agent_name, project_path, recorded_run


@pytest.mark.parametrize("path", ["tests", "tests/a.jsonl", "tests/a.jsonl::T1", "a.jsonl:12", "a/../b"])
def test_paths_of_the_project_are_taken_as_they_are(path: str, tmp_path: Path):
    assert project_path(path, tmp_path) == path


@pytest.mark.parametrize("path", ["../a.jsonl", "/etc/passwd", "tests/../../a.jsonl::T1", "a\0b", "../*.jsonl"])
def test_paths_that_lead_out_are_refused(path: str, tmp_path: Path):
    with pytest.raises(UsageError, match="outside the project"):
        project_path(path, tmp_path)


def test_a_link_that_leads_out_is_refused(tmp_path: Path):
    root = tmp_path / "project"
    root.mkdir()
    (tmp_path / "secret.jsonl").touch()
    (root / "link.jsonl").symlink_to(tmp_path / "secret.jsonl")
    with pytest.raises(UsageError, match="outside the project"):
        project_path("link.jsonl", root)


@pytest.mark.parametrize("text", ["-", "", " ", "scripts:make", "scripts.a.b", "agents:x?count=3"])
def test_what_is_no_path_is_refused(text: str, tmp_path: Path):
    with pytest.raises(UsageError, match="not a path"):
        project_path(text, tmp_path)


@pytest.mark.parametrize("run", ["last", "last~3", "3f2a90c1b7de", "out/results.jsonl", "last::tests/a.jsonl::T1"])
def test_runs_are_named_as_everywhere(run: str, tmp_path: Path):
    assert recorded_run(run, tmp_path) == run


def test_a_result_file_outside_is_refused(tmp_path: Path):
    with pytest.raises(UsageError, match="outside the project"):
        recorded_run("/tmp/results.jsonl::T1", tmp_path / "project")


def test_agents_are_named_and_never_referred_to():
    assert agent_name("workers.system.keyword") == "workers.system.keyword"
    for reference in ("python:os:system", "./agent.py", "--config=x", "cmd:rm"):
        with pytest.raises(UsageError, match="not the name of an agent"):
            agent_name(reference)
