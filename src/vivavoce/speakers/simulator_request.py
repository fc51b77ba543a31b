"""The request to a simulator: whom it plays, what was said, how far the test is."""

from msgspec import UNSET, to_builtins

from vivavoce.model.case import Case, SimulatorSpec
from vivavoce.model.json_value import JsonObject, text_of
from vivavoce.model.message import words_of_content
from vivavoce.model.transcript import Transcript


def simulator_request(
    case: Case, spec: SimulatorSpec, transcript: Transcript, max_turns: int, session_id: str
) -> JsonObject:
    """The seeds' SimulatorInput together with all metadata of the case's simulator; plain JSON."""
    number = len(transcript.turns) + 1
    reached = [name for turn in transcript.turns for name in turn.reached]
    request: JsonObject = {
        "persona": "",
        "goal": "",
        **spec.options.metadata,
        "test_mode": "simulator",
        "test_id": case.id,
        "session_id": session_id,
        "conversation": conversation_of(transcript),
        "last_response": last_response(transcript),
        "turn_number": number,
        "turn_count": number,
        "max_turns": max_turns,
        "tool_results": _tool_results(transcript),
        "checkpoints_reached": reached,
        "checkpoints_pending": [c.id for c in case.checkpoints if c.id not in reached],
    }
    last = transcript.last
    if last is not None and last.reply.input_hint:
        request["input_hint"] = last.reply.input_hint
    if last is not None and last.reply.interrupts:
        request["interrupts"] = [to_builtins(interrupt, enc_hook=str) for interrupt in last.reply.interrupts]
    return request


def conversation_of(transcript: Transcript) -> list[dict[str, str]]:
    """The conversation as the user heard it: no system prompts, no tool messages."""
    heard = ({"role": message.role, "content": words_of_content(message.content)} for message in transcript.messages())
    return [entry for entry in heard if entry["role"] in ("user", "assistant") and entry["content"]]


def last_response(transcript: Transcript) -> str:
    """What the agent said last, here or in the history the case came with."""
    last = transcript.last
    if last is not None:
        return last.reply.text or text_of(last.reply.output)
    return next((m.text for m in reversed(transcript.history) if m.role == "assistant"), "")


def _tool_results(transcript: Transcript) -> JsonObject:
    """Tool name → its newest result."""
    results: JsonObject = {}
    for turn in transcript.turns:
        for call in turn.reply.calls:
            if call.error is not None:
                results[call.name] = {"error": call.error}
            elif call.result is not UNSET:
                results[call.name] = call.result
    return results
