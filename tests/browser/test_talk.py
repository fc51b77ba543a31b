"""Talk: conversations with real agents in a real browser, and what is kept of them."""

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import web
from tests.browser.conftest import OpenPage
from tests.browser.contrast import TEXT_WITH_LITTLE_CONTRAST
from tests.browser.waiting import becomes, held_back

from vivavoce.app.opening import open_project
from vivavoce.results.history.reading import History
from vivavoce.viewer.library import Library
from vivavoce.viewer.server import serving

SHOP = Path(__file__).parents[2] / "src" / "vivavoce" / "examples" / "shop"
AGENTS = """
import os, time

def kind(messages):
    said = messages[-1]["content"]
    if not isinstance(said, str):
        return f"I got {len(said)} parts, the last is a {said[-1]['type']}."
    if "break" in said:
        raise ValueError("no stock left")
    if "hang" in said:
        time.sleep(3600)
    if "die" in said:
        print("going down", flush=True)
        os._exit(7)
    call = {"name": "look_up", "args": {"what": said}, "result": {"found": True}}
    return {"content": f"You said {said}, I looked it up.", "tool_calls": [call]}

def other(messages):
    return "Somebody else speaking."
"""
CONFIG = """
tests: tests
agent: kind
agents:
  kind: {python: "agents:kind"}
  other: {python: "agents:other"}
run: {timeout: 60s}
"""


class TalkPage:
    """The page, used as a person uses it."""

    def __init__(self, page: Any) -> None:
        self.page = page

    async def start(self, agent: str | None = None) -> None:
        if agent is not None:
            await self.page.get_by_label("Agent to talk to").select_option(agent)
        await self.page.locator(".talk-controls button", has_text="Start").click()
        await self.ready()

    async def ready(self) -> None:
        await self.page.locator(".talk-line button:enabled", has_text="Send").wait_for()

    async def say(self, text: str, *, turns: int) -> Any:
        """Says it by keyboard; returns the turn once it is there."""
        box = self.page.get_by_label("Your message")
        await box.fill(text)
        await box.press("Enter")
        return await self.turn(turns)

    async def turn(self, number: int) -> Any:
        found = self.page.locator(".talk-turns > .turn").nth(number - 1)
        await found.wait_for()
        return found

    async def draft(self) -> None:
        await self.page.get_by_role("button", name="Save as test").click()
        await self.drafted()

    async def drafted(self) -> None:
        await self.page.locator(".talk-save button:enabled", has_text="Write the file").wait_for()

    async def write(self) -> None:
        await self.page.get_by_role("button", name="Write the file").click()
        await self.page.get_by_text("Written. Run it with").wait_for()


@asynccontextmanager
async def served(root: Path) -> AsyncIterator[str]:
    project = open_project(str(root / "viva.yaml"))
    async with serving(Library(History(root / "history.db")), project=project) as address:
        yield address


