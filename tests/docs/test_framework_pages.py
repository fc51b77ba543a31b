"""Every framework has a page, named in the page of agents; its blocks run in tests/live/test_framework_docs.py."""

from pathlib import Path

import pytest
from tests.docs.pages import Command, File, steps_of

from vivavoce.cli.commands.init import EXAMPLES, KINDS
from vivavoce.targets.frameworks.known import FRAMEWORKS

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("framework", FRAMEWORKS, ids=lambda each: each.name)
def test_every_framework_has_a_page_that_can_be_run(framework):
    steps = list(steps_of(DOCS / "frameworks" / f"{framework.name}.md"))
    assert [step for step in steps if isinstance(step, Command)]
    assert f"(frameworks/{framework.name}.md)" in (DOCS / "agents.md").read_text()


def test_no_page_is_without_a_framework():
    assert {page.stem for page in (DOCS / "frameworks").glob("*.md")} == {each.name for each in FRAMEWORKS}


@pytest.mark.parametrize("name", sorted(KINDS.keys() & {each.name for each in FRAMEWORKS}))
def test_what_init_writes_is_the_project_of_the_page(name: str):
    root = EXAMPLES / KINDS[name].folder
    files = [step for step in steps_of(DOCS / "frameworks" / f"{name}.md") if isinstance(step, File)]
    assert {file.name: file.content for file in files} == {file.name: (root / file.name).read_text() for file in files}
