"""The verdicts of a judge and the labels of a person about the same conversations."""

from collections.abc import Iterator

from msgspec import Struct

from vivavoce.insight.calibration.conversations import Conversation
from vivavoce.insight.calibration.judgements import Judgement, judgements
from vivavoce.insight.calibration.labels import Labels
from vivavoce.model.result import Attempt


class Rating(Struct):
    """One criterion of one conversation: the person's label and all verdicts of the judge."""

    judge: str
    criterion: str
    person: bool
    said: list[Judgement]
    """The usable verdicts: first the one that counts, then those of asking again."""
    broken: int = 0

    @property
    def verdict(self) -> bool | None:
        return self.said[0].passed if self.said else None


class Ratings:
    """Collects what judges said about labelled conversations."""

    def __init__(self, labels: Labels) -> None:
        self._labels = labels
        self._ratings: dict[tuple[str, ...], Rating] = {}
        self._unlabelled: set[tuple[str, str]] = set()
        self._several: set[tuple[str, str]] = set()

    def __iter__(self) -> Iterator[Rating]:
        return iter(self._ratings.values())

    @property
    def unlabelled(self) -> int:
        """Conversations that a judge judged and nobody labelled."""
        return len(self._unlabelled)

    @property
    def one_label_for_several_criteria(self) -> int:
        """Conversations with several criteria whose one label is compared with each of them."""
        return len(self._several)

    def add(self, conversation: Conversation, judged: Attempt | None = None) -> None:
        """Adds what judges said about a conversation; `judged` is the same one, judged again."""
        said = list(judgements(judged or conversation.attempt))
        about = (conversation.case.id, conversation.digest)
        for one in said:
            label = self._labels.find(conversation.key, conversation.digest, one.criterion)
            if label is None:
                self._unlabelled.add(about)
                continue
            if label.criterion is None and len({other.criterion for other in said}) > 1:
                self._several.add(about)
            key = (*about, one.judge, one.criterion, one.place)
            rating = self._ratings.get(key)
            if rating is None:
                rating = self._ratings[key] = Rating(one.judge, one.criterion, label.passed, [])
            _add(rating, one)

    def has(self, conversation: Conversation) -> bool:
        """Whether a judge judged the conversation and a person labelled it."""
        about = (conversation.case.id, conversation.digest)
        return any(key[:2] == about for key in self._ratings)


def _add(rating: Rating, one: Judgement) -> None:
    if one.passed is None:
        rating.broken += 1
        return
    if rating.said and rating.said[0].request != one.request:
        # The judge or the check was changed in between: only its new verdicts count.
        rating.said.clear()
    rating.said.append(one)
