"""A module of DSPy: a function of its inputs, whose tools DSPy's callbacks tell."""

import inspect
from collections.abc import Iterator, Sequence
from importlib import import_module

from vivavoce.errors import UsageError
from vivavoce.metering.clock import now_ms
from vivavoce.model.json_value import JsonObject, JsonValue, is_object
from vivavoce.model.message import Content, Message
from vivavoce.targets.frameworks.content import words_only
from vivavoce.targets.frameworks.framework import Foreign, Opening
from vivavoce.targets.frameworks.offered_tools import Offered
from vivavoce.targets.frameworks.own_loop import OwnLoop
from vivavoce.targets.frameworks.turn_record import TurnRecord, plain
from vivavoce.targets.resume_answers import Resumption

_FINISH = "finish"
"""The tool by which a ReAct module says that it is done."""
_NO_ANSWERS = frozenset({"reasoning", "trajectory"})
_WRITES_CODE = frozenset({"CodeAct", "ProgramOfThought", "RLM"})
_FAILED = "Execution error in "


class Agent:
    one_at_a_time = ""
    takes_deps = False

    def __init__(self, module: Foreign) -> None:
        self._module = module
        self._inputs = _Inputs(module)
        # Plain functions as tools run in the event loop, and would hold up every other case.
        self._loop = OwnLoop()
        no_memory = "a DSPy module without a dspy.History input has no memory of what was said before"
        self.one_turn = "" if self._inputs.history else no_memory

    def open(self, opening: Opening) -> "DspyConversation":
        return DspyConversation(self._module, self._inputs, self._loop)


class _Inputs:
    """Which input takes the words, and which takes the history: those of forward(), or of the signature."""

    def __init__(self, module: Foreign) -> None:
        forward: Foreign = inspect.getattr_static(module, "forward")  # looking at it otherwise makes a module warn
        _, *parameters = inspect.signature(forward).parameters.values()
        signature = _signature(module)
        kinds = {each.name: each.annotation for each in parameters if each.kind is not each.VAR_KEYWORD}
        if signature and not kinds:
            kinds = {name: field.annotation for name, field in signature.input_fields.items()}
        self.history = next((name for name, kind in kinds.items() if _is_history(name, kind)), None)
        texts = [name for name, kind in kinds.items() if kind in (str, inspect.Parameter.empty)]
        words = [name for name in texts if name != self.history]
        if not words:
            raise UsageError("the DSPy module has no text input that takes the user's words")
        self.words = words[0]
        answers = [name for name in signature.output_fields if name not in _NO_ANSWERS] if signature else []
        self.answer = answers[0] if answers else "answer"


class DspyConversation:
    """What was said goes into the module's dspy.History, where it has one."""

    def __init__(self, module: Foreign, inputs: _Inputs, loop: OwnLoop) -> None:
        self._module = module
        self._inputs = inputs
        self._loop = loop
        self._turns: list[JsonObject] = []

    async def say(self, content: Content, earlier: Sequence[Message], seen: TurnRecord) -> None:
        words = words_only(content, "DSPy")
        for message in earlier:
            said = words_only(message.content, "DSPy")
            if message.role == "user":
                self._turns.append({self._inputs.words: said})
            elif message.role == "assistant" and self._turns:
                self._turns[-1][self._inputs.answer] = said
        noted: list[Foreign] = []
        try:
            prediction = await self._loop.run(self._run(words, noted))
        finally:
            read_noted(list(noted), seen)
        if _writes_code(self._module):
            seen.missed(type(self._module).__name__, "the code that the module wrote", "call")
        self._turns.append({self._inputs.words: words, **read_answer(prediction, seen)})

    async def resume(self, answers: Sequence[Resumption], seen: TurnRecord) -> None: ...

    async def close(self) -> None: ...

    async def _run(self, words: str, noted: list[Foreign]) -> Foreign:
        library = import_module("dspy")
        given: Foreign = {self._inputs.words: words}
        if self._inputs.history:
            given[self._inputs.history] = library.History(messages=list(self._turns))
        callbacks = [*(library.settings.callbacks or ()), _noting(noted)]
        with library.context(track_usage=True, callbacks=callbacks):
            return await self._module.acall(**given)


