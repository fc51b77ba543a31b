"""The cases as a pydantic-evals dataset; the task posts with one shared aiohttp session."""

import asyncio
import json
import os

import aiohttp
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import Contains

URL = f"{os.environ['MOCK_URL']}/v1/chat/completions"


async def main(asked: list[dict[str, str]]) -> None:
    cases = [Case(name=case["id"], inputs=case["input"]) for case in asked]
    dataset = Dataset(name="pings", cases=cases, evaluators=[Contains(value="pong")])
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def task(text: str) -> str:
            body = {"model": "m", "messages": [{"role": "user", "content": text}]}
            async with session.post(URL, json=body) as response:
                answer = await response.json()
            return answer["choices"][0]["message"]["content"]

        report = await dataset.evaluate(task, max_concurrency=32, progress=False)
    passed = sum(all(check.value is True for check in case.assertions.values()) for case in report.cases)
    checked = sum(bool(case.assertions) for case in report.cases)
    print(min(passed, checked), "passed")


with open(os.environ["CASES"]) as file:
    asyncio.run(main([json.loads(line) for line in file]))
