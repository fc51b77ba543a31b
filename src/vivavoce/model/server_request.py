"""A request that a turn sends to an MCP server, instead of text: `{"call": "search", "args": {…}}`."""

from vivavoce.model.json_value import JsonObject, JsonValue, compact_json, is_array, is_object

VERBS = ("call", "list", "read", "prompt")
LISTS = ("tools", "resources", "resource_templates", "prompts")
_KEY = "request"


def is_request(value: JsonValue) -> bool:
    """Whether an object is a request: it has one of the verbs, and no `role` or `type` as messages and parts have."""
    return is_object(value) and any(verb in value for verb in VERBS) and "role" not in value and "type" not in value


def check_request(value: JsonObject) -> JsonObject:
    """Returns the request. Raises ValueError for a malformed one."""
    verbs = [verb for verb in VERBS if verb in value]
    if len(verbs) != 1:
        raise ValueError(f"wanted one of {', '.join(VERBS)}, found {', '.join(verbs) or 'none'}")
    (verb,) = verbs
    if not isinstance(value[verb], str) or not value[verb]:
        raise ValueError(f"{verb!r} wants a text")
    if verb == "list" and value["list"] not in LISTS:
        raise ValueError(f"'list' wants one of {', '.join(LISTS)}, found {value['list']!r}")
    known = {verb, "args"} if verb in ("call", "prompt") else {verb}
    if unknown := sorted(value.keys() - known):
        fields = "only `args`" if "args" in known else "nothing"
        raise ValueError(f"unknown field {unknown[0]!r} beside {verb!r}, which takes {fields} there")
    if not is_object(value.get("args", {})):
        raise ValueError("'args' wants an object")
    return value


def content_of_request(request: JsonObject) -> list[JsonObject]:
    """Returns the request as the content of a line, with a text that people can read."""
    return [{"type": "text", "text": words_of_request(request), _KEY: request}]


def words_of_request(request: JsonObject) -> str:
    """`find_order({number: 7})`, `list tools`, `read shop://hours`, `prompt greet({name: 'Ann'})`."""
    verb = next(verb for verb in VERBS if verb in request)
    if verb in ("list", "read"):
        return f"{verb} {request[verb]}"
    try:
        args = _words(request.get("args") or {})
    except RecursionError:
        args = "{…}"
    name = f"{request[verb]}({'' if args == '{}' else args})"
    return name if verb == "call" else f"{verb} {name}"


def _words(value: JsonValue) -> str:
    """JSON without double quotes, which would be escaped where a text is quoted."""
    if is_object(value):
        return "{" + ", ".join(f"{key}: {_words(inner)}" for key, inner in value.items()) + "}"
    if is_array(value):
        return "[" + ", ".join(map(_words, value)) + "]"
    return f"'{value}'" if isinstance(value, str) else compact_json(value)


def request_in(content: JsonValue) -> JsonObject | None:
    """Returns the request in a line's content; None for other content."""
    if is_array(content) and len(content) == 1 and is_object(content[0]) and is_object(content[0].get(_KEY)):
        return content[0][_KEY]
    return None
