"""The cases as `deepeval test run` wants them; the replies are fetched beforehand, 32 at once."""

import asyncio
import json
import os

import aiohttp
import pytest
from deepeval import assert_test
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

URL = f"{os.environ['MOCK_URL']}/v1/chat/completions"


class ContainsPong(BaseMetric):
    """No model, no key."""

    threshold = 1.0
    async_mode = False
    include_reason = False
    evaluation_model = None

    def measure(self, test_case: LLMTestCase, *args: object, **kwargs: object) -> float:
        self.score = 1.0 if "pong" in (test_case.actual_output or "") else 0.0
        self.success = self.score >= self.threshold
        return self.score

    async def a_measure(self, test_case: LLMTestCase, *args: object, **kwargs: object) -> float:
        return self.measure(test_case)

    def is_successful(self) -> bool:
        return bool(self.success)

    @property
    def __name__(self) -> str:
        return "contains pong"


async def replies(inputs: list[str]) -> list[str]:
    found: dict[int, str] = {}
    todo = iter(enumerate(inputs))
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def worker() -> None:
            for n, text in todo:
                body = {"model": "m", "messages": [{"role": "user", "content": text}]}
                async with session.post(URL, json=body) as response:
                    found[n] = (await response.json())["choices"][0]["message"]["content"]

        await asyncio.gather(*(worker() for _ in range(32)))
    return [found[n] for n in range(len(inputs))]


with open(os.environ["CASES"]) as file:
    INPUTS = [json.loads(line)["input"] for line in file]


@pytest.mark.parametrize("asked", list(zip(INPUTS, asyncio.run(replies(INPUTS)), strict=True)))
def test_ping(asked: tuple[str, str]) -> None:
    text, reply = asked
    assert_test(LLMTestCase(input=text, actual_output=reply), [ContainsPong()], run_async=False)
