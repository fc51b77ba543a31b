"""viva in the user's own virtual environment, with the user's own installed package, from any working directory."""

import os
import site
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import vivavoce

AGENT = """
from theirpkg.prices import price

def reply(text):
    return f"That is {price(text)} euros."

async def judge(output):
    return "euros" in output

def strict_judge(output):
    return output.endswith("euros.")
"""
CASE = """
{"id": "price", "input": "tea", "assert": [
  {"type": "contains", "value": "3 euros"},
  {"type": "script", "script": "theirpkg.agent:judge"},
  {"type": "script", "script": "theirpkg.agent:strict_judge"}
]}
"""


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """A second virtual environment: viva in it, and a package of the user's; returns its `viva`."""
    home = tmp_path / "environment"
    venv.create(home, with_pip=False, symlinks=True)
    (packages,) = (home / "lib").glob("python*/site-packages")
    # As installed there: viva and what it needs, found through path files.
    source = Path(vivavoce.__file__).parents[1]
    (packages / "viva.pth").write_text("\n".join([str(source), *site.getsitepackages()]) + "\n")
    (packages / "theirpkg").mkdir()
    (packages / "theirpkg" / "__init__.py").touch()
    (packages / "theirpkg" / "prices.py").write_text("def price(name):\n    return {'tea': 3}[name]\n")
    (packages / "theirpkg" / "agent.py").write_text(AGENT)
    command = home / "bin" / "viva"
    command.write_text(f"#!{home}/bin/python\nfrom vivavoce.cli.entry import main\nmain()\n")
    command.chmod(0o755)
    return command


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "tests" / "deep").mkdir(parents=True)
    (root / "viva.yaml").write_text("tests: tests\nagent: shop\nagents: {shop: {python: theirpkg.agent:reply}}\n")
    (root / "tests" / "cases.jsonl").write_text(CASE)
    return root


def viva(command: Path, *arguments: str, cwd: Path, **env: str) -> str:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("VIVA_", "PYTHONPATH", "VIRTUAL_ENV"))}
    done = subprocess.run(
        [str(command), *arguments], cwd=cwd, capture_output=True, text=True, timeout=200, env={**kept, **env}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_users_package_is_found_from_any_directory(environment: Path, project: Path, tmp_path: Path):
    assert "Passed: 1" in viva(environment, "test", cwd=project)
    assert "Passed: 1" in viva(environment, "test", cwd=project / "tests" / "deep")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert "Passed: 1" in viva(environment, "test", "--config", str(project / "viva.yaml"), cwd=elsewhere)
    by_reference = ("test", "-i", str(project / "tests" / "cases.jsonl"), "-n", "python:theirpkg.agent:reply")
    assert "Passed: 1" in viva(environment, *by_reference, cwd=elsewhere)


def test_a_folder_on_the_python_path_is_as_good(project: Path, tmp_path: Path):
    """What `pip install --target` makes."""
    target = tmp_path / "target"
    (target / "theirpkg").mkdir(parents=True)
    (target / "theirpkg" / "prices.py").write_text("def price(name):\n    return {'tea': 3}[name]\n")
    (target / "theirpkg" / "agent.py").write_text(AGENT)
    command = Path(sys.executable).parent / "viva"
    out = viva(command, "test", "--config", str(project / "viva.yaml"), cwd=tmp_path, PYTHONPATH=str(target))
    assert "Passed: 1" in out


def test_a_module_of_the_working_directory_does_not_stand_before_the_installed_one(
    environment: Path, project: Path, tmp_path: Path
):
    """Somebody else's folder of the same name must not become the agent."""
    stranger = tmp_path / "stranger"
    (stranger / "theirpkg").mkdir(parents=True)
    (stranger / "theirpkg" / "agent.py").write_text("def reply(text):\n    return 'wrong one'\n")
    assert "Passed: 1" in viva(environment, "test", "--config", str(project / "viva.yaml"), cwd=stranger)
