"""The cases as an Inspect task: one generation each, scored by `includes`."""

import json
import os

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import includes
from inspect_ai.solver import generate


@task
def pings() -> Task:
    with open(os.environ["CASES"]) as file:
        asked = [json.loads(line) for line in file]
    samples = [Sample(id=case["id"], input=case["input"], target="pong") for case in asked]
    return Task(dataset=samples, solver=generate(), scorer=includes())
