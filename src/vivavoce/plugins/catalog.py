"""Every room's contents by name. Adding an assertion, a kind of agent or a connector is one line here."""

from functools import partial
from typing import TYPE_CHECKING

from vivavoce.plugins.declarations import ReportFormat, TargetKind
from vivavoce.plugins.registry import Registry
from vivavoce.plugins.shapes import assertion_shape, callable_shape, report_shape, target_shape
from vivavoce.project.report_formats import JOURNAL as JOURNAL
from vivavoce.project.report_formats import JOURNAL_SUFFIX as JOURNAL_SUFFIX
from vivavoce.project.report_formats import REPORT_FORMATS

if TYPE_CHECKING:
    from vivavoce.protocols import Assertion, ConnectorFactory, ExecutorFactory

_A = "vivavoce.assertions"
ASSERTIONS: "Registry[type[Assertion]]" = Registry(
    "assertion type",
    "viva.assertions",
    {
        "equals": f"{_A}.json_value:Equals",
        "contains": f"{_A}.containing:Contains",
        "not_contains": f"{_A}.containing:NotContains",
        "regex": f"{_A}.matching:MatchesRegex",
        "similar": f"{_A}.similar:Similar",
        "must_match": f"{_A}.text_rules:MustMatch",
        "must_not_match": f"{_A}.text_rules:MustNotMatch",
        "json_path": f"{_A}.json_value:JsonPath",
        "type": f"{_A}.json_value:JsonType",
        "json_schema": f"{_A}.schema:MatchesSchema",
        "is_json": f"{_A}.whole_json:IsJson",
        "number": f"{_A}.amounts:Number",
        "length": f"{_A}.amounts:Length",
        "tool_called": f"{_A}.tools:ToolCalled",
        "tool_result": f"{_A}.tools:ToolResult",
        "forbid": f"{_A}.tool_rules:ForbidTool",
        "require": f"{_A}.tool_rules:RequireTool",
        "forbid_calls": f"{_A}.tool_rules:ForbidCalls",
        "only": f"{_A}.tool_limits:OnlyTools",
        "max_calls": f"{_A}.tool_limits:MaxCalls",
        "sequence": f"{_A}.tool_sequence:ToolSequence",
        "well_behaved": f"{_A}.well_behaved:WellBehaved",
        "snapshot": f"{_A}.snapshot:Snapshot",
        "latency": f"{_A}.timing:Latency",
        "max_duration_ms": f"{_A}.timing:MaxDuration",
        "max_gap_ms": f"{_A}.timing:MaxGap",
        "cost": f"{_A}.cost:Cost",
        "file": f"{_A}.world_file:LeftFile",
        "command": f"{_A}.world_command:LeftCommand",
        "http": f"{_A}.world_http:LeftServer",
        "agent": f"{_A}.agent:JudgedByAgent",
        "script": f"{_A}.script:JudgedByScript",
        "javascript": f"{_A}.javascript:JudgedByJavaScript",
        "script_test": f"{_A}.script_test:ScriptTest",
    },
    assertion_shape,
)

_T = "vivavoce.targets"
TARGETS: "Registry[TargetKind]" = Registry(
    "kind of agent",
    "viva.targets",
    {
        "agui": f"{_T}.ag_ui.kind:AG_UI",
        "agui-replay": f"{_T}.ag_ui.kind:AG_UI_REPLAY",
        "replay": f"{_T}.answer_replay:REPLAY",
        "a2a": f"{_T}.a2a.kind:A2A",
        "openai": f"{_T}.openai_kind:OPENAI",
        "openai-responses": f"{_T}.openai_kind:OPENAI_RESPONSES",
        "anthropic": f"{_T}.openai_kind:ANTHROPIC",
        "http": f"{_T}.http_agent.kind:HTTP",
        "mcp": f"{_T}.mcp.kind:MCP",
        "python": f"{_T}.python_callable:PYTHON",
        "cmd": f"{_T}.command:COMMAND",
        "package": f"{_T}.agent_package.kind:PACKAGE",
        "script": f"{_T}.script:SCRIPT",
        "scripts": f"{_T}.script:SCRIPT",
        "script_tests": f"{_T}.script_tests:SCRIPT_TESTS",
    },
    target_shape,
)
"""By prefix. Where a kind has two prefixes, its own name says which of them `viva.yaml` knows."""
OBJECT_KIND = "python"
"""The kind of a live Python object."""
PACKAGE_KIND = "package"
"""The kind of a folder with an agent package."""
LEGACY_KIND = "agui"
"""The kind that seed 001's `target:` block configures."""

_C = "vivavoce.connectors"
CONNECTORS: "Registry[ConnectorFactory]" = Registry(
    "connector type",
    "viva.connectors",
    {
        "openai": f"{_C}.openai:OpenAiConnector",
        "openai-responses": f"{_C}.responses:ResponsesConnector",
        "anthropic": f"{_C}.anthropic:AnthropicConnector",
        "embeddings": f"{_C}.embeddings:EmbeddingsConnector",
        "scripted": f"{_C}.scripted:ScriptedConnector",
    },
    callable_shape,
)

_E = "vivavoce.executors"
EXECUTORS: "Registry[ExecutorFactory]" = Registry(
    "executor",
    "viva.executors",
    {
        "local": f"{_E}.local:local_executor",
        "processes": f"{_E}.processes:process_executor",
        "ray": f"{_E}.ray:RayExecutor",
    },
    callable_shape,
)

_R = "vivavoce.reporters"
_FORMATS = tuple(
    ReportFormat(name=name, suffixes=suffixes, write=f"{_R}.{writer}") for name, suffixes, writer in REPORT_FORMATS
)
_TAKEN = frozenset(suffix for declared in _FORMATS for suffix in declared.suffixes) | {JOURNAL_SUFFIX}
REPORTS: "Registry[ReportFormat]" = Registry(
    "report format",
    "viva.reports",
    {declared.name: declared for declared in _FORMATS},
    partial(report_shape, taken=_TAKEN),
)

ALL = (ASSERTIONS, TARGETS, CONNECTORS, REPORTS, EXECUTORS)
