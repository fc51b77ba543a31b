"""promptfoo's conversations: tests that share a `conversationId` become the turns of one case.

promptfoo puts the earlier tests into the variable `_conversation`, from which the prompt builds its messages. viva
keeps the conversation itself, so a prompt may use this variable only to repeat the messages so far.
"""

from collections.abc import Iterator, Mapping

from msgspec import structs

from vivavoce.imports.found import FoundCase, Refused, Remark
from vivavoce.imports.promptfoo.filling import filled
from vivavoce.imports.promptfoo.prompts import chat_in
from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, object_in, text_of
from vivavoce.notation.templates import TemplateProblem, names_in

VARIABLE = "_conversation"
_THRESHOLD = "threshold: all checks of this turn must hold, since a turn has no score of its own"
_VARIABLES = "python: its `context` has only the variables that all turns of the conversation share"


class _Messages(list[JsonObject]):
    """A list with `length`, as templates written for JavaScript expect."""

    @property
    def length(self) -> int:
        return len(self)


_SAMPLE: JsonArray = [
    {"role": "user", "content": "first line"},
    {"role": "assistant", "content": "first answer"},
    {"role": "user", "content": "second line"},
    {"role": "assistant", "content": "second answer"},
]


def has_conversation(template: JsonValue) -> bool:
    """Whether a prompt is a text that uses the earlier tests of its conversation."""
    if not isinstance(template, str) or VARIABLE not in template:
        return False
    try:
        return VARIABLE in names_in(template)
    except TemplateProblem:
        return False


def first_messages(template: str, variables: Mapping[str, JsonValue]) -> JsonArray:
    """The messages of a prompt at the start of its conversation. Raises TemplateProblem unless it is a plain chat."""
    opening = _messages(template, variables, [])
    before = [
        {"prompt": _Messages(_SAMPLE[:end]), "input": _SAMPLE[end - 1]["content"], "output": _SAMPLE[end]["content"]}
        for end in (1, 3)
    ]
    if _messages(template, variables, before) != [*opening[:-1], *_SAMPLE, opening[-1]]:
        raise TemplateProblem(f"{VARIABLE} is used for more than the messages so far")
    if opening[-1]["role"] != "user":
        raise TemplateProblem("the prompt does not end with what the user says")
    if "content" not in opening[-1]:
        raise TemplateProblem("the last message of the prompt has no `content`")
    return opening


def _messages(template: str, variables: Mapping[str, JsonValue], before: JsonArray) -> JsonArray:
    text: JsonValue = filled(template, {**variables, VARIABLE: before})
    messages = chat_in(text)
    if not is_array(messages):
        raise TemplateProblem(f"{VARIABLE} is used in a prompt that is not a list of messages in JSON")
    return messages


class Conversations:
    """Collects the tests of each conversation of a configuration, in order."""

    def __init__(self) -> None:
        self._tests: dict[tuple[str, str], list[FoundCase | Refused]] = {}

    def add(self, label: str, key: str, test: FoundCase | Refused) -> None:
        """Adds a test to the conversation of that key; each prompt (by its label) has its own conversations."""
        self._tests.setdefault((label, key), []).append(test)

    def cases(self) -> Iterator[FoundCase | Refused]:
        """Every conversation as a case, in the order in which they began."""
        for (label, key), tests in self._tests.items():
            cases = [test for test in tests if isinstance(test, FoundCase)]
            if len(tests) == 1:
                yield tests[0]
            elif len(cases) < len(tests):
                yield from _refused(tests, "another turn of its conversation cannot be imported")
            elif any(case.case["messages"][:-1] != cases[0].case["messages"][:-1] for case in cases):
                yield from _refused(tests, "the opening messages of its conversation differ between its tests")
            else:
                yield _joined(cases, f"{key or 'conversation'}{f'@{label}' if label else ''}")


def _refused(tests: list[FoundCase | Refused], why: str) -> Iterator[Refused]:
    for test in tests:
        yield test if isinstance(test, Refused) else Refused(what=why, at=test.at, checks=len(test.remarks))


def _joined(tests: list[FoundCase], name: str) -> FoundCase:
    """One case whose turns are these tests."""
    remarks = [remark for test in tests for remark in test.remarks]
    shared = _shared([object_in(test.case, "metadata") for test in tests])
    variables = [object_in(object_in(test.case, "metadata"), "vars") for test in tests]
    if common := _shared(variables):
        shared["vars"] = common
    turns: JsonArray = []
    for test, known in zip(tests, variables, strict=True):
        turn: JsonObject = {"input": test.case["messages"][-1]["content"]}
        if checks := [_of_turn(check, known) for check in test.case["assert"]]:
            turn["assert"] = checks
        turns.append(turn)
        if "min_score" in test.case:
            remarks.append(Remark(outcome="different", what=_THRESHOLD))
        if known != common and any(check["type"] == "script" for check in test.case["assert"]):
            remarks.append(Remark(outcome="different", what=_VARIABLES))
    case: JsonObject = {"id": name}
    if names := [text_of(test.case["name"]) for test in tests if "name" in test.case]:
        case["description"] = "; ".join(names)
    if shared:
        case["metadata"] = shared
    if opening := tests[0].case["messages"][:-1]:
        case["messages"] = opening
    case["turns"] = turns
    if runs := max(test.case.get("runs", 0) for test in tests):
        case["runs"] = runs
    return structs.replace(tests[0], case=case, remarks=tuple(remarks))


def _of_turn(check: JsonObject, variables: JsonObject) -> JsonObject:
    more = {"vars": variables} if check["type"] == "javascript" and variables else {}
    return {**{key: value for key, value in check.items() if key != "weight"}, **more}


def _shared(several: list[JsonObject]) -> JsonObject:
    first, *others = several
    return {key: value for key, value in first.items() if all(key in one and one[key] == value for one in others)}
