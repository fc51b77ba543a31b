"""A plug-in's object is looked at before it is used."""

from typing import Any, ClassVar

import pytest
from msgspec import Struct

from vivavoce.plugins.declarations import ReportFormat, TargetKind
from vivavoce.plugins.shapes import assertion_shape, callable_shape, report_shape, target_shape


class NoCheck(Struct):
    value: int


class Checks(Struct):
    async def check(self, evidence: Any, helpers: Any) -> Any: ...


class Waits(Struct):
    def check(self, evidence: Any, helpers: Any) -> Any: ...


class Misspelt(Checks):
    judges: ClassVar[str] = "calls"


class Decides(Checks):
    value: int = 0

    @property
    def doubted_by(self) -> str:
        return "call" if self.value else "nothing"


class Asked(Checks):
    doubted_by: str = "call"


class Unreadable(Checks):
    value: complex = 0j


def build(*_: Any) -> Any: ...


def wrong_kind(**fields: Any) -> TargetKind:
    return TargetKind(name="k", **{"target": build, **fields})


@pytest.mark.parametrize(
    ("shape", "thing", "said"),
    [
        (assertion_shape, Checks, ""),
        (assertion_shape, NoCheck, "NoCheck has no method check"),
        (assertion_shape, Decides, ""),
        (assertion_shape, Asked, ""),
        (assertion_shape, Waits, "Waits.check must be an `async def`"),
        (assertion_shape, Misspelt, "judges of Misspelt must be one of words, call, both, nothing, not 'calls'"),
        (assertion_shape, dict, "not the class dict"),
        (assertion_shape, 3, "not an object of class int"),
        (target_shape, wrong_kind(), ""),
        (target_shape, wrong_kind(target="module:Class"), ""),
        (target_shape, wrong_kind(target=3), "its target must be a class"),
        (target_shape, wrong_kind(fields=dict), "must be a subclass of vivavoce.plugins.AgentFields"),
        (target_shape, build, "must be a vivavoce.plugins.TargetKind"),
        (callable_shape, build, ""),
        (callable_shape, "build", "not an object of class str"),
    ],
)
def test_what_does_not_fit_is_said(shape: Any, thing: Any, said: str):
    found = shape("name", thing)
    assert said in found
    assert bool(said) == bool(found)


def test_a_field_that_no_case_file_can_hold_is_an_error():
    with pytest.raises(TypeError, match="complex"):
        assertion_shape("name", Unreadable)


@pytest.mark.parametrize(
    ("thing", "said"),
    [
        (ReportFormat(name="csv", suffixes=(".csv",), write=build), ""),
        (ReportFormat(name="csv", suffixes=("csv",), write=build), "must begin with a dot: 'csv'"),
        (ReportFormat(name="mine", suffixes=(".json",), write=build), "the suffix .json belongs to a built-in format"),
        (ReportFormat(name="csv", write=3), "its write must be a function"),  # type: ignore[arg-type]
        (build, "must be a vivavoce.plugins.ReportFormat"),
    ],
)
def test_a_report_format_takes_no_suffix_of_ours(thing: Any, said: str):
    found = report_shape("csv", thing, taken=frozenset({".json"}))
    assert said in found
    assert bool(said) == bool(found)
