"""Answers of any agent, as they are written to disk."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.targets.test_answer_replay import CONTEXT, Agent, record

from vivavoce.errors import CallFailed, VivaError
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line, Transcript
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import CallContext
from vivavoce.targets.answer_recording import SUFFIX, RecordedTarget
from vivavoce.targets.recording_folder import folder_of


def written(root: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted((root / folder_of(CONTEXT.case_id)).iterdir())]


async def test_each_turn_is_a_file_with_what_was_said_and_what_came_back(tmp_path: Path):
    await record(tmp_path, "hi", "fail")
    first, second = written(tmp_path)
    assert (first["asked"], first["case_id"]) == ("hi", CONTEXT.case_id)
    assert first["reply"]["calls"][0]["name"] == "refund"
    assert (second["failed"], "reply" in second) == ("no answer", False)
    names = [path.name for path in sorted((tmp_path / folder_of(CONTEXT.case_id)).iterdir())]
    assert names == [f"01{SUFFIX}", f"02{SUFFIX}"]


async def test_no_secret_is_written(tmp_path: Path):
    await record(tmp_path, "hi", knows=("sk-secret-1",))
    assert all(b"sk-secret" not in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


async def test_the_newest_recording_replaces_the_last_and_nothing_else_stays(tmp_path: Path):
    await record(tmp_path, "hi", "hi")
    await record(tmp_path, "hi")
    assert len(written(tmp_path)) == 1
    assert [path.name for path in tmp_path.iterdir()] == [folder_of(CONTEXT.case_id)]


async def test_a_conversation_without_a_line_leaves_the_last_recording(tmp_path: Path):
    await record(tmp_path, "hi")
    await record(tmp_path)
    assert len(written(tmp_path)) == 1


async def test_the_failure_still_reaches_the_run(tmp_path: Path):
    agent = Agent()
    target = RecordedTarget(agent, tmp_path, Secrets(), shows_calls=None)
    assert target.card is agent.card
    session = await target.open(CONTEXT)
    with pytest.raises(CallFailed, match="no answer"):
        await session.send(Line(content="fail"), Transcript())
    assert session.so_far() == AgentReply()


async def test_a_folder_that_cannot_be_written_is_said_and_the_agent_is_closed(tmp_path: Path):
    closed: list[str] = []

    class Closing(Agent):
        async def close(self) -> None:
            closed.append("yes")

    (tmp_path / "file").write_text("in the way")
    target = RecordedTarget(Closing(), tmp_path / "file", Secrets(), shows_calls=None)
    session = await target.open(CallContext(session_id="s", case_id="a"))
    await session.send(Line(content="hi"), Transcript())
    with pytest.raises(VivaError):
        await session.close()
    assert closed == ["yes"]
