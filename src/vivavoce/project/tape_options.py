"""The run options for tapes: recorded model calls and their replay."""

from typing import Literal

from vivavoce.project.option import OptionGroup, option


class TapeOptions(OptionGroup):
    """Whether models are called, or their recorded answers are used."""

    record: str | None = option(
        "--record",
        default=None,
        metavar="DIR",
        setting=False,
        help="Record every model call of every case on tapes in this folder.",
    )
    replay: str | None = option(
        "--replay",
        default=None,
        metavar="DIR",
        decides_result=True,
        help="Answer model calls from the tapes in this folder.",
    )
    record_missing: bool = option(
        "--record-missing",
        default=False,
        kind="switch",
        setting=False,
        help="With --replay: make the calls that are on no tape, and record them.",
    )
    replay_only: bool = option(
        "--replay-only",
        default=False,
        kind="switch",
        shown_default="on with --replay where CI is set",
        help="With --replay: open no outgoing connection at all.",
    )
    fresh_judges: bool = option(
        "--fresh-judges",
        default=False,
        kind="switch",
        setting=False,
        help="With --replay: call judges again.",
    )
    drift: Literal["warn", "fail", "ignore"] = option(
        "--drift",
        default="warn",
        kind="choice",
        choices=("warn", "fail", "ignore"),
        help="What to do with a case whose calls differ slightly from the recorded ones.",
    )
