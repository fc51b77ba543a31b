"""Reading AG-UI streams: viva's target beside the barest reader that still decodes every event.

`streams.py URL COUNT PARALLEL` is the bare reader as a command.
"""

import asyncio
import sys
import time
from pathlib import Path
from typing import Any

import aiohttp
import msgspec

STREAMS = 300


async def bare_reader(session: aiohttp.ClientSession, url: str) -> int:
    """Splits at blank lines and decodes; keeps nothing."""
    decode = msgspec.json.Decoder(dict[str, Any]).decode
    buffer, events = b"", 0
    async with session.post(url, json={"threadId": "t", "runId": "r", "messages": []}) as response:
        async for chunk in response.content.iter_any():
            *frames, buffer = (buffer + chunk).split(b"\n\n")
            for frame in frames:
                decode(frame[6:])
                events += 1
    return events


async def measure(url: str, repeats: int) -> dict[str, float]:
    """CPU milliseconds per stream, the median of interleaved rounds."""
    from vivavoce.engine.wiring import RunResources, RunSettings
    from vivavoce.model.transcript import Line, Transcript
    from vivavoce.project.project import Project
    from vivavoce.protocols import CallContext, TargetSpec
    from vivavoce.targets.ag_ui.target import AgUiTarget

    resources = RunResources(Project(root=Path.cwd()), RunSettings())
    target = AgUiTarget(TargetSpec(id="bench", kind="agui", config={"agui": url}), resources.surroundings)

    async def by_viva() -> None:
        session = await target.open(CallContext(session_id="t"))
        reply = await session.send(Line(content="hi"), Transcript())
        await session.close()
        assert len(reply.calls) == 1, reply.error

    rounds: dict[str, list[float]] = {"bare reader": [], "viva": []}
    async with aiohttp.ClientSession() as session:
        assert await bare_reader(session, url) == 100
        await by_viva()
        for _ in range(repeats):
            began = time.process_time()
            for _ in range(STREAMS):
                await bare_reader(session, url)
            rounds["bare reader"].append(time.process_time() - began)
            began = time.process_time()
            for _ in range(STREAMS):
                await by_viva()
            rounds["viva"].append(time.process_time() - began)
    await target.close()
    await resources.close()
    return {name: 1000 * sorted(found)[len(found) // 2] / STREAMS for name, found in rounds.items()}


def stream_costs(url: str, repeats: int) -> dict[str, float]:
    from vivavoce.cli.event_loop import collect_rarely

    collect_rarely()  # as in every run of viva; the bare reader has it too
    return asyncio.run(measure(url, repeats))


async def read_many(url: str, count: int, parallel: int) -> None:
    todo = iter(range(count))
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def worker() -> None:
            for _ in todo:
                assert await bare_reader(session, url) == 100

        await asyncio.gather(*(worker() for _ in range(parallel)))


if __name__ == "__main__":
    asyncio.run(read_many(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
