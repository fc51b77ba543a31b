"""A hash of an agent or connector that judges: the same one answers the same request by the same rules."""

import re
from collections.abc import Callable
from hashlib import blake2b

import msgspec

from vivavoce.engine.agent_files import content_of, environment_named_in, files_below, sources_of
from vivavoce.errors import VivaError
from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import TargetSpec
from vivavoce.version import __version__

_SECRET_NAME = "(?i)key|token|secret|password|auth"
_encode = msgspec.json.Encoder(order="sorted", enc_hook=str).encode


class Fingerprints:
    """protocols.Helpers.fingerprint. Everything is looked at once per run.

    The hash stands in result files, which may be published: secrets are masked before it is made.
    """

    def __init__(
        self, project: Project, secrets: Secrets, spec_of: Callable[[str], TargetSpec], over: str | None
    ) -> None:
        self._project = project
        self._secrets = secrets
        self._spec_of = spec_of
        self._over = over
        """The connector that `-c` names, which helpers without their own get."""
        self._known: dict[str, str] = {}
        self._connectors: JsonValue = None

    def __call__(self, name: str) -> str:
        """Returns the fingerprint of an agent, or of a connector where no agent has the name."""
        found = self._known.get(name)
        if found is None:
            seen = self._secrets.mask(_encode([name, self._agent(name), self._all_connectors()]).decode())
            # The same project may lie elsewhere on another machine.
            seen = seen.replace(str(self._project.root), ".")
            found = self._known[name] = blake2b(seen.encode(errors="replace"), digest_size=12).hexdigest()
        return found

    def _agent(self, name: str) -> JsonValue:
        try:
            spec = self._spec_of(name)
        except VivaError:
            return None
        config = {field: value for field, value in spec.config.items() if not callable(value)}
        files = [content_of(path) for path in sources_of({**config, "id": spec.id}, self._project)]
        # The judge that viva ships may change with the version.
        return [spec.kind, config, _not_secret(environment_named_in(config)), files, self._over, __version__]

    def _all_connectors(self) -> JsonValue:
        if self._connectors is None:
            project = self._project
            written: JsonValue = [
                msgspec.to_builtins(project.config.connectors),
                [content_of(path) for path in files_below(project.connectors_dir, project)],
            ]
            self._connectors = [written, _not_secret(environment_named_in(written))]
        return self._connectors


def _not_secret(environment: JsonObject) -> JsonObject:
    return {name: value for name, value in environment.items() if not re.search(_SECRET_NAME, name)}
