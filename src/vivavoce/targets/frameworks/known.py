"""The frameworks viva knows, and how their objects are recognised: by the names of their classes, nothing imported."""

from functools import lru_cache
from importlib import import_module

from vivavoce.errors import UsageError
from vivavoce.model.json_value import is_array
from vivavoce.targets.frameworks.declaration import Foreign, Framework

FRAMEWORKS = (
    Framework(
        name="langgraph",
        file="langgraph",
        agents=("langgraph.pregel:Pregel",),
        distributions=("langgraph",),
        since="1.0",
        tested="1.2.20",
    ),
    Framework(
        name="langchain",
        file="langchain",
        agents=("langchain_core.runnables:Runnable",),
        distributions=("langchain-core",),
        since="1.0",
        tested="1.7.2",
    ),
    Framework(
        name="openai-agents",
        file="openai_agents",
        agents=("agents.agent:Agent",),
        attribute="handoffs",
        results=("agents.result:RunResultBase",),
        distributions=("openai-agents",),
        since="0.8",
        tested="0.24.0",
    ),
    Framework(
        name="google-adk",
        file="google_adk",
        agents=("google.adk.agents.base_agent:BaseAgent", "google.adk.apps.app:App"),
        results=("google.adk.events.event:Event",),
        distributions=("google-adk",),
        since="1.0",
        tested="2.13.0",
    ),
    Framework(
        name="llama-index",
        file="llama_index",
        agents=("llama_index:BaseWorkflowAgent", "llama_index:AgentWorkflow"),
        results=("llama_index:AgentOutput",),
        distributions=("llama-index-core",),
        since="0.13",
        tested="0.14.25",
    ),
    Framework(
        name="crewai",
        file="crewai",
        agents=("crewai.agents.agent_builder.base_agent:BaseAgent", "crewai.crew:Crew", "crewai.flow:Flow"),
        attribute="kickoff_async",
        results=("crewai:LiteAgentOutput", "crewai:CrewOutput"),
        distributions=("crewai",),
        since="1.13",
        tested="1.15.30",
    ),
    Framework(
        name="smolagents",
        file="smolagents",
        agents=("smolagents.agents:MultiStepAgent",),
        results=(
            "smolagents:RunResult",
            "smolagents:ToolCall",
            "smolagents:MemoryStep",
            "smolagents:ChatMessageStreamDelta",
        ),
        distributions=("smolagents",),
        since="1.20",
        tested="1.26.0",
    ),
    Framework(
        name="agno",
        file="agno",
        agents=("agno.agent.agent:Agent", "agno.team.team:Team"),
        results=("agno.run.agent:RunOutput", "agno.run.team:TeamRunOutput"),
        distributions=("agno",),
        since="3.0",
        tested="3.1.10",
    ),
    Framework(
        name="strands",
        file="strands",
        agents=("strands.agent.agent:Agent", "strands.multiagent.base:MultiAgentBase"),
        results=("strands.agent.agent_result:AgentResult",),
        distributions=("strands-agents",),
        since="1.60",
        tested="1.62.0",
    ),
    Framework(
        name="agent-framework",
        file="agent_framework",
        agents=("agent_framework:BaseAgent",),
        results=("agent_framework:AgentResponse",),
        distributions=("agent-framework-core", "agent-framework"),
        since="1.0",
        tested="1.23.0",
    ),
    Framework(
        name="autogen",
        file="autogen",
        agents=("autogen_agentchat:BaseChatAgent", "autogen_agentchat:BaseGroupChat"),
        results=("autogen_agentchat:TaskResult",),
        distributions=("autogen-agentchat",),
        since="0.5",
        tested="0.7.5",
    ),
    Framework(
        name="haystack",
        file="haystack",
        agents=("haystack.components.agents.agent:Agent", "haystack.core.pipeline:Pipeline"),
        results=("haystack.dataclasses.chat_message:ChatMessage",),
        distributions=("haystack-ai",),
        since="3.0",
        tested="3.4.0",
    ),
    Framework(
        name="dspy",
        file="dspy",
        agents=("dspy.primitives.module:Module",),
        results=("dspy:Prediction",),
        distributions=("dspy",),
        since="3.0",
        tested="3.4.1",
    ),
    Framework(
        name="pydantic-ai",
        file="pydantic_ai",
        agents=("pydantic_ai:AbstractAgent", "pydantic_ai:Agent"),
        attribute="run_stream",
        results=("pydantic_ai:AgentRunResult",),
        distributions=("pydantic-ai-slim", "pydantic-ai"),
        since="1.0",
        tested="2.66.0",
    ),
)
_A_FUNCTION = "name a function that takes the text, runs it and returns the reply with its tool calls"
_ITS_ADDRESS = "name its address with `http:`, agui:URL, a2a:URL or openai:URL?model=M"
_AN_MCP_SERVER = "an MCP server: name the command that starts it, as `mcp: {cmd: […]}`"
_UNFINISHED = {
    "langgraph.graph:StateGraph": "it is not compiled: name what its .compile() returns",
    "google.adk.workflow:BaseNode": "a workflow of ADK is run by an App: name App(name=…, root_agent=…)",
    "google.adk.runners:Runner": "it runs an agent: name the agent or the App itself",
    "agno.workflow.workflow:Workflow": f"a workflow of agno is no agent: {_A_FUNCTION}",
    "strands.multiagent.graph:GraphBuilder": "it is not built: name what its .build() returns",
    "pydantic_graph:Graph": f"a graph of pydantic-graph is no agent: {_A_FUNCTION}",
    "workflows.workflow:Workflow": f"a workflow of LlamaIndex is no agent: {_A_FUNCTION}",
    "agent_framework:Workflow": "a workflow is no agent: name what its .as_agent() returns",
    "agent_framework:WorkflowBuilder": "it is not built: name what .build().as_agent() returns",
    "llama_index:BaseChatEngine": f"a chat engine is no agent: {_A_FUNCTION}",
    "llama_index:BaseQueryEngine": f"a query engine is no agent: {_A_FUNCTION}",
    "semantic_kernel.agents:Agent": f"agents of Semantic Kernel are not known: {_A_FUNCTION}",
    "autogen.agentchat:ConversableAgent": f"agents of AG2 are not known: {_A_FUNCTION}",
    "beeai_framework.agents:BaseAgent": f"agents of BeeAI are not known: {_A_FUNCTION}",
    "starlette.applications:Starlette": f"a web application: start it with `serve:` and {_ITS_ADDRESS}",
    "flask.app:Flask": f"a web application: start it with `serve:` and {_ITS_ADDRESS}",
    "mcp.server:FastMCP": _AN_MCP_SERVER,
    "mcp.server:MCPServer": _AN_MCP_SERVER,
    "fastmcp.server:FastMCP": _AN_MCP_SERVER,
    "openai:OpenAI": "a client of a model: name the model, openai:URL?model=M",
    "openai:AsyncOpenAI": "a client of a model: name the model, openai:URL?model=M",
    "anthropic:Anthropic": "a client of a model: name the model, anthropic:URL?model=M",
    "anthropic:AsyncAnthropic": "a client of a model: name the model, anthropic:URL?model=M",
    "dspy.signatures:Signature": "a signature is no module: name dspy.Predict(…) or dspy.ReAct(…) of it",
}
"""Objects that are nearly an agent, and what to do about it."""
_PLAIN = frozenset({str, dict, list, tuple, type(None), bool, int, float, bytes, bytearray})


