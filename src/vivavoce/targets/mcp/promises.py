"""What an MCP server declares about its tools, and where an answer breaks it. Checked with every answer."""

from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_object
from vivavoce.notation.mcp_results import text_of_result
from vivavoce.wording.quoting import shorten

_MOST = 3
_TRACE = "Traceback (most recent call last)"


def broken_by_tools(tools: JsonArray) -> list[str]:
    """Tools without a name, with a name used twice, or whose schemas are no JSON Schemas of an object."""
    found: list[str] = []
    names: set[str] = set()
    for at, tool in enumerate(tools):
        name = tool.get("name") if is_object(tool) else None
        if not isinstance(name, str) or not name:
            found.append(f"tool {at + 1} has no name")
            continue
        if name in names:
            found.append(f"two tools are named {name}")
        names.add(name)
        found += broken_by_tool(tool)
    return found


def broken_by_tool(tool: JsonObject) -> list[str]:
    """Returns the errors in the schemas of one tool."""
    from vivavoce.notation.json_schemas import BadSchema, schema_errors

    found: list[str] = []
    for key, what in (("inputSchema", "arguments"), ("outputSchema", "results")):
        schema: JsonValue = tool.get(key)
        if schema is None:
            continue
        try:
            schema_errors(schema, {}, 1)
        except BadSchema as bad:
            found.append(f"the schema of the {what} of {tool['name']}: {bad}")
            continue
        if is_object(schema) and schema.get("type") != "object":
            found.append(f"the schema of the {what} of {tool['name']} is not of type object")
    return found


def broken_by_result(tool: JsonObject | None, name: str, args: JsonObject, answer: JsonObject) -> list[str]:
    """Returns the errors of a result: it does not fit its schema, or it is a success where it must be an error."""
    if answer.get("isError"):
        return []
    if tool is None:
        return [f"{name} is not among the server's tools, and calling it was no error"]
    found = broken_by_tool(tool)
    if wrong := _wrong(tool.get("inputSchema"), args):
        found.append(f"{name} took arguments that its schema refuses: {wrong}")
    schema: JsonValue = tool.get("outputSchema")
    if schema is not None and "structuredContent" not in answer:
        found.append(f"{name} declares a schema of its results and returned no structured content")
    elif schema is not None and (wrong := _wrong(schema, answer["structuredContent"])):
        found.append(f"the result of {name} does not fit its schema: {wrong}")
    if text_of_result(answer).lstrip().startswith(_TRACE):
        found.append(f"{name} returned a Python traceback and did not call it an error")
    return found


def _wrong(schema: JsonValue, value: JsonValue) -> str:
    """The first errors of a value under a schema; empty for an invalid schema, which is reported elsewhere."""
    from vivavoce.notation.json_schemas import BadSchema, schema_errors

    if schema is None:
        return ""
    try:
        errors = schema_errors(schema, value, _MOST)
    except BadSchema:
        return ""
    return "; ".join(f"{error.json_path}: {shorten(error.message, 120)}" for error in errors)
