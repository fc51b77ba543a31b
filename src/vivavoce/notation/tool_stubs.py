"""Reads front-end tools and the answers of their stubs, from viva.yaml or a test."""

from vivavoce.errors import Problems, did_you_mean
from vivavoce.model.case import FrontendTool, Origin
from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_number, is_object
from vivavoce.notation.durations import parse_duration
from vivavoce.notation.patterns import compile_pattern
from vivavoce.notation.place import FieldProblem, Place
from vivavoce.notation.steps import Steps

_FIELDS = ("name", "description", "parameters", "answer", "answers", "when", "error", "script", "delay")
_MARKS = ("value", "answer", "error", "script", "when", "args", "once")
"""Keys that make an entry of `answers` a rule; other entries are themselves the answer. `delay` alone is no rule."""
_ANSWER_FIELDS = (*_MARKS, "delay")
_KINDS = ("value", "error", "script")
_ANSWER_KEYS = frozenset(_MARKS)


def read_frontend_tools(
    raw: JsonValue, at: Place | str = "", *, word: str = "front-end tool", first: int = 1
) -> tuple[FrontendTool, ...]:
    """Returns the tools, with their answers in the order they are tried. Raises one error with all problems.

    `word` is what messages call a tool, `first` the number of the first tool.
    """
    place = at if isinstance(at, Place) else Place(Origin(at))
    if not is_array(raw):
        raise _problem(f"`tools` must be a list of {word}s", place)
    tools: dict[str, FrontendTool] = {}
    problems = Problems()
    for index, fields in enumerate(raw):
        here = place.at(index)
        with problems:
            tool = _ToolReader(fields, f"{word} {first + index}", here).read()
            if tool.name in tools:
                raise _problem(f"{word} {tool.name!r} is declared twice", here)
            tools[tool.name] = tool
    problems.raise_any()
    return tuple(tools.values())


class _ToolReader:
    """Reads one tool."""

    def __init__(self, fields: JsonValue, label: str, place: Place) -> None:
        self._place = place
        self._label = label
        self._problems = Problems()
        if not is_object(fields):
            raise self._problem("must be an object with `name` and the answer of its stub")
        self._fields = fields

    def read(self) -> FrontendTool:
        name = self._fields.get("name")
        if not isinstance(name, str) or not name:
            raise self._problem("needs a `name`")
        self._label = f"{self._label.rpartition(' ')[0]} {name!r}"
        self._only(self._fields, _FIELDS, ())
        parameters: JsonValue = self._fields.get("parameters") or {}
        if not is_object(parameters):
            self._problems.found.append(self._problem("`parameters` must be a JSON Schema object", "parameters"))
        answers = self._answers()
        self._problems.raise_any()
        return FrontendTool(
            name=name,
            description=str(self._fields.get("description") or ""),
            parameters=parameters,
            answers=tuple(answers),
        )

    def _answers(self) -> list[JsonObject]:
        """Returns the rules of `when`, then those of `answers`, then the answer to every other call."""
        fields = self._fields
        answers: list[JsonObject] = []
        for key in ("when", "answers"):
            with self._problems:
                for index, entry in enumerate(self._list(key)):
                    with self._problems:
                        is_rule = key == "when" or _is_meant_as_a_rule(entry)
                        answers.append(self._rule(entry, key, index) if is_rule else {"value": entry, "once": True})
        always = [key for key in ("answer", "error", "script") if key in fields]
        with self._problems:
            if len(always) > 1:
                raise self._problem(f"{' and '.join(f'`{key}`' for key in always)} exclude each other", always[1])
            if always:
                kind = "value" if always[0] == "answer" else always[0]
                answers.append(self._checked({kind: fields[always[0]]}, always[0]))
        with self._problems:
            if "delay" in fields:
                delay = self._seconds(fields["delay"], "delay")
                answers = [{"delay": delay, **answer} for answer in answers]
        return answers

    def _seconds(self, written: JsonValue, *steps: str | int) -> float:
        """Reads a delay: `2s`, or a number of seconds."""
        if is_number(written) and written >= 0:
            return float(written)
        try:
            return parse_duration(str(written))
        except ValueError as error:
            raise self._problem(f"`delay`: {error}", *steps) from None

    def _rule(self, entry: JsonValue, key: str, index: int) -> JsonObject:
        """Reads an answer with its conditions, `once` and `delay`."""
        if key == "when" and (not is_object(entry) or not is_object(entry.get("args", entry.get("when")))):
            raise self._problem("each entry of `when` needs `args` (argument: regex) and an `answer`", key, index)
        self._only(entry, _ANSWER_FIELDS, (key, index))
        kinds = [kind for kind in ("answer", *_KINDS) if kind in entry]
        if not kinds:
            raise self._problem(f"an answer needs one of {', '.join(_KINDS)}", key, index)
        if len(kinds) > 1:
            raise self._problem(f"{' and '.join(f'`{kind}`' for kind in kinds)} exclude each other", key, index)
        read: JsonObject = {"value" if kinds[0] == "answer" else kinds[0]: entry[kinds[0]]}
        if conditions := entry.get("when", entry.get("args")):
            read["when"] = self._conditions(conditions, key, index)
        if entry.get("once"):
            read["once"] = True
        if "delay" in entry:
            read["delay"] = self._seconds(entry["delay"], key, index)
        return self._checked(read, key, index)

    def _conditions(self, conditions: JsonValue, *steps: str | int) -> dict[str, str]:
        if not is_object(conditions):
            raise self._problem("`when` must say which argument matches which regex", *steps)
        for argument, pattern in conditions.items():
            try:
                compile_pattern(str(pattern))
            except ValueError as error:
                raise self._problem(f"argument {argument}: {error}", *steps) from None
        return {str(argument): str(pattern) for argument, pattern in conditions.items()}

    def _checked(self, answer: JsonObject, *steps: str | int) -> JsonObject:
        for key in ("error", "script"):
            if key in answer and (not isinstance(answer[key], str) or not answer[key]):
                raise self._problem(f"`{key}` must be a text", *steps)
        return answer

    def _list(self, key: str) -> JsonArray:
        value = self._fields.get(key)
        if value is None:
            return []
        if not is_array(value):
            raise self._problem(f"`{key}` must be a list", key)
        return list(value)

    def _only(self, fields: JsonObject, known: tuple[str, ...], steps: Steps) -> None:
        for key in fields:
            if key not in known:
                hint = did_you_mean(key, list(known)) or f"known: {', '.join(known)}"
                self._problems.found.append(self._problem(f"unknown field `{key}`", *steps, key, hint=hint))

    def _problem(self, what: str, *steps: str | int, hint: str | None = None) -> FieldProblem:
        return _problem(f"{self._label}: {what}", self._place.at(*steps), hint)


def _problem(what: str, place: Place, hint: str | None = None) -> FieldProblem:
    return FieldProblem(what, steps=place.steps, at=place.here, hint=hint)


def _is_meant_as_a_rule(entry: JsonValue) -> bool:
    """Whether an entry of `answers` is a rule, perhaps with a misspelt key, and not itself the answer."""
    if not is_object(entry) or not entry:
        return False
    return not _ANSWER_KEYS.isdisjoint(entry) or all(_is_nearly(str(key)) for key in entry)


def _is_nearly(key: str) -> bool:
    """Whether a key is a known one with one wrong, missing, extra or swapped letter. A plural is another word."""
    from rapidfuzz.distance import OSA

    return any(OSA.distance(key, known) <= 1 and key != f"{known}s" for known in _MARKS)
