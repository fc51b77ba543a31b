"""The tape options of a run as the engine wants them; options that contradict each other are refused."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from vivavoce.engine.wiring import RunResources
from vivavoce.errors import UsageError
from vivavoce.model.json_value import JsonValue, is_object
from vivavoce.plugins.catalog import TARGETS
from vivavoce.project.run_options import TapeOptions
from vivavoce.project.variables import UndefinedVariable, interpolate
from vivavoce.sight.tapes.tape_settings import TapeSettings

_OFF = ("", "0", "false", "no")


def tape_settings(options: TapeOptions, environment: Mapping[str, str]) -> TapeSettings:
    """Raises UsageError for options that do not go together."""
    in_ci = environment.get("CI", "").lower() not in _OFF
    if options.record and options.replay:
        raise UsageError("--record and --replay ask for opposite things", hint="use --replay DIR --record-missing")
    for given, flag in (
        (options.record_missing, "--record-missing"),
        (options.replay_only, "--replay-only"),
        (options.fresh_judges, "--fresh-judges"),
    ):
        if given and not options.replay:
            raise UsageError(f"{flag} goes with --replay", hint=f"write --replay DIR {flag}")
    if options.record_missing and options.replay_only:
        raise UsageError("--record-missing and --replay-only ask for opposite things", hint="give one of them")
    if options.fresh_judges and options.replay_only:
        raise UsageError("--fresh-judges needs the network, and --replay-only allows none", hint="give one of them")
    if options.record_missing and in_ci:
        raise UsageError("--record-missing is refused where CI is set", hint="record at home and commit the tapes")
    replay_only = options.replay_only or (in_ci and bool(options.replay) and not options.fresh_judges)
    return TapeSettings(
        record=options.record,
        replay=options.replay,
        record_missing=options.record_missing,
        replay_only=replay_only,
        fresh_judges=options.fresh_judges,
        drift=options.drift,
    )


def refuse_live_agents(resources: RunResources) -> None:
    """Raises UsageError under --replay-only for an agent that only answers over the network.

    Agents that viva starts, that run in its process or that listen on loopback are let through.
    """
    if not resources.settings.tapes.replay_only:
        return
    for name in sorted(resources.agents_in_use()):
        spec = resources.spec(name)
        if TARGETS.load(spec.kind).runs != "elsewhere" or spec.config.get("serve"):
            continue
        written: JsonValue = spec.config.get(spec.kind)
        url: JsonValue = written.get("url") if is_object(written) else written
        try:
            address = interpolate(str(url or ""), resources.project.config.variables, resources.secrets)
        except UndefinedVariable:
            continue
        if address.startswith(("http://", "https://")) and not _is_loopback(address):
            raise UsageError(
                f"agent {name!r} answers at {resources.secrets.mask(address)}, and --replay-only opens no connection",
                hint="start it with `serve:` or on 127.0.0.1, or record its answers with `viva record` "
                "and run -n replay:DIR",
            )


def _is_loopback(address: str) -> bool:
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return False
    return host == "localhost" or host.endswith(".localhost") or host == "::1" or host.startswith("127.")
