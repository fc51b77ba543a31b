"""A Case → the JSONL object that decodes to it again, with nothing in it that goes without saying."""

from decimal import Decimal
from typing import Any

import msgspec
from msgspec import UNSET

from vivavoce.model.case import AssertionSpec, CallOptions, Case, ConversationRules, HookCommand, ScriptedTurn
from vivavoce.model.message import Message
from vivavoce.notation.durations import format_duration, parse_duration
from vivavoce.sources.decoding.case_decoder import SKIPPED

_AS_THEY_ARE = (
    "name",
    "description",
    "tags",
    "agent",
    "user",
    "team",
    "locale",
    "before",
    "after",
    "state",
    "runs",
    "min_pass",
)


def encode_case(case: Case) -> dict[str, Any]:
    """The case in the fields that authors write."""
    plain: dict[str, Any] = msgspec.to_builtins(case)
    written: dict[str, Any] = {"id": case.id}
    written.update((name, plain[name]) for name in _AS_THEY_ARE if name in plain)
    if case.metadata:
        written["metadata"] = case.metadata
    if case.options != CallOptions():
        written["options"] = _options(case.options)
    if case.simulator is not None:
        written["simulator"] = {"use": case.simulator.use, "options": _options(case.simulator.options)}
    if case.skip is not None:
        written["skip"] = True if case.skip == SKIPPED else case.skip
    written.update(_script(case))
    if case.checkpoints:
        written["checkpoints"] = [
            {**entry, "assertions": _assertions(checkpoint.assertions)}
            for entry, checkpoint in zip(plain["checkpoints"], case.checkpoints, strict=True)
        ]
    if case.expected is not UNSET:
        written["expected"] = case.expected
    if case.assertions:
        written["assertions"] = _assertions(case.assertions)
    if case.final_assertions:
        written["final_assertions"] = _assertions(case.final_assertions)
    written.update(_rules(case.rules, written))
    if case.hooks:
        written["hooks"] = [_hook(hook) for hook in case.hooks]
    if case.frontend_tools:
        written["tools"] = plain["frontend_tools"]
    return written


def _script(case: Case) -> dict[str, Any]:
    """`input` for a lone line, `messages` for what went before, `turns` for everything else."""
    said = [_message(message) for message in case.history]
    if _is_one_plain_line(case):
        line = case.turns[0]
        if not said and line.name is None and isinstance(line.content, str):
            return {"input": line.content}
        if line.content:
            said.append(_message(Message(role="user", content=line.content, name=line.name)))
        return {"messages": said}
    script: dict[str, Any] = {"messages": said} if said else {}
    if case.turns:
        script["turns"] = [_turn(turn) for turn in case.turns]
    return script


def _is_one_plain_line(case: Case) -> bool:
    if len(case.turns) != 1:
        return False
    line = case.turns[0]
    if line != ScriptedTurn(content=line.content, name=line.name):
        return False
    # `turns` also says that the conversation may go on: not needed when something else does, or when it may not.
    rules = case.rules
    return bool(not line.content or not rules.multi_turn or case.simulator or case.checkpoints or rules.interactive)


def _message(message: Message) -> dict[str, Any]:
    return {"role": message.role, "content": message.content, **msgspec.to_builtins(message)}


def _turn(turn: ScriptedTurn) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(turn)
    written: dict[str, Any] = {}
    if turn.name is not None:
        written["input"] = _message(Message(role="user", content=turn.content, name=turn.name))
    elif turn.content:
        written["input"] = turn.content
    written.update((name, plain[name]) for name in ("attachments", "resume") if name in plain)
    if turn.options is not None:
        written["options"] = _options(turn.options)
    if turn.assertions:
        written["assertions"] = _assertions(turn.assertions)
    return written


def _options(options: CallOptions) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(options)
    return plain if options.metadata else {name: value for name, value in plain.items() if name != "metadata"}


def _assertions(specs: tuple[AssertionSpec, ...]) -> list[dict[str, Any]]:
    return [spec.written or _spelled_out(spec) for spec in specs]


def _spelled_out(spec: AssertionSpec) -> dict[str, Any]:
    common = {"negate": spec.negate or None, "message": spec.message, "path": spec.path}
    return {"type": spec.type, **spec.fields, **{name: value for name, value in common.items() if value is not None}}


def _rules(rules: ConversationRules, written: dict[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(rules)
    found = {name: plain[name] for name in ("max_turns", "on_missing_input", "stop_on_failure") if name in plain}
    if rules.timeout_s is not None:
        found["timeout"] = _duration(rules.timeout_s)
    interactive: dict[str, Any] = {"enabled": True} if rules.interactive else {}
    if rules.interactive_timeout_s != ConversationRules().interactive_timeout_s:
        interactive["timeout"] = _duration(rules.interactive_timeout_s)
    if interactive:
        found["interactive"] = interactive
    if rules.single_turn:
        found["type"] = "single_turn"
    elif rules.multi_turn and not (rules.interactive or {"turns", "simulator", "checkpoints"} & written.keys()):
        found["type"] = "multi_turn"
    return found


def _duration(seconds: float) -> str:
    """As a person writes it when that is exact, else in plain seconds."""
    short = format_duration(seconds)
    try:
        exact = parse_duration(short) == seconds
    except ValueError:
        exact = False
    return short if exact else f"{Decimal(repr(seconds)):f}s"


def _hook(hook: HookCommand) -> dict[str, Any]:
    written: dict[str, Any] = {"cmd": list(hook.cmd)}
    if hook.timeout_s != HookCommand(cmd=hook.cmd).timeout_s:
        written["timeout_ms"] = round(hook.timeout_s * 1000, 6)
    return written
