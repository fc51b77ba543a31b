"""Questions about a text that was found in the world: in a file, in a command's output, in a server's answer."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, Struct, UnsetType

from vivavoce.assertions.clear_json import clear_whole_json
from vivavoce.assertions.off_loop import sized
from vivavoce.model.json_value import JsonValue, is_array, json_equal
from vivavoce.model.verdict import Verdict, failed, passed
from vivavoce.notation.json_paths import compile_path
from vivavoce.notation.patterns import compile_pattern, refuse_bad_pattern
from vivavoce.protocols import Sight
from vivavoce.wording.quoting import kept, quote, quote_apart, slashed

NotEmpty = Annotated[str, Meta(min_length=1)]


class TextQuestions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Conditions on a found text; all of them must hold."""

    contains: NotEmpty | Annotated[list[NotEmpty], Meta(min_length=1)] | None = None
    """This text, or all of these, is in it."""
    matches: NotEmpty | None = None
    """The pattern is found somewhere in it."""
    json_path: NotEmpty | None = None
    """It is JSON, and something is at this path."""
    value: JsonValue | UnsetType = UNSET
    """What is at `json_path`; a list against a single value means one of them."""
    judges: ClassVar[Sight] = "nothing"
    doubted_by: ClassVar[Sight] = "nothing"
    judges_output: ClassVar[bool] = False
    judges_world: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.matches is not None:
            refuse_bad_pattern(self.matches)
        if self.json_path is not None:
            compile_path(self.json_path)
        elif self.value is not UNSET:
            raise ValueError("`value` is compared with what `json_path` finds: write both")

    @property
    def asks_for_text(self) -> bool:
        return not (self.contains is None and self.matches is None and self.json_path is None)

    async def judged(self, name: str, text: str) -> Verdict:
        """Whether the text is as it must be. `name` is what it is called in the reason."""
        for part in (
            [] if self.contains is None else [self.contains] if isinstance(self.contains, str) else self.contains
        ):
            if part not in text:
                return failed(f"{name} does not contain {quote(part)}", expected=part, actual=kept(text))
        if self.matches is not None and not await sized(len(text), _is_found, self.matches, text):
            reason = f"{name} does not match {slashed(self.matches)}"
            return failed(reason, expected=self.matches, actual=kept(text))
        if self.json_path is not None:
            return await self._judged_json(name, text, self.json_path)
        return passed(f"{name} is as it must be: {quote(text)}")

    async def _judged_json(self, name: str, text: str, path: str) -> Verdict:
        document = await sized(len(text), clear_whole_json, text)
        if document is None:
            return failed(f"{name} is no JSON: {quote(text)}", actual=kept(text), negatable=False)
        compiled = compile_path(path)
        values = compiled.find(document)
        actual: JsonValue = values[0] if len(values) == 1 else values or None
        found, wanted = quote_apart(actual, None if self.value is UNSET else self.value)
        seen = f"{name}: {path} is {found if values else 'missing'}"
        if self.value is UNSET:
            return passed(seen) if values else failed(seen, actual=kept(text))
        if values and _is_wanted(self.value, actual):
            return passed(seen)
        one_of = "one of " if is_array(self.value) and not is_array(actual) else ""
        return failed(f"{seen}, wanted {one_of}{wanted}", expected=self.value, actual=actual)


def _is_found(pattern: str, text: str) -> bool:
    """Whether the pattern is found. `$` also means the place before a last line break, which most programs print."""
    search = compile_pattern(pattern).search
    return search(text) is not None or (text.endswith("\n") and search(text[:-1]) is not None)


def _is_wanted(wanted: JsonValue, actual: JsonValue) -> bool:
    if json_equal(actual, wanted):
        return True
    return is_array(wanted) and not is_array(actual) and any(json_equal(actual, one) for one in wanted)
