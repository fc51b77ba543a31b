"""Encodes turns, messages, simulator, checkpoints, options and assertions as authors write them."""

import msgspec

from vivavoce.model.case import AssertionSpec, CallOptions, Case, Checkpoint, ScriptedTurn, SimulatorSpec
from vivavoce.model.json_value import JsonObject
from vivavoce.model.message import Message
from vivavoce.model.server_request import request_in

_OF_THE_SPEC = frozenset({"type", "fields", "written"})
"""Attributes of a spec that are not fields of a written assertion, or are written separately."""


def encode_script(case: Case) -> JsonObject:
    """Returns `input` for a single line, `messages` for earlier messages, `turns` for everything else."""
    if case.history_script is not None:
        return _after_a_script(case, case.history_script)
    said = [_message(message) for message in case.history]
    if _is_one_plain_line(case):
        line = case.turns[0]
        request = request_in(line.content)
        if not said and line.name is None and (isinstance(line.content, str) or request is not None):
            return {"input": line.content if request is None else request}
        if line.content:
            said.append(_message(Message(role="user", content=line.content, name=line.name)))
        return {"messages": said}
    script: JsonObject = {"messages": said} if said else {}
    if case.turns:
        script["turns"] = [_turn(turn) for turn in case.turns]
    return script


def _after_a_script(case: Case, script: str) -> JsonObject:
    written: JsonObject = {"messages": {"use": script}}
    if not case.turns:
        return written
    line = case.turns[0]
    if _is_one_plain_line(case) and line.name is None and isinstance(line.content, str) and line.content:
        return {**written, "input": line.content}
    return {**written, "turns": [_turn(turn) for turn in case.turns]}


def _is_one_plain_line(case: Case) -> bool:
    if len(case.turns) != 1:
        return False
    line = case.turns[0]
    if line != ScriptedTurn(content=line.content, name=line.name):
        return False
    # `turns` also means that the conversation may go on. It is not needed when another field says so, or when it ends.
    rules = case.rules
    return bool(not line.content or not rules.multi_turn or case.simulator or case.checkpoints or rules.interactive)


def _message(message: Message) -> JsonObject:
    return {"role": message.role, "content": message.content, **msgspec.to_builtins(message)}


def _turn(turn: ScriptedTurn) -> JsonObject:
    plain: JsonObject = msgspec.to_builtins(turn)
    written: JsonObject = {}
    if turn.name is not None:
        written["input"] = _message(Message(role="user", content=turn.content, name=turn.name))
    elif turn.content:
        written["input"] = request_in(turn.content) or turn.content
    written.update((name, plain[name]) for name in ("attachments", "resume") if name in plain)
    if turn.options is not None:
        written["options"] = encode_options(turn.options)
    if turn.assertions:
        written["assertions"] = encode_assertions(turn.assertions)
    return written


def encode_simulator(simulator: SimulatorSpec) -> JsonObject:
    return {"use": simulator.use, "options": encode_options(simulator.options)}


def encode_checkpoint(checkpoint: Checkpoint) -> JsonObject:
    return {**msgspec.to_builtins(checkpoint), "assertions": encode_assertions(checkpoint.assertions)}


def encode_options(options: CallOptions) -> JsonObject:
    plain: JsonObject = msgspec.to_builtins(options)
    return plain if options.metadata else {name: value for name, value in plain.items() if name != "metadata"}


def encode_assertions(specs: tuple[AssertionSpec, ...]) -> list[JsonObject]:
    """As the author wrote them; assertions that viva made are encoded."""
    return [spec.written or _spelled_out(spec) for spec in specs]


def _spelled_out(spec: AssertionSpec) -> JsonObject:
    besides: JsonObject = msgspec.to_builtins(spec)
    return {"type": spec.type, **spec.fields, **{name: besides[name] for name in besides if name not in _OF_THE_SPEC}}
