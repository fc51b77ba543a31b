"""The web page's server: what it answers, and whom."""

import asyncio
import http.client
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import pytest
import pytest_asyncio
from tests.fakes.kept_runs import changed, info_named, keep_run, start_run
from tests.fakes.results import conversation, every_kind, hostile, plain, summary_of, wrong_argument

from vivavoce.errors import UsageError
from vivavoce.model.events import CaseFinished, RunFinished
from vivavoce.model.result import Status
from vivavoce.results.history.reading import History
from vivavoce.viewer.library import Library
from vivavoce.viewer.server import serving


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "history.db"


@pytest_asyncio.fixture
async def address(store: Path) -> AsyncIterator[str]:
    async with serving(Library(History(store))) as found:
        yield found


@pytest_asyncio.fixture
async def client() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


async def get_json(client: aiohttp.ClientSession, url: str) -> Any:
    async with client.get(url) as response:
        assert response.status == 200, await response.text()
        return json.loads(await response.text())


async def status_of(client: aiohttp.ClientSession, url: str, **headers: str) -> int:
    async with client.get(url, headers=headers) as response:
        return response.status


def with_token(address: str, token: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}/{token}/"


@pytest.mark.parametrize(
    "request_text", ["GET / HTTP/1.1\r\nX: " + "a" * 9000, "GET / HTTP/1.1\r\nContent-Length: x", "no HTTP"]
)
async def test_a_request_that_cannot_be_read_is_its_senders_trouble(
    address: str, request_text: str, caplog: pytest.LogCaptureFixture
):
    place = urlsplit(address)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    writer.write(f"{request_text}\r\n\r\n".encode())
    assert (await reader.readline()).endswith(b" 400 Bad Request\r\n")
    writer.close()
    assert caplog.records == []


PATHS = ["", "runs/one", "compare", "assets/dom.js", "api/runs", "api/runs/one", "api/runs/one/heads",
         "api/runs/one/rows/0", "api/runs/one/search?q=x", "api/compare?before=one&after=one", "api/events",
         "api/runs/one/events", "cases", "case", "api/cases"]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
async def test_nothing_is_told_without_the_token(client: aiohttp.ClientSession, store: Path, address: str, path: str):
    keep_run(store, "one", [plain()])
    assert await status_of(client, address + path) == 200
    for wrong in ("", "wrong", urlsplit(address).path.strip("/")[:-1]):
        assert await status_of(client, with_token(address, wrong) + path) == 404


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:80"},
        {"Host": "127.0.0.1"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"},
    ],
)
async def test_other_sites_are_refused_though_they_know_the_token(
    client: aiohttp.ClientSession, address: str, headers: dict[str, str], path: str
):
    assert await status_of(client, address + path, **headers) == 403


async def test_a_link_that_somebody_clicked_is_followed(client: aiohttp.ClientSession, address: str):
    clicked = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert await status_of(client, address, **clicked) == 200


@pytest.mark.parametrize("path", PATHS)
async def test_every_answer_forbids_what_a_page_could_do_with_it(
    client: aiohttp.ClientSession, store: Path, address: str, path: str
):
    keep_run(store, "one", [plain()])
    async with client.get(address + path) as response:
        headers = response.headers
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "script-src 'self';" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"
    assert [name for name in headers if name.lower().startswith("access-control")] == []


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
async def test_the_runs_can_only_be_looked_at(client: aiohttp.ClientSession, address: str, method: str):
    async with client.request(method, address + "api/runs") as response:
        assert response.status == 403
    origin = address.rpartition("/")[0].rpartition("/")[0]
    async with client.request(method, address + "api/runs", headers={"Origin": origin}) as response:
        assert response.status == 405


async def test_only_this_machine_is_listened_to(address: str):
    assert urlsplit(address).hostname == "127.0.0.1"


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


async def events(client: aiohttp.ClientSession, url: str, **headers: str) -> AsyncIterator[tuple[str, Any]]:
    async with client.get(url, headers=headers) as response:
        assert response.headers["Content-Type"].startswith("text/event-stream")
        name = ""
        async for line in response.content:
            field, _, value = line.decode().rstrip("\n").partition(": ")
            if field == "event":
                name = value
            elif field == "data":
                yield name, json.loads(value)


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


async def test_open_streams_do_not_hold_up_the_end(client: aiohttp.ClientSession, store: Path):
    async with serving(Library(History(store))) as address:
        stream = events(client, address + "api/events")
        await anext(stream)
        began = asyncio.get_running_loop().time()
    assert asyncio.get_running_loop().time() - began < 2
    await stream.aclose()  # type: ignore[attr-defined]


async def test_a_taken_port_is_the_users_to_know(store: Path, address: str):
    port = urlsplit(address).port
    assert port is not None
    with pytest.raises(UsageError, match=f"port {port} cannot be used: it is in use"):
        async with serving(Library(History(store)), port):
            pass


async def test_hostile_text_stays_data(client: aiohttp.ClientSession, store: Path, address: str):
    keep_run(store, "one", [hostile(), conversation()])
    async with client.get(address + "api/runs/one/rows/0") as response:
        assert response.content_type == "application/json"
    async with client.get(address) as response:
        assert "script>" in await response.text()
