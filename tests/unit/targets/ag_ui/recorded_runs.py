"""What every recorded run contains, written down by hand from the streams, never from the code's output."""

from typing import Any

UNANSWERED = "(no result)"

# A row: status, calls (name, args, result) in order, final text; then what else is worth stating.
Row = tuple[str, list[tuple[str, Any, Any]], str] | tuple[str, list[tuple[str, Any, Any]], str, dict[str, Any]]

HELLO = "Hello there, I am fine."
PARIS_REPR = "{'city': 'Paris', 'temp': 21, 'ok': True, 'note': None}"
PARIS = {"city": "Paris", "temp": 21, "ok": True, "note": None}
ROME = {"city": "Rome", "temp": 21, "ok": True, "note": None}
PARIS_C = {"city": "Paris", "temp": 21, "units": "c", "ok": True, "note": None}
ROME_C = {"city": "Rome", "temp": 21, "units": "c", "ok": True, "note": None}
PARIS_C_CUT = "Done: {'city': 'Paris', 'temp': 21, 'units': 'c', 'ok': True, 'not "
DELETE = ("delete_file", {"path": "/etc/x"})
RED = ("change_color", {"color": "red"}, UNANSWERED)
BLUE = ("change_color", {"color": "blue"}, UNANSWERED)
SEEN_1 = "I have seen 1 user messages."
SEEN_2 = "I have seen 2 user messages."
SEEN_3 = "I have seen 3 user messages."

ADK_TOOLS = "get_weather, slow, boom, delete_file, ask_human"
ADK_NO_SUCH_TOOL = (
    "Invoking `set_state()` failed as no tool with that name is available. "
    f"The tools you can call are: {ADK_TOOLS}. "
    "You could retry, but it is IMPORTANT that you only call a tool from that list."
)
ADK_HINT = (
    "Please approve or reject the tool call delete_file() by responding with a FunctionResponse "
    "with an expected ToolConfirmation payload."
)
ADK_CONFIRM = (
    "adk_request_confirmation",
    {
        "originalFunctionCall": {"id": "call_d1", "args": {"path": "/etc/x"}, "name": "delete_file"},
        "toolConfirmation": {"hint": ADK_HINT, "confirmed": False},
    },
    UNANSWERED,
)
AGNO_VALIDATION = (
    "1 validation error for set_state\nsession_state\n"
    "  Missing required argument [type=missing_argument, input_value=ArgsKwargs((), {'n': 3}), input_type=ArgsKwargs]\n"
    "    For further information visit https://errors.pydantic.dev/2.14/v/missing_argument"
)
PYDANTIC_BAD_JSON = [
    {
        "type": "json_invalid",
        "loc": [],
        "msg": "Invalid JSON: EOF while parsing a string at line 1 column 13",
        "input": '{"town": "Par',
    }
]

