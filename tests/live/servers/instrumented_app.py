"""A pydantic-ai agent behind HTTP, with OpenTelemetry as its authors set it up: the default batch of five seconds.

`python instrumented_app.py [--own-traces]`: with the flag nothing reads the `traceparent` of a request.
"""

import sys

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.starlette import StarletteInstrumentor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from serving import serve
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)
Agent.instrument_all()


def think(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    last = messages[-1].parts[-1]
    if isinstance(last, ToolReturnPart):
        return ModelResponse(parts=[TextPart("Done.")])
    said = str(last.content)
    if "delete" in said:
        return ModelResponse(parts=[ToolCallPart("delete_file", {"path": "notes.txt"})])
    if "weather" in said:
        return ModelResponse(parts=[ToolCallPart("get_weather", {"city": "Paris"})])
    return ModelResponse(parts=[TextPart("Hello.")])


agent = Agent(FunctionModel(think))


@agent.tool_plain
def get_weather(city: str) -> str:
    return f"sunny in {city}"


@agent.tool_plain
def delete_file(path: str) -> str:
    return f"deleted {path}"


async def answer(request: Request) -> JSONResponse:
    result = await agent.run((await request.json())["message"])
    return JSONResponse({"answer": result.output})


if __name__ == "__main__":
    app = Starlette(routes=[Route("/", answer, methods=["POST"])])
    if "--own-traces" not in sys.argv:
        StarletteInstrumentor.instrument_app(app)
    serve(app)
