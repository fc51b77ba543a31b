"""The use case "people label conversations": which ones to ask about, and labels given as flags."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from vivavoce.containment.safe_stream import without_secrets
from vivavoce.errors import UsageError, did_you_mean
from vivavoce.insight.calibration.conversations import Conversation, conversations
from vivavoce.insight.calibration.judgements import judgements
from vivavoce.insight.calibration.labels import About, Decision, Label, Labels
from vivavoce.results.recorded_runs import RecordedRuns

_MOST_NAMED = 1000


class Question(Struct, frozen=True):
    """A conversation that a person is asked about; with a criterion, only whether that is met."""

    conversation: Conversation
    criterion: str | None = None

    def answered(self, decision: Decision, note: str | None = None) -> Label:
        one = self.conversation
        why = without_secrets(note or "") or None
        return Label(case=one.key, conversation=one.digest, criterion=self.criterion, label=decision, note=why)


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


class OpenQuestions:
    """The questions without an answer, in their order. A conversation is read when it is asked about, not before."""

    def __init__(
        self, read: Callable[[], Iterator[Question]], labels: Labels, *, sample: int | None = None, seed: int = 0
    ) -> None:
        """`read` reads all questions, each time it is called; with `sample` so many of all are drawn by chance."""
        self._read = read
        asked = [_about(question) for question in read()]
        self.found = len(asked)
        """How many questions there are, answered or not."""
        if sample is not None and sample < len(asked):
            asked = random.Random(seed).sample(asked, sample)
        self._open = {about for about in asked if about not in labels}

    def __len__(self) -> int:
        return len(self._open)

    def __iter__(self) -> Iterator[Question]:
        return (question for question in self._read() if _about(question) in self._open)


def _about(question: Question) -> About:
    return question.answered("pass").about


def set_without_asking(wanted: Sequence[str], asked: Iterable[Question], note: str | None) -> list[Label]:
    """Labels for `CASE=pass` and `CASE=fail`, about every conversation of the case. Raises UsageError."""
    decisions = dict(map(_decision, wanted))
    made: dict[str, list[Label]] = {case: [] for case in decisions}
    known: set[str] = set()
    for one in asked:
        names = (one.conversation.case.id, one.conversation.key)
        for case in made.keys() & set(names):
            made[case].append(one.answered(decisions[case], note))
        if len(known) < _MOST_NAMED:
            known.add(names[0])
    for case, labels in made.items():
        if not labels:
            hint = did_you_mean(case, sorted(known))
            raise UsageError(f"no conversation of a case {case!r}", at="--set", hint=hint)
    return [label for labels in made.values() for label in labels]


def _decision(text: str) -> tuple[str, Decision]:
    case, _, word = text.rpartition("=")
    if not case or (word != "pass" and word != "fail"):
        raise UsageError(f"{text!r} is no label", at="--set", hint="write CASE=pass or CASE=fail")
    return case, word
