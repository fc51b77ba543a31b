"""No address makes the page's server stumble: what cannot be is answered with 400 or 404."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import quote

import aiohttp
import pytest
import pytest_asyncio
from tests.fakes.kept_runs import keep_run
from tests.fakes.results import plain
from yarl import URL

from vivavoce.results.history.reading import History
from vivavoce.viewer.answers import Answers
from vivavoce.viewer.library import Library
from vivavoce.viewer.live import LiveRuns
from vivavoce.viewer.server import routes, serving

pytestmark = pytest.mark.slow

ABSURD = [
    *("9" * 16, "9" * 19, str(2**63), str(2**64), "9" * 400, "9" * 5000, "0" * 5000, "-1", "+1", "1e9", "1.0", "0x10"),
    *("１２", "٣", "²", "1_000", " 1", "1 ", "NaN", "", "a", "%00", "\x00", "\ud800", "\ufeff1", "..", "a/b", "'; --"),
]
QUERIES = ("start", "q", "before", "after", "most", "run")


def addresses() -> list[str]:
    """Every route with every absurd value in each of its places, and in each query value that some route takes."""
    library = Library(History(Path("nowhere.db")))
    answers = Answers(library)
    made = list[str]()
    for route in routes(answers, LiveRuns(library, answers)):
        path = route.path.removeprefix("/{token}/")
        places = re.findall(r"\{(\w+)[^}]*\}", path)
        for absurd in ABSURD:
            value = quote(absurd, safe="", errors="surrogatepass")
            for place in places:
                made.append(_filled(path, {place: value}))
            made.extend(f"{_filled(path, {})}?{name}={value}" for name in QUERIES)
    return made


def _filled(path: str, values: dict[str, str]) -> str:
    usual = {"run": "one", "position": "0", "name": "dom.js"}
    return re.sub(r"\{(\w+)[^}]*\}", lambda place: values.get(place[1], usual[place[1]]), path)


@pytest_asyncio.fixture
async def address(tmp_path: Path) -> AsyncIterator[str]:
    store = tmp_path / "history.db"
    keep_run(store, "one", [plain()])
    async with serving(Library(History(store))) as found:
        yield found


async def test_every_absurd_address_is_answered(address: str, caplog: pytest.LogCaptureFixture):
    asked = addresses()
    assert len(asked) > 1000
    wrong = dict[str, int]()
    async with aiohttp.ClientSession() as client:
        for path in asked:
            async with client.get(URL(address + path, encoded=True), allow_redirects=False) as answer:
                if answer.status not in (200, 400, 404):
                    wrong[path[:100]] = answer.status
    assert not wrong
    assert caplog.records == []


@pytest.mark.parametrize("number", ["9" * 16, "9" * 400, "9" * 5000, str(2**63)])
@pytest.mark.parametrize("path", ["api/runs/one/heads?start=", "api/runs/one/rows/", "api/runs/one/events?start="])
async def test_a_number_beyond_all_runs_is_refused(address: str, path: str, number: str):
    async with aiohttp.ClientSession() as client, client.get(address + path + number) as answer:
        assert answer.status == 400


async def test_an_absurd_last_event_is_refused(address: str):
    headers = {"Last-Event-ID": "9" * 5000}
    async with (
        aiohttp.ClientSession() as client,
        client.get(address + "api/runs/one/events", headers=headers) as answer,
    ):
        assert answer.status == 400
