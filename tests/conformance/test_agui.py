"""Seed 001's tests, from the YAML file through the engine to an AG-UI server and back."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.conformance.checks import checks
from tests.fakes.agui_server import call, interrupt, replies_with, run, serving, text

from vivavoce.engine.attempt.attempt import Examination
from vivavoce.engine.wiring import RunResources, RunSettings
from vivavoce.model.case import Case
from vivavoce.model.result import Attempt, Status
from vivavoce.project.project import Project
from vivavoce.project.run_options import AttemptOptions
from vivavoce.project.settings import Config, LegacyTarget
from vivavoce.protocols import Job
from vivavoce.sources.reading.yaml_file import YamlSource


async def examined(test: dict[str, Any], root: Path, url: str, **options: Any) -> Attempt:
    """The test as a YAML file (JSON is YAML), run against seed 001's `target:`."""
    file = root / "shop.viva.yaml"
    file.write_text(json.dumps({"name": "shop", **test}))
    [case] = YamlSource(file, file.name).read()
    assert isinstance(case, Case), case
    project = Project(root=root, config=Config(target=LegacyTarget(endpoint=url)))
    resources = RunResources(project, RunSettings(options=AttemptOptions(**options)))
    try:
        return await Examination(resources, lambda event: None).attempt(Job(case=case, index=1))
    finally:
        await resources.close()


@pytest.mark.parametrize("check", checks("agui.run"))
async def test_a_run_follows_seed_001(check: dict[str, Any], tmp_path: Path) -> None:
    captured = [
        run(
            *(event for number, made in enumerate(turn["tool_calls"]) for event in _call(f"c{number}", made)),
            *(text(turn["text"]) if turn["text"] else ()),
        )
        for turn in check["turns"]
    ]
    async with serving(*replies_with(*captured)) as server:
        attempt = await examined(check["test"], tmp_path, server.url)
    seen = {"passed": attempt.status is Status.PASSED, "turns_sent": len(server.bodies)}
    assert seen == check["expect"]


def _call(call_id: str, made: dict[str, Any]) -> list[dict[str, Any]]:
    return call(call_id, made["name"], json.dumps(made.get("args", {})), json.dumps(made.get("result")))


STOPPED = run(*call("c1", "delete_file", '{"path": "/x"}'), outcome=interrupt({"id": "i1", "reason": "approval"}))
DELETED = run({"type": "TOOL_CALL_RESULT", "toolCallId": "c1", "messageId": "r1", "content": "deleted"}, *text("Done."))
ONCE = {"tools": {"require": [{"name": "delete_file", "count": {"exact": 1}, "result_match": "deleted"}]}}


@pytest.mark.parametrize(
    "turns",
    [
        [{"user": "delete it"}, {"resume": {"payload": {"approved": True}}}],
        [{"user": "delete it", "resume": {"reason": "approval", "payload": {"approved": True}}}],
    ],
    ids=["in the next turn", "in the same turn"],
)
async def test_an_approved_interrupt_is_one_call_with_its_result(turns: list[dict[str, Any]], tmp_path: Path) -> None:
    async with serving(*replies_with(STOPPED, DELETED)) as server:
        attempt = await examined({"turns": turns, "assert": ONCE}, tmp_path, server.url)
    assert (attempt.status, attempt.error) == (Status.PASSED, None)
    assert len(server.bodies) == 2


async def test_an_interrupt_that_the_next_turn_ignores_is_told_with_the_line_to_write(tmp_path: Path) -> None:
    turns = [{"user": "delete it"}, {"user": "thanks"}]
    async with serving(*replies_with(STOPPED, DELETED)) as server:
        attempt = await examined({"turns": turns}, tmp_path, server.url)
    assert (attempt.status, attempt.fault) == (Status.FAILED, "test")
    assert "interrupt i1 (reason 'approval') is still open" in (attempt.error or "")
    assert "resume: [{reason: approval, payload: …}]" in (attempt.error or "")
    assert len(server.bodies) == 1


async def test_a_breach_of_the_protocol_fails_only_under_strict_protocol(tmp_path: Path) -> None:
    sloppy = run({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m1", "delta": "Hi"})
    for strict, status in ((False, Status.PASSED), (True, Status.FAILED)):
        async with serving(*replies_with(sloppy)) as server:
            attempt = await examined({"turns": [{"user": "hi"}]}, tmp_path, server.url, strict_protocol=strict)
        assert attempt.status is status
