"""An agent of smolagents: the steps it yields, and the tools that the code of a CodeAgent calls."""

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from importlib import import_module
from io import BytesIO

from vivavoce.containment.daemon_threads import in_daemon_thread
from vivavoce.containment.user_errors import words_of
from vivavoce.errors import CallFailed
from vivavoce.metering.clock import now_ms
from vivavoce.model.json_value import JsonObject
from vivavoce.model.message import Content, Message, text_of_content
from vivavoce.targets.frameworks.content import Media, words_and_pictures, words_only
from vivavoce.targets.frameworks.framework import Foreign, Opening
from vivavoce.targets.frameworks.offered_tools import Offered, each_agent
from vivavoce.targets.frameworks.turn_record import TurnRecord, plain
from vivavoce.targets.resume_answers import Resumption

_FINAL = "final_answer"
_CODE = "python_interpreter"


class Agent:
    one_turn = ""
    takes_deps = False

    def __init__(self, agent: Foreign) -> None:
        self._agent = agent
        elsewhere = _runs_code(agent) and not _runs_code_here(agent)
        self.one_at_a_time = "its code runs in one executor, which keeps variables" if elsewhere else ""

    def open(self, opening: Opening) -> "SmolConversation":
        return SmolConversation(self._agent)


class SmolConversation:
    """A copy of the agent with its own memory: a shared object would mix the conversations unnoticed."""

    def __init__(self, agent: Foreign) -> None:
        self._seen = TurnRecord()
        self._calls = 0
        self._sees_code = _runs_code_here(agent)
        self._agent = _own_copy(agent, self, watched=self._sees_code)

    async def say(self, content: Content, earlier: Sequence[Message], seen: TurnRecord) -> None:
        words, pictures = text_of_content(content), _pictures(content)
        self._seen = seen
        self._agent.memory.steps.extend([_step(message) for message in earlier])
        await in_daemon_thread(lambda: self._run(words, pictures, seen))

    async def resume(self, answers: Sequence[Resumption], seen: TurnRecord) -> None: ...

    async def close(self) -> None: ...

    def _run(self, words: str, pictures: list[Foreign] | None, seen: TurnRecord) -> None:
        for event in self._agent.run(words, stream=True, reset=False, images=pictures):
            if not (self._sees_code and type(event).__name__ == "ToolCall"):  # the tools that the code calls are seen
                read_result(event, seen)

    def spent_by(self, managed: Foreign) -> None:
        """Tokens of an agent that another one called."""
        for step in managed.memory.steps:
            _read_usage(getattr(step, "token_usage", None), self._seen)

    def noted(self, name: str, args: JsonObject, call: Callable[[], Foreign]) -> Foreign:
        """Calls a tool and writes the call down."""
        self._calls += 1
        seen, call_id = self._seen, f"inner-{self._calls}"
        seen.called(call_id, name, args, now_ms())
        try:
            result = call()
        except Exception as error:
            seen.returned(call_id, None, error=words_of(error) or type(error).__name__, at_ms=now_ms())
            raise
        seen.returned(call_id, result, at_ms=now_ms())
        return result


class _WatchedTool:
    """Stands for a tool, and notes each call."""

    def __init__(self, name: str, tool: Foreign, conversation: SmolConversation) -> None:
        self._watched_name = name
        self._watched_tool = tool
        self._watched_by = conversation

    def __getattr__(self, name: str) -> Foreign:
        return getattr(self._watched_tool, name)

    def __call__(self, *args: Foreign, **kwargs: Foreign) -> Foreign:
        named = {key: value for key, value in kwargs.items() if key != "sanitize_inputs_outputs"}
        given: JsonObject = {**dict(zip(self._watched_tool.inputs, args, strict=False)), **named}
        return self._watched_by.noted(self._watched_name, given, lambda: self._watched_tool(*args, **kwargs))


class _Counted:
    """Stands for an agent that another one manages, and counts the tokens of each call."""

    def __init__(self, agent: Foreign, conversation: SmolConversation) -> None:
        self._counted_agent = agent
        self._counted_by = conversation

    def __getattr__(self, name: str) -> Foreign:
        return getattr(self._counted_agent, name)

    def __call__(self, *args: Foreign, **kwargs: Foreign) -> Foreign:
        try:
            return self._counted_agent(*args, **kwargs)
        finally:
            self._counted_by.spent_by(self._counted_agent)


def _own_copy(agent: Foreign, by: SmolConversation, *, watched: bool) -> Foreign:
    """The agent with its own memory. What the agents it manages do is in no event, so their tools are watched too."""
    made = copy(agent)
    made.memory = type(agent.memory)(agent.system_prompt)
    made.state = {}
    made.monitor = type(agent.monitor)(agent.model, agent.logger)
    if _runs_code_here(agent):
        made.python_executor = made.create_python_executor()
    managed = {name: _Counted(_own_copy(each, by, watched=True), by) for name, each in agent.managed_agents.items()}
    made.managed_agents = managed
    if watched:
        made.managed_agents = {name: _WatchedTool(name, each, by) for name, each in managed.items()}
        tools = ((name, tool) for name, tool in agent.tools.items() if name != _FINAL)
        made.tools = {**agent.tools, **{name: _WatchedTool(name, tool, by) for name, tool in tools}}
    return made


