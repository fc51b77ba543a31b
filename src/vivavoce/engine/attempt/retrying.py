"""`--retries`: a case whose agent could not be reached is tried again. A wrong answer is never tried again."""

import asyncio
import random
from collections.abc import Awaitable, Callable

from msgspec import structs

from vivavoce.metering.expenses import Expenses
from vivavoce.model.result import Attempt, Status
from vivavoce.notation.durations import format_duration

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0


async def with_retries(try_once: Callable[[], Awaitable[Attempt]], retries: int, expenses: Expenses) -> Attempt:
    """Returns the first try that reached the agent, or the last one. Each try is a new conversation."""
    attempt = await try_once()
    for number in range(1, retries + 1):
        if not is_infrastructure(attempt):
            break
        pause_s = pause_before(number)
        # The failed try is paid for too.
        expenses.pay(attempt.usage)
        expenses.notes.append(
            f"try {number} of {retries + 1}: {attempt.error}; tried again after {format_duration(pause_s)}"
        )
        await asyncio.sleep(pause_s)
        attempt = await try_once()
    if retries and is_infrastructure(attempt):
        return structs.replace(attempt, error=f"{attempt.error} (tried {retries + 1} times)")
    return attempt


def is_infrastructure(attempt: Attempt) -> bool:
    """Whether the connection, the server or the protocol broke, before the agent could be judged."""
    return attempt.status is Status.ERROR and attempt.fault == "target"


def pause_before(retry: int, chance: Callable[[], float] = random.random) -> float:
    """Returns the seconds to wait: twice as long each time, with a random part so that cases do not retry together."""
    return min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** (retry - 1)) * (0.5 + 0.5 * chance())
