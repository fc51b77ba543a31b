"""The tape options of a run as the engine wants them; options that contradict each other are refused."""

from collections.abc import Mapping

from vivavoce.errors import UsageError
from vivavoce.project.run_options import TapeOptions
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