def _runs_code(agent: Foreign) -> bool:
    return hasattr(agent, "create_python_executor")


def _runs_code_here(agent: Foreign) -> bool:
    return _runs_code(agent) and type(agent.python_executor).__name__ == "LocalPythonExecutor"


def _step(message: Message) -> Foreign:
    """A message of the case's history as a step of the memory."""
    library = import_module("smolagents.memory")
    if message.role != "assistant":
        return library.TaskStep(task=text_of_content(message.content), task_images=_pictures(message.content))
    said = words_only(message.content, "smolagents")
    timing = import_module("smolagents.monitoring").Timing(start_time=0.0, end_time=0.0)
    return library.ActionStep(step_number=1, timing=timing, model_output=said)


def _pictures(content: Content) -> list[Foreign] | None:
    """The pictures of a line, as a task takes them. Raises CallFailed for anything else that is no words."""
    media = [piece for piece in words_and_pictures(content, "smolagents") if isinstance(piece, Media)]
    return [_picture(each) for each in media] or None


def _picture(media: Media) -> Foreign:
    try:
        picture = import_module("PIL.Image").open(BytesIO(media.data))
        picture.load()  # or what is wrong with it shows in the middle of the agent's run
    except (OSError, ValueError, SyntaxError) as error:
        raise CallFailed(f"the line has a picture that PIL cannot read ({error})", fault="test") from None
    return picture


def read_result(event: Foreign, seen: TurnRecord) -> None:
    """One event of a run that streams, or the RunResult of one that does not."""
    match type(event).__name__:
        case "ToolCall":
            _read_call(event.id, event.name, event.arguments, seen)
        case "ToolOutput" if not event.is_final_answer:
            seen.returned(event.id, event.output, at_ms=now_ms())
        case "ActionStep":
            _read_error(event, seen)
            _read_usage(event.token_usage, seen)
        case "PlanningStep":
            _read_usage(event.token_usage, seen)
        case "FinalAnswerStep":
            _read_output(event.output, seen)
        case "RunResult":
            for step in event.steps:
                _read_step(step, seen)
            seen.finish_reason = event.state
            _read_output(event.output, seen)
            _read_usage(event.token_usage, seen)
        case _:
            pass


def _read_call(call_id: str, name: str, args: Foreign, seen: TurnRecord) -> None:
    if name == _CODE and isinstance(args, str):
        seen.missed(args, "the code that the agent wrote", "call")
    elif name != _FINAL:
        seen.called(call_id, name, args, now_ms())


def _read_error(step: Foreign, seen: TurnRecord) -> None:
    """The error of a step belongs to the call that it names."""
    if step.error is None:
        return
    if type(step.error).__name__ == "AgentMaxStepsError":
        seen.finish_reason = "max_steps"
    text = str(step.error.message)
    calls: list[Foreign] = list((step.model_output_message and step.model_output_message.tool_calls) or ())
    for call in calls:
        name, args = call.function.name, call.function.arguments
        if name != _FINAL and (len(calls) == 1 or (name in text and str(args) in text)):
            seen.returned(call.id, None, error=text, name=name, at_ms=now_ms())


def _read_step(step: Foreign, seen: TurnRecord) -> None:
    """A step of a RunResult. A failed one has its calls in the model's message only."""
    failed = step.get("error")
    message: Foreign = step.get("model_output_message")
    calls: list[Foreign] = step.get("tool_calls") or (message and message.get("tool_calls")) or []
    for call in calls:
        name = call["function"]["name"]
        _read_call(call["id"], name, call["function"]["arguments"], seen)
        if name in (_FINAL, _CODE):
            continue
        if failed:
            seen.returned(call["id"], None, error=str(failed["message"]))
        elif len(calls) == 1:  # the results of several are one text
            seen.returned(call["id"], step.get("observations"))


def _read_output(output: Foreign, seen: TurnRecord) -> None:
    answer = plain(output)
    if isinstance(answer, str):
        seen.said(answer)
    elif answer is not None:
        seen.answered(answer)


def _read_usage(used: Foreign, seen: TurnRecord) -> None:
    if used is not None:
        seen.spent(used.input_tokens, used.output_tokens)


def tools_of(agent: Foreign) -> Iterator[Offered]:
    """The tools it offers to its model, and those of the agents it manages."""
    for one in each_agent(agent, lambda each: each.managed_agents.values()):
        for name, tool in one.tools.items():
            if name != _FINAL:
                yield name, {"type": "object", "properties": tool.inputs}