@pytest_asyncio.fixture(loop_scope="session")
async def talk(tmp_path: Path, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[TalkPage]:
    """Talk of a project with two Python agents."""
    (tmp_path / "viva.yaml").write_text(CONFIG)
    (tmp_path / "agents.py").write_text(AGENTS)
    monkeypatch.chdir(tmp_path)
    async with served(tmp_path) as address:
        yield TalkPage(await open_page(f"{address}talk"))


@asynccontextmanager
async def streaming_agent(go_on: asyncio.Event) -> AsyncIterator[str]:
    """An AG-UI app that says half a sentence, and the rest when it may go on."""

    async def answer(request: web.Request) -> web.StreamResponse:
        asked = await request.json()
        ids = {"threadId": asked["threadId"], "runId": asked["runId"]}
        stream = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await stream.prepare(request)

        async def tell(kind: str, **fields: object) -> None:
            await stream.write(f"data: {json.dumps({'type': kind, **fields})}\n\n".encode())

        await tell("RUN_STARTED", **ids)
        await tell("TOOL_CALL_START", toolCallId="1", toolCallName="look_up")
        await tell("TOOL_CALL_ARGS", toolCallId="1", delta='{"what": "a story"}')
        await tell("TOOL_CALL_END", toolCallId="1")
        await tell("TOOL_CALL_RESULT", messageId="m0", toolCallId="1", content='"found"', role="tool")
        await tell("TEXT_MESSAGE_START", messageId="m1", role="assistant")
        await tell("TEXT_MESSAGE_CONTENT", messageId="m1", delta="Once upon")
        await go_on.wait()
        await tell("TEXT_MESSAGE_CONTENT", messageId="m1", delta=" a time.")
        await tell("TEXT_MESSAGE_END", messageId="m1")
        await tell("RUN_FINISHED", **ids)
        return stream

    app = web.Application()
    app.router.add_post("/agui", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/agui"
    finally:
        go_on.set()
        await runner.cleanup()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def viva(*arguments: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-P", "-m", "vivavoce", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)


# ── the conversation ────────────────────────────────────────────────────────────────


async def test_a_talk_with_the_shop_becomes_a_test_that_passes(
    tmp_path: Path, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
):
    root = tmp_path / "shop"
    shutil.copytree(SHOP, root)
    monkeypatch.setenv("SHOP_PORT", str(free_port()))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(root)
    async with served(root) as address:
        talk = TalkPage(await open_page(f"{address}talk"))
        await talk.start()
        first = await talk.say("I want to checkout", turns=1)
        assert "validate_cart" in await first.inner_text()
        assert '{ "items": 2 }' in await first.inner_text()
        await talk.say("Express shipping, please", turns=2)
        asked = await talk.say("Let me pay", turns=3)
        assert "Stopped: Charge the card?" in await asked.inner_text()
        question = talk.page.get_by_role("group", name="Charge the card?")
        await question.get_by_role("button", name="Approve").press("Enter")
        paid = await talk.turn(4)
        assert "charge_card" in await paid.inner_text()
        assert "Your order is ORD-1001." in await paid.inner_text()
        await talk.draft()
        await talk.page.get_by_label("Name").fill("An approved payment")
        await becomes(
            lambda: talk.page.get_by_label("File", exact=True).input_value(), "tests/an-approved-payment.yaml"
        )
        await talk.drafted()
        assert "approved: true" in await talk.page.get_by_label("The case file").inner_text()
        assert not (root / "tests" / "an-approved-payment.yaml").exists()
        await talk.write()
        await talk.page.get_by_role("button", name="Close").click()
        await talk.page.get_by_role("button", name="End", exact=True).click()
        await talk.page.get_by_text("The conversation has ended.").wait_for()
    shown = (root / "tests" / "an-approved-payment.yaml").read_text()
    assert "name: charge_card" in shown
    done = viva("test", "-i", "tests/an-approved-payment.yaml", cwd=root)
    assert done.returncode == 0, done.stdout + done.stderr
    # It is a real test: without the approval nothing is charged, and it fails.
    refused = shown.replace("approved: true", "approved: false")
    (root / "tests" / "an-approved-payment.yaml").write_text(refused)
    assert viva("test", "-i", "tests/an-approved-payment.yaml", cwd=root).returncode == 1


async def test_what_the_agent_streams_is_shown_as_it_comes(
    tmp_path: Path, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
):
    go_on = asyncio.Event()
    async with streaming_agent(go_on) as url:
        (tmp_path / "viva.yaml").write_text(f"agents:\n  slow: {{agui: {url}}}\n")
        monkeypatch.chdir(tmp_path)
        async with served(tmp_path) as address:
            talk = TalkPage(await open_page(f"{address}talk"))
            await talk.start()
            await talk.page.get_by_label("Your message").fill("tell me")
            await talk.page.get_by_label("Your message").press("Enter")
            live = talk.page.get_by_role("region", name="Going on")
            await live.get_by_text("Once upon").wait_for()
            assert "look_up" in await live.inner_text()
            assert await talk.page.locator(".talk-turns > .turn").count() == 0
            assert await talk.page.locator(".talk-line button", has_text="Send").is_disabled()
            go_on.set()
            told = await talk.turn(1)
            assert "Once upon a time." in await told.inner_text()
            assert await live.count() == 0


async def test_an_agent_that_raises_is_shown_and_can_be_spoken_to_again(talk: TalkPage):
    await talk.start()
    failed = await talk.say("please break", turns=1)
    assert "no stock left" in await failed.inner_text()
    assert "It can be said again" in await failed.inner_text()
    await becomes(lambda: talk.page.get_by_label("Your message").input_value(), "please break")
    assert await talk.page.get_by_role("button", name="Save as test").count() == 0
    answered = await talk.say("hello", turns=2)
    assert "You said hello, I looked it up." in await answered.inner_text()
    assert await answered.get_attribute("aria-label") == "Turn 1"


async def test_an_agent_that_hangs_is_shown_as_such(talk: TalkPage, tmp_path: Path):
    (tmp_path / "viva.yaml").write_text(CONFIG.replace("60s", "1s"))
    await talk.start()
    failed = await talk.say("hang there", turns=1)
    assert "1s" in await failed.inner_text()
    assert "It can be said again" in await failed.inner_text()
    await talk.ready()


async def test_an_agent_that_dies_is_shown_with_its_last_words(talk: TalkPage):
    await talk.start()
    await talk.say("hello", turns=1)
    await talk.page.get_by_label("Your message").fill("die")
    await talk.page.get_by_label("Your message").press("Enter")
    await talk.page.get_by_text("the agent's process died: exit code 7").wait_for()
    await talk.page.get_by_text("What the agent printed").click()
    await talk.page.get_by_text("going down").wait_for()
    # What was said before can still be kept, and another conversation begun.
    await talk.draft()
    await talk.page.keyboard.press("Escape")
    await talk.start("other")
    answered = await talk.say("who are you", turns=1)
    assert "Somebody else speaking." in await answered.inner_text()


async def test_a_hanging_agent_can_be_ended_and_the_next_talk_runs_its_new_code(talk: TalkPage, tmp_path: Path):
    await talk.start()
    await talk.page.get_by_label("Your message").fill("hang")
    await talk.page.get_by_label("Your message").press("Enter")
    await talk.page.get_by_text("Answering …").wait_for()
    await talk.page.get_by_role("button", name="End", exact=True).click()
    await talk.page.get_by_text("The conversation has ended.").wait_for()
    (tmp_path / "agents.py").write_text(AGENTS.replace("I looked it up", "as I have just learned"))
    await talk.start()
    answered = await talk.say("hello", turns=1)
    assert "You said hello, as I have just learned." in await answered.inner_text()


async def test_a_reloaded_page_goes_on_with_its_conversation(talk: TalkPage):
    await talk.start()
    await talk.say("hello", turns=1)
    await talk.page.reload()
    await talk.turn(1)
    await talk.ready()
    await talk.say("again", turns=2)


async def test_the_next_agent_is_chosen_and_the_talk_before_is_a_step_back(talk: TalkPage):
    await talk.start("kind")
    await talk.page.get_by_label("Agent to talk to").select_option("other")
    await talk.say("hello", turns=1)
    await talk.page.get_by_role("button", name="Start again").click()
    await becomes(talk.page.locator(".talk-turns > .turn").count, 0)
    await talk.ready()
    answered = await talk.say("who are you", turns=1)
    assert "Somebody else speaking." in await answered.inner_text()
    await talk.page.go_back()
    await talk.page.get_by_text("The conversation has ended.").wait_for()
    assert "You said hello, I looked it up." in await (await talk.turn(1)).inner_text()
    await talk.draft()
    assert "agent: kind" in await talk.page.get_by_label("The case file").inner_text()


async def test_nothing_can_be_said_between_two_conversations(talk: TalkPage):
    await talk.start()
    may_end = await held_back(talk.page, "**/end")
    await talk.page.get_by_role("button", name="Start again").click()
    assert await talk.page.get_by_role("button", name="Send").is_disabled()
    box = talk.page.get_by_label("Your message")
    await box.fill("too early")
    await box.press("Enter")
    assert await box.input_value() == "too early", "the line waits for the next conversation"
    may_end.set()
    await talk.ready()
    await talk.say("hello", turns=1)


async def test_nobody_can_be_called_before_the_agents_are_known(talk: TalkPage):
    may_answer = await held_back(talk.page, "**/api/agents")
    await talk.page.reload(wait_until="commit")
    start = talk.page.locator(".talk-controls button", has_text="Start")
    await start.wait_for()
    assert await start.is_disabled()
    may_answer.set()
    await talk.start("kind")


async def test_attachments_go_along_and_become_files_of_the_test(talk: TalkPage, tmp_path: Path):
    await talk.start()
    picture = bytes.fromhex("89504e470d0a1a0a")
    files = [{"name": "../a photo.png", "mimeType": "image/png", "buffer": picture}]
    files.append({"name": "notes.txt", "mimeType": "text/plain", "buffer": b"milk"})
    await talk.page.locator(".talk-composer input[type=file]").set_input_files(files)
    await talk.page.get_by_role("list", name="Attachments").get_by_text("notes.txt").wait_for()
    answered = await talk.say("look at these", turns=1)
    assert "I got 3 parts, the last is a file." in await answered.inner_text()
    await talk.draft()
    await talk.write()
    assert (tmp_path / "tests" / "a-conversation.files" / "notes.txt").read_bytes() == b"milk"
    assert (tmp_path / "tests" / "a-conversation.files" / "picture.png").read_bytes() == picture
    done = viva("test", "-i", "tests/a-conversation.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


async def test_checks_that_are_not_wanted_are_left_out(talk: TalkPage, tmp_path: Path):
    await talk.start()
    await talk.say("hello", turns=1)
    await talk.draft()
    text = talk.page.get_by_label("The case file")
    assert "look_up" in await text.inner_text()
    for box in await talk.page.locator(".talk-check input").all():
        await box.uncheck()
    await becomes(
        text.text_content, "name: A conversation\nagent: kind\nturns:\n- input: hello\non_missing_input: end\n"
    )
    await talk.drafted()
    await talk.page.get_by_label("File", exact=True).fill("../outside.yaml")
    await talk.page.get_by_text("lies outside the project").wait_for()
    assert await talk.page.get_by_role("button", name="Write the file").is_disabled()
    assert not (tmp_path.parent / "outside.yaml").exists()


# ── for everybody ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_everything_can_be_read(talk: TalkPage, scheme: str):
    page = talk.page
    await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    assert await page.evaluate(TEXT_WITH_LITTLE_CONTRAST) == []
    await talk.start()
    await talk.say("hello", turns=1)
    await talk.say("break", turns=2)
    await talk.ready()
    assert await page.evaluate(TEXT_WITH_LITTLE_CONTRAST) == []
    await talk.draft()
    assert await page.evaluate(TEXT_WITH_LITTLE_CONTRAST) == []


async def test_a_narrow_page_has_room_for_it_all(talk: TalkPage):
    page = talk.page
    await page.set_viewport_size({"width": 400, "height": 800})
    await talk.start()
    await talk.say("a-word-without-any-end-" * 20, turns=1)
    wide = "document.documentElement.scrollWidth > innerWidth"
    assert not await page.evaluate(wide)
    await talk.draft()
    assert not await page.evaluate(wide)
    assert await page.locator(".talk-save").evaluate("node => node.scrollWidth <= node.clientWidth")


async def test_the_keyboard_is_enough(talk: TalkPage, tmp_path: Path):
    page = talk.page
    await page.get_by_label("Agent to talk to").focus()
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await talk.ready()
    # The line is where the cursor is once the agent is ready.
    await becomes(lambda: page.evaluate("document.activeElement.tagName"), "TEXTAREA")
    await page.keyboard.type("hello")
    await page.keyboard.press("Enter")
    await talk.turn(1)
    await talk.ready()
    await page.get_by_role("button", name="Save as test").focus()
    await page.keyboard.press("Enter")
    await talk.drafted()
    await becomes(lambda: page.evaluate("document.activeElement.id"), "case-name")
    await page.get_by_role("button", name="Write the file").focus()
    await page.keyboard.press("Enter")
    await page.get_by_text("Written. Run it with").wait_for()
    await page.keyboard.press("Escape")
    await becomes(lambda: page.locator("dialog[open]").count(), 0)
    assert (tmp_path / "tests" / "a-conversation.yaml").exists()


async def test_every_control_has_a_name(talk: TalkPage):
    await talk.start()
    await talk.say("hello", turns=1)
    await talk.draft()
    unnamed = """() => [...document.querySelectorAll("button, input, select, textarea, a, dialog")]
      .filter((node) => !node.hidden && !(node.getAttribute("aria-label") || node.getAttribute("aria-labelledby")
        || node.textContent.trim() || node.labels?.length))
      .map((node) => node.outerHTML)"""
    assert await talk.page.evaluate(unnamed) == []
