"""The numbers beside the list of runs."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio
from tests.fakes.kept_runs import begun, changed, keep_run
from tests.fakes.results import plain

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


async def answer_of(url: str) -> Any:
    async with aiohttp.ClientSession() as client, client.get(url) as response:
        assert response.status == 200, await response.text()
        return await response.json()


async def test_each_run_has_its_numbers(store: Path, address: str):
    keep_run(store, "one", [plain("a"), plain("b")], started_at="2024-12-17T10:00:00Z")
    worse = begun(changed(plain("a"), status=Status.FAILED, ms=5000), 60)
    keep_run(store, "two", [worse], started_at="2024-12-17T10:01:00Z")
    answer = await answer_of(f"{address}api/numbers")
    assert answer["numbers"]["two"] == {
        "p50_ms": 5000,
        "p95_ms": 5000,
        "broken": 1,
        "mended": 0,
        "added": 0,
        "first_broken": ["a"],
    }
    assert answer["numbers"]["one"]["added"] == 2
    assert list((await answer_of(f"{address}api/numbers?skip=1"))["numbers"]) == ["one"]


async def test_without_a_history_there_are_none(address: str):
    assert await answer_of(f"{address}api/numbers") == {"numbers": {}, "older": False}


async def test_the_list_has_the_interval_of_each_pass_rate(store: Path, address: str):
    keep_run(store, "one", [plain("a")])
    (run,) = (await answer_of(f"{address}api/runs"))["runs"]
    low, high = run["interval"]
    assert 20 < low < 21
    assert high == 100
