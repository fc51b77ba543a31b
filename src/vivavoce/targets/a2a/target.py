"""An A2A agent as the agent under test."""

import asyncio
from collections.abc import Mapping

from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.json_value import JsonValue
from vivavoce.notation.durations import format_duration
from vivavoce.project.variables import UndefinedVariable, interpolate_deep
from vivavoce.protocols import AgentCard, CallContext, Surroundings, TargetSpec
from vivavoce.targets.a2a.channel import Channel
from vivavoce.targets.a2a.discovery import EndpointSettings, find_endpoint
from vivavoce.targets.a2a.session import A2aSession, Settings
from vivavoce.targets.a2a.wire import OUTPUT_MODES
from vivavoce.targets.call_headers import CASE, SESSION, header_text, identity_headers
from vivavoce.targets.http_exchange import HttpCaller
from vivavoce.targets.stream_deadline import read_limits

LONGEST_DISCOVERY_S = 30.0
"""For the card, at all the addresses it may have: no case's timeout runs yet."""


class A2aTarget:
    """Reads the card once and opens a context per conversation. Built from the fields of kind.A2aFields."""

    def __init__(self, spec: TargetSpec, surroundings: Surroundings) -> None:
        self._spec = spec
        self._config: Mapping[str, JsonValue] = spec.config
        self._surroundings = surroundings
        self._limits = read_limits(spec)
        self._caller = HttpCaller(surroundings.http, {}, self._limits.connect_s)
        self._channels: dict[tuple[str, ...], Channel] = {}
        """By address and headers, which may hold variables of a hook."""
        self._finding = asyncio.Lock()

    @property
    def card(self) -> AgentCard:
        return AgentCard(
            id=self._spec.id,
            kind=self._spec.kind,
            description=str(self._config.get("description") or ""),
            where=str(self._config.get("a2a") or ""),
        )

    async def open(self, context: CallContext) -> A2aSession:
        """Variables are put in only now: hooks may have made them."""
        if context.frontend_tools:
            raise CallFailed(
                f"agent {self._spec.id!r} speaks A2A: the case's front-end tools would never be sent",
                fault="test",
                hint="front-end tools are for AG-UI agents",
            )
        variables = {**self._surroundings.project.config.variables, **context.variables}
        secrets = self._surroundings.secrets
        written: dict[str, str] = self._config.get("headers") or {}
        headers = {name: secrets.add_header(self._filled(value, variables)) for name, value in written.items()}
        channel = await self._channel(variables, headers)
        sent = {str(SESSION): context.session_id, str(CASE): header_text(context.case_id)}
        settings = Settings(
            headers={**identity_headers(context.identity), **sent, **headers},
            metadata=self._filled(self._config.get("metadata") or {}, variables),
            connector=context.connector,
            provisions=context.provisions,
            limits=self._limits,
        )
        return A2aSession(channel, settings, str(self._filled(context.thread_id, variables) or ""))

    async def close(self) -> None:
        """The connections belong to the run's shared client."""

    async def _channel(self, variables: Mapping[str, JsonValue], headers: Mapping[str, str]) -> Channel:
        """The way to the agent; its card is read by the first conversation that needs it."""
        url = self._address("a2a", variables)
        endpoint = self._address("endpoint", variables) if self._config.get("endpoint") else None
        key = (url, endpoint or "", *(f"{name}: {value}" for name, value in sorted(headers.items())))
        async with self._finding:
            if (known := self._channels.get(key)) is not None:
                return known
            wanted = EndpointSettings(
                url=url,
                endpoint=endpoint,
                transport=self._config.get("transport"),
                version=self._config.get("version"),
                has_headers=bool(headers),
            )
            found = await self._find(headers, wanted)
            told: bool | None = self._config.get("stream")
            channel = self._channels[key] = Channel(
                self._caller,
                found.interface,
                stream=found.streams if told is None else told,
                output_modes=tuple(self._config.get("output_modes") or OUTPUT_MODES),
                others=found.others,
                warnings=found.warnings,
                guess=found.guess,
            )
            return channel

    async def _find(self, headers: Mapping[str, str], wanted: EndpointSettings):
        limit_s = min(self._limits.idle_s, LONGEST_DISCOVERY_S)
        try:
            async with asyncio.timeout(limit_s):
                return await find_endpoint(self._caller, {"Accept": "application/json", **headers}, wanted)
        except TimeoutError:
            what = f"no agent card came from {wanted.url} in {format_duration(limit_s)}"
            raise CallFailed(what, fault="target", hint="is it the address of an A2A agent?") from None

    def _address(self, field: str, variables: Mapping[str, JsonValue]) -> str:
        url = str(self._filled(self._config.get(field), variables) or "")
        if not url.startswith(("http://", "https://")):
            raise UsageError(
                f"agent {self._spec.id!r}: not an address: {url!r}", hint="write it like https://host/path"
            )
        return url

    def _filled(self, value: JsonValue, variables: Mapping[str, JsonValue]) -> JsonValue:
        try:
            return interpolate_deep(value, variables, self._surroundings.secrets)
        except UndefinedVariable as undefined:
            raise UsageError(f"agent {self._spec.id!r}: {undefined}") from None
