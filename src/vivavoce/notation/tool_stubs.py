"""Front-end tools as people write them, in viva.yaml or in a test, with the answers their stubs give."""

from typing import Any

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.case import FrontendTool, Origin
from vivavoce.model.json_value import is_array, is_object
from vivavoce.notation.patterns import compile_pattern

_FIELDS = ("name", "description", "parameters", "answer", "answers", "when", "error", "script")
_ANSWER_FIELDS = ("value", "answer", "error", "script", "when", "args", "once")
_KINDS = ("value", "error", "script")


def read_frontend_tools(raw: Any, at: Origin | str | None = None) -> tuple[FrontendTool, ...]:
    """Every tool with its answers in the order they are tried. What is wrong is said with the tool's name."""
    if not is_array(raw):
        raise UsageError("`tools` must be a list of front-end tools", at=at)
    tools: dict[str, FrontendTool] = {}
    for number, fields in enumerate(raw, 1):
        tool = _ToolReader(fields, number, at).read()
        if tool.name in tools:
            raise UsageError(f"front-end tool {tool.name!r} is declared twice", at=at)
        tools[tool.name] = tool
    return tuple(tools.values())


class _ToolReader:
    """One tool as it is written."""

    def __init__(self, fields: Any, number: int, at: Origin | str | None) -> None:
        self._at = at
        self._label = f"front-end tool {number}"
        if not is_object(fields):
            raise self._problem("must be an object with `name` and the answer of its stub")
        self._fields = fields

    def read(self) -> FrontendTool:
        name = self._fields.get("name")
        if not isinstance(name, str) or not name:
            raise self._problem("needs a `name`")
        self._label = f"front-end tool {name!r}"
        self._only(self._fields, _FIELDS)
        parameters: Any = self._fields.get("parameters") or {}
        if not is_object(parameters):
            raise self._problem("`parameters` must be a JSON Schema object")
        return FrontendTool(
            name=name,
            description=str(self._fields.get("description") or ""),
            parameters=parameters,
            answers=tuple(self._answers()),
        )

    def _answers(self) -> list[dict[str, Any]]:
        """The rules of `when` first, then the list, then what holds for every other call."""
        fields = self._fields
        answers = [self._rule(rule) for rule in self._list("when")]
        answers += [self._listed(answer) for answer in self._list("answers")]
        always = [key for key in ("answer", "error", "script") if key in fields]
        if len(always) > 1:
            raise self._problem(f"{' and '.join(f'`{key}`' for key in always)} exclude each other")
        if always:
            kind = "value" if always[0] == "answer" else always[0]
            answers.append(self._checked({kind: fields[always[0]]}))
        return answers

    def _rule(self, rule: Any) -> dict[str, Any]:
        if not is_object(rule) or not is_object(rule.get("args", rule.get("when"))):
            raise self._problem("each entry of `when` needs `args` (argument: regex) and an `answer`")
        return self._listed(rule)

    def _listed(self, answer: Any) -> dict[str, Any]:
        """An answer of a list: a plain value is used once; an object may say when, whether once, and how."""
        if not is_object(answer) or not {"answer", *_KINDS}.intersection(answer):
            return {"value": answer, "once": True}
        self._only(answer, _ANSWER_FIELDS)
        kinds = [key for key in ("answer", *_KINDS) if key in answer]
        if len(kinds) != 1:
            raise self._problem(f"{' and '.join(f'`{key}`' for key in kinds)} exclude each other")
        kind = "value" if kinds[0] == "answer" else kinds[0]
        read: dict[str, Any] = {kind: answer[kinds[0]]}
        if conditions := answer.get("when", answer.get("args")):
            read["when"] = self._conditions(conditions)
        if answer.get("once"):
            read["once"] = True
        return self._checked(read)

    def _conditions(self, conditions: Any) -> dict[str, str]:
        if not is_object(conditions):
            raise self._problem("`when` must say which argument matches which regex")
        for argument, pattern in conditions.items():
            try:
                compile_pattern(str(pattern))
            except ValueError as error:
                raise self._problem(f"argument {argument}: {error}") from None
        return {str(argument): str(pattern) for argument, pattern in conditions.items()}

    def _checked(self, answer: dict[str, Any]) -> dict[str, Any]:
        for key in ("error", "script"):
            if key in answer and (not isinstance(answer[key], str) or not answer[key]):
                raise self._problem(f"`{key}` must be a text")
        return answer

    def _list(self, key: str) -> list[Any]:
        value = self._fields.get(key)
        if value is None:
            return []
        if not is_array(value):
            raise self._problem(f"`{key}` must be a list")
        return list(value)

    def _only(self, fields: dict[str, Any], known: tuple[str, ...]) -> None:
        for key in fields:
            if key not in known:
                hint = did_you_mean(key, list(known)) or f"known: {', '.join(known)}"
                raise UsageError(f"{self._label}: unknown field `{key}`", at=self._at, hint=hint)

    def _problem(self, what: str) -> UsageError:
        return UsageError(f"{self._label}: {what}", at=self._at)
