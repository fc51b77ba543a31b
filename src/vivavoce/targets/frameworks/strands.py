"""A Strands agent, graph or swarm: the cycles of its runs, structured output, and the interrupts of its tools."""

from collections.abc import Iterator, Sequence

from vivavoce.model.json_value import JsonObject, JsonValue, text_of
from vivavoce.model.message import Content, Interrupt, Message, text_of_content
from vivavoce.targets.frameworks.content import cannot_send, is_words, pieces_of
from vivavoce.targets.frameworks.framework import Foreign, Opening
from vivavoce.targets.frameworks.offered_tools import Offered, each_agent
from vivavoce.targets.frameworks.turn_record import TurnRecord, plain
from vivavoce.targets.resume_answers import Resumption

_BLOCKS = frozenset({"text", "toolUse", "toolResult", "reasoningContent"})
_ONE_TASK = "a Strands graph or swarm works on one task, and its agents begin anew with the next"

_DOCUMENTS = {"text/plain": "txt", "text/markdown": "md"}
"""Texts, as Strands calls them; other files are called by the end of their name, or by their media type."""


class Agent:
    one_at_a_time = "a Strands agent keeps its conversation in the object and refuses to run twice at once"
    takes_deps = False

    def __init__(self, agent: Foreign) -> None:
        self._agent = agent
        self._several = hasattr(agent, "nodes")
        self.one_turn = _ONE_TASK if self._several else ""
        self._fresh = None if self._several else _snapshot(agent)

    def open(self, opening: Opening) -> "StrandsConversation | StrandsTask":
        return StrandsTask(self._agent) if self._several else StrandsConversation(self._agent, self._fresh)


class StrandsConversation:
    """The object is shared: the state of this conversation is put into it for each run, and taken out afterwards."""

    def __init__(self, agent: Foreign, fresh: Foreign) -> None:
        self._agent = agent
        self._fresh = self._state = fresh

    async def say(self, content: Content, earlier: Sequence[Message], seen: TurnRecord) -> None:
        await self._run(_given(content), seen, [_message(each) for each in earlier])

    async def resume(self, answers: Sequence[Resumption], seen: TurnRecord) -> None:
        await self._run([_response(each) for each in answers], seen, [])

    async def close(self) -> None: ...

    async def _run(self, given: Foreign, seen: TurnRecord, earlier: list[JsonObject]) -> None:
        self._agent.load_snapshot(self._state)
        self._agent.messages.extend(earlier)
        finished = False
        try:
            result = await self._agent.invoke_async(given)
            finished = True
        finally:
            self._state = _snapshot(self._agent)
            self._agent.load_snapshot(self._fresh)  # so that the next user of the object finds it unchanged
            if not finished:
                read_metrics(self._agent.event_loop_metrics, seen)
        read_result(result, seen)


class StrandsTask:
    """One task of a graph or swarm. Its agents are shared, and forget what they did before."""

    def __init__(self, agents: Foreign) -> None:
        self._agents = agents

    async def say(self, content: Content, earlier: Sequence[Message], seen: TurnRecord) -> None:
        for node in self._agents.nodes.values():
            node.reset_executor_state()
        await self._run(_given(content), seen)

    async def resume(self, answers: Sequence[Resumption], seen: TurnRecord) -> None:
        await self._run([_response(each) for each in answers], seen)

    async def close(self) -> None: ...

    async def _run(self, given: Foreign, seen: TurnRecord) -> None:
        before = {name: _runs(node) for name, node in self._agents.nodes.items()}
        finished = False
        try:
            result = await self._agents.invoke_async(given)
            finished = True
        finally:
            if not finished:
                for name, node in self._agents.nodes.items():
                    if _runs(node) > before[name]:
                        read_metrics(node.executor.event_loop_metrics, seen)
        read_task(result, seen)


def _runs(node: Foreign) -> int:
    return len(getattr(getattr(node.executor, "event_loop_metrics", None), "agent_invocations", ()))


def read_task(result: Foreign, seen: TurnRecord) -> None:
    """What a graph or swarm came to: the runs of its agents, in the order in which they ended."""
    order = getattr(result, "node_history", None) or getattr(result, "execution_order", None) or ()
    for name in dict.fromkeys(str(node.node_id) for node in order):
        seen.handed_over(name)
        inner = result.results[name].result if name in result.results else None
        if hasattr(inner, "results"):
            read_task(inner, seen)
        elif hasattr(inner, "metrics"):
            read_result(inner, seen)
        elif inner is not None:
            seen.failed(f"{name}: {inner}")
    for interrupt in result.interrupts or ():
        seen.waits(_waiting(interrupt, {"content": []}))
    if str(getattr(result.status, "value", result.status)).lower() == "failed":
        seen.failed("the run failed")


