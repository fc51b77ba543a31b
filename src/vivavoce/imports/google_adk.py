"""Google ADK: evalsets, the older lists of queries, and the criteria of `test_config.json` beside them."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct, structs

from vivavoce.errors import UsageError
from vivavoce.imports.case_pieces import finite_number, judge_check, same_meaning_check, simulator
from vivavoce.imports.foreign_files import list_in, read_json
from vivavoce.imports.found import Checks, FoundCase, ImportOptions, Refused
from vivavoce.model.case import Origin
from vivavoce.model.json_value import (
    JsonArray,
    JsonObject,
    JsonValue,
    is_array,
    is_object,
    object_in,
    text_of,
)
from vivavoce.notation.yaml_reader import YamlDocument

_ORDERS = {
    "EXACT": "exact",
    "IN_ORDER": "in_order",
    "ANY_ORDER": "any_order",
    "0": "exact",
    "1": "in_order",
    "2": "any_order",
}
_JUDGED = {
    "hallucinations_v1": "Every statement of the answers is backed by the conversation or by what the tools returned.",
    "response_evaluation_score": "The answers are coherent, and say what the user asked for.",
    "multi_turn_task_success_v1": "The agent did what the user wanted by the end of the conversation.",
    "multi_turn_trajectory_quality_v1": "The agent took a sensible way through the conversation, without detours.",
    "multi_turn_tool_use_quality_v1": "The agent called the right tools, with the right arguments.",
}
"""The criteria that ADK sends to a hosted judge, as criteria for viva's judge."""
_RUBRICS = ("rubric_based_final_response_quality_v1", "rubric_based_tool_use_quality_v1")

_OF_A_TURN = frozenset(
    {"invocation_id", "user_content", "final_response", "intermediate_data", "creation_timestamp", "rubrics"}
    | {"app_details"}
)

_OF_INTERMEDIATE = frozenset({"tool_uses", "tool_responses", "intermediate_responses", "invocation_events"})
_OF_A_CALL = frozenset({"id", "name", "args", "partial_args", "will_continue"})


class Criteria(Struct, frozen=True, kw_only=True):
    """The criteria for the tests of a folder; without a `test_config.json` ADK's defaults."""

    order: str | None = "exact"
    """How calls are compared; None: not at all."""
    order_threshold: float = 1.0
    words: float | None = 0.8
    """How alike the answer must be (ROUGE-1); None: not compared."""
    meaning: bool = False
    rubrics: tuple[tuple[str, float | None], ...] = ()
    safe: bool = False
    judged: tuple[str, ...] = ()
    """Names of `_JUDGED`."""
    runs: int | None = None
    unknown: tuple[str, ...] = ()


def read(path: Path, options: ImportOptions) -> Iterator[FoundCase | Refused]:
    """The cases of an evalset, or one case of an older list."""
    document = read_json(path)
    criteria = _criteria(path.parent / "test_config.json")
    value = document.value
    if is_array(value) and value and all(is_object(row) and "query" in row for row in value):
        name = path.name.removesuffix(".json").removesuffix(".test")
        yield _old_case(value, name, Origin(str(path), 1), criteria)
        return
    if is_array(value) and value and all(is_object(entry) and "data" in entry for entry in value):
        yield from _old_evalset(value, document, path, criteria)
        return
    cases = (value.get("eval_cases") or value.get("evalCases")) if is_object(value) else None
    if not is_array(cases):
        raise UsageError("no `eval_cases` and no list of queries: this is not an evalset of ADK", at=str(path))
    key = "eval_cases" if is_object(value) and "eval_cases" in value else "evalCases"
    for number, entry in enumerate(cases):
        at = Origin(str(path), document.line_of((key, number)))
        if not is_object(entry):
            yield Refused(what="an eval case must be an object", at=at)
            continue
        yield from _case(_snake(entry), criteria, at)


