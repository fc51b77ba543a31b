"""Recorded conversations: whole, without secrets, and the same when they are played back."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.fakes.agui_server import Reply, call, replies_with, run, serving, sse, text
from tests.fakes.agui_talk import talking_to

from vivavoce.model.message import AgentReply, ExchangeStatus
from vivavoce.targets.recording_folder import folder_of

WEATHER = run(*call("c1", "get_weather", '{"city": "Rome"}', '{"temp": 21}'), *text("Sunny.", "m1"))
COUNTED = run(*text("Twice.", "m2"))


async def record(into: Path, *replies: Reply, lines: tuple[str, ...] = ("weather?", "how often?")) -> list[AgentReply]:
    async with serving(*replies) as server, talking_to(server.url, record_to=str(into), case_id="a::b c") as talk:
        return [await talk.say(line) for line in lines]


async def replay(ref: str, *lines: str) -> list[AgentReply]:
    async with talking_to(f"agui-replay:{ref}", case_id="a::b c", session_id="another") as talk:
        return [await talk.say(line) for line in lines]


def essence(replies: list[AgentReply]) -> list[Any]:
    return [
        (reply.status, reply.text, [(made.name, made.args, made.result) for made in reply.calls], reply.messages)
        for reply in replies
    ]


async def test_a_recording_plays_back_what_was_seen(tmp_path: Path) -> None:
    live = await record(tmp_path, *replies_with(WEATHER, COUNTED))
    played = await replay(f"{tmp_path}?timing=none", "weather?", "how often?")
    assert essence(played) == essence(live)


async def test_the_bytes_and_their_arrival_are_kept(tmp_path: Path) -> None:
    pieces = [sse(WEATHER[0]), 0.1, sse(*WEATHER[1:])]
    await record(tmp_path, Reply(pieces), lines=("weather?",))
    folder = tmp_path / folder_of("a::b c")
    assert sorted(path.name for path in folder.iterdir()) == ["01.meta.json", "01.request.json", "01.sse"]
    assert (folder / "01.sse").read_bytes() == sse(*WEATHER)
    meta = msgspec.json.decode((folder / "01.meta.json").read_bytes())
    assert (meta["status"], meta["case_id"]) == (200, "a::b c")
    arrivals = meta["chunks_ms_len"]
    assert sum(length for _, length in arrivals) == len(sse(*WEATHER))
    assert arrivals[-1][0] - arrivals[0][0] >= 90


async def test_an_error_page_is_recorded_too(tmp_path: Path) -> None:
    await record(tmp_path, Reply([b"nope"], status=500, content_type="text/plain"), lines=("weather?",))
    [played] = await replay(f"{tmp_path}?timing=none", "weather?")
    assert (played.status, played.error) == (ExchangeStatus.HTTP_ERROR, "HTTP 500: nope")


async def test_no_secret_is_stored_and_the_lengths_stay_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGUI_TOKEN", "top-secret-token")
    told = run(*text("your token is top-secret-token"))
    async with (
        serving(*replies_with(told)) as server,
        talking_to(
            f"{server.url}?key=${{ENV.AGUI_TOKEN}}",
            record_to=str(tmp_path),
            headers={"Authorization": "Bearer ${ENV.AGUI_TOKEN}"},
            forwarded_props={"token": "${ENV.AGUI_TOKEN}"},
        ) as talk,
    ):
        await talk.say("hello")
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"top-secret-token" not in stored
    assert b"authorization" in stored.lower()
    assert len((tmp_path / "case" / "01.sse").read_bytes()) == len(sse(*told))


async def test_the_newest_recording_of_a_case_replaces_the_last(tmp_path: Path) -> None:
    await record(tmp_path, *replies_with(WEATHER, COUNTED))
    await record(tmp_path, *replies_with(COUNTED), lines=("weather?",))
    assert [path.name for path in tmp_path.iterdir()] == [folder_of("a::b c")]
    assert [reply.text for reply in await replay(f"{tmp_path}?timing=none", "weather?")] == ["Twice."]


def test_no_two_cases_share_a_folder() -> None:
    names = {folder_of(case_id) for case_id in ("a b", "a_b", "a/b", "a::b", "", "../x", "A_B")}
    assert len(names) == 7
    assert not any("/" in name or name.startswith(".") for name in names)
