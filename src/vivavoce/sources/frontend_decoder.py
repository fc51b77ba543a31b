"""Front-end tools as authors write them, in a test or in the project's configuration."""

from typing import Any

from msgspec import UNSET

from vivavoce.model.case import FrontendTool
from vivavoce.patterns import compile_pattern
from vivavoce.sources.case_fields import AnswerFields, ToolFields
from vivavoce.sources.field_check import checked
from vivavoce.sources.place import Place


def read_frontend_tools(raw: list[dict[str, Any]], place: Place) -> tuple[FrontendTool, ...]:
    """The same, from plain objects."""
    return decode_frontend_tools([checked(tool, ToolFields, place.at(i)) for i, tool in enumerate(raw)], place)


def decode_frontend_tools(tools: list[ToolFields], place: Place) -> tuple[FrontendTool, ...]:
    """Each tool with its answers, tried in order."""
    found: dict[str, FrontendTool] = {}
    for index, fields in enumerate(tools):
        if fields.name in found:
            raise place.at(index).problem(f"duplicate tool {fields.name!r}")
        found[fields.name] = FrontendTool(
            name=fields.name,
            description=fields.description,
            parameters=fields.parameters or {},
            answers=_answers(fields, place.at(index)),
        )
    return tuple(found.values())


def _answers(fields: ToolFields, place: Place) -> tuple[dict[str, Any], ...]:
    if fields.answer is not UNSET:
        if fields.answers:
            raise place.problem("'answer' and 'answers' exclude each other: keep one")
        return ({"value": fields.answer},)
    return tuple(_answer(answer, place.at("answers", index)) for index, answer in enumerate(fields.answers or ()))


def _answer(fields: AnswerFields, place: Place) -> dict[str, Any]:
    if sum(given is not UNSET for given in (fields.value, fields.error, fields.script)) != 1:
        raise place.problem("exactly one of 'value', 'error' and 'script' says how a call is answered")
    for argument, pattern in (fields.when or {}).items():
        try:
            compile_pattern(pattern)
        except ValueError as error:
            raise place.at("when", argument).problem(str(error)) from None
    answer: dict[str, Any] = {"when": fields.when} if fields.when else {}
    if fields.once:
        answer["once"] = True
    for kind, given in (("value", fields.value), ("error", fields.error), ("script", fields.script)):
        if given is not UNSET:
            answer[kind] = given
    return answer
