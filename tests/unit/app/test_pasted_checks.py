"""The check that is suggested for a change, put into the case file, notices it: for every kind, in every format."""

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

import vivavoce
from vivavoce.app.mutating import mutate
from vivavoce.app.request import RunRequest
from vivavoce.app.writing_checks import write_checks
from vivavoce.insight.mutants.score import CaseScore, Survivor
from vivavoce.model.mutant_kinds import MutantKind

COMMENTS = ("what people ask most", "the second question")
JSONL = """\
// what people ask most
{
  "id": "orders", "turns": [
    {"input": "where is A-17?"},
    # the second question
    {"input": "thanks"}
  ],
  "assertions": [{"type": "not_contains", "value": "sorry"}]
}
{"id": "other", "input": "ship it"}
"""
YAML = """\
# what people ask most
id: orders
turns:
  - user: where is A-17?   # not answered from memory
  # the second question
  - user: thanks
assertions:
  - {type: not_contains, value: sorry}
---
id: other
turns:
  - user: ship it
"""
YAML_WITH_BLOCKS = """\
id: orders
turns:
  # what people ask most
  - user: where is A-17?
    assert:
      tools:
        require: [{ name: find_order }]   # the second question
  - user: thanks
assertions: [{ type: not_contains, value: sorry }]
assert:
  tools: { forbid: [delete_order] }
---
name: other
turns:
  - user: ship it
"""
FILES = {"cases.jsonl": JSONL, "cases.viva.yaml": YAML, "blocks.yaml": YAML_WITH_BLOCKS}


def agent(messages: list[dict[str, Any]]) -> dict[str, Any]:
    if messages[-1]["content"] != "where is A-17?":
        return {"content": f"You said {messages[-1]['content']}, for the 2nd time.", "tool_calls": []}
    calls = [
        {"name": "find_order", "args": {"id": "A-17", "open": True}, "result": {"ok": True}},
        {"name": "find_parcel", "args": {"order": 17}, "result": "on its way"},
    ]
    return {"content": "Order 17 is on its way to you.", "tool_calls": calls}


def scored() -> dict[str, CaseScore]:
    report = asyncio.run(mutate(("out.jsonl",), RunRequest.of({})))
    return {case.id: case for case in report.cases}


def survivors(score: CaseScore, kind: MutantKind) -> list[Survivor]:
    """Those that count, and those that would if something limited them."""
    return [one for one in (*score.survivors, *score.unlimited) if one.kind is kind]


@pytest.fixture(scope="module", params=FILES)
def recorded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with one case file and a run of it."""
    folder = tmp_path_factory.mktemp("recorded")
    (folder / request.param).write_text(FILES[request.param])
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        vivavoce.run(request.param, agent=agent, outputs="out.jsonl", history=False)
    return folder


@pytest.mark.parametrize("kind", list(MutantKind))
def test_a_suggested_check_that_is_written_notices_its_change(
    recorded: Path, kind: MutantKind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    shutil.copytree(recorded, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    (file,) = (path for path in tmp_path.iterdir() if path.name in FILES)
    before = file.read_text()
    score = scored()["orders"]
    found = survivors(score, kind)
    assert found
    assert all(one.suggestion is not None for one in found)

    (written,) = write_checks([structs.replace(score, survivors=tuple(found))], tmp_path)
    assert written.added > 0
    assert written.refused == ()
    after = iter(file.read_text())
    assert all(character in after for character in before)  # something was put in, and nothing else changed
    assert [comment for comment in COMMENTS if comment not in file.read_text()] == []
    assert survivors(scored()["orders"], kind) == []
