"""`model_proxy:` of an agent: a proxy between the agent and its models, which watches the conversations."""

import os
import sys
from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from vivavoce.errors import UsageError
from vivavoce.metering.prices import PriceList
from vivavoce.model.case import Case
from vivavoce.model.json_value import JsonValue, is_object
from vivavoce.model.message import text_of_content
from vivavoce.notation.validation_errors import split_validation_error
from vivavoce.plugins.catalog import TARGETS
from vivavoce.project.variables import UndefinedVariable, interpolate
from vivavoce.protocols import Provisions, Surroundings, TargetSpec
from vivavoce.sight.proxy.conversation_tap import ConversationTap
from vivavoce.sight.proxy.providers import providers_of
from vivavoce.sight.proxy.server import ProxyServer
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.run_tapes import RunTapes, current_attempt_tape
from vivavoce.sight.tapes.tape_settings import TAPES_ONLY


class ProxyFields(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fields of `model_proxy:`."""

    upstream: dict[str, str] = {}
    """The real address of each provider."""
    listen: Annotated[int, Meta(ge=0, le=65535)] = 0
    """The port; 0: any free one."""
    tapes_only: bool = False


def proxy_fields(value: JsonValue, agent: str) -> ProxyFields:
    """Reads `{upstream: {openai: URL}, listen: PORT}`, the short `{openai: URL}`, or `true`. Raises UsageError."""
    if value is True:
        return ProxyFields()
    if is_object(value) and not value.keys() & {"upstream", "listen", TAPES_ONLY}:
        value = {"upstream": value}
    try:
        return msgspec.convert(value, ProxyFields)
    except msgspec.ValidationError as error:
        raise UsageError(
            f"agent {agent!r}: model_proxy: {split_validation_error(str(error))[0]}",
            hint="write model_proxy: {upstream: {openai: https://…}, listen: 0}",
        ) from None


_DUMMY_KEY = "viva-replay-needs-no-key"
_in_this_process: list[ProxyServer] = []
"""The proxy of all agents that run in viva's process: they share one environment."""


class ModelProxy:
    """protocols.Watcher. Listens from its construction on: its address must be known before the agent is imported."""

    def __init__(self, spec: TargetSpec, surroundings: Surroundings) -> None:
        """Raises UsageError for bad fields, VivaError when the port is taken."""
        fields = proxy_fields(spec.config.get("model_proxy"), spec.id)
        self._agent = spec.id
        self._surroundings = surroundings
        self._providers = providers_of(self._filled(fields.upstream), spec.id)
        self._sees = not fields.tapes_only
        self._prices = PriceList(surroundings.project.config.prices)
        tapes = surroundings.tapes
        self._tapes = tapes if isinstance(tapes, RunTapes) else None
        self._censor = Censor(surroundings.secrets) if self._tapes is None else self._tapes.censor
        kind = TARGETS.load(spec.kind)
        runs = kind.runs
        self._takes_faults = "model" not in kind.struck_at
        self._is_here = runs == "here"
        self._is_elsewhere = runs == "elsewhere" and not spec.config.get("serve")
        self._server = self._opened(fields.listen)
        if self._is_here:
            self._was = {name: os.environ.get(name) for name in self._environment(self._server.root)}
            os.environ.update(self._environment(self._server.root))

    def _opened(self, port: int) -> ProxyServer:
        if self._is_here and _in_this_process:
            return _in_this_process[0]
        server = ProxyServer(port, self._providers)
        if self._is_here:
            _in_this_process.append(server)
        return server

    async def start(self) -> Mapping[str, str]:
        self._server.start()
        environment = self._environment(self._server.root)
        if self._is_elsewhere:
            self._is_elsewhere = False
            told = "".join(f"\n  export {name}={value}" for name, value in environment.items())
            print(f"viva: agent {self._agent!r} is seen through viva's model proxy once it has:{told}", file=sys.stderr)
        return environment

    def watch(self, case: Case, run: int, provisions: Provisions) -> ConversationTap:
        tap = ConversationTap(
            self._agent,
            providers=self._providers,
            server=self._server,
            provisions=provisions,
            lines=[text_of_content(turn.content) for turn in case.turns],
            prices=self._prices,
            censor=self._censor,
            attempt_tape=current_attempt_tape(),
            sees=self._sees,
            takes_faults=self._takes_faults,
        )
        root = self._server.scoped(tap.token)
        provisions.environment.update(self._environment(root))
        provisions.base_urls.update({one.name: one.base_url(root) for one in self._providers.values()})
        self._server.taps.add(tap)
        return tap

    async def close(self) -> None:
        if self._is_here:
            for name, value in self._was.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
            if self._server in _in_this_process:
                _in_this_process.remove(self._server)
        self._server.close()

    def _environment(self, root: str) -> dict[str, str]:
        """The variables that lead an agent to the proxy. On replay also placeholder keys, which SDKs require."""
        found = {name: value for one in self._providers.values() for name, value in one.environment(root).items()}
        if self._tapes is not None and self._tapes.settings.needs_no_keys:
            keys = [name for one in self._providers.values() for name in one.keys]
            found.update({name: _DUMMY_KEY for name in keys if not os.environ.get(name)})
        return found

    def _filled(self, upstream: Mapping[str, str]) -> dict[str, str]:
        variables, secrets = self._surroundings.project.config.variables, self._surroundings.secrets
        try:
            return {name: interpolate(address, variables, secrets) for name, address in upstream.items()}
        except UndefinedVariable as undefined:
            raise UsageError(f"agent {self._agent!r}: model_proxy: {undefined}") from None
