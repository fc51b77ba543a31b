"""Whether all spans of a turn have arrived: only then is it certain that no call was missed."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from vivavoce.sight.spans.dialects import Asked, is_hand_off_tool
from vivavoce.sight.spans.reading import Reading
from vivavoce.sight.spans.span import Span
from vivavoce.wording.plurals import counted


class Missing(Struct, frozen=True):
    """What is missing in the spans of a turn; an empty text: nothing."""

    what: str = ""
    for_good: bool = False
    """Whether waiting does not help."""

    def __bool__(self) -> bool:
        return bool(self.what)


NO_SPAN = Missing("no span came")


def missing_in(spans: Iterable[Span], reading: Reading, sent: str) -> Missing:
    """`sent` is the span id that viva sent to the agent as the parent of its spans."""
    found = list(spans)
    if not found:
        return NO_SPAN
    known = {span.id for span in found} | {sent, ""}
    orphans = [span for span in found if span.parent not in known]
    if orphans:
        return Missing(f"the parent of {counted(len(orphans), 'span')} did not come ({_named(orphans[0])})")
    if not any(span.parent in (sent, "") for span in found):
        return Missing("the span of the whole request did not come")
    if never_run := list(_without_hand_offs(reading)):
        names = ", ".join(dict.fromkeys(asked.name or "a tool" for asked in never_run))
        return Missing(f"the model asked for {names}, and no span says that it ran")
    if reading.suspects:
        what = f"the span {_named(reading.suspects[0])!r} may be a tool call, in a form that viva does not know"
        return Missing(what, for_good=True)
    if not reading.names_a_framework:
        which = "only model calls" if reading.models else "nothing of an agent"
        return Missing(f"{which} can be seen in the spans, so its tools may not be traced at all", for_good=True)
    return Missing()


def _without_hand_offs(reading: Reading) -> Iterator[Asked]:
    """Calls that a model asked for and that have no span; hand-offs may have a span of another kind."""
    bare = reading.bare_hand_offs
    for asked in reading.never_run:
        if bare and is_hand_off_tool(asked.name, reading.hand_offs):
            bare -= 1
        else:
            yield asked


def _named(span: Span) -> str:
    return span.name or span.id
