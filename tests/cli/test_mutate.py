"""`viva mutate`: its score, its files, and the stronger checks it writes."""

from typing import Any

import pytest
from tests.cli.conftest import VivaProject

pytestmark = pytest.mark.process

WEAK = {"id": "a", "input": "a", "assert": [{"type": "contains", "value": "echo"}]}
STRONG = {"id": "b", "input": "b", "assert": [{"type": "contains", "value": "echo: b"}]}


def test_mutate_scores_writes_and_then_notices_everything(project: VivaProject):
    project.cases(WEAK, STRONG)
    assert project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl").code == 0
    done = project.viva("mutate", "out.jsonl", "--fail-under", "90", "-o", "m.json", "-o", "m.md", "-o", "m.html")
    assert (done.code, "survived: reply-swapped" in done.out) == (1, True), done.text
    assert all((project.root / f"m.{kind}").is_file() for kind in ("json", "md", "html"))
    assert project.viva("mutate", "out.jsonl", "--write").code == 0
    stronger = project.viva("mutate", "out.jsonl", "--fail-under", "100", "--format", "agent")
    assert (stronger.code, stronger.out) == (0, "mutation score: 100 % (8 of 8 noticed)\n"), stronger.text
    assert project.viva("mutate", "out.jsonl", "-o", "m.xml").code == 2


SKIPPED = {**STRONG, "skip": True}
FAILING = {**STRONG, "assert": [{"type": "contains", "value": "nothing like it"}]}


@pytest.mark.parametrize("command", ["mutate", "coverage"])
@pytest.mark.parametrize(
    ("case", "now"), [(SKIPPED, SKIPPED), (FAILING, FAILING), (STRONG, WEAK)], ids=["skipped", "failed", "vanished"]
)
def test_a_limit_is_not_met_by_cases_that_cannot_be_looked_at(project: VivaProject, command: str, case: Any, now: Any):
    project.cases(case)
    project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    project.cases(now)
    done = project.viva(command, "out.jsonl", "--fail-under", "10")
    assert done.code in (1, 2), done.text


@pytest.mark.parametrize("command", ["mutate", "coverage"])
def test_nothing_recorded_is_exit_2(project: VivaProject, command: str):
    project.cases(STRONG)
    assert project.viva(command).code == 2
