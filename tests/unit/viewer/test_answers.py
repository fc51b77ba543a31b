"""What the page asks for: runs, cases, comparisons, and what is not there."""

import asyncio
import http.client
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import pytest
from tests.fakes.kept_runs import changed, keep_run
from tests.fakes.results import conversation, every_kind, hostile, plain, wrong_argument
from tests.unit.viewer.asking import get_json

from vivavoce.model.result import Status


@pytest.mark.parametrize(
    "path",
    [
        "assets/../guard.py",
        "assets/..%2fguard.py",
        "assets/%2e%2e%2fguard.py",
        "assets/__init__.py",
        "assets/nothing.js",
        "api/runs/none",
        "api/runs/none/heads",
        "api/runs/one/rows/7",
        "api/runs/one/rows/-1",
        "api/runs/one/rows/x",
        "api/compare?before=one",
        "no-such-page",
    ],
)
async def test_what_is_not_there_is_not_found(store: Path, address: str, path: str):
    keep_run(store, "one", [plain()])
    parts = urlsplit(address)

    def raw() -> int:
        # aiohttp's client would tidy the path up before sending it.
        connection = http.client.HTTPConnection("127.0.0.1", parts.port, timeout=60)
        connection.request("GET", parts.path + path)
        status = connection.getresponse().status
        connection.close()
        return status

    assert await asyncio.to_thread(raw) == 404


async def test_runs_come_newest_first_with_their_totals(client: aiohttp.ClientSession, store: Path, address: str):
    keep_run(store, "one", [plain()], started_at="2024-12-17T10:00:00Z")
    keep_run(store, "two", [plain(), wrong_argument()], started_at="2024-12-17T11:00:00Z")
    runs = (await get_json(client, address + "api/runs"))["runs"]
    assert [(run["id"], run["state"], run["results"]) for run in runs] == [
        ("two", "finished", 2),
        ("one", "finished", 1),
    ]
    assert runs[0]["summary"]["failed"] == 1
    assert runs[0]["summary"]["overall_pass_rate"] == 50.0


async def test_heads_come_in_parts_and_rows_one_by_one(client: aiohttp.ClientSession, store: Path, address: str):
    results = every_kind()
    keep_run(store, "one", results)
    heads = await get_json(client, address + "api/runs/one/heads?start=3")
    assert [head["id"] for head in heads] == [result.case.id for result in results[3:]]
    row = await get_json(client, address + "api/runs/one/rows/3")
    assert (row["type"], row["id"]) == ("result", results[3].case.id)


async def test_words_are_found_in_everything_said(client: aiohttp.ClientSession, store: Path, address: str):
    keep_run(store, "one", [plain("a"), changed(plain("b"), says='A "Needle" in <hay>'), plain("c")])
    for query, positions in [("needle HAY", [1]), ("%22needle%22", [1]), ("nowhere", []), ("duration_ms", [])]:
        found = await get_json(client, f"{address}api/runs/one/search?q={query.replace(' ', '%20')}")
        assert found["positions"] == positions, query


async def test_two_runs_are_compared(client: aiohttp.ClientSession, store: Path, address: str):
    keep_run(store, "one", [plain("a"), plain("b")])
    keep_run(store, "two", [changed(plain("a"), status=Status.FAILED, says="no"), plain("b")])
    found = await get_json(client, address + "api/compare?before=one&after=two")
    assert (found["regressions"], found["counts"]["new_failure"]) == (1, 1)
    (change,) = found["changes"]
    assert (change["id"], change["change"], change["replies_differ"]) == ("a", "new_failure", True)
    assert (change["before"]["position"], change["after"]["status"]) == (0, "failed")


async def test_a_damaged_store_is_said_in_words(client: aiohttp.ClientSession, store: Path, address: str):
    store.write_bytes(b"nothing of the kind" * 1000)
    async with client.get(address + "api/runs") as response:
        assert response.status == 503
        assert "history was damaged and is set aside" in await response.text()


async def test_hostile_text_stays_data(client: aiohttp.ClientSession, store: Path, address: str):
    keep_run(store, "one", [hostile(), conversation()])
    async with client.get(address + "api/runs/one/rows/0") as response:
        assert response.content_type == "application/json"
    async with client.get(address) as response:
        assert "script>" in await response.text()
