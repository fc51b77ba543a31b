"""A real Firefox, driven by WebDriver BiDi, which it speaks by itself."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
from tests.browser.waiting import LONGEST_S

_LISTENING = re.compile(rb"WebDriver BiDi listening on (ws://127\.0\.0\.1:\d+)")
_UNTIL = """new Promise((done) => {
  const look = () => {
    const found = (() => %s)();
    if (found) done(JSON.stringify(found)); else setTimeout(look, 50);
  };
  look();
})"""


class Firefox:
    """One window. `complaints` are what its pages logged as errors."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._number = 0
        self._context = ""
        self.complaints: list[str] = []

    async def begin(self) -> None:
        await self.ask("session.new", capabilities={})
        await self.ask("session.subscribe", events=["log.entryAdded"])
        self._context = (await self.ask("browsingContext.getTree"))["contexts"][0]["context"]

    async def ask(self, method: str, **params: Any) -> Any:
        """Sends a command and returns its result."""
        self._number += 1
        await self._socket.send_json({"id": self._number, "method": method, "params": params})
        while True:
            told = await self._socket.receive_json(timeout=LONGEST_S)
            if told.get("method") == "log.entryAdded" and told["params"]["level"] == "error":
                self.complaints.append(str(told["params"]["text"]))
            if told.get("id") == self._number:
                assert told["type"] == "success", told
                return told["result"]

    async def open(self, url: str) -> None:
        await self.ask("browsingContext.navigate", context=self._context, url=url, wait="complete")

    async def until(self, expression: str) -> Any:
        """Waits until a JavaScript expression is true in the page; returns its value."""
        return json.loads(await self._evaluated(_UNTIL % expression))

    async def click(self, selector: str, text: str = "") -> None:
        """Clicks the first element that can be clicked and has the text, once it is there."""
        usable = "!node.disabled && node.checkVisibility()"
        found = (
            f"[...document.querySelectorAll({json.dumps(selector)})]"
            f".find((node) => {usable} && node.textContent.includes({json.dumps(text)}))"
        )
        await self.until(f"{found} !== undefined")
        await self._evaluated(f"{found}.click()")

    async def type(self, selector: str, text: str) -> None:
        """Types into a field with real keys, Enter once all of it is there."""
        field = f"document.querySelector({json.dumps(selector)})"
        await self._evaluated(f"{field}.focus()")
        await self._press(*text)
        await self.until(f"{field}.value === {json.dumps(text)}")
        await self._press("\ue007")

    async def _press(self, *keys: str) -> None:
        presses = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        actions = [{"type": "key", "id": "keyboard", "actions": presses}]
        await self.ask("input.performActions", context=self._context, actions=actions)

    async def _evaluated(self, expression: str) -> Any:
        target = {"context": self._context}
        told = await self.ask("script.evaluate", expression=expression, target=target, awaitPromise=True)
        assert told["type"] == "success", told
        return told["result"].get("value")


@asynccontextmanager
async def firefox_window(program: str, profile: Path) -> AsyncIterator[Firefox]:
    """Starts Firefox with a profile of its own, ends it afterwards."""
    profile.mkdir()
    process = await asyncio.create_subprocess_exec(
        *(program, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stderr is not None
        address = ""
        async with asyncio.timeout(LONGEST_S):
            while not address:
                line = await process.stderr.readline()
                assert line, "Firefox ended before it listened"
                found = _LISTENING.search(line)
                address = found[1].decode() if found else ""
        draining = asyncio.create_task(process.stderr.read())
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(f"{address}/session", max_msg_size=0) as socket,
        ):
            window = Firefox(socket)
            await window.begin()
            yield window
        draining.cancel()
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()
