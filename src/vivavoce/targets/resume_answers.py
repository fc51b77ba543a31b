"""How the `resume:` of a line answers what an agent stopped for: which answer belongs to which interrupt."""

from collections.abc import Iterable, Sequence

from msgspec import Struct, structs

from vivavoce.model.case import ResumeAnswer
from vivavoce.model.message import AgentReply, ExchangeStatus, Interrupt
from vivavoce.model.transcript import Line
from vivavoce.notation.interrupt_answers import fits, names_of, spoken_answer


class Resumption(Struct, frozen=True, kw_only=True):
    """An answer on its way to the interrupt it is for."""

    interrupt: Interrupt
    answer: ResumeAnswer


class DeclaredAnswers:
    """The `resume:` of a line. Each entry answers in one round of the turn; unused entries are reported."""

    def __init__(self, answers: Sequence[ResumeAnswer]) -> None:
        self._left = list(answers)

    @property
    def left(self) -> list[ResumeAnswer]:
        return self._left

    def for_interrupts(self, interrupts: Sequence[Interrupt]) -> tuple[list[Resumption], list[Interrupt]]:
        """What answers which, and the interrupts that nothing answers. Nothing is used up unless all are covered."""
        if not interrupts:
            return [], []
        pairs = [(each, self.best(names_of(each))) for each in interrupts]
        uncovered = [interrupt for interrupt, answer in pairs if answer is None]
        resumptions = [Resumption(interrupt=each, answer=answer) for each, answer in pairs if answer is not None]
        if not uncovered:
            self.use(each.answer for each in resumptions)
        return resumptions, uncovered

    def best(self, names: dict[str, set[str]]) -> ResumeAnswer | None:
        """The first that fits; an answer that names nothing fits all, but the named ones come first."""
        fitting = [answer for answer in self._left if fits(answer, names)]
        named = [answer for answer in fitting if answer.id or answer.reason or answer.tool]
        return next(iter([*named, *fitting]), None)

    def use(self, answers: Iterable[ResumeAnswer]) -> None:
        used = {id(answer) for answer in answers}
        self._left = [answer for answer in self._left if id(answer) not in used]


def describe(interrupt: Interrupt) -> str:
    """Which interrupt, as a developer would look for it."""
    about = [f"reason {interrupt.reason!r}"] if interrupt.reason else []
    about += [f"tool {interrupt.tool_name}"] if interrupt.tool_name else []
    about += [f"{interrupt.message!r}"] if interrupt.message else []
    return f"interrupt {interrupt.id} ({', '.join(about)})" if about else f"interrupt {interrupt.id}"


def how_to_answer(interrupt: Interrupt) -> str:
    """The line to write into the test."""
    selector = (
        f"tool: {interrupt.tool_name}"
        if interrupt.tool_name
        else f"reason: {interrupt.reason}"
        if interrupt.reason
        else f"id: {interrupt.id}"
    )
    return f"declare the answer in the turn, e.g. `resume: [{{{selector}, payload: …}}]` or `cancelled: true`"


def describe_answer(answer: ResumeAnswer) -> str:
    named = [
        f"{key} {value}"
        for key, value in (("id", answer.id), ("reason", answer.reason), ("tool", answer.tool))
        if value
    ]
    return ", ".join(named) or "any interrupt"


def left_unanswered(line: Line, still_open: Sequence[Interrupt]) -> AgentReply:
    """Why the line was not even sent."""
    declared = "the turn's `resume` does not answer it" if line.resume else "no answer is declared"
    error = f"{_all(still_open)} is still open and {declared}: {how_to_answer(still_open[0])}"
    return AgentReply(status=ExchangeStatus.INTERRUPTED, error=error, interrupts=tuple(still_open))


def left_over(
    left: Sequence[ResumeAnswer], uncovered: Sequence[Interrupt], status: ExchangeStatus, error: str | None
) -> tuple[ExchangeStatus, str | None]:
    """Returns the status and the error of a turn, which fails when the agent did not ask for a declared answer."""
    wanted = "; ".join(describe_answer(answer) for answer in left)
    if status is ExchangeStatus.INTERRUPTED and left and uncovered:
        error = f"{_all(uncovered)}, but the turn's `resume` answers {wanted}"
        return ExchangeStatus.INTERRUPTED, f"{error}: {how_to_answer(uncovered[0])}"
    if status is ExchangeStatus.SUCCESS and left:
        # The test declares an interrupt that did not happen: a failure by the test's fault.
        return ExchangeStatus.INTERRUPTED, f"the turn's `resume` answers {wanted}, but the agent did not stop for that"
    return status, error


def in_words(resumption: Resumption) -> Resumption:
    payload = resumption.answer.payload
    if not isinstance(payload, str) or resumption.answer.cancelled:
        return resumption
    return structs.replace(resumption, answer=spoken_answer(payload, resumption.interrupt))


def _all(interrupts: Sequence[Interrupt]) -> str:
    return " and ".join(describe(each) for each in interrupts)
