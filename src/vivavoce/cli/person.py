"""A person at this terminal, as the speaker of interactive cases and of `viva chat`."""

import sys
from collections.abc import Callable
from pathlib import Path

from vivavoce.engine.wiring import Person, PersonMaker
from vivavoce.model.case import Case
from vivavoce.model.transcript import Transcript
from vivavoce.project.redaction import Secrets


def person_maker(secrets: Secrets, *, asked_for: bool = False) -> PersonMaker:
    """Makes a speaker for each conversation, all at one terminal; None, with a message, where there is no terminal.

    Nothing that is shown or saved has one of the secrets in it.
    """
    from vivavoce.speakers.terminal import terminal_or_none

    # Looked up now: once the run captures what user code prints, stdout is no terminal any more.
    terminal = terminal_or_none(secrets.mask)
    if terminal is None and asked_for:
        print("viva: --interactive: there is no terminal here, so nobody is asked", file=sys.stderr)

    def make(case: Case, agent: str) -> Person | None:
        from vivavoce.speakers.human import HumanSpeaker

        if terminal is None:
            return None
        return HumanSpeaker(
            terminal,
            case.rules.interactive_timeout_s,
            title=case.title,
            options=case.options,
            on_save=saver(case, agent, secrets),
        )

    return make


def saver(case: Case, agent: str, secrets: Secrets) -> Callable[[str, Transcript], str]:
    """What `/save PATH` does: the conversation so far becomes a static case in a file."""

    def save(path: str, transcript: Transcript) -> str:
        from vivavoce.sources.freezing import append_case, frozen_case

        saved = append_case(Path(path), frozen_case(case, secrets.masked(transcript), agent))
        return f"saved as {path}::{saved.id}; run it with: viva test -i {path}"

    return save
