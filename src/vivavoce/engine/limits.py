"""How fast an agent under test may be called, as its entry in the configuration says."""

from msgspec import structs

from vivavoce.metering.pacing import Pace, parse_rate
from vivavoce.metering.prices import PriceList
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line, Transcript
from vivavoce.plugins.declarations import TargetKind
from vivavoce.project.project import Project
from vivavoce.protocols import AgentCard, CallContext, Partial, Session, Target, TargetSpec


def check_rates(project: Project) -> None:
    """Raises UsageError for a bad `rate`, before anything is called."""
    where = project.shown(project.config_path) if project.config_path else ""
    groups = (("agents", project.config.agents), ("connectors", project.config.connectors))
    for group, entries in groups:
        for name, entry in entries.items():
            if entry.rate is not None:
                parse_rate(entry.rate, f"{where}: {group}.{name}.rate")


def limited(target: Target, spec: TargetSpec, kind: TargetKind, prices: PriceList) -> Target:
    """Returns the target, wrapped when the agent has limits (`max_parallel`, `rate`) or its usage is to be priced."""
    most, rate = spec.config.get("max_parallel"), spec.config.get("rate")
    model = spec.config.get("model") if prices and kind.priced_by == "model" else None
    if most is None and rate is None and model is None:
        return target
    pace = Pace(most, parse_rate(rate, f"agent {spec.id!r}") if rate else 0.0)
    return LimitedTarget(target, pace, prices, model or "")


class LimitedTarget:
    """A target whose conversations share one pace."""

    def __init__(self, target: Target, pace: Pace, prices: PriceList, model: str) -> None:
        self._target = target
        self._pace = pace
        self._prices = prices
        self._model = model

    @property
    def card(self) -> AgentCard:
        return self._target.card

    async def open(self, context: CallContext) -> "LimitedSession":
        return LimitedSession(await self._target.open(context), self._pace, self._prices, self._model)

    async def close(self) -> None:
        await self._target.close()


class LimitedSession:
    """Takes one of the `max_parallel` places only during a call, so that conversations cannot deadlock."""

    def __init__(self, session: Session, pace: Pace, prices: PriceList, model: str) -> None:
        self._session = session
        self._pace = pace
        self._prices = prices
        self._model = model

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        await self._pace.enter()
        try:
            reply = await self._session.send(line, transcript)
        finally:
            self._pace.leave()
        usage = self._prices.priced(reply.usage, self._model)
        return reply if usage is reply.usage else structs.replace(reply, usage=usage)

    def so_far(self) -> AgentReply:
        """What was seen of a turn that broke."""
        return self._session.so_far() if isinstance(self._session, Partial) else AgentReply()

    async def close(self) -> None:
        await self._session.close()
