"""Answers in the form of other libraries and providers: read as what they are, without importing any of them."""

from typing import Any

from msgspec import UNSET, structs

from vivavoce.model.json_value import is_array, is_object, text_of
from vivavoce.model.message import AgentReply, Interrupt, ToolCall, Unread
from vivavoce.notation.content_parts import read_parts
from vivavoce.notation.hidden_calls import looks_like_calls, names_tools, unread
from vivavoce.notation.possible_names import names_beside
from vivavoce.notation.suspected_calls import suspected_call
from vivavoce.targets.call_reading import read_usage, unreadable
from vivavoce.targets.message_list import NO_ANSWER, Read, is_message, read_messages
from vivavoce.wording.quoting import shorten

_BLOCKS = frozenset({"text", "tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use"})
_READ_OF_COMPLETION = frozenset({"choices", "usage"})
_READ_OF_CHOICE = frozenset({"message", "finish_reason", "logprobs"})
_READ_OF_EXECUTOR = frozenset({"output", "intermediate_steps", "input", "chat_history", "history"})
_READ_OF_RESPONSE = frozenset(
    {"output", "usage", "tools", "tool_choice", "instructions", "prompt", "text", "reasoning", "tool_usage"}
)
"""Most of these repeat what was sent."""
_NO_NAMES = frozenset({"system_fingerprint", "truncation", "metadata", "stop_reason", "done_reason"})


def from_foreign(plain: Any, said: str) -> AgentReply | None:
    """The reply of a known framework or provider; None for anything else."""
    if is_array(plain):
        return _from_list(plain, said)
    if not is_object(plain):
        return None
    if is_array(plain.get("choices")) and any(map(_is_choice, plain["choices"])):
        return _from_completion(plain)
    if is_array(plain.get("messages")) and any(map(is_message, plain["messages"])):
        return _from_state(plain, said)
    if isinstance(plain.get("output"), str) and is_array(plain.get("intermediate_steps")):
        return _from_executor(plain)
    if is_object(plain.get("message")) and is_message({"role": "assistant", **plain["message"]}):
        return _from_wrapped_message(plain)
    if is_array(plain.get("output")) and any(map(is_message, plain["output"])):
        return _from_responses(plain)
    return _from_message(plain) if is_message(plain) else None


def _from_list(items: list[Any], said: str) -> AgentReply | None:
    if any(map(is_message, items)):
        return _reply(read_messages(items, said))
    # What is no object among blocks is for read_parts to doubt.
    blocks = [item for item in items if is_object(item)]
    if blocks and all(str(item.get("type")) in _BLOCKS for item in blocks):
        return _reply(read_messages([{"role": "assistant", "content": items}]))
    return None


def _from_state(state: dict[str, Any], said: str) -> AgentReply:
    """A LangGraph state, or any dict with `messages`: what else is in it is the agent's state."""
    read = read_messages(state["messages"], said)
    rest = {key: value for key, value in state.items() if key not in ("messages", "structured_response")}
    if rest or state.get("structured_response") is not None:
        # The rest of the state may be all of the answer.
        read = structs.replace(read, unread=tuple(piece for piece in read.unread if piece is not NO_ANSWER))
    waiting: Any = rest.pop("__interrupt__", None)
    told = [key for key, value in rest.items() if looks_like_calls({key: value})]
    missed = [suspected_call(rest[key], f"$.{key}", under=key) for key in told]
    structured: Any = state.get("structured_response")
    if looks_like_calls(structured):
        missed.append(suspected_call(structured, "$.structured_response"))
    reply = _reply(read, missed)
    calls = [call for call in reply.calls if not hands_over(call, structured)]
    return structs.replace(
        reply,
        calls=tuple(calls),
        data=structured or UNSET,
        state=rest or UNSET,
        interrupts=tuple(_interrupt(each) for each in waiting) if is_array(waiting) else (),
    )


def _from_executor(result: dict[str, Any]) -> AgentReply:
    """What LangChain's AgentExecutor returns with `return_intermediate_steps`: pairs of a call and its result."""
    calls: list[ToolCall] = []
    missed: list[Unread] = []
    for at, step in enumerate(result["intermediate_steps"]):
        action: Any = step[0] if is_array(step) and len(step) == 2 else None
        if not is_object(action) or not isinstance(action.get("tool"), str):
            missed.append(unread(step, f"$.intermediate_steps[{at}]", "call"))
            continue
        call_id = str(action.get("tool_call_id") or "")
        calls.append(ToolCall(id=call_id, name=action["tool"], args=action.get("tool_input"), result=step[1]))
    missed += _calls_beside(result, _READ_OF_EXECUTOR, "$")
    return AgentReply(text=result["output"], calls=tuple(calls), unread=tuple(missed))


