"""Who may look at the page, and what every answer forbids."""

from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import pytest
from tests.fakes.kept_runs import keep_run
from tests.fakes.results import plain
from tests.unit.viewer.asking import status_of, with_token

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
