"""What a person said on the page → the line that is sent to the agent."""

from collections.abc import Sequence

from vivavoce.app.talking.frames import GivenAnswer, Say
from vivavoce.model.case import CallOptions, ResumeAnswer
from vivavoce.model.json_value import JsonValue, is_object
from vivavoce.model.message import Interrupt, text_of_content
from vivavoce.model.transcript import Line, Transcript
from vivavoce.notation.interrupt_answers import lasting_name, spoken_answer

_WORDS = {"approve": "yes", "decline": "no"}


def line_of(said: Say, transcript: Transcript, options: CallOptions) -> Line:
    """The line. Where the agent waits for answers, the line has these alone, so that a test can repeat it exactly.

    Words that were said instead of answers answer every open interrupt.
    """
    still_open = transcript.last.reply.interrupts if transcript.last is not None else ()
    if not still_open:
        return Line(content=said.content, source="interactive", options=options)
    given = {answer.id: answer for answer in said.answers}
    text = text_of_content(said.content)
    resume = tuple(
        _resume(interrupt, given.get(interrupt.id, GivenAnswer(interrupt.id, "words", text)), still_open)
        for interrupt in still_open
    )
    return Line(content="", source="interactive", options=options, resume=resume)


def _resume(interrupt: Interrupt, given: GivenAnswer, still_open: Sequence[Interrupt]) -> ResumeAnswer:
    named = lasting_name(interrupt, still_open)
    if given.kind == "cancel":
        return ResumeAnswer(id=named.id, reason=named.reason, tool=named.tool, cancelled=True)
    payload = _payload(interrupt, given)
    return ResumeAnswer(id=named.id, reason=named.reason, tool=named.tool, payload=payload)


def _payload(interrupt: Interrupt, given: GivenAnswer) -> JsonValue:
    """Yes and no take the form that the interrupt's schema asks for; without one, the usual form."""
    payload = spoken_answer(_WORDS.get(given.kind, given.text), interrupt).payload
    if given.kind != "words" and not is_object(payload):
        return {"approved": given.kind == "approve"}
    return payload
