"""τ²-bench: tasks with a simulated user and the tool calls of a good solution."""

from collections.abc import Iterator
from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.imports.case_pieces import call_check, judge_check, simulator, texts
from vivavoce.imports.foreign_files import list_in, read_json
from vivavoce.imports.found import Checks, FoundCase, ImportOptions, Refused
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, object_in, text_of

_MOST_TURNS = 30

_OF_A_TASK = frozenset(
    {
        *("id", "description", "user_scenario", "ticket", "initial_state", "evaluation_criteria", "annotations"),
        *("user_tools", "required_documents", "issues"),
    }
)
_OF_CRITERIA = frozenset({"actions", "communicate_info", "nl_assertions", "env_assertions", "reward_basis"})
_OF_AN_ACTION = frozenset({"action_id", "requestor", "name", "arguments", "info", "compare_args"})


def read(path: Path, options: ImportOptions) -> Iterator[FoundCase | Refused]:
    """A case for each task."""
    document = read_json(path)
    if not is_array(document.value):
        raise UsageError("no list of tasks in it", at=str(path))
    for number, task in enumerate(document.value):
        at = Origin(str(path), document.line_of((number,)))
        if is_object(task) and is_object(task.get("user_scenario")):
            yield _case(task, at)
        else:
            yield Refused(what="a task without `user_scenario`", at=at)


def _case(task: JsonObject, at: Origin) -> FoundCase:
    checks = Checks()
    checks.leave_out_unknown(task, _OF_A_TASK, objects=frozenset({"evaluation_criteria"}))
    wanted = object_in(task, "evaluation_criteria")
    checks.leave_out_unknown(wanted, _OF_CRITERIA)
    for action in list_in(wanted, "actions"):
        if is_object(action):
            _take_action(action, checks)
        else:
            checks.leave_out(f"an action must be an object: {text_of(action)}")
    for words in texts(wanted.get("communicate_info")):
        checks.take({"type": "contains", "value": words, "ignore_case": True})
    for words in texts(wanted.get("nl_assertions")):
        checks.take(judge_check(words))
    for assertion in list_in(wanted, "env_assertions"):
        name = assertion.get("func_name") if is_object(assertion) else assertion
        checks.leave_out(f"the environment's {text_of(name)}: write it as a script")
    if "DB" in (list_in(wanted, "reward_basis") or ["DB"]):
        checks.leave_out("the database after the gold actions: compare it in a script")
    case: JsonObject = {"id": text_of(task.get("id") or "")}
    if purpose := object_in(task, "description").get("purpose"):
        case["description"] = text_of(purpose)
    case |= {"type": "multi_turn", "max_turns": _MOST_TURNS, "simulator": _simulator(object_in(task, "user_scenario"))}
    data = object_in(object_in(object_in(task, "initial_state"), "initialization_data"), "agent_data")
    if data:
        case["state"] = data
    case["final_assertions"] = checks.assertions
    return FoundCase(case=case, at=at, remarks=tuple(checks.remarks))


def _take_action(action: JsonObject, checks: Checks) -> None:
    checks.leave_out_unknown(action, _OF_AN_ACTION, objects=frozenset({"arguments"}))
    name, arguments = text_of(action.get("name")), object_in(action, "arguments")
    if action.get("requestor") == "user":
        checks.leave_out(f"{name} is an action of the user")
        return
    compared: JsonValue = action.get("compare_args")
    if is_array(compared):
        arguments = {key: value for key, value in arguments.items() if key in compared}
    checks.take(call_check(name, arguments))


def _simulator(scenario: JsonObject) -> JsonObject:
    instructions: JsonValue = scenario.get("instructions")
    if not is_object(instructions):
        return simulator(text_of(instructions), text_of(scenario.get("persona") or ""))
    goal = " ".join(
        text_of(instructions[key]) for key in ("reason_for_call", "task_instructions") if instructions.get(key)
    )
    knows = [text_of(instructions[key]) for key in ("known_info", "unknown_info") if instructions.get(key)]
    persona = [text_of(scenario["persona"])] if scenario.get("persona") else []
    return simulator(goal, " ".join([*persona, *knows]))
