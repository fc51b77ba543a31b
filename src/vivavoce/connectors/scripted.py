r"""A model that needs no key and no network: it answers by rules, the same way every time.

`rules` of the connector's options is a list, or the name of a YAML file next to the connector (or in the
project's root). Rules are tried in order; the first whose conditions all hold answers:

    rules:
      - when: weather in (?P<city>\w+)           # a regex on the newest user message
        call: {name: get_weather, args: {city: "{{ city }}"}}
      - after_tool: get_weather                  # the newest messages are results, one of this tool
        say: "It is {{ result.degrees }} degrees in {{ args.city }}."
      - turn: 2                                  # the second user message of the conversation
        say: Shall I book it?
        awaiting_input: true
        input_hint: yes or no
      - metadata: {test_mode: simulator, last_response: "regex:(?i)confirm"}   # the call's metadata holds this
        data: {input: "Yes, please", goal_achieved: true}
      - system: You judge                        # a regex on the system prompt
        data: {passed: true, reason: fine}
    otherwise: I did not understand that.        # a text or an answer; without it, no match is an error

Conditions: `when`, `after_tool` (a name, a list, or `*`), `turn`, `system`, `metadata`. A rule without `after_tool`
only answers a user, never a tool's result. Answers: `say`, `call` (one or a list), `data` (structured),
`awaiting_input`, `input_hint`, `finish_reason`, `usage` ({input_tokens, output_tokens, cost}), `delay` (`200ms`),
`fail` (the model cannot be had). Texts are Jinja templates over the regex' named groups and `match` (all groups),
`user` (the newest user message), `turn`, `metadata`, `result` and `args` of the tool just run, `results` (by tool,
since the user spoke) and `messages`. A string that is one `{{ expression }}` keeps the expression's type.

Everything follows from the request alone, so calls may run in parallel and in any order.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from vivavoce.connectors.scripted_rules import REGEX, PlacedRule, Rule, WantedCall, load_rules
from vivavoce.errors import CallFailed
from vivavoce.model.json_value import JsonObject, JsonValue, compact_json, is_object, json_equal, text_of
from vivavoce.model.message import Message, ToolCall
from vivavoce.notation.json_text import json_or_text
from vivavoce.notation.patterns import compile_pattern
from vivavoce.notation.templates import TemplateProblem, fill, fill_value
from vivavoce.protocols import ModelReply, ModelRequest, Surroundings

ANY_TOOL = "*"


class ScriptedConnector:
    """A model played by rules."""

    def __init__(self, connector_id: str, options: JsonObject, surroundings: Surroundings) -> None:
        project = surroundings.project
        beside = project.connectors_dir.joinpath(*connector_id.split(".")[:-1])
        self._id = connector_id
        self._rules = load_rules(connector_id, options, [beside, project.root])

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The first fitting rule's answer."""
        asked = RuleInput.of(request)
        for placed in self._rules.rules:
            if (groups := _fits(placed.rule, asked)) is not None:
                return await _answer(placed, asked, groups)
        if self._rules.otherwise is not None:
            return await _answer(self._rules.otherwise, asked, {})
        seen = f"the result of {asked.ran[-1].name}" if asked.ran else repr(asked.user)
        raise CallFailed(
            f"scripted connector {self._id!r} has no rule for {seen}",
            fault="target",
            hint="add a rule, or `otherwise:`",
        )


class RuleInput(Struct, frozen=True):
    """A request as rules look at it."""

    request: ModelRequest
    user: str
    turn: int
    system: str
    ran: tuple[ToolCall, ...]
    """The tools whose results are the newest messages."""
    since_user: tuple[ToolCall, ...]
    """All tools run since the user spoke."""

    @classmethod
    def of(cls, request: ModelRequest) -> "RuleInput":
        messages = request.messages
        users = [at for at, message in enumerate(messages) if message.role == "user"]
        after_user = messages[users[-1] + 1 :] if users else messages
        newest = next((at for at in range(len(after_user), 0, -1) if after_user[at - 1].role != "tool"), 0)
        return cls(
            request=request,
            user=messages[users[-1]].text if users else "",
            turn=len(users),
            system="\n".join(message.text for message in messages if message.role == "system"),
            ran=_runs(after_user, after_user[newest:]),
            since_user=_runs(after_user, after_user),
        )

    def variables(self, placed: Rule, groups: JsonObject) -> JsonObject:
        last = next((call for call in reversed(self.ran) if _is_about(placed, call)), None)
        return {
            **groups,
            "user": self.user,
            "turn": self.turn,
            "metadata": self.request.metadata,
            "messages": [msgspec.to_builtins(message) for message in self.request.messages],
            "results": {call.name: call.result for call in self.since_user},
            **({} if last is None else {"result": last.result, "args": last.args}),
        }


