"""Jinja templates in a sandbox: expressions can compute values, but cannot access anything else."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, cast

from vivavoce.containment.user_errors import UserCode
from vivavoce.model.json_value import JsonValue, compact_json, iter_texts, map_texts
from vivavoce.notation.template_limits import (
    JOIN,
    LOOP,
    MOST_STEPS,
    budget,
    check_call,
    check_operator,
    check_result,
    join,
    loop_over,
    one_budget,
    size_of,
    too_many_steps,
    with_limits,
)

_ONE_EXPRESSION = re.compile(r"\{\{(?P<expression>(?:[^{}]|\{[^{}]*\})*)\}\}")
_FOR_MISSING_NAMES = ("default", "d", "defined", "undefined", "none")


class TemplateProblem(ValueError):
    """A template that cannot be parsed or rendered; `line` counts from the first line of the template."""

    def __init__(self, what: str, line: int = 1) -> None:
        super().__init__(what)
        self.line = line


def is_template(text: str) -> bool:
    return "{{" in text or "{%" in text


def fill(text: str, variables: Mapping[str, JsonValue], *, keep_unknown: bool = False) -> str:
    """Renders a template. Unknown names are an error, or stay as written with `keep_unknown`."""
    if not is_template(text):
        return text
    with UserCode(_problem), one_budget():
        return str(_compiled(text, keep_unknown).render(variables))


def names_in(text: str) -> set[str]:
    """Returns the variables of a template. Raises TemplateProblem if it cannot be compiled."""
    from jinja2 import meta

    with UserCode(_problem):
        return meta.find_undeclared_variables(_environment(False).parse(text))


def names_used(text: str) -> set[str]:
    """Returns the variables that a template needs, without those it tests with `if` or gives a `default`."""
    if not is_template(text):
        return set()
    from jinja2 import nodes

    with UserCode(_problem):
        guards = _guards(_environment(False).parse(text))
        return names_in(text) - {name.name for guard in guards for name in guard.find_all(nodes.Name)}


def fill_value(value: JsonValue, variables: Mapping[str, JsonValue]) -> JsonValue:
    """Renders every string inside a JSON value. A string that is one `{{ expression }}` keeps the type of its value."""

    def filled(text: str) -> JsonValue:
        alone = _ONE_EXPRESSION.fullmatch(text.strip())
        if alone is None:
            return fill(text, variables)
        with UserCode(_problem), one_budget():
            return _defined(_expression(alone["expression"])(**variables))

    return map_texts(value, filled)


def check_template(value: JsonValue) -> None:
    """Raises TemplateProblem if a string inside the value cannot be compiled."""
    for text in filter(is_template, iter_texts(value)):
        with UserCode(_problem):
            _compiled(text, False)


@lru_cache(maxsize=1024)
def _compiled(text: str, keep_unknown: bool) -> Any:
    return _environment(keep_unknown).from_string(text)


@lru_cache(maxsize=1024)
def _expression(text: str) -> Any:
    return _environment(False).compile_expression(text, undefined_to_none=False)


@lru_cache(maxsize=2)
def _environment(keep_unknown: bool) -> Any:
    from jinja2 import DebugUndefined, StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    class Bounded(SandboxedEnvironment):
        """Checks the size of results before they are computed."""

        intercepted_binops = frozenset({"*", "**", "+", "%"})

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            check_operator(operator, left, right)
            return super().call_binop(context, operator, left, right)

        def call(self, context: Any, work: Any, /, *args: Any, **keywords: Any) -> Any:
            subject = getattr(getattr(work, "__wrapped__", work), "__self__", None)
            check_call(getattr(work, "__name__", ""), subject, (*args, *keywords.values()))
            return check_result(super().call(context, work, *args, **keywords))

        def _generate(self, source: Any, *args: Any, **keywords: Any) -> Any:
            return super()._generate(_with_limits(source), *args, **keywords)

    environment: Any = Bounded(
        undefined=DebugUndefined if keep_unknown else StrictUndefined,
        finalize=_as_text,
        autoescape=False,
        keep_trailing_newline=True,
        # Many prompts contain `{#` and do not mean a comment.
        comment_start_string="{#viva-comment",
    )
    # Nunjucks' name for it, in imported templates.
    environment.filters["dump"] = _dumped
    environment.filters.update({name: with_limits(name, work) for name, work in environment.filters.items()})
    environment.filters |= {LOOP: loop_over, JOIN: join}
    environment.globals["range"] = _bounded_range
    return environment


def _bounded_range(*ends: int) -> range:
    steps = range(*ends)
    if len(steps) > MOST_STEPS:
        raise too_many_steps()
    return steps


def _with_limits(tree: Any) -> Any:
    """Returns the template with limits added to its loops and to `a ~ b`."""
    from jinja2 import nodes

    for loop in tree.find_all(nodes.For):
        text = sum(len(data.data) for data in loop.find_all(nodes.TemplateData))
        loop.iter = nodes.Filter(loop.iter, LOOP, [nodes.Const(text)], [], None, None)
    for node in [tree, *tree.find_all(nodes.Node)]:
        for name, value in node.iter_fields():
            setattr(node, name, _with_limited_joins(value))
    return tree.set_environment(tree.environment)


def _with_limited_joins(part: Any) -> Any:
    from jinja2 import nodes

    if type(part) is list:
        return list(map(_with_limited_joins, cast("list[Any]", part)))
    concat = isinstance(part, nodes.Concat)
    return nodes.Filter(nodes.List(part.nodes), JOIN, [], [], None, None) if concat else part


def _dumped(value: JsonValue) -> str:
    return compact_json(_defined(value))


def _guards(tree: Any) -> Iterator[Any]:
    """Yields the parts of a template in which a name may be missing."""
    from jinja2 import nodes

    # Each is wrapped in a node, because `find_all` only searches the children of a node.
    for node in tree.find_all((nodes.If, nodes.CondExpr)):
        yield nodes.Output([node.test])
    for node in tree.find_all(nodes.Or):
        yield nodes.Output([node.left])
    for node in tree.find_all((nodes.Filter, nodes.Test)):
        if node.name in _FOR_MISSING_NAMES:
            yield nodes.Output([node.node])


def _defined(value: JsonValue) -> JsonValue:
    """Returns the value. Raises jinja2's error for an unknown name."""
    from jinja2 import Undefined

    if isinstance(value, Undefined):
        str(value)
    return value


def _as_text(value: JsonValue) -> JsonValue:
    """Writes objects, lists, booleans and null as JSON, not as Python."""
    budget().write(size_of(value))
    return compact_json(value) if value is None or isinstance(value, bool | dict | list | tuple) else value


def _problem(error: BaseException) -> TemplateProblem:
    return TemplateProblem(f"bad template: {error}", getattr(error, "lineno", None) or 1)
