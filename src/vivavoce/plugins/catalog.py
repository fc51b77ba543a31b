"""Every room's contents by name. Adding an assertion, target or reporter is one line here."""

from typing import TYPE_CHECKING

from vivavoce.plugins.registry import Registry

if TYPE_CHECKING:
    from vivavoce.protocols import Assertion, ConnectorFactory, DocumentWriter, ExecutorFactory, TargetFactory

_A = "vivavoce.assertions"
ASSERTIONS: "Registry[type[Assertion]]" = Registry(
    "assertion type",
    {
        "equals": f"{_A}.json_value:Equals",
        "contains": f"{_A}.text:Contains",
        "not_contains": f"{_A}.text:NotContains",
        "regex": f"{_A}.text:MatchesRegex",
        "similar": f"{_A}.text:Similar",
        "must_match": f"{_A}.text_rules:MustMatch",
        "must_not_match": f"{_A}.text_rules:MustNotMatch",
        "json_path": f"{_A}.json_value:JsonPath",
        "type": f"{_A}.json_value:JsonType",
        "json_schema": f"{_A}.schema:MatchesSchema",
        "tool_called": f"{_A}.tools:ToolCalled",
        "tool_result": f"{_A}.tools:ToolResult",
        "forbid": f"{_A}.tool_rules:ForbidTool",
        "require": f"{_A}.tool_rules:RequireTool",
        "forbid_calls": f"{_A}.tool_rules:ForbidCalls",
        "latency": f"{_A}.timing:Latency",
        "max_duration_ms": f"{_A}.timing:MaxDuration",
        "max_gap_ms": f"{_A}.timing:MaxGap",
        "cost": f"{_A}.cost:Cost",
        "agent": f"{_A}.agent:JudgedByAgent",
        "script": f"{_A}.script:JudgedByScript",
        "script_test": f"{_A}.script_test:ScriptTest",
    },
)

_T = "vivavoce.targets"
TARGETS: "Registry[TargetFactory]" = Registry(
    "kind of agent",
    {
        "agui": f"{_T}.ag_ui.target:AgUiTarget",
        "agui-replay": f"{_T}.ag_ui.replay:AgUiReplayTarget",
        "openai": f"{_T}.openai_compatible:OpenAiCompatibleTarget",
        "python": f"{_T}.python_callable:PythonCallableTarget",
        "cmd": f"{_T}.command:CommandTarget",
        "package": f"{_T}.agent_package.target:AgentPackageTarget",
        "script": f"{_T}.script:ScriptTarget",
        "script_tests": f"{_T}.script_tests:ScriptTestsTarget",
    },
)

_C = "vivavoce.connectors"
CONNECTORS: "Registry[ConnectorFactory]" = Registry(
    "connector type",
    {
        "openai": f"{_C}.openai:OpenAiConnector",
        "anthropic": f"{_C}.anthropic:AnthropicConnector",
        "scripted": f"{_C}.scripted:ScriptedConnector",
    },
)

_E = "vivavoce.executors"
EXECUTORS: "Registry[ExecutorFactory]" = Registry(
    "executor",
    {
        "local": f"{_E}.local:local_executor",
        "ray": f"{_E}.ray:RayExecutor",
    },
)

_R = "vivavoce.reporters"
DOCUMENTS: "Registry[DocumentWriter]" = Registry(
    "report format",
    {
        "json": f"{_R}.json_report:write_json",
        "markdown": f"{_R}.markdown:write_markdown",
        "html": f"{_R}.html.page:write_html",
        "xml": f"{_R}.junit:write_junit",
        "summary": f"{_R}.brief:write_brief",
    },
)