def _fits(rule: Rule, asked: RuleInput) -> JsonObject | None:
    """The regex groups of a rule whose conditions all hold, else None."""
    if (rule.after_tool is not None) != bool(asked.ran):
        return None
    if rule.after_tool is not None and not any(_is_about(rule, call) for call in asked.ran):
        return None
    if rule.turn is not None and asked.turn not in (rule.turn if isinstance(rule.turn, list) else [rule.turn]):
        return None
    if rule.system is not None and compile_pattern(rule.system).search(asked.system) is None:
        return None
    if not _holds(asked.request.metadata, rule.metadata):
        return None
    if rule.when is None:
        return {}
    found = compile_pattern(rule.when).search(asked.user)
    return None if found is None else {**found.groupdict(), "match": [found.group(0), *found.groups()]}


def _is_about(rule: Rule, call: ToolCall) -> bool:
    wanted = rule.after_tool if isinstance(rule.after_tool, list) else [rule.after_tool or ANY_TOOL]
    return any(name == ANY_TOOL or call.is_named(name) for name in wanted)


def _holds(actual: JsonValue, wanted: JsonValue) -> bool:
    if is_object(wanted):
        return is_object(actual) and all(name in actual and _holds(actual[name], wanted[name]) for name in wanted)
    if isinstance(wanted, str) and wanted.startswith(REGEX):
        return compile_pattern(wanted.removeprefix(REGEX)).search(text_of(actual)) is not None
    return json_equal(actual, wanted)


async def _answer(placed: PlacedRule, asked: RuleInput, groups: JsonObject) -> ModelReply:
    rule = placed.rule
    if placed.delay_s:
        await asyncio.sleep(placed.delay_s)
    variables = asked.variables(rule, groups)
    try:
        if rule.fail is not None:
            raise CallFailed(fill(rule.fail, variables), fault="target")
        data = UNSET if rule.data is UNSET else fill_value(rule.data, variables)
        text = "" if rule.say is None else fill(rule.say, variables)
        calls = _calls(rule.call, len(asked.request.messages), variables)
        hint = None if rule.input_hint is None else fill(rule.input_hint, variables)
    except TemplateProblem as problem:
        raise CallFailed(f"{placed.place}: {problem}", fault="target") from None
    declared = {"awaiting_input": rule.awaiting_input, "input_hint": hint}
    return ModelReply(
        text=compact_json(data) if data is not UNSET and rule.say is None else text,
        calls=calls,
        data=data,
        finish_reason=rule.finish_reason or ("tool_calls" if calls else "stop"),
        usage=rule.usage,
        extra={name: value for name, value in declared.items() if value is not None},
    )


def _calls(wanted: WantedCall | list[WantedCall] | None, position: int, variables: JsonObject) -> tuple[ToolCall, ...]:
    calls = wanted if isinstance(wanted, list) else [] if wanted is None else [wanted]
    return tuple(
        ToolCall(
            id=call.id or f"call_{position}_{at}",
            name=fill(call.name, variables),
            args=fill_value(call.args, variables),
        )
        for at, call in enumerate(calls)
    )


def _runs(messages: Sequence[Message], results: Sequence[Message]) -> tuple[ToolCall, ...]:
    """The calls behind result messages, with what came back."""
    asked: dict[JsonValue, JsonValue] = {
        call.get("id"): call for message in messages for call in message.tool_calls or ()
    }
    return tuple(_run(asked.get(message.tool_call_id), message) for message in results if message.role == "tool")


def _run(asked: JsonValue, answered: Message) -> ToolCall:
    function: Any = asked.get("function", {}) if is_object(asked) else {}
    return ToolCall(
        id=answered.tool_call_id or "",
        name=function.get("name") or answered.name or "",
        args=_parsed(function.get("arguments")),
        result=_parsed(answered.text),
    )


def _parsed(text: JsonValue) -> JsonValue:
    """The value a result or an argument text stands for; words stay words."""
    if not isinstance(text, str):
        return text
    value = json_or_text(text)
    return text if isinstance(value, str) else value