def _noting(noted: list[Foreign]) -> Foreign:
    """A callback that notes the calls of tools, wherever in the module they are made."""
    base: Foreign = import_module("dspy.utils.callback").BaseCallback

    class Noting(base):
        def on_tool_start(self, call_id: str, instance: Foreign, inputs: Foreign) -> None:
            args = inputs.get("kwargs", inputs)
            noted.append({"id": call_id, "name": instance.name, "args": plain(args), "at": now_ms()})

        def on_tool_end(self, call_id: str, outputs: Foreign, exception: Foreign = None) -> None:
            failed = None if exception is None else str(exception) or type(exception).__name__
            noted.append({"id": call_id, "result": plain(outputs), "error": failed, "at": now_ms()})

    return Noting()


def read_noted(events: Sequence[Foreign], seen: TurnRecord) -> None:
    """The calls of a run, as the callback noted them."""
    finishes = {event["id"] for event in events if event.get("name") == _FINISH}
    for event in events:
        if event["id"] in finishes:
            continue
        if "name" in event:
            seen.called(event["id"], event["name"], event["args"], event["at"])
        else:
            seen.returned(event["id"], event["result"], error=event["error"], at_ms=event["at"])


def read_result(prediction: Foreign, seen: TurnRecord) -> None:
    """A prediction by itself: its trajectory tells the calls."""
    trajectory: JsonValue = plain(prediction.get("trajectory"))
    if is_object(trajectory):
        numbers = [key.removeprefix("tool_name_") for key in trajectory if key.startswith("tool_name_")]
        for number in numbers:
            _read_step(number, trajectory, seen)
    read_answer(prediction, seen)


def _read_step(number: str, trajectory: JsonObject, seen: TurnRecord) -> None:
    name, told = str(trajectory[f"tool_name_{number}"]), trajectory.get(f"observation_{number}")
    if name == _FINISH:
        return
    seen.called(number, name, trajectory.get(f"tool_args_{number}") or {})
    failed = isinstance(told, str) and told.startswith(f"{_FAILED}{name}:")
    # The text of an error is a traceback; its last line says what happened.
    seen.returned(number, told, error=str(told).strip().splitlines()[-1] if failed else None)


def read_answer(prediction: Foreign, seen: TurnRecord) -> JsonObject:
    """The outputs: one is the answer itself, several are data by name. Returns them by name."""
    if isinstance(prediction, str):
        seen.said(prediction)
        return {"answer": prediction}
    values = {name: plain(prediction.get(name)) for name in prediction.keys() if name not in _NO_ANSWERS}  # noqa: SIM118
    answer = next(iter(values.values())) if len(values) == 1 else values
    if isinstance(answer, str):
        seen.said(answer)
    else:
        seen.answered(answer)
    spent: dict[str, Foreign] = prediction.get_lm_usage() or {}
    for used in spent.values():
        seen.spent(used.get("prompt_tokens"), used.get("completion_tokens"))
    return values


def _signature(module: Foreign) -> Foreign:
    own: Foreign = getattr(module, "signature", None)
    return own or next((each.signature for each in module.predictors()), None)


def _is_history(name: str, kind: Foreign) -> bool:
    return getattr(kind, "__name__", "") == "History" or (name == "history" and kind is inspect.Parameter.empty)


def _writes_code(module: Foreign) -> bool:
    return any(type(each).__name__ in _WRITES_CODE for _, each in module.named_sub_modules())


def tools_of(agent: Foreign) -> Iterator[Offered]:
    """The tools it offers to its model: those of the modules in it that have some."""
    for module in [agent, *(inner for _, inner in agent.named_sub_modules())]:
        tools = getattr(module, "tools", None)
        for name, tool in tools.items() if is_object(tools) else ():
            if name != _FINISH:
                yield name, {"type": "object", "properties": tool.args}
