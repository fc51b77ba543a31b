"""A conversation with an AG-UI target, without the engine around it."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from vivavoce.model.case import FrontendTool
from vivavoce.model.message import AgentReply, Message
from vivavoce.model.transcript import Line, Transcript, Turn
from vivavoce.net.http_client import HttpClient
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import CallContext, Surroundings, TargetSpec
from vivavoce.targets.ag_ui.replay import AgUiReplayTarget
from vivavoce.targets.ag_ui.session import AgUiSession
from vivavoce.targets.ag_ui.target import AgUiTarget


class Talk:
    """Says lines one after the other and keeps the transcript as the engine would."""

    def __init__(self, session: AgUiSession, history: Sequence[Message] = ()) -> None:
        self.session = session
        self.transcript = Transcript(history=tuple(history))

    async def say(self, content: str, **line: Any) -> AgentReply:
        spoken = Line(content=content, **line)
        reply = await self.session.send(spoken, self.transcript)
        number = len(self.transcript.turns) + 1
        self.transcript = self.transcript.plus(Turn(number=number, line=spoken, reply=reply))
        return reply


@asynccontextmanager
async def talking_to(
    url: str,
    *,
    root: Path | None = None,
    variables: dict[str, Any] | None = None,
    stubs: Sequence[FrontendTool] = (),
    state: Any = None,
    history: Sequence[Message] = (),
    case_id: str = "case",
    session_id: str = "thread-1",
    case_thread_id: str | None = None,
    secrets: Secrets | None = None,
    **config: Any,
) -> AsyncIterator[Talk]:
    """`url` may also be `agui-replay:DIR`."""
    http = HttpClient()
    around = Surroundings(project=Project(root=root or Path.cwd()), http=http, secrets=secrets or Secrets())
    kind, _, rest = url.partition(":")
    replayed = kind == "agui-replay"
    spec = TargetSpec(
        id="shop",
        kind="agui-replay" if replayed else "agui",
        config={**({"agui-replay": rest} if replayed else {"agui": url}), **config},
    )
    target = (AgUiReplayTarget if replayed else AgUiTarget)(spec, around)
    session = await target.open(
        CallContext(
            session_id=session_id,
            case_id=case_id,
            variables=variables or {},
            frontend_tools=tuple(stubs),
            state=state,
            thread_id=case_thread_id,
        )
    )
    try:
        yield Talk(session, history)
    finally:
        await session.close()
        await target.close()
        await http.close()
