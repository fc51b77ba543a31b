"""The parts of a case that its row holds already, so that they are not written twice."""

from collections.abc import Iterator

from msgspec import structs

from vivavoce.model.case import Case, Checkpoint, NotReached, ScriptedTurn
from vivavoce.model.result import CheckpointOutcome
from vivavoce.model.transcript import Line, Transcript
from vivavoce.project.files import is_case_file
from vivavoce.results.fingerprint import case_hash, fingerprint
from vivavoce.results.verdict_rows import specs_of


def said_as_written(case: Case, transcript: Transcript) -> int:
    """How many of the first scripted turns were said exactly as they are written: the row's turns show them."""
    said = 0
    for turn, written in zip(scripted_lines(turn.line for turn in transcript.turns), case.turns, strict=False):
        if turn != (structs.replace(written, line=0) if written.line else written):
            break
        if transcript.turns[said].line.options != case.options:
            break
        said += 1
    return said


def without_unreached(case: Case, transcript: Transcript) -> tuple[int, NotReached | None]:
    """How many turns of the script a row needs, and what it says of the others, whose words only the case file has.

    A row keeps at least the first, by which people know the case; of a case that lies in no file it keeps them all.
    """
    written = len(case.turns)
    if len(transcript.turns) >= written or not is_case_file(case.origin.path):
        return written, case.not_reached
    reached = max(sum(1 for turn in transcript.turns if turn.line.source == "static"), 1)
    left = case.turns[reached:]
    if not left:
        return written, case.not_reached
    return reached, NotReached(
        turns=len(left),
        checks=sum(len(turn.assertions) for turn in left),
        fingerprint=fingerprint(case).hex(),
        content_hash=case_hash(case),
    )


def scripted_lines(lines: Iterator[Line]) -> Iterator[ScriptedTurn]:
    """The scripted lines, as turns, up to the first line from another speaker."""
    for line in lines:
        if line.source != "static":
            return
        yield ScriptedTurn(content=line.content, name=line.name, assertions=line.assertions, resume=line.resume)


def rebuilt_checkpoints(outcomes: tuple[CheckpointOutcome, ...]) -> tuple[Checkpoint, ...] | None:
    """The checkpoints, rebuilt from their outcomes; None where a check was never tried."""
    told: list[Checkpoint] = []
    for one in outcomes:
        specs = specs_of(one.verdicts)
        if not specs or None in specs:
            return None
        told.append(
            Checkpoint(
                id=one.id,
                assertions=tuple(spec for spec in specs if spec is not None),
                description=one.description,
                required=one.required,
            )
        )
    return tuple(told)