def hands_over(call: ToolCall, structured: Any) -> bool:
    """Whether LangChain made the call up: its arguments are the structured output, and the user has no such tool."""
    if not isinstance(call.result, str) or not call.result.startswith("Returning structured response"):
        return False
    given: Any = call.args
    if not is_object(given) or not given or not is_object(structured):
        return False
    return all(key in structured and structured[key] == value for key, value in given.items())


def _from_completion(reply: dict[str, Any]) -> AgentReply:
    """An OpenAI chat completion handed on as it is. Its first choice is the reply; others are unread."""
    choices = [choice for choice in reply["choices"] if is_object(choice)]
    first = choices[0]
    if not is_object(first.get("message")):
        raise unreadable("the answer is a piece of a stream ($.choices[0].delta): return the whole message")
    more = [unread(choice, f"$.choices[{at}]") for at, choice in enumerate(choices[1:], 1)]
    more += [*_calls_beside(reply, _READ_OF_COMPLETION, "$"), *_calls_beside(first, _READ_OF_CHOICE, "$.choices[0]")]
    read = read_messages([{**first["message"], "role": "assistant"}])
    finish: Any = first.get("finish_reason")
    usage = read_usage(reply.get("usage")) or read.usage
    return structs.replace(_reply(read, more), finish_reason=finish if isinstance(finish, str) else None, usage=usage)


def _from_wrapped_message(reply: dict[str, Any]) -> AgentReply:
    """Ollama's `{"message": {…}, "done": true}`."""
    message = {"role": "assistant", **reply["message"]}
    rest = {key: value for key, value in reply.items() if key != "message"}
    missed = [
        unread(value, f"$.{key}") for key, value in rest.items() if is_object(value) or (is_array(value) and value)
    ]
    missed += names_beside(rest, _NO_NAMES, "$")
    return _reply(read_messages(_only_the_agents(message)), missed)


def _from_responses(reply: dict[str, Any]) -> AgentReply:
    """OpenAI's Responses: `output` is a list of messages, calls and reasoning."""
    missed = _calls_beside(reply, _READ_OF_RESPONSE, "$")
    return structs.replace(_reply(read_messages(reply["output"]), missed), usage=read_usage(reply.get("usage")))


def _calls_beside(told: dict[str, Any], known: frozenset[str], where: str) -> list[Unread]:
    """Fields that nobody reads and that may tell a call, or its name."""
    found: list[Unread] = []
    for key, value in told.items():
        if key not in known and (names_tools({key: value}) or looks_like_calls({key: value})):
            found.append(unread(value, f"{where}.{key}", "call"))
        elif key not in known:
            found += names_beside({key: value}, _NO_NAMES, where)
    return found


def _from_message(message: dict[str, Any]) -> AgentReply | None:
    """One message alone, such as a LangChain AIMessage or Anthropic's message."""
    if str(message.get("type")) in ("ai", "AIMessageChunk", "human", "tool", "system"):
        return _reply(read_messages(_only_the_agents(message)))
    if message.get("role") not in ("assistant", "model"):
        return _reply(read_messages(_only_the_agents(message)))
    if "content" not in message or message.get("type") == "message" or read_parts(message["content"]).calls:
        reply = _reply(read_messages([message]))
        finish: Any = message.get("stop_reason")
        return structs.replace(reply, finish_reason=finish) if isinstance(finish, str) else reply
    return None


def _only_the_agents(message: dict[str, Any]) -> list[dict[str, Any]]:
    role = message.get("role") or message.get("type")
    if role in ("user", "human", "system", "developer"):
        raise unreadable(f"the answer is a message of role {role!r}, wanted one of the assistant")
    return [message]


def _reply(read: Read, missed: list[Unread] | tuple[Unread, ...] = ()) -> AgentReply:
    return AgentReply(
        text=read.texts[-1] if read.texts else "",
        texts=read.texts if len(read.texts) > 1 else (),
        calls=read.calls,
        usage=read.usage,
        finish_reason=read.finish_reason,
        unread=(*read.unread, *missed),
    )


def _is_choice(value: Any) -> bool:
    return is_object(value) and (is_object(value.get("message")) or is_object(value.get("delta")))


def _interrupt(told: Any) -> Interrupt:
    value: Any = told.get("value") if is_object(told) else told
    name = str(told.get("id") or "") if is_object(told) else ""
    return Interrupt(id=name or "interrupt", message=shorten(text_of(value), 500) or None, payload=value)
