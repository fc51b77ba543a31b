"""Every example of the documentation works as it is printed."""

import os
import re
from pathlib import Path

import pytest
from tests.cli.conftest import VIVA, VivaProject
from tests.docs.pages import Command, File, steps_of

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]
ACTIVATED = os.pathsep.join([str(VIVA.parent), os.environ["PATH"]])
"""`python3` is the one that viva is installed in, as in a reader's virtualenv."""
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_page_does_what_it_says(page: Path, tmp_path: Path):
    steps = list(steps_of(page))
    project = VivaProject(tmp_path)
    (tmp_path / "viva.yaml").unlink()
    (tmp_path / "agent.py").unlink()
    for step in steps:
        if isinstance(step, File):
            project.write(step.name, step.content)
        elif isinstance(step, Command):
            done = project.viva(*step.arguments, PATH=ACTIVATED)
            assert done.code == step.exits, f"viva {' '.join(step.arguments)}\n{done.text}"


@pytest.mark.parametrize("page", [*PAGES, *sorted((ROOT / "docs").glob("*/*.md"))], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path):
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text()):
        if not target.startswith(("http:", "https:", "mailto:")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_reading_order_names_every_page():
    named = set(re.findall(r"\]\(([^)#]+\.md)", (ROOT / "docs" / "README.md").read_text()))
    pages = {str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")}
    assert pages - named == {"README.md"}


def test_the_readme_shows_the_real_output(tmp_path: Path):
    """The lines printed in the README are those viva prints, apart from times."""
    project = VivaProject(tmp_path)
    page = ROOT / "README.md"
    steps = list(steps_of(page))
    for step in steps:
        if isinstance(step, File) and step.name != "viva.yaml":
            project.write(step.name, step.content)
    (tmp_path / "viva.yaml").unlink()
    first = next(step for step in steps if isinstance(step, Command))
    real = _timeless(project.viva(*first.arguments).out)
    printed = re.findall(r"^```text\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
    assert len(printed) == 2
    for block in _timeless("\n".join(printed)).strip().split("\n\n"):
        assert block in real


SHOWN = ("rejudging", "coverage", "mutants", "shrinking", "fuzzing", "judges")


@pytest.mark.parametrize("name", SHOWN)
def test_the_page_shows_the_real_output(name: str, tmp_path: Path):
    """The lines of its `text` blocks are printed by its commands, in this order; `…` stands for others between them."""
    page = ROOT / "docs" / f"{name}.md"
    project = VivaProject(tmp_path)
    (tmp_path / "viva.yaml").unlink()
    (tmp_path / "agent.py").unlink()
    real: list[str] = []
    for step in steps_of(page):
        if isinstance(step, File):
            project.write(step.name, step.content)
        else:
            done = project.viva(*step.arguments, PATH=ACTIVATED, COLUMNS="140")
            real += [line.rstrip() for line in _timeless(done.out).splitlines()]
    blocks = re.findall(r"^```text\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
    assert blocks
    if labels := re.findall(r"^```yaml\ntype: labels\nlabels:\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE):
        assert labels[0] in (tmp_path / "labels.yaml").read_text()
    for block in blocks:
        rest = iter(real)
        for line in _timeless(block).splitlines():
            assert line.strip() in ("", "…") or line in rest, f"{name}.md prints {line!r}"


def _timeless(text: str) -> str:
    return re.sub(r"\(\d+(\.\d+)?m?s\)", "(time)", text)
