"""`viva init`: the projects it writes run as they are."""

import importlib.util
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import VIVA, VivaProject

import vivavoce
from vivavoce.cli.commands.init import KINDS, OTHER_NAMES
from vivavoce.configuration.project_finder import read_config

EXAMPLES_OF_VIVA = Path(vivavoce.__file__).parent / "examples"


def test_the_steps_that_init_names_work_as_they_stand(project: VivaProject) -> None:
    done = project.viva("init", "my shop", "--example", "shop")
    steps = [line.strip() for line in done.out.rpartition("Next:")[2].splitlines() if line.strip()]
    assert steps == ["cd 'my shop'", f"{VIVA} test"]
    ran = subprocess.run(
        ["sh", "-c", "\n".join([steps[0], f"{VIVA} list"])], cwd=project.root, capture_output=True, text=True
    )
    assert "tests/checkout.yaml" in ran.stdout


@pytest.mark.process
@pytest.mark.parametrize("example", ["python", "pydantic-ai", "langgraph", "package"])
def test_an_example_passes_right_after_init(project: VivaProject, example: str) -> None:
    """Those whose framework is not installed here run in the live tests: their pages are the same."""
    (project.root / "viva.yaml").unlink()
    assert project.viva("init", "--example", example, "--force").code == 0
    done = project.viva("test")
    assert done.code == 0, done.text


@pytest.mark.process
@pytest.mark.parametrize(("example", "port"), [("openai", "MODEL_PORT"), ("shop", "SHOP_PORT")])
def test_the_example_of_a_server_starts_it(project: VivaProject, example: str, port: str) -> None:
    """Also where the shell's `python3` is not the one viva is installed in: an environment not activated, pipx."""
    (project.root / "viva.yaml").unlink()
    assert project.viva("init", "--example", example, "--force").code == 0
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = probe.getsockname()[1]
    bare = project.write("bin/python3", f'#!/bin/sh\nexec "{sys.executable}" -I -S "$@"\n')
    bare.chmod(0o755)
    found_first = os.pathsep.join([str(bare.parent), os.environ["PATH"]])
    done = project.viva("test", PATH=found_first, **{port: str(free)})
    assert done.code == 0, done.text
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", free)) != 0, "the server is still there"


@pytest.mark.parametrize("example", KINDS)
def test_no_example_leaves_result_files_among_its_tests(project: VivaProject, example: str) -> None:
    project.viva("init", "new", "--example", example)
    assert read_config(project.root / "new" / "viva.yaml").run.output == ".viva/results/"


def test_init_without_an_example_lists_the_others(project: VivaProject) -> None:
    told = project.viva("init", "new").out
    listed = told.partition("`--example NAME` writes another:\n\n")[2].splitlines()
    assert [line.split()[0] for line in listed] == [name for name in KINDS if name != "package"]
    assert "--example" not in project.viva("init", "newer", "--example", "python").out


def test_init_names_what_is_to_be_installed(project: VivaProject) -> None:
    done = project.viva("init", "there", "--example", "openai-agents")
    installed = importlib.util.find_spec("agents") is not None
    assert ("pip install openai-agents" in done.out) is not installed


def test_every_test_that_init_writes_names_a_schema_that_is_there(project: VivaProject) -> None:
    for example in (*KINDS, *OTHER_NAMES):
        project.viva("init", example, "--example", example)
        written = [*(project.root / example).glob("**/tests/*.y*ml"), project.root / example / "viva.yaml"]
        assert written[-1].is_file()
        for path in written:
            told = re.match(r"# yaml-language-server: \$schema=(\S+)\n", path.read_text())
            assert told is not None, path
            assert (path.parent / told[1]).is_file()


def test_init_keeps_results_out_of_git_and_what_was_ignored_too(project: VivaProject) -> None:
    project.write(".gitignore", "node_modules/\n.viva/")
    (project.root / "viva.yaml").unlink()
    assert project.viva("init").code == 0
    assert (project.root / ".gitignore").read_text() == "node_modules/\n.viva/\noutput-*.jsonl\n"
    project.viva("init", "other")
    assert (project.root / "other/.gitignore").read_text() == "output-*.jsonl\n.viva/\n"


def test_agents_lists_the_tools_of_a_fresh_project(project: VivaProject):
    assert project.viva("init", "fresh").code == 0
    done = project.viva("agents", below="fresh")
    assert done.code == 0, done.text
    assert "tools: get_policy, create_expense" in done.out


@pytest.mark.parametrize("example", sorted(path.parent.name for path in EXAMPLES_OF_VIVA.glob("*/viva.yaml")))
def test_every_example_keeps_its_results_apart_from_the_tests(example: str) -> None:
    assert "  output: .viva/results/" in (EXAMPLES_OF_VIVA / example / "viva.yaml").read_text()
