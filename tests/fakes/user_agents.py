"""Targets that run user code, built on a real project folder."""

from pathlib import Path
from typing import Any

from vivavoce.model.message import AgentReply, Message
from vivavoce.model.transcript import Line, Transcript, Turn
from vivavoce.net.http_client import HttpClient
from vivavoce.plugins.catalog import TARGETS
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import CallContext, Surroundings, Target, TargetSpec


def target_of(kind: str, root: Path, **config: Any) -> Target:
    surroundings = Surroundings(project=Project(root=root), http=HttpClient(), secrets=Secrets())
    return TARGETS.load(kind).build(TargetSpec(id="it", kind=kind, config=config), surroundings)


async def say(
    target: Target,
    *texts: str,
    history: tuple[Message, ...] = (),
    line: Line | None = None,
    context: CallContext | None = None,
) -> list[AgentReply]:
    """One conversation with a target: its replies in order."""
    session = await target.open(context or CallContext(session_id="s1", case_id="T1"))
    transcript = Transcript(history=history)
    replies: list[AgentReply] = []
    try:
        for said in [line] if line else [Line(content=text) for text in texts]:
            reply = await session.send(said, transcript)
            replies.append(reply)
            transcript = transcript.plus(Turn(number=len(replies), line=said, reply=reply))
    finally:
        await session.close()
    return replies
