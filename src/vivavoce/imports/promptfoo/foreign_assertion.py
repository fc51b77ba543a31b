"""One assertion of promptfoo, as the handlers of its kinds are given it."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from vivavoce.imports.found import ImportOptions
from vivavoce.imports.promptfoo.python_checks import PythonChecks
from vivavoce.model.json_value import JsonObject, JsonValue


class AssertionContext(Struct, frozen=True, kw_only=True):
    """What stands around the assertions of one test."""

    context: JsonValue = None
    """The test's `context` variable, for checks of what an answer rests on."""
    folder: Path
    options: ImportOptions
    python: PythonChecks


class ForeignAssertion(Struct, frozen=True, kw_only=True):
    """One assertion of theirs, without `not-`."""

    type: str
    value: JsonValue
    threshold: float | None
    config: JsonValue
    has_path: bool
    """Whether it judges a part of the output, which may be a number."""
    around: AssertionContext


Taken: TypeAlias = JsonObject | tuple[list[JsonObject], str] | str
"""An assertion; several, with what is different about them; or why there is none."""
Handler: TypeAlias = Callable[[ForeignAssertion], Taken]
