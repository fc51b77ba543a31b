"""`viva mutate`: its score, its files, and the stronger checks it writes."""

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
