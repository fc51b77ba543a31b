"""Recognises a simulator that does not act as a user."""

import re

from vivavoce.model.transcript import Line, Transcript
from vivavoce.speakers.simulator_request import last_response
from vivavoce.wording.terminal_text import clip

SAME_LINES_IN_A_ROW = 3

_SPEAKS_AS_ASSISTANT = re.compile(
    r"""\s*(?:
        \W{0,3}(?:(?:ai\ )?assistant|chatbot|ai)\W{0,3}:             # a role label: "Assistant: …"
      | as\ an?\ (?:ai|artificial\ intelligence)\b[^.!?\n]{0,40},\ i  # "As an AI language model, I …"
      | (?:(?:hello|hi|hey|greetings|good\ \w+)\b[^?\n]{0,30}[!.,]\ *)?
        how\ (?:can|may)\ i\ (?:help|assist)\ you\b[^?\n]{0,20}\??\s*$
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_WORD = re.compile(r"\w+")
# Short lines ("Hello!", "Yes") may well be the same on both sides.
_SHORTEST_COPY_WORDS = 5
_ALIKE_PERCENT = 95
_COMPARED_CHARS = 2000


def misbehaviour(line: Line, transcript: Transcript) -> str | None:
    """Returns what is wrong with a simulator's next line, or None. Reports only what no user would say."""
    text = line.text
    if _repeats_itself(line, transcript):
        return f"it said the same thing {SAME_LINES_IN_A_ROW} times: {_short(text)}"
    if _SPEAKS_AS_ASSISTANT.match(text):
        return f"it answered as the assistant instead of the user: {_short(text)}"
    if _copies(text, last_response(transcript)):
        return f"it answered as the assistant, repeating the agent's own words: {_short(text)}"
    return None


def _repeats_itself(line: Line, transcript: Transcript) -> bool:
    before = [turn.line for turn in transcript.turns[-(SAME_LINES_IN_A_ROW - 1) :]]
    return len(before) == SAME_LINES_IN_A_ROW - 1 and all(
        earlier.source == "simulator" and earlier.resume == line.resume and _same(earlier.text, line.text)
        for earlier in before
    )


def _same(left: str, right: str) -> bool:
    return left == right or (bool(_plain(left)) and _plain(left) == _plain(right))


def _plain(text: str) -> str:
    """Returns the words of a line, without case, punctuation and spacing."""
    return " ".join(_WORD.findall(text.casefold()))


def _copies(line: str, agent_said: str) -> bool:
    # Most lines differ in length: the slow comparison is seldom needed.
    if not agent_said or abs(len(line) - len(agent_said)) > max(len(line), len(agent_said)) * 0.1:
        return False
    said, heard = _plain(line[:_COMPARED_CHARS]), _plain(agent_said[:_COMPARED_CHARS])
    if said.count(" ") + 1 < _SHORTEST_COPY_WORDS:
        return False
    if said == heard:
        return True
    from rapidfuzz import fuzz

    return fuzz.ratio(said, heard, score_cutoff=_ALIKE_PERCENT) > 0


def _short(text: str) -> str:
    return f"“{clip(text, 120)}”"
