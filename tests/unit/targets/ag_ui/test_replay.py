"""Recorded answers played back: their pace, their breaks, and only for the question they were given to."""

import time
from pathlib import Path

import msgspec
import pytest
from tests.fakes.agui_server import Reply, replies_with, sse
from tests.unit.targets.ag_ui.test_recording import COUNTED, WEATHER, record, replay

from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.message import ExchangeStatus
from vivavoce.targets.recording_folder import folder_of


async def test_playing_back_keeps_the_pace(tmp_path: Path) -> None:
    await record(tmp_path, Reply([sse(WEATHER[0]), 0.15, sse(*WEATHER[1:])]), lines=("weather?",))
    started = time.perf_counter()
    await replay(str(tmp_path), "weather?")
    assert time.perf_counter() - started >= 0.14


async def test_without_timing_nothing_is_waited_for(tmp_path: Path) -> None:
    await record(tmp_path, Reply([sse(WEATHER[0]), 0.15, sse(*WEATHER[1:])]), lines=("weather?",))
    (written,) = tmp_path.rglob("*.meta.json")
    meta = msgspec.json.decode(written.read_bytes())
    meta["chunks_ms_len"] = [[3_600_000 * at, length] for at, (_, length) in enumerate(meta["chunks_ms_len"], 1)]
    written.write_bytes(msgspec.json.encode(meta))
    await replay(f"{tmp_path}?timing=none", "weather?")


async def test_a_broken_connection_is_played_back_as_one(tmp_path: Path) -> None:
    [live] = await record(tmp_path, Reply([sse(*WEATHER[:3])], ending="abort"), lines=("weather?",))
    [played] = await replay(f"{tmp_path}?timing=none", "weather?")
    assert live.status is played.status is ExchangeStatus.TRUNCATED
    assert played.error == live.error


async def test_a_line_that_was_changed_since_is_not_answered_from_an_old_recording(tmp_path: Path) -> None:
    await record(tmp_path, *replies_with(WEATHER, COUNTED))
    with pytest.raises(CallFailed, match="was made for '\"weather\\?\"', but the test now says") as failed:
        await replay(f"{tmp_path}?timing=none", "forecast?")
    assert failed.value.fault == "test"


async def test_a_recording_that_ends_too_early_says_so(tmp_path: Path) -> None:
    await record(tmp_path, *replies_with(WEATHER), lines=("weather?",))
    with pytest.raises(CallFailed, match="ends after 1 run"):
        await replay(f"{tmp_path}?timing=none", "weather?", "how often?")


async def test_a_case_without_a_recording_says_so(tmp_path: Path) -> None:
    with pytest.raises(CallFailed, match=r"no recording of case 'a::b c'.*viva record"):
        await replay(str(tmp_path), "weather?")


@pytest.mark.parametrize(
    ("ref", "problem"), [("nowhere", "no folder of recordings"), (".?timing=fast", "unknown timing 'fast'")]
)
async def test_a_wrong_reference_is_the_users_to_know(ref: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        await replay(ref, "weather?")


@pytest.mark.parametrize(
    ("file", "content"),
    [("01.meta.json", b"{"), ("01.sse", None), ("01.sse", b"data: half"), ("01.request.json", None)],
)
async def test_a_damaged_recording_says_so(tmp_path: Path, file: str, content: bytes | None) -> None:
    await record(tmp_path, *replies_with(WEATHER), lines=("weather?",))
    path = tmp_path / folder_of("a::b c") / file
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    with pytest.raises(CallFailed, match=r"is damaged: 01\.meta\.json: ") as caught:
        await replay(f"{tmp_path}?timing=none", "weather?")
    assert caught.value.fault == "test"


async def test_a_struck_out_secret_puts_the_replayed_answer_in_doubt(tmp_path: Path) -> None:
    await record(tmp_path, *replies_with(WEATHER), lines=("weather?",))
    [sound] = await replay(f"{tmp_path}?timing=none", "weather?")
    meta = tmp_path / folder_of("a::b c") / "01.meta.json"
    meta.write_bytes(msgspec.json.encode({**msgspec.json.decode(meta.read_bytes()), "struck": True}))
    [doubted] = await replay(f"{tmp_path}?timing=none", "weather?")
    assert (sound.unread, len(doubted.unread)) == ((), 1)