def read_result(result: Foreign, seen: TurnRecord) -> None:
    """The outcome of a run."""
    read_metrics(result.metrics, seen)
    seen.finish_reason = result.stop_reason
    for interrupt in result.interrupts or ():
        seen.waits(_waiting(interrupt, result.message))
    if (data := result.structured_output) is not None:
        made = type(data).__name__
        seen.drop(lambda call: call.name == made)  # the tool that hands it over is named like its class
        seen.answered(data)


def read_metrics(metrics: Foreign, seen: TurnRecord) -> None:
    """The messages of the last run, as the traces of its cycles hold them: the metrics of the object hold all runs."""
    run = metrics.latest_agent_invocation
    if run is None or not run.cycles:
        seen.missed("no run in the metrics", "the agent's metrics")
        return
    for cycle in metrics.traces[-len(run.cycles) :]:
        for step in cycle.children:
            blocks: list[Foreign] = step.message["content"] if step.message else []
            for block in blocks:
                _read_block(block, step, seen)
    seen.spent(run.usage["inputTokens"], run.usage["outputTokens"])


def _read_block(block: Foreign, step: Foreign, seen: TurnRecord) -> None:
    if "text" in block:
        seen.said(block["text"])
    if "toolUse" in block:
        use = block["toolUse"]
        seen.called(use["toolUseId"], use["name"], use["input"])
    if "toolResult" in block:
        told = block["toolResult"]
        value = _result(told["content"])
        failed = text_of(value) if told["status"] == "error" else None
        seen.returned(told["toolUseId"], value, error=failed, name=step.metadata.get("tool_name", ""))
        ended = step.end_time
        completed = None if ended is None else ended * 1000
        seen.timed(told["toolUseId"], started_ms=step.start_time * 1000, completed_ms=completed)
    if not _BLOCKS.intersection(block):
        seen.missed(plain(block), "a message", "call")


def _result(content: Sequence[Foreign]) -> JsonValue:
    """Texts as one; JSON as it is, where there is nothing else."""
    if len(content) == 1 and "json" in content[0]:
        return plain(content[0]["json"])
    return "\n".join(str(part["text"]) if "text" in part else text_of(plain(part)) for part in content)


def _waiting(interrupt: Foreign, message: Foreign) -> Interrupt:
    """An interrupt's id holds the id of the call that raised it."""
    uses: Iterator[Foreign] = (block["toolUse"] for block in message["content"] if "toolUse" in block)
    use = next((use for use in uses if f":{use['toolUseId']}:" in interrupt.id), None)
    return Interrupt(
        id=interrupt.id,
        reason=interrupt.name,
        tool_name=use and use["name"],
        tool_call_id=use and use["toolUseId"],
        payload=plain(interrupt.reason),
    )


def _response(resumption: Resumption) -> JsonObject:
    return {"interruptResponse": {"interruptId": resumption.interrupt.id, "response": _answer(resumption)}}


def _answer(resumption: Resumption) -> JsonValue:
    return False if resumption.answer.cancelled else resumption.answer.payload


def _message(message: Message) -> JsonObject:
    role = "assistant" if message.role == "assistant" else "user"
    return {"role": role, "content": _blocks(message.content)}


def _given(content: Content) -> str | list[JsonObject]:
    return text_of_content(content) if is_words(content) else _blocks(content)


def _blocks(content: Content) -> list[JsonObject]:
    """The content blocks of Strands, which are those of Bedrock."""
    made: list[JsonObject] = []
    for piece in pieces_of(content, "Strands"):
        if isinstance(piece, str):
            made.append({"text": piece})
        elif piece.url:
            raise cannot_send(piece, "Strands", "their blocks hold bytes")
        elif piece.kind == "file":
            name, _, end = (piece.name or "document").rpartition(".")
            form = _DOCUMENTS.get(piece.media_type, end or piece.format)
            made.append({"document": {"format": form, "name": name or end, "source": {"bytes": piece.data}}})
        else:
            made.append({piece.kind: {"format": piece.format, "source": {"bytes": piece.data}}})
    return made


def _snapshot(agent: Foreign) -> Foreign:
    return agent.take_snapshot(preset="session")


def tools_of(agent: Foreign) -> Iterator[Offered]:
    """The tools it offers to its model, or the agents of a graph or swarm do."""
    members = each_agent(agent, lambda each: [node.executor for node in getattr(each, "nodes", {}).values()])
    for one in [each for each in members if hasattr(each, "tool_registry")]:
        for name, spec in one.tool_registry.get_all_tools_config().items():
            yield name, spec["inputSchema"].get("json")
