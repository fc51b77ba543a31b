"""Saving a conversation through the page's server: only as it was shown, only into the project."""

from pathlib import Path

import pytest
from tests.unit.viewer.conftest import PageClient
from tests.unit.viewer.test_talk_routes import started, talked

pytestmark = pytest.mark.process


async def test_what_was_shown_is_written(page: PageClient, project_root: Path):
    talk = await talked(page, "hello")
    status, draft = await page.post(f"api/talks/{talk}/draft", {"name": "A greeting"})
    assert (status, draft["file"], draft["problem"]) == (200, "tests/a-greeting.yaml", "")
    assert not (project_root / "tests").exists()
    wish = {"name": "A greeting", "file": draft["file"], "shown": draft["digest"]}
    saved = await page.post(f"api/talks/{talk}/save", wish)
    assert saved == (201, {"file": "tests/a-greeting.yaml", "command": "viva test -i tests/a-greeting.yaml"})
    assert (project_root / "tests" / "a-greeting.yaml").read_text() == draft["text"]
    # Not a second time: the file exists.
    assert (await page.post(f"api/talks/{talk}/save", wish))[0] == 409


@pytest.mark.parametrize("other", [{"shown": ""}, {"shown": "0" * 64}, {"chosen": []}, {"name": "B"}], ids=str)
async def test_what_was_not_shown_is_not_written(page: PageClient, project_root: Path, other: dict[str, object]):
    talk = await talked(page, "hello")
    _, draft = await page.post(f"api/talks/{talk}/draft", {"name": "A"})
    wish = {"name": "A", "file": draft["file"], "shown": draft["digest"], **other}
    status, why = await page.post(f"api/talks/{talk}/save", wish)
    assert (status, "not the case that was shown" in why) == (409, True)
    assert not (project_root / "tests").exists()


@pytest.mark.parametrize(
    "file", ["../a.yaml", "/tmp/viva-talk.yaml", "link/a.yaml", ".git/a.yaml", "agents.py", "a\0.yaml", "x" * 5000]
)
async def test_no_other_place_is_drafted_for(page: PageClient, project_root: Path, file: str):
    (project_root / "link").symlink_to(project_root.parent)
    talk = await talked(page, "hello")
    for path in ("draft", "save"):
        assert (await page.post(f"api/talks/{talk}/{path}", {"name": "A", "file": file}))[0] == 409


async def test_a_conversation_without_a_word_cannot_be_saved(page: PageClient):
    talk = await started(page)
    assert await page.post(f"api/talks/{talk}/draft", {"name": "A"}) == (409, "nothing was said yet\n")


@pytest.mark.parametrize("name", ["", "  ", "x" * 201])
async def test_a_test_needs_a_name(page: PageClient, name: str):
    talk = await talked(page, "hello")
    assert (await page.post(f"api/talks/{talk}/draft", {"name": name}))[0] == 409
