"""The loop of a command comes to its end, whatever tasks are left in it."""

import asyncio

from vivavoce.cli.event_loop import leave_no_task


async def stubborn() -> None:
    while True:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            continue


async def cleans_up(seen: list[str]) -> None:
    try:
        await asyncio.sleep(3600)
    finally:
        await asyncio.sleep(0)
        seen.append("cleaned up")


def test_a_task_that_refuses_to_end_does_not_keep_the_loop_open():
    seen: list[str] = []
    with asyncio.Runner() as runner:

        async def main() -> list[asyncio.Task[None]]:
            tasks = [asyncio.create_task(stubborn()), asyncio.create_task(cleans_up(seen))]
            await asyncio.sleep(0)
            return tasks

        kept = runner.run(main())
        runner.run(leave_no_task(0.2))
    assert seen == ["cleaned up"]
    assert [task.done() for task in kept] == [False, True]
