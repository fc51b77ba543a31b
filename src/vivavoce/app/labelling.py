"""The use case "people label conversations": which are to be asked about, and labels without asking."""

import random
from collections.abc import Iterator, Sequence

from msgspec import Struct

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.insight.calibration.conversations import Conversation, conversations
from vivavoce.insight.calibration.judgements import judgements
from vivavoce.insight.calibration.labels import Decision, Label, Labels
from vivavoce.results.recorded_runs import RecordedRuns


class Question(Struct, frozen=True):
    """A conversation that a person is asked about; with a criterion, only whether that is met."""

    conversation: Conversation
    criterion: str | None = None

    def answered(self, decision: Decision, note: str | None = None) -> Label:
        one = self.conversation
        return Label(case=one.key, conversation=one.digest, criterion=self.criterion, label=decision, note=note or None)


def questions(runs: RecordedRuns, *, by_criterion: bool = False) -> Iterator[Question]:
    """Each conversation once, in the order recorded; `by_criterion` once for every criterion of a judge."""
    seen: set[tuple[str, str, str | None]] = set()
    for one in conversations(runs.results()):
        criteria = dict.fromkeys(said.criterion for said in judgements(one.attempt)) if by_criterion else (None,)
        for criterion in criteria:
            about = (one.case.id, one.digest, criterion)
            if about not in seen:
                seen.add(about)
                yield Question(one, criterion)


def still_open(asked: Sequence[Question], labels: Labels, *, sample: int | None, seed: int) -> list[Question]:
    """The questions without an answer, in their order; with `sample` so many of all, drawn by chance."""
    if sample is not None and sample < len(asked):
        chosen = set(random.Random(seed).sample(range(len(asked)), sample))
        asked = [question for at, question in enumerate(asked) if at in chosen]
    return [question for question in asked if not labels.has(question.answered("pass"))]


def set_without_asking(wanted: Sequence[str], asked: Sequence[Question], note: str | None) -> list[Label]:
    """Labels for `CASE=pass` and `CASE=fail`, about every conversation of the case. Raises UsageError."""
    made: list[Label] = []
    for text in wanted:
        case, _, word = text.rpartition("=")
        decision: Decision | None = "pass" if word == "pass" else "fail" if word == "fail" else None
        if decision is None or not case:
            raise UsageError(f"{text!r} is no label", at="--set", hint="write CASE=pass or CASE=fail")
        found = [one for one in asked if case in (one.conversation.case.id, one.conversation.key)]
        if not found:
            known = sorted({one.conversation.case.id for one in asked})
            raise UsageError(f"no conversation of a case {case!r}", at="--set", hint=did_you_mean(case, known))
        made += [one.answered(decision, note) for one in found]
    return made
