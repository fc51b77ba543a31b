from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line, Transcript
from vivavoce.plugins import AgentFields, TargetKind, target
from vivavoce.protocols import AgentCard, CallContext, Surroundings, TargetSpec


class EchoFields(AgentFields, frozen=True, kw_only=True):
    """An agent that repeats what it hears."""

    echo: str = "echo"
    loud: bool = False


class EchoTarget:
    def __init__(self, spec: TargetSpec, surroundings: Surroundings) -> None:
        self.prefix = spec.config.get("echo", "echo")
        self.loud = spec.config.get("loud", False)
        self.card = AgentCard(id=spec.id, kind="echo")

    async def open(self, context: CallContext) -> "EchoSession":
        return EchoSession(self)

    async def close(self) -> None: ...


class EchoSession:
    def __init__(self, target: EchoTarget) -> None:
        self.target = target

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        text = f"{self.target.prefix}: {line.text}"
        return AgentReply(text=text.upper() if self.target.loud else text)

    async def close(self) -> None: ...


ECHO = target(TargetKind(name="echo", target=EchoTarget, fields=EchoFields, may_repeat=True))
