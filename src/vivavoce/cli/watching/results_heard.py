"""Remembers which cases of a run did not pass."""

from vivavoce.app.listening import Listener
from vivavoce.model.events import CaseFinished, Event
from vivavoce.model.result import UNSUCCESSFUL


class ResultsHeard(Listener):
    """Keeps the keys of cases as they finish, not their results."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.failed: list[str] = []

    def handle(self, event: Event) -> None:
        if isinstance(event, CaseFinished):
            self.ran.append(event.result.case.key)
            if event.result.status in UNSUCCESSFUL:
                self.failed.append(event.result.case.key)
