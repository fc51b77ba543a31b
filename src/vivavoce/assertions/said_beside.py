"""What an agent said besides the output that is judged, for negative checks: a forbidden word counts there too."""

from collections.abc import Iterator

from vivavoce.protocols import Evidence


def said_beside(evidence: Evidence) -> Iterator[str]:
    """Yields the words beside structured output and the messages before the final one, of the turn that is judged.

    Nothing where `path` names a part of the output: then only that part is judged.
    """
    if not evidence.turns:
        return
    reply, output = evidence.turns[-1].reply, evidence.output
    if output is not reply.output:
        return
    for text in (*reply.texts, reply.text):
        if text and text is not output and text != output:
            yield text