RECORDED: dict[str, Row] = {
    # ── ADK ──
    "adk/backend_tool": ("success", [("get_weather", {"city": "Paris"}, PARIS)], f"Done: {PARIS_REPR}"),
    "adk/backend_tool_snap": ("success", [("get_weather", {"city": "Paris"}, PARIS)], f"Done: {PARIS_REPR}"),
    "adk/bad_input_422": ("http_error", [], "", {"error": "HTTP 422"}),
    "adk/confirm_run1": ("success", [(*DELETE, UNANSWERED), ADK_CONFIRM], ""),
    "adk/confirm_run2_tool_message": (
        "success",
        [],
        "Done: {'result': 'deleted /etc/x'}",
        {"late": [(*DELETE, {"result": "deleted /etc/x"})]},
    ),
    "adk/error_in_tool": ("error", [("boom", {}, UNANSWERED)], "", {"error": "tool exploded"}),
    "adk/error_mid_text": ("error", [], "Partial answer ", {"error": "model exploded mid-run"}),
    "adk/frontend_pending_ignored_next_user": ("success", [], SEEN_2),
    "adk/frontend_pending_run1": ("success", [RED], ""),
    "adk/frontend_tool_run1": ("success", [RED], ""),
    "adk/frontend_tool_run2_result": ("success", [], "Done: {'ok': True}"),
    "adk/idle_keepalive": ("success", [], HELLO),
    "adk/interrupt_ignored_next_user": ("success", [], SEEN_2),
    "adk/interrupt_ignored_run1": ("success", [(*DELETE, UNANSWERED), ADK_CONFIRM], ""),
    "adk/interrupt_run1": ("success", [(*DELETE, UNANSWERED), ADK_CONFIRM], ""),
    "adk/longrunning_run1": ("success", [("ask_human", {"q": "ok?"}, UNANSWERED)], ""),
    "adk/minimal_input": ("error", [], "", {"error": "object of type 'NoneType' has no len()"}),
    "adk/mixed_backend_frontend": ("success", [BLUE], ""),
    "adk/parallel_tools": (
        "success",
        [("slow", {"ms": 300}, {"result": "slept 300"}), ("slow", {"ms": 50}, {"result": "slept 50"})],
        "Done: {'result': 'slept 50'}",
    ),
    "adk/preamble_tool_text": (
        "success",
        [("get_weather", {"city": "Paris"}, PARIS)],
        f"Done: {PARIS_REPR}",
        {"texts": ["Let me check. ", f"Done: {PARIS_REPR}"]},
    ),
    "adk/state": (
        "success",
        [("set_state", {"n": 3}, {"error": ADK_NO_SUCH_TOOL})],
        f"Done: {{'error': '{ADK_NO_SUCH_TOOL}'}}",
    ),
    "adk/text": ("success", [], HELLO),
    "adk/text_accept_json": ("success", [], HELLO),
    "adk/text_snap": ("success", [], HELLO),
    "adk/turn2_full_history_new_thread": ("success", [], SEEN_2),
    "adk/turn2_full_history_same_thread": ("success", [], SEEN_2),
    "adk/turn2_only_new_message_same_thread": ("success", [], SEEN_2),
    # ── Agno ──
    "agno/backend_tool": ("success", [("get_weather", {"city": "Paris"}, PARIS)], f"Done: {PARIS_REPR}"),
    "agno/bad_input_422": ("http_error", [], "", {"error": "HTTP 422"}),
    "agno/error_in_tool": ("success", [("boom", {}, "tool exploded")], "Done: tool exploded"),
    "agno/error_mid_text": ("error", [], "Partial answer ", {"error": "model exploded mid-run"}),
    "agno/frontend_pending_ignored_next_user": ("success", [], SEEN_1),
    "agno/frontend_pending_run1": ("success", [RED], ""),
    "agno/frontend_tool_run1": ("success", [RED], ""),
    "agno/frontend_tool_run2_result": ("success", [], "Done: color changed"),
    "agno/interrupt_run1_confirmation": (
        "success",
        [(*DELETE, UNANSWERED)],
        "I have tools to execute, but I need confirmation.",
    ),
    "agno/interrupt_run2_tool_message": (
        "success",
        [],
        "Done: deleted /etc/x",
        {"late": [(*DELETE, "deleted /etc/x")]},
    ),
    "agno/minimal_input": ("success", [], HELLO),
    "agno/mixed_backend_frontend": ("success", [("get_weather", {"city": "Rome"}, ROME), BLUE], ""),
    "agno/parallel_tools": (
        "success",
        [("slow", {"ms": 300}, "slept 300"), ("slow", {"ms": 50}, "slept 50")],
        "Done: slept 50",
    ),
    "agno/preamble_tool_text": (
        "success",
        [("get_weather", {"city": "Paris"}, PARIS)],
        f"Done: {PARIS_REPR}",
        {"texts": ["Let me check. ", f"Done: {PARIS_REPR}"]},
    ),
    "agno/state": ("success", [("set_state", {"n": 3}, AGNO_VALIDATION)], f"Done: {AGNO_VALIDATION}", {"state": {}}),
    "agno/text": ("success", [], HELLO),
    "agno/tool_returns_none": ("success", [("returns_none", {}, "null")], "Done: None"),
    "agno/turn2_full_history_new_thread": ("success", [], SEEN_1),
    "agno/turn2_full_history_nodb": ("success", [], SEEN_1),
    "agno/turn2_full_history_same_thread": ("success", [], SEEN_2),
    # ── LlamaIndex: chunks, and results only in snapshots ──
    "llamaindex/backend_tool": (
        "success",
        [("get_weather", {"city": "Paris"}, PARIS_REPR)],
        f"Done: {PARIS_REPR}",
    ),
    "llamaindex/bad_input_422": ("http_error", [], "", {"error": "HTTP 422"}),
    "llamaindex/error_in_tool": ("success", [("boom", {}, "tool exploded")], "Done: tool exploded"),
    "llamaindex/error_mid_text": (
        "error",
        [],
        "Partial answer ",
        {"error": "model exploded mid-run", "warning": "IncompleteRead"},
    ),
    "llamaindex/frontend_tool_run1": ("success", [RED], ""),
    "llamaindex/frontend_tool_run2_result": ("success", [], HELLO),
    "llamaindex/minimal_input": ("success", [], HELLO, {"state": {"n": 0}}),
    "llamaindex/mixed_backend_frontend": (
        "success",
        [("get_weather", {"city": "Rome"}, "{'city': 'Rome', 'temp': 21, 'ok': True, 'note': None}"), BLUE],
        "",
    ),
    "llamaindex/parallel_tools": (
        "success",
        [("slow", {"ms": 300}, "slept 300"), ("slow", {"ms": 50}, "slept 50")],
        "Done: slept 300",
    ),
    "llamaindex/preamble_tool_text": (
        "success",
        [("get_weather", {"city": "Paris"}, PARIS_REPR)],
        f"Done: {PARIS_REPR}",
        {"texts": ["Let me check. ", f"Done: {PARIS_REPR}"]},
    ),
    "llamaindex/state_in_input": ("success", [], HELLO, {"state": {"n": 5}}),
    "llamaindex/text": ("success", [], HELLO),
    "llamaindex/turn2_with_history": ("success", [], SEEN_3),
    "llamaindex/turn2_without_history": ("success", [], SEEN_1),
    # ── pydantic-ai ──
    "pydantic_ai/accept_proto": ("success", [], f"{HELLO} "),
    "pydantic_ai/accept_star": ("success", [], f"{HELLO} "),
    "pydantic_ai/backend_tool": (
        "success",
        [("get_weather", {"city": "Paris", "units": "c"}, PARIS_C)],
        PARIS_C_CUT,
    ),
    "pydantic_ai/bad_args": (
        "success",
        [("get_weather", '{"town": "Par', PYDANTIC_BAD_JSON)],
        "Done: [{'type': 'json_invalid', 'loc': [], 'msg': 'Invalid JSON: E ",
    ),
    "pydantic_ai/bad_input_422": ("http_error", [], "", {"error": "HTTP 422"}),
    "pydantic_ai/bad_json": ("http_error", [], "", {"error": "HTTP 422"}),
    "pydantic_ai/error_in_tool": (
        "error",
        [("boom", {}, "Tool execution was interrupted by an error.")],
        "",
        {"error": "tool exploded"},
    ),
    "pydantic_ai/error_mid_text": ("error", [], "Partial answer ", {"error": "model exploded mid-run"}),
    "pydantic_ai/frontend_pending_ignored_next_user": ("success", [], SEEN_2),
    "pydantic_ai/frontend_tool_run1": ("success", [RED], ""),
    "pydantic_ai/frontend_tool_run1_proto10": ("success", [RED], "", {"pending": ["call_f1"]}),
    "pydantic_ai/frontend_tool_run2_result": ("success", [], "Done: color changed "),
    "pydantic_ai/interrupt_ignored_next_user": ("success", [], f"{HELLO} "),
    "pydantic_ai/interrupt_run1": (
        "interrupted",
        [(*DELETE, UNANSWERED)],
        "",
        {"interrupts": [("int-call_d1", "tool_call", "delete_file")]},
    ),
    "pydantic_ai/interrupt_run2_approved": (
        "success",
        [],
        "Done: deleted /etc/x ",
        {"late": [(*DELETE, "deleted /etc/x")]},
    ),
    "pydantic_ai/interrupt_run2_cancelled": (
        "success",
        [],
        "Done: Cancelled by user. ",
        {"late": [(*DELETE, "Cancelled by user.")]},
    ),
    "pydantic_ai/interrupt_run2_denied": (
        "success",
        [],
        "Done: The tool call was denied. ",
        {"late": [(*DELETE, "The tool call was denied.")]},
    ),
    "pydantic_ai/minimal_input": ("success", [], f"{HELLO} "),
    "pydantic_ai/mixed_backend_frontend": ("success", [("get_weather", {"city": "Rome"}, ROME_C), BLUE], ""),
    "pydantic_ai/no_args": ("success", [("ping", {}, "pong")], "Done: pong "),
    "pydantic_ai/parallel_tools": (
        "success",
        [("slow", {"ms": 300}, "slept 300"), ("slow", {"ms": 50}, "slept 50")],
        "Done: slept 50 ",
    ),
    "pydantic_ai/preamble_tool_text": (
        "success",
        [("get_weather", {"city": "Paris", "units": "c"}, PARIS_C)],
        PARIS_C_CUT,
        {"texts": ["Let me check the weather. ", PARIS_C_CUT]},
    ),
    "pydantic_ai/state": ("success", [("set_state", {"n": 3}, "state set")], "Done: state set ", {"state": {"n": 4}}),
    "pydantic_ai/text": ("success", [], f"{HELLO} "),
    "pydantic_ai/thinking": ("success", [], "Answer after thinking.", {"reasoning": "Let me think about it."}),
    "pydantic_ai/tool_retry": ("success", [("flaky", {}, "please try again")], "Done: please try again "),
    "pydantic_ai/turn2_with_history": ("success", [], SEEN_2),
    "pydantic_ai/turn2_without_history": ("success", [], SEEN_1),
}