def framework_of(value: Foreign) -> Framework | None:
    """The framework whose agent a value is; None for anything else, for classes too."""
    if isinstance(value, type):
        return None
    found = _agent_kind(_type_of(value))
    return found if found is None or not found.attribute or hasattr(value, found.attribute) else None


def framework_of_result(value: Foreign) -> Framework | None:
    """The framework whose result a value is, or a list of results; None for anything else."""
    first = value[0] if is_array(value) and value else value
    kind = _type_of(first)
    return None if kind in _PLAIN else _result_kind(kind)


def refuse_unfinished(value: Foreign, what: str) -> None:
    """Raises UsageError for an object that has to be finished before it is an agent."""
    kind = _type_of(value)
    if kind not in _PLAIN and (advice := _advice_about(kind)) is not None:
        raise UsageError(f"{what} is of type {kind.__name__}: {advice}")


def reader_of(framework: Framework) -> Foreign:
    """The file that reads it, imported now."""
    return import_module(f"vivavoce.targets.frameworks.{framework.file}")


def _type_of(value: object) -> type[object]:
    return type(value)


@lru_cache(maxsize=1024)
def _agent_kind(kind: type[object]) -> Framework | None:
    return next((known for known in FRAMEWORKS if any(_is_one(kind, name) for name in known.agents)), None)


@lru_cache(maxsize=1024)
def _result_kind(kind: type[object]) -> Framework | None:
    return next((known for known in FRAMEWORKS if any(_is_one(kind, name) for name in known.results)), None)


@lru_cache(maxsize=1024)
def _advice_about(kind: type[object]) -> str | None:
    return next((advice for reference, advice in _UNFINISHED.items() if _is_one(kind, reference)), None)


def _is_one(kind: type[object], reference: str) -> bool:
    module, _, name = reference.partition(":")
    return any(
        parent.__name__ == name and (parent.__module__ == module or parent.__module__.startswith(f"{module}."))
        for parent in kind.__mro__
    )
