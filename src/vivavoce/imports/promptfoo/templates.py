"""promptfoo's templates, filled in when a file is imported."""

from collections.abc import Iterator, Mapping

from vivavoce.imports.case_files import environment_variable
from vivavoce.model.json_value import JsonValue, map_texts
from vivavoce.notation.templates import TemplateProblem, fill

__all__ = ["TemplateProblem", "filled"]


class _Environment(Mapping[str, str]):
    """`{{ env.NAME }}` is looked up when the test runs, not when it is imported."""

    def __getitem__(self, name: str) -> str:
        return environment_variable(name)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def filled(value: JsonValue, variables: Mapping[str, JsonValue]) -> JsonValue:
    """Every text inside with its variables put in. Raises TemplateProblem for what only promptfoo can fill in."""
    known = {**variables, "env": _Environment()}
    return map_texts(value, lambda text: fill(text, known))
