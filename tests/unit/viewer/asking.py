"""Asks a server of the page as a browser would."""

import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit

import aiohttp


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
