"""a2a-sdk 0.3 with an executor of its own: v0.3 over JSON-RPC."""

from typing import Any

from a2a.server.agent_execution import AgentExecutor
from a2a.server.apps import A2AStarletteApplication
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentSkill,
    DataPart,
    Part,
    Task,
    TaskState,
    TaskStatus,
    TextPart,
)
from desk import serve, think, weather

SAID: dict[str, list[str]] = {}


def _text(words: str) -> Part:
    return Part(root=TextPart(text=words))


def _data(value: dict[str, Any], kind: str = "") -> Part:
    return Part(root=DataPart(data=value, metadata={"type": kind} if kind else None))


class Desk(AgentExecutor):
    async def execute(self, context: Any, event_queue: Any) -> None:
        said = SAID.setdefault(context.context_id, [])
        said.append(context.get_user_input())
        task = TaskUpdater(event_queue, context.task_id, context.context_id)
        waited = context.current_task is not None
        if not waited:
            status = TaskStatus(state=TaskState.submitted)
            first = Task(id=context.task_id, context_id=context.context_id, status=status, history=[context.message])
            await event_queue.enqueue_event(first)
        await task.start_work()
        if waited:
            await task.add_artifact([_text(f"Booked: {said[-1]}.")])
            await task.complete()
        elif said[-1].startswith("book"):
            await task.requires_input(task.new_agent_message([_text("Where to?")]), final=True)
        elif said[-1].startswith("reject"):
            await task.reject(task.new_agent_message([_text("I do not do that.")]))
        elif said[-1].startswith("invoice"):
            await task.add_artifact([_data({"number": 7, "total": 12.5})])
            await task.complete()
        else:
            await self._answer(task, said)

    async def _answer(self, task: TaskUpdater, said: list[str]) -> None:
        results: list[Any] = []
        while not isinstance(move := think(said, results), str):
            name, args = move
            call_id = f"c{len(results)}"
            call = _data({"id": call_id, "name": name, "args": args}, "function_call")
            await task.update_status(TaskState.working, task.new_agent_message([call]))
            try:
                results.append(weather(**args))
            except ValueError as error:
                results.append({"error": str(error)})
            answer = _data({"id": call_id, "name": name, "response": results[-1]}, "function_response")
            await task.update_status(TaskState.working, task.new_agent_message([answer]))
        await task.add_artifact([_text(move)])
        await task.complete()

    async def cancel(self, context: Any, event_queue: Any) -> None:
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


def app_at(port: int) -> Any:
    card = AgentCard(
        name="Desk",
        description="A hand-written agent",
        version="1",
        url=f"http://127.0.0.1:{port}/",
        capabilities=AgentCapabilities(streaming=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id="talk", name="Talk", description="Talks", tags=["talk"])],
    )
    handler = DefaultRequestHandler(agent_executor=Desk(), task_store=InMemoryTaskStore())
    return A2AStarletteApplication(agent_card=card, http_handler=handler).build()


serve(app_at)
