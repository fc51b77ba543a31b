"""The limit: the same requests sent by nothing but aiohttp, with 32 in flight. `bare_loop.py URL CASES [PARALLEL]`."""

import asyncio
import json
import os
import sys
from collections.abc import Iterator

import aiohttp


async def main(url: str, cases: str, parallel: int) -> None:
    def lines() -> Iterator[str]:
        with open(cases) as file:
            yield from file

    todo = lines()
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def worker() -> None:
            for line in todo:
                case = json.loads(line)
                body = {"model": "m", "messages": [{"role": "user", "content": case["input"]}]}
                async with session.post(url, json=body) as response:
                    answer = json.loads(await response.read())
                assert "pong" in answer["choices"][0]["message"]["content"]

        await asyncio.gather(*(worker() for _ in range(parallel)))


if __name__ == "__main__":
    if os.environ.get("VIVA_LOOP") == "uvloop":  # as viva reads it, so that both have the same loop
        import uvloop

        uvloop.install()
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 32))
