"""Runs as they go on, told by server-sent events."""

import asyncio
from pathlib import Path

import aiohttp
from tests.fakes.kept_runs import info_named, keep_run, start_run
from tests.fakes.results import plain, summary_of
from tests.unit.viewer.asking import events

from vivavoce.model.events import CaseFinished, RunFinished
from vivavoce.results.history.reading import History


async def test_a_run_is_followed_until_it_ends(client: aiohttp.ClientSession, store: Path, address: str):
    run = start_run(store, "live", 3)
    run.handle(CaseFinished(plain("a")))
    while not History(store).runs():
        await asyncio.sleep(0.01)
    seen: list[str] = []
    states: list[str] = []
    async with asyncio.timeout(60):
        async for name, data in events(client, address + "api/runs/live/events"):
            if name == "heads":
                seen += [head["id"] for head in data]
                if seen == ["a"]:
                    run.handle(CaseFinished(plain("b")))
                    run.handle(CaseFinished(plain("c")))
                    run.handle(RunFinished(info_named("live", 3), summary_of([plain()] * 3)))
            else:
                states.append(data["state"])
    run.close()
    assert seen == ["a", "b", "c"]
    assert (states[0], states[-1]) == ("running", "finished")


async def test_a_broken_stream_goes_on_where_it_was(client: aiohttp.ClientSession, store: Path, address: str):
    keep_run(store, "one", [plain("a"), plain("b"), plain("c")])
    again = {"Last-Event-ID": "2"}
    seen = [
        data async for name, data in events(client, address + "api/runs/one/events?start=0", **again) if name == "heads"
    ]
    assert [[head["id"] for head in heads] for heads in seen] == [["c"]]


async def test_the_list_tells_of_a_new_run(client: aiohttp.ClientSession, store: Path, address: str):
    stream = events(client, address + "api/events")
    async with asyncio.timeout(60):
        assert await anext(stream) == ("runs", {"runs": []})
        keep_run(store, "one", [plain()])
        async for _, data in stream:
            if data["runs"] and data["runs"][0]["state"] == "finished":
                break
    await stream.aclose()  # type: ignore[attr-defined]
