"""A LangChain runnable that is no graph: a chain, a chat model, an AgentExecutor. Its callbacks tell of tools."""

from collections.abc import Iterator, Sequence
from importlib import import_module

from msgspec import UNSET, Struct

from vivavoce.containment.user_errors import words_of
from vivavoce.errors import CallFailed, UsageError
from vivavoce.metering.clock import now_ms
from vivavoce.model.json_value import JsonObject, JsonValue, is_object, json_equal, text_of
from vivavoce.model.message import Content, Message, words_of_content
from vivavoce.targets.call_payload import plain_message
from vivavoce.targets.frameworks.content import is_words
from vivavoce.targets.frameworks.framework import Foreign, Opening
from vivavoce.targets.frameworks.offered_tools import Offered
from vivavoce.targets.frameworks.turn_record import TurnRecord, plain
from vivavoce.targets.resume_answers import Resumption
from vivavoce.wording.quoting import shorten

_HISTORIES = ("chat_history", "history", "messages")
_NO_TOOLS = ("_Exception", "invalid_tool")
"""What an AgentExecutor runs when its model named no tool."""
_ANSWERS = ("output", "answer", "result", "text")
"""Keys under which chains that return a dict give their answer."""
_FORGETS = "the chain takes no earlier messages (give its prompt a MessagesPlaceholder, such as chat_history)"
_SHARED = "the memory of this chain is one for all conversations"


class InputForm(Struct, frozen=True):
    """What a runnable is called with: a text, messages, or a dict."""

    keys: tuple[str, ...] = ()
    """The keys of the dict, without that of the history; empty: no dict."""
    history: str = ""
    """The key of earlier messages."""
    messages: bool = False
    """Whether the words are the last of the messages."""


class Agent:
    one_at_a_time = ""
    takes_deps = False

    def __init__(self, agent: Foreign) -> None:
        if getattr(agent, "memory", None) is not None:
            hint = "leave `memory` out and take chat_history in the prompt, or use RunnableWithMessageHistory"
            raise UsageError(_SHARED, hint=hint)
        self._runnable = agent
        self._keeps = _is_named(agent, "RunnableWithMessageHistory")
        self._takes = taken_by(agent)
        forgets = not (self._keeps or self._takes.messages or self._takes.history)
        self.one_turn = _FORGETS if forgets else ""

    def open(self, opening: Opening) -> "ChainConversation":
        return ChainConversation(self._runnable, self._takes, opening, keeps=self._keeps)


class ChainConversation:
    """Earlier messages are handed over, unless the runnable keeps them by its session id."""

    def __init__(self, runnable: Foreign, takes: InputForm, opening: Opening, *, keeps: bool) -> None:
        self._runnable = runnable
        self._takes = takes
        self._keeps = keeps
        self._session = opening.context.thread_id or opening.context.session_id
        state = opening.context.state
        self._given: JsonObject = state if is_object(state) else {}
        self._kept: list[Foreign] | None = None

    async def say(self, content: Content, earlier: Sequence[Message], seen: TurnRecord) -> None:
        convert = import_module("langchain_core.messages").convert_to_messages
        if self._kept is None:
            self._kept = list(convert([plain_message(each) for each in earlier]))
        [new] = convert([{"role": "user", "content": content}])
        config = {"callbacks": [_watcher(seen)], "configurable": {"session_id": self._session}}
        out = await self._runnable.ainvoke(self._input(new, content), config=config)
        read_output(out, seen)
        if not self._keeps:
            self._kept += [new, *convert([{"role": "assistant", "content": seen.reply().text}])]

    async def resume(self, answers: Sequence[Resumption], seen: TurnRecord) -> None: ...

    async def close(self) -> None: ...

    def _input(self, new: Foreign, content: Content) -> Foreign:
        takes, kept = self._takes, [] if self._keeps else self._kept or []
        if takes.messages:
            return {takes.history: [*kept, new]} if takes.history else [*kept, new]
        if not is_words(content):
            raise CallFailed(
                f"the chain takes a text, and not {shorten(repr(words_of_content(content)), 80)}",
                fault="test",
                hint="give its prompt a MessagesPlaceholder in place of the text",
            )
        if not takes.keys:
            return new.text
        left = [key for key in takes.keys if key not in self._given]
        if len(left) != 1:
            what = f"the chain wants {', '.join(left or takes.keys)}, and the line is one text"
            raise CallFailed(what, fault="test", hint="give the others by the case's `state`")
        history = {takes.history: kept} if takes.history and not self._keeps else {}
        return {**self._given, left[0]: new.text, **history}


def taken_by(runnable: Foreign) -> InputForm:
    """What a runnable is called with, as its own schema of inputs says; a text where it says nothing."""
    if _is_named(runnable, "BaseChatModel"):
        return InputForm(messages=True)
    if _is_named(runnable, "RunnableWithMessageHistory"):
        key = runnable.input_messages_key
        return InputForm((str(key),)) if key else InputForm(messages=True)
    inner = getattr(getattr(runnable, "agent", None), "runnable", None) or runnable
    try:
        schema: JsonValue = plain(runnable.get_input_jsonschema())
        prompts: list[Foreign] = inner.get_prompts()
    except (AttributeError, RuntimeError, TypeError, ValueError):
        # Some types have no schema: then the words are all there is to give.
        return InputForm()
    fields = schema.get("properties") if is_object(schema) else None
    needed = list(schema.get("required") or fields) if is_object(fields) and fields else []
    if needed == ["root"]:
        return InputForm()  # what several steps are given alike
    if not needed and inner is not runnable:
        needed = [str(name) for name in prompts[0].input_variables]
    optional = [name for each in prompts if set(each.input_variables) <= {*needed} for name in each.optional_variables]
    history = next((key for key in _HISTORIES if key in (*needed, *optional)), "")
    keys = tuple(key for key in needed if key != history)
    return InputForm(keys, history, messages=bool(history) and not keys)


