"""Opens connectors by their id: from the project's configuration, or from Yao's `*.conn.yao` files."""

from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from vivavoce.calling.polite_connector import PoliteConnector
from vivavoce.containment.working_folder import path_from_here
from vivavoce.errors import UsageError, did_you_mean
from vivavoce.metering.pacing import Pace, parse_rate
from vivavoce.metering.prices import PriceList
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonObject, JsonValue, map_texts
from vivavoce.notation.validation_errors import split_validation_error
from vivavoce.plugins.catalog import CONNECTORS
from vivavoce.plugins.guarded import guarded_connector
from vivavoce.project.files import place_of_text, read_yao, yao_files
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.project.settings import AtLeastOne
from vivavoce.project.variables import UndefinedVariable, expand_yao_env, interpolate
from vivavoce.protocols import Connector, Surroundings

SUFFIXES = (".conn.yao", ".conn.json", ".conn.jsonc")
ROLE_PREFIX = "use::"
"""Yao's way to name a connector by the role it plays: `use::light` is the connector `light`."""


class ConnectorEntry(Struct, frozen=True, kw_only=True):
    """A connector as configured, before variables are expanded and it is opened."""

    id: str
    type: str
    options: JsonObject = {}
    file: Path | None = None
    """Its `.conn.yao` file; None for a connector from the configuration or from code."""
    max_parallel: int | None = None
    rate: str | None = None


class _ConnectorFile(Struct, frozen=True):
    """The fields of a `.conn.yao` file that viva uses; Yao's other fields are ignored."""

    type: str
    options: JsonObject = {}
    max_parallel: AtLeastOne | None = None
    rate: str | None = None


def find_connector(connector_id: str, surroundings: Surroundings) -> Connector:
    """Returns the connector with this id, opened once and shared. Raises UsageError for an unknown id or type."""
    found: Connector | None = surroundings.connections.get(connector_id)
    if found is None:
        entry = look_up_connector(connector_id, surroundings.project)
        found = connect(entry, surroundings, surroundings.project.config.variables)
        surroundings.connections[connector_id] = found
    return found


def connect(entry: ConnectorEntry, surroundings: Surroundings, variables: Mapping[str, JsonValue]) -> PoliteConnector:
    """Opens a connector: expands its options and finds its class by its type."""
    project = surroundings.project
    require_known_type(entry, project)
    try:
        options = expand_options(entry.options, variables, surroundings.secrets)
    except UndefinedVariable as error:
        raise UsageError(f"connector {entry.id!r}: {error}", at=_place(entry, project, error.written)) from None
    connector = _opened(entry, options, surroundings)
    prices = PriceList(project.config.prices)
    return PoliteConnector(
        entry.id,
        connector,
        _pace(entry, surroundings),
        prices=prices,
        model=str(options.get("model") or ""),
        tapes=surroundings.tapes,
    )


def _opened(entry: ConnectorEntry, options: JsonObject, surroundings: Surroundings) -> Connector:
    """Raises UsageError, with file and line, for options that the connector's class refuses."""
    factory = CONNECTORS.load(entry.type)
    try:
        with CONNECTORS.guard(entry.type):
            return guarded_connector(factory(entry.id, options, surroundings), entry.type)
    except UsageError as error:
        if error.at or len(error.each()) > 1:
            raise
        raise UsageError(error.what, at=_place(entry, surroundings.project), hint=error.hint) from None


def _place(entry: ConnectorEntry, project: Project, text: str = "") -> Origin | str:
    """Returns the file and line of a connector; "" if it is in no file."""
    if entry.file is not None:
        return place_of_text(entry.file, text)
    return project.place("connectors", entry.id) if entry.id in project.config.connectors else ""


def require_known_type(entry: ConnectorEntry, project: Project) -> None:
    if entry.type not in CONNECTORS:
        known = sorted(CONNECTORS)
        raise UsageError(
            f"connector {entry.id!r} has the unknown type {entry.type!r}",
            at=_place(entry, project, entry.type),
            hint=did_you_mean(entry.type, known) or f"known: {', '.join(known)}",
        )


def _pace(entry: ConnectorEntry, surroundings: Surroundings) -> Pace:
    """Returns the pace of a connector, shared by everybody who calls it."""
    found = surroundings.paces.get(entry.id)
    if found is None:
        interval_s = parse_rate(entry.rate, f"connector {entry.id!r}") if entry.rate else 0.0
        found = surroundings.paces[entry.id] = Pace(entry.max_parallel, interval_s)
    return found


def expand_options(value: JsonValue, variables: Mapping[str, JsonValue], secrets: Secrets) -> JsonValue:
    """Replaces `$ENV.X`, `${ENV.X}` and `${VAR}` in every string inside the value."""

    def expanded(text: str) -> str:
        # One notation or the other: what a variable holds is never expanded again.
        return interpolate(text, variables, secrets) if "${" in text else expand_yao_env(text, secrets)

    return map_texts(value, expanded)


def read_connector(connector_id: str, path: Path) -> ConnectorEntry:
    """Reads a connector file of Yao. Comments, trailing commas and other fields are allowed."""
    try:
        file = msgspec.convert(read_yao(path), _ConnectorFile)
    except msgspec.ValidationError as error:
        raise UsageError(split_validation_error(str(error))[0], at=Origin(path_from_here(path), 1)) from None
    return ConnectorEntry(
        id=connector_id,
        type=file.type,
        options=file.options,
        file=path,
        max_parallel=file.max_parallel,
        rate=file.rate,
    )


def look_up_connector(connector: str, project: Project) -> ConnectorEntry:
    """Returns a connector as configured. Raises UsageError for an unknown id."""
    connector = connector.removeprefix(ROLE_PREFIX)
    if connector in project.config.connectors:
        return _configured(connector, project)
    files = yao_files(project.connectors_dir, SUFFIXES)
    if connector in files:
        return read_connector(connector, files[connector])
    known = sorted({*project.config.connectors, *files})
    places = f"write {project.connectors_dir.name}/{connector.replace('.', '/')}.conn.yao or `connectors:` in viva.yaml"
    raise UsageError(
        f"unknown connector {connector!r}",
        hint=did_you_mean(connector, known) or (f"known: {', '.join(known)}" if known else places),
    )


def _configured(name: str, project: Project) -> ConnectorEntry:
    config = project.config.connectors[name]
    return ConnectorEntry(
        id=name,
        type=config.type,
        options=config.options,
        max_parallel=config.max_parallel,
        rate=config.rate,
    )
