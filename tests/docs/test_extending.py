"""The plug-ins of docs/extending.md also work as an installed package, and the names called stable exist."""

import re
import shutil
from importlib import import_module
from pathlib import Path

import pytest
from tests.cli.conftest import VivaProject
from tests.docs.pages import File, steps_of
from tests.fakes.distributions import install_source

PAGE = Path(__file__).parents[2] / "docs" / "extending.md"


@pytest.mark.process
def test_the_package_of_the_page_works_without_plugins_in_viva_yaml(tmp_path: Path):
    source, site = tmp_path / "source", tmp_path / "site"
    project = VivaProject(tmp_path / "project")
    for step in steps_of(PAGE):
        if isinstance(step, File):
            project.write(step.name, step.content)
    shutil.move(project.root / "viva_extras", source / "viva_extras")
    shutil.copy(project.root / "extras" / "pyproject.toml", source)
    (source / "viva_extras" / "__init__.py").touch()
    install_source(source, site)
    config = (project.root / "viva.yaml").read_text()
    project.write("viva.yaml", config[config.index("agent: ") :])
    done = project.viva("test", "cases.jsonl", "-o", "r.csv", "--executor", "one_by_one", PYTHONPATH=str(site))
    assert done.code == 0, done.text
    assert (project.root / "r.csv").read_text().splitlines() == ["id,status,runs", "asks-nicely,passed,1"]
    assert project.viva("test", "cases.jsonl", "-n", "helper", PYTHONPATH=str(site)).code == 0


@pytest.mark.parametrize(
    ("module", "names"), re.findall(r"^\| `(vivavoce\.[\w.]+)` \| (.*) \|$", PAGE.read_text(), re.MULTILINE)
)
def test_every_stable_name_exists(module: str, names: str):
    assert [name for name in re.findall(r"`(\w+)`", names) if not hasattr(import_module(module), name)] == []
