"""The page of every framework does what it says, in the virtualenv of that framework."""

import os
from pathlib import Path

import pytest
from tests.docs.pages import Command, File, steps_of
from tests.live.viva_in import interpreter, viva_in

from vivavoce.targets.frameworks.known import FRAMEWORKS

pytestmark = pytest.mark.timeout(900)

PAGES = Path(__file__).parents[2] / "docs" / "frameworks"


@pytest.mark.parametrize("name", [each.name for each in FRAMEWORKS])
def test_the_page_does_what_it_says(name: str, tmp_path: Path):
    python = interpreter(name, everything=os.environ.get("VIVA_LIVE") == "all")
    ran = 0
    for step in steps_of(PAGES / f"{name}.md"):
        if isinstance(step, File):
            place = tmp_path / step.name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(step.content)
        elif isinstance(step, Command):
            assert step.arguments[0] == "test"
            done = viva_in(python, tmp_path, *step.arguments[1:])
            assert done.code == step.exits, f"viva {' '.join(step.arguments)}\n{done.text}"
            ran += 1
    assert ran
