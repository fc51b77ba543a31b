"""a2a-sdk 1.x with an executor of its own: v1.0 and v0.3, JSON-RPC and HTTP+JSON."""

from typing import Any

from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import a2a_pb2 as pb
from desk import serve, think, weather
from google.protobuf import json_format, struct_pb2
from starlette.applications import Starlette

SAID: dict[str, list[str]] = {}


def _data(value: dict[str, Any], kind: str = "") -> Any:
    part = pb.Part(data=json_format.ParseDict(value, struct_pb2.Value()))
    if kind:
        part.metadata["type"] = kind
    return part


class Desk(AgentExecutor):
    async def execute(self, context: Any, queue: Any) -> None:
        said = SAID.setdefault(context.context_id, [])
        said.append(context.get_user_input())
        task = TaskUpdater(queue, context.task_id, context.context_id)
        waited = context.current_task is not None
        if not waited:
            status = pb.TaskStatus(state=pb.TASK_STATE_SUBMITTED)
            first = pb.Task(id=context.task_id, context_id=context.context_id, status=status, history=[context.message])
            await queue.enqueue_event(first)
        await task.start_work()
        if waited:
            await task.add_artifact([pb.Part(text=f"Booked: {said[-1]}.")])
            await task.complete()
        elif said[-1].startswith("book"):
            await task.requires_input(task.new_agent_message([pb.Part(text="Where to?")]))
        elif said[-1].startswith("reject"):
            await task.reject(task.new_agent_message([pb.Part(text="I do not do that.")]))
        elif said[-1].startswith("invoice"):
            await task.add_artifact([_data({"number": 7, "total": 12.5})])
            await task.complete()
        else:
            await self._answer(task, said)

    async def _answer(self, task: Any, said: list[str]) -> None:
        results: list[Any] = []
        while not isinstance(move := think(said, results), str):
            name, args = move
            call_id = f"c{len(results)}"
            call = _data({"id": call_id, "name": name, "args": args}, "function_call")
            await task.update_status(pb.TASK_STATE_WORKING, task.new_agent_message([call]))
            try:
                results.append(weather(**args))
            except ValueError as error:
                results.append({"error": str(error)})
            answer = _data({"id": call_id, "name": name, "response": results[-1]}, "function_response")
            await task.update_status(pb.TASK_STATE_WORKING, task.new_agent_message([answer]))
        await task.add_artifact([pb.Part(text=move)])
        await task.complete()

    async def cancel(self, context: Any, queue: Any) -> None:
        await TaskUpdater(queue, context.task_id, context.context_id).cancel()


def app_at(port: int) -> Starlette:
    url = f"http://127.0.0.1:{port}"
    paths = {"JSONRPC": "/rpc", "HTTP+JSON": "/rest"}
    card = pb.AgentCard(
        name="Desk",
        description="A hand-written agent",
        version="1",
        supported_interfaces=[
            pb.AgentInterface(url=url + path, protocol_binding=binding, protocol_version=version)
            for binding, path in paths.items()
            for version in ("1.0", "0.3")
        ],
        capabilities=pb.AgentCapabilities(streaming=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[pb.AgentSkill(id="talk", name="Talk", description="Talks", tags=["talk"])],
    )
    handler = DefaultRequestHandler(agent_executor=Desk(), task_store=InMemoryTaskStore(), agent_card=card)
    routes = [*create_agent_card_routes(card), *create_jsonrpc_routes(handler, "/rpc", enable_v0_3_compat=True)]
    return Starlette(routes=[*routes, *create_rest_routes(handler, enable_v0_3_compat=True, path_prefix="/rest")])


serve(app_at)