def _is_named(runnable: Foreign, name: str) -> bool:
    return any(parent.__name__ == name for parent in type(runnable).__mro__)


class _Runs:
    """Which call each run of a tool belongs to: the one that the model asked for, or one that only the chain made."""

    def __init__(self) -> None:
        self._asked: list[Foreign] = []
        self._ids: dict[str, str] = {}

    def asked(self, calls: Sequence[Foreign]) -> None:
        self._asked += calls

    def start(self, run: str, call_id: str, name: str, args: JsonValue) -> bool:
        """Whether the model had asked for it. An AgentExecutor does not say for which call it runs a tool."""
        for call in self._asked:
            same = call["id"] == call_id if call_id else call["name"] == name and json_equal(plain(call["args"]), args)
            if same:
                self._asked.remove(call)
                self._ids[run] = call["id"] or run
                return bool(call["id"])
        self._ids[run] = call_id or run
        return False

    def id_of(self, run: str) -> str:
        return self._ids.get(run, run)


def _watcher(seen: TurnRecord) -> Foreign:
    """A handler of callbacks, for one run. It sees tools and models wherever they are in the chain."""
    base = import_module("langchain_core.callbacks").BaseCallbackHandler
    runs = _Runs()

    def started(self: Foreign, serialized: Foreign, text: str, **more: Foreign) -> None:
        name = str(more.get("name") or (serialized and serialized.get("name")) or "")
        run, args = str(more["run_id"]), plain(more.get("inputs") or text)
        if name not in _NO_TOOLS and not runs.start(run, more.get("tool_call_id") or "", name, args):
            read_start({"id": runs.id_of(run), "name": name, "args": args}, seen)
        seen.timed(runs.id_of(run), started_ms=now_ms())

    def ended(self: Foreign, output: Foreign, **more: Foreign) -> None:
        if more.get("name") not in _NO_TOOLS:
            read_end({"id": runs.id_of(str(more["run_id"])), "output": output}, seen)

    def failed(self: Foreign, error: BaseException, **more: Foreign) -> None:
        read_end({"id": runs.id_of(str(more["run_id"])), "error": words_of(error) or type(error).__name__}, seen)

    def answered(self: Foreign, response: Foreign, **more: Foreign) -> None:
        for message in _messages_of(response):
            runs.asked(message.tool_calls)
        read_model(response, seen)

    methods = {"on_tool_start": started, "on_tool_end": ended, "on_tool_error": failed, "on_llm_end": answered}
    # In line with the run: from other threads the events would come in another order.
    return type("VivaWatcher", (base,), {**methods, "run_inline": True})()


def read_start(told: Foreign, seen: TurnRecord) -> None:
    """A tool began that no model asked for."""
    seen.called(told["id"], told["name"], told["args"], now_ms())


def read_end(told: Foreign, seen: TurnRecord) -> None:
    """A tool returned or raised. Its output may be wrapped as a message for the model."""
    if "error" in told:
        seen.returned(told["id"], None, error=told["error"], at_ms=now_ms())
        return
    output = told["output"]
    value = output.content if hasattr(output, "tool_call_id") else output
    failed = text_of(plain(value)) if getattr(output, "status", "") == "error" else None
    seen.returned(told["id"], value, error=failed, at_ms=now_ms())


def _messages_of(response: Foreign) -> list[Foreign]:
    """The messages of a chat model's answer; none for a model of plain texts."""
    found = [getattr(each, "message", None) for generations in response.generations for each in generations]
    return [message for message in found if getattr(message, "tool_calls", None) is not None]


def read_model(response: Foreign, seen: TurnRecord) -> None:
    """A model answered: the calls it asks for, and what it cost."""
    for message in _messages_of(response):
        for call in [*message.tool_calls, *message.invalid_tool_calls]:
            seen.called(call["id"] or "", call["name"], call["args"], now_ms())
        if used := message.usage_metadata:
            seen.spent(used["input_tokens"], used["output_tokens"])


def read_output(out: Foreign, seen: TurnRecord) -> None:
    """What the runnable returned: a text, a message, structured data, or a dict with its answer."""
    if isinstance(out, str):
        seen.said(str(out))  # a class of LangChain's own, which is no plain text
    elif hasattr(out, "content") and hasattr(out, "type"):
        seen.said(str(out.text))
    elif is_object(out) and (key := next((name for name in _ANSWERS if isinstance(out.get(name), str)), None)):
        seen.said(str(out[key]))
        rest = {name: plain(value) for name, value in out.items() if name not in (key, "intermediate_steps")}
        if rest:
            seen.state = rest
    elif out is not None:
        data = plain(out)
        name = type(out).__name__
        # The call that only hands over structured output is no tool: it has its arguments and nobody ran it.
        seen.drop(lambda call: call.result is UNSET and (call.name == name or json_equal(call.args, data)))
        seen.answered({key: plain(value) for key, value in out.items()} if is_object(out) else data)


def tools_of(agent: Foreign) -> Iterator[Offered]:
    """The tools of an AgentExecutor, and those that a chain binds to its model."""
    for tool in getattr(agent, "tools", None) or ():
        schema = tool.tool_call_schema
        yield tool.name, schema.model_json_schema() if hasattr(schema, "model_json_schema") else schema
    for step in getattr(agent, "steps", [agent]):
        given: Foreign = getattr(step, "kwargs", None) or {}
        for bound in given.get("tools", ()):
            function: Foreign = bound.get("function", bound)
            yield function["name"], function.get("parameters")
