"""Turns a recorded conversation into a static case that repeats it."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import UNSET, structs

from vivavoce.errors import UsageError
from vivavoce.model.case import AssertionSpec, Case, Checkpoint, OnMissingInput, Origin, ScriptedTurn
from vivavoce.model.message import AgentReply, Content, ContentPart, Interrupt
from vivavoce.model.transcript import EndReason, Line, Transcript
from vivavoce.notation.interrupt_answers import written_answers
from vivavoce.project.locked_files import append_whole, locked_folder
from vivavoce.sources.decoding.assertion_decoder import decode_assertions
from vivavoce.sources.decoding.case_encoder import encode_case
from vivavoce.sources.decoding.content_decoder import FILE_PREFIX
from vivavoce.sources.decoding.conversation_encoder import encode_script
from vivavoce.sources.reading.jsonl import JsonlSource

LONGEST_PHRASE_WORDS = 6
_HERE = Origin("frozen conversation")


def frozen_case(case: Case, transcript: Transcript, agent: str | None = None, *, propose: bool = True) -> Case:
    """The case with the lines of its conversation as turns, and with all its other fields.

    Checkpoints become assertions of the turn that reached them; those that were not reached stay, so that a case that
    failed because of them fails again. With `propose`, a turn without assertions gets some made from the reply.
    """
    if not transcript.turns:
        raise UsageError(f"the conversation {case.id!r} has no turn to freeze")
    reached = {checkpoint_id for turn in transcript.turns for checkpoint_id in turn.reached}
    first = _of_the_first_reply(case)
    turns = tuple(_frozen_turns(case, transcript, first, propose=propose))
    return structs.replace(
        case,
        agent=agent or case.agent,
        skip=None,
        history=case.history or transcript.history,
        history_script=None,
        turns=turns,
        not_reached=None,
        assertions=() if first else case.assertions,
        expected=UNSET if first else case.expected,
        checkpoints=tuple(_unreached(case.checkpoints, reached)),
        simulator=None,
        rules=structs.replace(
            case.rules,
            multi_turn=True,
            single_turn=False,
            interactive=False,
            max_turns=None if len(turns) > (case.rules.max_turns or len(turns)) else case.rules.max_turns,
            on_missing_input=_after_the_last_line(transcript),
        ),
    )


def _of_the_first_reply(case: Case) -> tuple[AssertionSpec, ...]:
    """The assertions of an `input` case belong to its first reply; those of `turns` to the whole conversation."""
    if not case.turns or "turns" in encode_script(case):
        return ()
    if case.assertions or case.expected is UNSET:
        return case.assertions
    return decode_assertions({"type": "equals", "value": case.expected}, _HERE)


def _frozen_turns(
    case: Case, transcript: Transcript, first: tuple[AssertionSpec, ...], *, propose: bool
) -> Iterator[ScriptedTurn]:
    scripted = iter(case.turns)
    by_id = {checkpoint.id: checkpoint for checkpoint in case.checkpoints}
    still_open: tuple[Interrupt, ...] = ()
    for number, turn in enumerate(transcript.turns):
        line = turn.line
        said = next(scripted, None) if line.source == "static" else None
        if said is None:
            said = _written(line, still_open)
        reached = (spec for name in turn.reached if name in by_id for spec in by_id[name].assertions)
        checks = (*said.assertions, *(first if number == 0 else ()), *reached)
        if propose and not checks and turn.error is None:
            checks = _proposed(turn.reply)
        yield structs.replace(said, assertions=checks, line=0)
        still_open = turn.reply.interrupts


def _written(line: Line, still_open: tuple[Interrupt, ...]) -> ScriptedTurn:
    """The turn of a line that no author wrote. For a line that answered an interrupt, the answer is enough."""
    if line.source == "static" or not (line.resume and still_open):
        return ScriptedTurn(content=line.content, name=line.name, resume=line.resume, assertions=line.assertions)
    return ScriptedTurn(resume=tuple(written_answers(line.resume, still_open)), assertions=line.assertions)


def _unreached(checkpoints: tuple[Checkpoint, ...], reached: set[str]) -> Iterator[Checkpoint]:
    for checkpoint in checkpoints:
        if checkpoint.id not in reached:
            after = tuple(name for name in checkpoint.after if name not in reached)
            yield structs.replace(checkpoint, after=after)


def _after_the_last_line(transcript: Transcript) -> OnMissingInput:
    """A frozen conversation ends where the recorded one ended, even if the agent asked a question last."""
    ending = transcript.ending
    return "fail" if ending is not None and ending.reason is EndReason.MISSING_INPUT_FAIL else "end"


def append_case(path: Path, case: Case, comment: str = "") -> Case:
    """Adds a case to a JSONL file, below a comment if there is one; an id that is taken gets a number.

    The file gets all of it or nothing. Raises OSError.
    """
    with locked_folder(path.parent):
        return _appended(path, case, comment)


def _appended(path: Path, case: Case, comment: str) -> Case:
    taken = (
        {known.id for known in JsonlSource(path, str(path)).read() if isinstance(known, Case)}
        if path.exists()
        else set[str]()
    )
    number = 1
    while case.id in taken:
        number += 1
        case = structs.replace(case, id=f"{case.id.removesuffix(f'-{number - 1}')}-{number}")
    before = path.read_bytes() if path.exists() else b""
    gap = b"\n" if before and not before.endswith(b"\n") else b""
    above = b"".join(f"// {line}\n".encode() for line in comment.splitlines())
    written = msgspec.json.encode(encode_case(_moved(case, path.parent)))
    append_whole(path, gap + above + msgspec.json.format(written, indent=2) + b"\n")
    return case


def _moved(case: Case, folder: Path) -> Case:
    """The case with the paths of its attachments relative to another folder."""
    old = Path(case.origin.path).parent

    def part(given: ContentPart) -> ContentPart:
        source = given.get("source")
        if not isinstance(source, str) or not source.startswith(FILE_PREFIX):
            return given
        file = old / source.removeprefix(FILE_PREFIX)
        return {**given, "source": f"{FILE_PREFIX}{os.path.relpath(file, folder)}"} if file.exists() else given

    def content(given: Content) -> Content:
        return given if isinstance(given, str) else [part(each) for each in given]

    workspace = case.workspace
    if workspace is not None and (old / workspace).is_dir():
        workspace = os.path.relpath(old / workspace, folder)
    return structs.replace(
        case,
        workspace=workspace,
        history=tuple(structs.replace(message, content=content(message.content)) for message in case.history),
        turns=tuple(
            structs.replace(turn, content=content(turn.content), attachments=tuple(map(part, turn.attachments)))
            for turn in case.turns
        ),
    )


def _proposed(reply: AgentReply) -> tuple[AssertionSpec, ...]:
    """Checks of the called tools, and of a phrase of the reply."""
    tools = list(dict.fromkeys(call.name for call in reply.calls))
    written: list[dict[str, object]] = [{"type": "tool_called", "value": name} for name in tools]
    if phrase := key_phrase(reply.text):
        written.append({"type": "contains", "value": phrase})
    return decode_assertions(written, _HERE)


def key_phrase(text: str) -> str | None:
    """The first words of the longest sentence, up to what may differ in the next run (a number, a quote)."""
    sentences = re.split(r"(?<=[.!?])\s+|\n+", text)
    runs = [run.strip() for sentence in sentences for run in re.split(r"[\d\"“”`*$€#<>\[\](){}]+", sentence)]
    longest = max(runs, key=len, default="")
    words = re.match(rf"(?:\S+\s+){{0,{LONGEST_PHRASE_WORDS - 1}}}\S+", longest)
    phrase = words[0].rstrip(".,;:!?") if words else ""
    return phrase if len(phrase) >= 4 and phrase in text else None
