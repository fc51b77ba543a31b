"""A served project whose agents are Python functions, and a client that speaks as the page does."""

import io
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import pytest
import pytest_asyncio

from vivavoce.app.opening import open_project
from vivavoce.results.history.reading import History
from vivavoce.viewer.library import Library
from vivavoce.viewer.server import serving

AGENT = """
def echo(messages):
    return f"You said {messages[-1]['content']}."
"""
CONFIG = """
tests: tests
agents:
  echo: {python: "agents:echo"}
"""


class PageClient:
    """Asks as the page does; `origin` and other headers can be set otherwise."""

    def __init__(self, address: str, session: aiohttp.ClientSession) -> None:
        self.address = address
        self.session = session
        parts = urlsplit(address)
        self.origin = f"{parts.scheme}://{parts.netloc}"

    async def post(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """The status and the answer: JSON where it is some, else the words."""
        sent = {"Origin": self.origin, "Content-Type": "application/json", **headers}
        data = body if isinstance(body, bytes) else json.dumps({} if body is None else body).encode()
        async with self.session.post(self.address + path, data=io.BytesIO(data), headers=sent) as response:
            text = await response.text()
            is_json = response.content_type == "application/json"
            return response.status, json.loads(text) if is_json else text

    async def get(self, path: str) -> tuple[int, Any]:
        async with self.session.get(self.address + path) as response:
            text = await response.text()
            return response.status, json.loads(text) if response.content_type == "application/json" else text

    async def events(self, path: str) -> AsyncIterator[tuple[str, Any]]:
        """The events of a stream by name, until it ends."""
        async with self.session.get(self.address + path) as response:
            assert response.status == 200
            name = ""
            async for line in response.content:
                if line.startswith(b"event: "):
                    name = line[7:].decode().strip()
                elif line.startswith(b"data: "):
                    yield name, json.loads(line[6:])


@pytest.fixture
def project_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "viva.yaml").write_text(CONFIG)
    (root / "agents.py").write_text(AGENT)
    monkeypatch.chdir(root)
    return root


@pytest_asyncio.fixture
async def page(project_root: Path) -> AsyncIterator[PageClient]:
    project = open_project(str(project_root / "viva.yaml"))
    library = Library(History(project_root / ".viva" / "history.db"))
    async with serving(library, project=project) as address, aiohttp.ClientSession() as session:
        yield PageClient(address, session)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "history.db"


@pytest_asyncio.fixture
async def address(store: Path) -> AsyncIterator[str]:
    """Of a server that shows a history and has no project."""
    async with serving(Library(History(store))) as found:
        yield found


@pytest_asyncio.fixture
async def client() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session