def _case(entry: JsonObject, criteria: Criteria, at: Origin) -> Iterator[FoundCase | Refused]:
    session = object_in(entry, "session_input")
    case: JsonObject = {"id": text_of(entry.get("eval_id") or "")}
    if session.get("user_id"):
        case["user"] = text_of(session["user_id"])
    if state := object_in(session, "state"):
        case["state"] = state
    if criteria.runs:
        case["runs"] = criteria.runs
    checks = Checks()
    scenario = object_in(entry, "conversation_scenario")
    conversation = list_in(entry, "conversation")
    if scenario:
        case["input"] = text_of(scenario.get("starting_prompt"))
        persona: JsonValue = scenario.get("user_persona") or ""
        case["simulator"] = simulator(text_of(scenario.get("conversation_plan")), text_of(persona))
        case["type"] = "multi_turn"
    elif not all(is_object(turn) for turn in conversation):
        yield Refused(what="a turn of its conversation is not an object", at=at)
        return
    elif conversation:
        turns = [_turn(turn, criteria, checks) for turn in conversation]
        case |= turns[0] if len(turns) == 1 else {"turns": turns}
    else:
        yield Refused(what="neither a conversation nor a scenario", at=at)
        return
    final = _final_checks(entry, criteria, checks)
    if final:
        case["final_assertions"] = final
    yield FoundCase(case=case, at=at, remarks=tuple(checks.remarks))


def _turn(turn: JsonObject, criteria: Criteria, checks: Checks) -> JsonObject:
    parts = [part for part in list_in(object_in(turn, "user_content"), "parts") if is_object(part)]
    said: JsonObject = {"input": "\n".join(text_of(part["text"]) for part in parts if part.get("text"))}
    if any(part.get("inline_data") or part.get("file_data") for part in parts):
        checks.leave_out("a file that the user sent: attach it by hand")
    own = Checks()
    data = object_in(turn, "intermediate_data")
    own.leave_out_unknown(turn, _OF_A_TURN, objects=frozenset({"intermediate_data"}))
    own.leave_out_unknown(data, _OF_INTERMEDIATE)
    for use in list_in(data, "tool_uses"):
        if is_object(use):
            own.leave_out_unknown(use, _OF_A_CALL)
        else:
            own.leave_out(f"a call must be an object: {text_of(use)}")
    uses = [use for use in list_in(data, "tool_uses") if is_object(use)] or list(_calls_of_events(data))
    _take_calls(uses, criteria, own)
    response = _words(object_in(turn, "final_response"))
    _take_response(response, criteria, own)
    for rubric in list_in(turn, "rubrics"):
        _take_rubric(rubric, None, own)
    checks.remarks += own.remarks
    return {**said, **({"assert": own.assertions} if own.assertions else {})}


def _take_calls(uses: list[JsonObject], criteria: Criteria, checks: Checks) -> None:
    if criteria.order is None:
        return
    share = criteria.order_threshold
    differs = f"every turn must match, not a share of {share:g}" if share < 1 else ""
    if uses:
        steps = [{"name": text_of(use.get("name")), "args": object_in(use, "args")} for use in uses]
        checks.take({"type": "sequence", "calls": steps, "match": criteria.order}, differs=differs)
    elif criteria.order == "exact":
        checks.take({"type": "only", "names": []}, differs=differs)


def _take_response(response: str, criteria: Criteria, checks: Checks) -> None:
    if not response:
        return
    if criteria.words is not None:
        same: JsonObject = {"type": "similar", "method": "rouge", "value": response, "threshold": criteria.words}
        checks.take(same, differs="viva compares whole words, ADK their stems")
    if criteria.meaning:
        checks.take(same_meaning_check(response))


def _final_checks(entry: JsonObject, criteria: Criteria, checks: Checks) -> JsonArray:
    final = Checks()
    for words, threshold in criteria.rubrics:
        final.take(judge_check(words, threshold))
    for rubric in list_in(entry, "rubrics"):
        _take_rubric(rubric, None, final)
    if criteria.safe:
        final.take({"type": "agent", "criteria": "safe"}, differs="safety_v1: viva's judge instead of a hosted one")
    for name in criteria.judged:
        final.take(judge_check(_JUDGED[name]), differs=f"{name}: viva's judge instead of a hosted one")
    for path, wanted in object_in(entry, "final_session_state").items():
        final.take({"type": "json_path", "path": f"$.{path}", "value": wanted})
    for name in criteria.unknown:
        final.leave_out(f"the criterion {name}: write it as a script or a judge")
    checks.remarks += final.remarks
    return final.assertions


def _take_rubric(rubric: JsonValue, threshold: float | None, checks: Checks) -> None:
    words = text_of(object_in(rubric, "rubric_content").get("text_property") or "") if is_object(rubric) else ""
    if words:
        checks.take(judge_check(words, threshold))
    else:
        checks.leave_out(f"a rubric without words: {text_of(rubric)}")


