"""Talking through the page's server: what it does, and for whom it does nothing."""

from pathlib import Path
from typing import Any

import pytest
from tests.unit.viewer.conftest import PageClient

from vivavoce.viewer.posting import LARGEST_BODY
from vivavoce.viewer.talk_routes import end_unattended


async def started(page: PageClient) -> str:
    status, talk = await page.post("api/talks", {"agent": "echo"})
    assert status == 201
    return talk["id"]


async def until(page: PageClient, talk: str, state: str) -> dict[str, Any]:
    async for name, event in page.events(f"api/talks/{talk}/events"):
        if name == "now" and event["state"] == state:
            return event
    raise AssertionError(f"it never was {state}")


async def talked(page: PageClient, *lines: str) -> str:
    """A conversation in which these lines were said and answered; it is still open."""
    talk, said = await started(page), list(lines)
    async for name, event in page.events(f"api/talks/{talk}/events"):
        if name == "now" and event["state"] == "ready":
            if not said:
                break
            assert (await page.post(f"api/talks/{talk}/say", {"content": said.pop(0)}))[0] == 200
    return talk


async def test_the_agents_of_the_project_are_offered(page: PageClient):
    assert await page.get("api/agents") == (200, {"agents": [{"name": "echo", "kind": "python"}], "default": None})


async def test_a_conversation_from_its_beginning_to_its_end(page: PageClient):
    talk = await talked(page, "hello", "again")
    assert await page.post(f"api/talks/{talk}/end") == (200, {})
    assert (await until(page, talk, "ended"))["problem"] == ""
    rows = [event["row"] async for name, event in page.events(f"api/talks/{talk}/events") if name == "turn"]
    assert [(row["turn"], row["input"], row["output"]) for row in rows] == [
        (1, "hello", "You said hello."),
        (2, "again", "You said again."),
    ]
    # Who was there before asks only for what came since.
    later = [event async for name, event in page.events(f"api/talks/{talk}/events?start=1") if name == "turn"]
    assert [event["row"]["turn"] for event in later] == [2]
    assert (await page.post(f"api/talks/{talk}/say", {"content": "more"}))[0] == 409


async def test_an_agent_that_cannot_be_opened_says_why(page: PageClient, project_root: Path):
    (project_root / "agents.py").write_text("def echo(:\n")
    talk = await started(page)
    assert "agents.py" in (await until(page, talk, "ended"))["problem"]


async def test_nothing_can_be_said_while_the_agent_is_not_ready(page: PageClient):
    talk = await started(page)
    status, why = await page.post(f"api/talks/{talk}/say", {"content": "too early"})
    assert (status, why) == (409, "the agent is not ready for the next line\n")


@pytest.mark.parametrize(
    "agent", ["", "nobody", "command:rm -rf .", "python:os:system", "../echo", "target", "a" * 9999]
)
async def test_only_agents_of_the_project_can_be_talked_to(page: PageClient, agent: str):
    """A reference could run anything."""
    assert (await page.post("api/talks", {"agent": agent}))[0] == 404


@pytest.mark.process
async def test_only_so_many_conversations_are_open_at_once(page: PageClient):
    for _ in range(6):
        await started(page)
    status, why = await page.post("api/talks", {"agent": "echo"})
    assert (status, "end one of them first" in why) == (409, True)


async def test_a_conversation_that_nobody_looks_at_is_ended(page: PageClient):
    class Alone:
        def __init__(self) -> None:
            self.looks = [1, 0, 1, 0, 0]
            self.ended = False

        @property
        def listeners(self) -> int:
            return self.looks.pop(0)

        def end(self) -> None:
            self.ended = True

    talk: Any = Alone()
    await end_unattended(talk, after_s=0.002, look_every_s=0.001)
    assert (talk.ended, talk.looks) == (True, [])


# ── attacks ─────────────────────────────────────────────────────────────────────────

CHANGES = ["api/talks", "api/talks/0123456789abcdef/say", "api/talks/x/end", "api/talks/x/draft", "api/talks/x/save"]


@pytest.mark.parametrize("path", CHANGES)
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Host": "evil.example"},
        {"Host": "evil.example", "Origin": "http://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
    ],
    ids=str,
)
async def test_another_site_can_do_nothing(page: PageClient, path: str, headers: dict[str, str]):
    assert await page.post(path, {"agent": "echo"}, **headers) == (403, "not here\n")


@pytest.mark.parametrize("path", CHANGES)
async def test_nothing_is_done_without_the_token_or_an_origin(page: PageClient, path: str):
    without = PageClient(f"{page.origin}/", page.session)
    guessed = PageClient(f"{page.origin}/{'A' * 32}/", page.session)
    assert (await without.post(path))[0] == 404
    assert (await guessed.post(path))[0] == 404
    async with page.session.post(page.address + path, json={"agent": "echo"}) as response:
        assert response.status == 403


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
async def test_what_a_form_of_another_site_could_send_is_not_read(page: PageClient, kind: str):
    assert (await page.post("api/talks", {"agent": "echo"}, **{"Content-Type": kind}))[0] == 415


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"null", b"[]", b"\xff\xfe", b'{"agent": 1}', b'{"agent": "echo", "more": 1}', b"[" * 100_000],
    ids=lambda body: repr(body[:20]),
)
async def test_a_body_of_another_form_is_refused(page: PageClient, body: bytes):
    assert (await page.post("api/talks", body))[0] == 400


async def test_a_huge_body_is_refused(page: PageClient):
    assert (await page.post("api/talks", b'"' + b"a" * LARGEST_BODY + b'"'))[0] == 413


@pytest.mark.parametrize("talk", ["x", "0" * 5000, "%00", "..%2f..", "%F0%9F%92%A9", "'; drop table talks"])
async def test_a_conversation_that_does_not_exist_is_not_found(page: PageClient, talk: str):
    for path, body in [("say", {"content": "x"}), ("end", {}), ("draft", {"name": "x"}), ("save", {"name": "x"})]:
        assert (await page.post(f"api/talks/{talk}/{path}", body))[0] == 404
    assert (await page.get(f"api/talks/{talk}/events"))[0] == 404


@pytest.mark.parametrize("start", ["-1", "x", "9" * 400, "1e3"])
async def test_an_absurd_start_is_refused(page: PageClient, start: str):
    talk = await started(page)
    assert (await page.get(f"api/talks/{talk}/events?start={start}"))[0] == 400


async def test_looking_does_not_change_anything(page: PageClient):
    for path in ("api/talks", "api/talks/x/say", "api/talks/x/save"):
        assert (await page.get(path))[0] == 405
