"""A conversation that happened → a static case that checks it happens again."""

import re
from pathlib import Path

import msgspec
from msgspec import structs

from vivavoce.errors import UsageError
from vivavoce.model.case import AssertionSpec, Case, ConversationRules, Origin, ScriptedTurn
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Transcript, Turn
from vivavoce.model.verdict import Outcome
from vivavoce.sources.decoding.assertion_decoder import decode_assertions
from vivavoce.sources.decoding.case_encoder import encode_case
from vivavoce.sources.reading.jsonl import JsonlSource

LONGEST_PHRASE_WORDS = 6


def frozen_case(transcript: Transcript, *, case_id: str, name: str | None = None, agent: str | None = None) -> Case:
    """The same lines in the same order; what the agent did becomes what it must do."""
    spoken = [turn for turn in transcript.turns if turn.error is None]
    if not spoken:
        raise UsageError(f"the conversation {case_id!r} has no turn to freeze")
    return Case(
        id=case_id,
        name=name,
        agent=agent,
        history=transcript.history,
        turns=tuple(_frozen_turn(turn) for turn in spoken),
        # A frozen conversation ends where it ended, even if the agent's last words were a question.
        rules=ConversationRules(multi_turn=True, on_missing_input="end"),
    )


def append_case(path: Path, case: Case) -> Case:
    """Adds a case to a JSONL file; an id that is taken gets a number."""
    taken = (
        {known.id for known in JsonlSource(path, str(path)).read() if isinstance(known, Case)}
        if path.exists()
        else set[str]()
    )
    number = 1
    while case.id in taken:
        number += 1
        case = structs.replace(case, id=f"{case.id.removesuffix(f'-{number - 1}')}-{number}")
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_bytes() if path.exists() else b""
    gap = b"\n" if before and not before.endswith(b"\n") else b""
    with path.open("ab") as out:
        out.write(gap + msgspec.json.format(msgspec.json.encode(encode_case(case)), indent=2) + b"\n")
    return case


def _frozen_turn(turn: Turn) -> ScriptedTurn:
    kept = tuple(v.spec for v in turn.verdicts if v.spec is not None and v.outcome is Outcome.PASSED)
    return ScriptedTurn(
        content=turn.line.content,
        name=turn.line.name,
        assertions=kept or _proposed(turn.reply),
        options=None,
        resume=turn.line.resume,
    )


def _proposed(reply: AgentReply) -> tuple[AssertionSpec, ...]:
    """The tools it called, and a phrase that says what the reply was about."""
    tools = list(dict.fromkeys(call.name for call in reply.calls))
    written: list[dict[str, object]] = [{"type": "tool_called", "value": name} for name in tools]
    if phrase := key_phrase(reply.text):
        written.append({"type": "contains", "value": phrase})
    return decode_assertions(written, Origin("frozen conversation"))


def key_phrase(text: str) -> str | None:
    """The first words of the longest sentence, up to anything that will differ next time (a number, a quote)."""
    sentences = re.split(r"(?<=[.!?])\s+|\n+", text)
    runs = [run.strip() for sentence in sentences for run in re.split(r"[\d\"“”`*$€#<>\[\](){}]+", sentence)]
    longest = max(runs, key=len, default="")
    words = re.match(rf"(?:\S+\s+){{0,{LONGEST_PHRASE_WORDS - 1}}}\S+", longest)
    phrase = words[0].rstrip(".,;:!?") if words else ""
    return phrase if len(phrase) >= 4 and phrase in text else None