def _criteria(path: Path) -> Criteria:
    if not path.is_file():
        return Criteria()
    value = read_json(path).value
    config = object_in(value, "criteria") if is_object(value) else {}
    runs: JsonValue = value.get("num_runs") if is_object(value) else None
    trajectory = config.get("tool_trajectory_avg_score")
    order = _snake(trajectory) if is_object(trajectory) else {}
    rubrics = [
        (text_of(object_in(rubric, "rubric_content").get("text_property") or ""), _threshold(config[name]))
        for name in _RUBRICS
        if is_object(config.get(name))
        for rubric in list_in(config[name], "rubrics")
    ]
    known = {
        "tool_trajectory_avg_score",
        "response_match_score",
        "final_response_match_v2",
        "safety_v1",
        *_RUBRICS,
        *_JUDGED,
    }
    return Criteria(
        order=None if trajectory is None else _ORDERS.get(text_of(order.get("match_type") or "EXACT"), "exact"),
        order_threshold=_threshold(trajectory) or 1.0,
        words=_threshold(config.get("response_match_score")),
        meaning="final_response_match_v2" in config,
        rubrics=tuple(rubrics),
        safe="safety_v1" in config,
        judged=tuple(name for name in _JUDGED if name in config),
        runs=runs if isinstance(runs, int) and runs > 1 else None,
        unknown=tuple(sorted(set(config) - known)),
    )


def _old_evalset(
    entries: JsonArray, document: YamlDocument, path: Path, criteria: Criteria
) -> Iterator[FoundCase | Refused]:
    """A list of conversations by name, which ADK wrote before it had `eval_cases`."""
    for number, entry in enumerate(entries):
        at = Origin(str(path), document.line_of((number,)))
        rows = list_in(entry, "data")
        if not rows or not all(is_object(row) and "query" in row for row in rows):
            yield Refused(what="`data` is not a list of queries", at=at)
            continue
        found = _old_case(rows, text_of(entry.get("name") or path.stem), at, criteria)
        state = object_in(object_in(entry, "initial_session"), "state")
        yield structs.replace(found, case={**found.case, "state": state}) if state else found


def _old_case(rows: JsonArray, name: str, at: Origin, criteria: Criteria) -> FoundCase:
    checks = Checks()
    turns: JsonArray = []
    for row in rows:
        own = Checks()
        uses = [
            {"name": use.get("tool_name"), "args": use.get("tool_input")}
            for use in list_in(row, "expected_tool_use")
            if is_object(use)
        ]
        _take_calls(uses, criteria, own)
        _take_response(text_of(row.get("reference") or ""), criteria, own)
        checks.remarks += own.remarks
        turns.append({"input": text_of(row["query"]), **({"assert": own.assertions} if own.assertions else {})})
    case = turns[0] if len(turns) == 1 else {"turns": turns}
    return FoundCase(case={"id": name, **case}, at=at, remarks=tuple(checks.remarks))


def _calls_of_events(data: JsonObject) -> Iterator[JsonObject]:
    for event in list_in(data, "invocation_events"):
        for part in list_in(object_in(event, "content"), "parts") if is_object(event) else []:
            if is_object(part) and is_object(part.get("function_call")):
                yield part["function_call"]


def _words(content: JsonObject) -> str:
    return "\n".join(
        text_of(part["text"]) for part in list_in(content, "parts") if is_object(part) and part.get("text")
    )


def _threshold(criterion: JsonValue) -> float | None:
    found: JsonValue = criterion.get("threshold") if is_object(criterion) else criterion
    return finite_number(found)


def _snake(value: JsonValue) -> JsonObject:
    """Writes keys in snake case: some tools write ADK's files in camel case."""
    if not is_object(value):
        return {}
    kept = {"args", "state", "final_session_state"}

    def spelled(inner: JsonValue) -> JsonValue:
        if is_object(inner):
            renamed = {_snake_case(key): one for key, one in inner.items()}
            return {key: one if key in kept else spelled(one) for key, one in renamed.items()}
        return [spelled(one) for one in inner] if is_array(inner) else inner

    return spelled(value)


def _snake_case(key: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key).lstrip("_")
