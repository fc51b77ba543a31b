"""Cases stored on disk are read back unchanged, or an error is raised."""

import math
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.fakes.any_struct import any_struct
from tests.fakes.examining import ListSource, case_of

from vivavoce.engine.plan.checked_cases import CheckedCases
from vivavoce.engine.plan.plan import Plan, Selection, make_plan
from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.protocols import Job

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


def put_aside(*cases: Case, most_bytes: int = 2**28) -> CheckedCases:
    checked = CheckedCases(most_bytes)
    for case in cases:
        checked.add(case)
    return checked


def some(count: int) -> list[Case]:
    return [
        case_of(
            id=f"T{n}",
            input=f"number {n}",
            tags=["even"] if n % 2 == 0 else [],
            skip="not today" if n % 7 == 0 else False,
            runs=2 if n % 5 == 0 else 1,
            interactive={"enabled": n % 3 == 0},
            assertions=[{"type": "contains", "value": str(n)}],
        )
        for n in range(count)
    ]


def test_every_kind_of_case_comes_back_equal():
    rng = Random(7)
    cases = [any_struct(Case, rng) for _ in range(500)]
    checked = put_aside(*cases)
    assert checked.complete
    assert list(checked) == cases
    # Equal is not enough: 1 == 1.0 == True, and a report tells them apart.
    assert [msgspec.json.encode(case) for case in checked] == [msgspec.json.encode(case) for case in cases]


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # the machine may be busy
@given(JSON, JSON)
def test_whatever_an_author_may_write_comes_back(expected: Any, state: Any):
    case = Case(id="T", expected=expected, state=state, metadata={"deep": [{"er": expected}]})
    (back,) = put_aside(case)
    assert repr(back) == repr(case)


def test_what_is_no_number_stays_none():
    case = Case(id="T", state=[math.nan, -math.inf, -0.0])
    (back,) = put_aside(case)
    assert repr(back.state) == "[nan, -inf, -0.0]"


def test_nothing_put_aside_is_nothing():
    assert list(put_aside()) == []


def test_the_order_is_kept_and_several_may_read_at_once_and_again():
    cases = some(2000)
    checked = put_aside(*cases)
    one, other = iter(checked), iter(checked)
    assert [next(one) for _ in range(700)] == cases[:700]
    assert list(other) == cases
    assert list(one) == cases[700:]
    assert list(checked) == cases


def test_what_is_added_later_comes_too():
    cases = some(900)
    checked = put_aside(*cases[:450])
    assert list(checked) == cases[:450]
    for case in cases[450:]:
        checked.add(case)
    assert list(checked) == cases


def test_a_case_larger_than_what_is_written_at_once_lies_among_small_ones():
    small = some(300)
    large = [case_of(id=f"L{n}", input="x" * n * 1_000_000) for n in (1, 2)]
    cases = [*small[:100], *large, *small[100:]]
    assert list(put_aside(*cases)) == cases


@pytest.mark.parametrize("number", [2**64, -(2**63) - 1, 10**40])
def test_a_number_beyond_64_bits_is_not_kept_wrongly(number: int):
    checked = put_aside(*some(300), Case(id="big", expected=number), *some(300))
    assert not checked.complete
    assert list(checked) == []


def test_no_more_is_kept_than_asked_for():
    assert put_aside(*some(500), most_bytes=60_000).complete is False
    assert put_aside(*some(50), most_bytes=60_000).complete is True


@contextmanager
def files_no_larger_than(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("size", [0, 20_000])
def test_a_full_disk_ends_the_keeping_also_in_the_middle_of_what_is_written(size: int):
    cases = some(400)
    for count in range(50, len(cases), 50):
        with files_no_larger_than(size):
            checked = put_aside(*cases[:count])
        assert list(checked) == (cases[:count] if checked.complete else [])
    assert not checked.complete


class ReadOnce(ListSource):
    """A file that somebody deletes right after it was checked."""

    def __init__(self, *items: Any) -> None:
        super().__init__(*items)
        self.gone = False

    def read(self) -> Any:
        assert not self.gone, "read a second time"
        self.gone = True
        return super().read()


SELECTIONS: dict[str, dict[str, Any]] = {
    "all": {},
    "pattern": {"pattern": "1"},
    "tags": {"tags": ("even",)},
    "shard": {"shard": (2, 3)},
    "sample": {"sample": 40, "seed": 3},
    "first": {"first": frozenset({"cases.jsonl::T90", "cases.jsonl::T3"})},
    "keys": {"keys": frozenset({"cases.jsonl::T90", "cases.jsonl::T3"})},
    "skip_interactive": {"skip_interactive": True},
    "many": {"pattern": "[2-7]", "sample": 20, "first": frozenset({"cases.jsonl::T72"}), "skip_interactive": True},
}


def planned(source: ListSource, selection: dict[str, Any], checked: CheckedCases | None) -> Plan:
    plan, problems = make_plan([source], Selection(**selection), runs=3, checked=checked)
    assert problems == []
    return plan


@pytest.mark.parametrize("name", SELECTIONS)
def test_a_plan_that_keeps_its_cases_has_the_same_ones_and_never_reads_again(name: str):
    cases = some(400)
    usual = planned(ListSource(*cases), SELECTIONS[name], None)
    keeping = planned(ReadOnce(*cases), SELECTIONS[name], CheckedCases())
    jobs: list[Job] = list(keeping.jobs())
    assert jobs == list(usual.jobs())
    assert len(list(keeping.cases())) == keeping.selected > 0
    assert (keeping.found, keeping.selected) == (usual.found, usual.selected)


def test_a_plan_reads_again_what_could_not_be_kept():
    cases = [*some(400), case_of(id="big", input="x", expected=2**70)]
    plan = planned(ListSource(*cases), {}, CheckedCases())
    assert plan.checked is None
    assert list(plan.cases()) == cases


def test_a_case_that_was_objected_to_is_not_put_aside():
    plan, problems = make_plan([ListSource(*some(3))], Selection(), runs=1, check=_no_t1, checked=CheckedCases())
    assert [case.id for case in plan.cases()] == ["T0", "T2"]
    assert len(problems) == 1


def _no_t1(case: Case) -> None:
    if case.id == "T1":
        raise UsageError("no")


@pytest.mark.parametrize(
    "written",
    [
        {"input": "hello ${NAME}"},
        {"input": "hello", "assertions": [{"type": "contains", "value": "${NAME}"}]},
        {"turns": [{"input": "a"}, {"input": "b", "options": {"metadata": {"deep": ["${NAME}"]}}}]},
    ],
)
def test_a_variable_anywhere_in_any_case_is_noticed(written: dict[str, Any]):
    plain = some(300)
    assert not put_aside(*plain).hold_variables
    assert put_aside(*plain, case_of(id="V", **written), *some(3)).hold_variables


def test_a_plan_that_reads_again_may_hold_variables():
    plan, _ = make_plan([ListSource(*some(3))], Selection(), runs=1)
    assert plan.holds_variables
    plan, _ = make_plan([ListSource(*some(3))], Selection(), runs=1, checked=CheckedCases())
    assert not plan.holds_variables


@pytest.mark.parametrize("count", [3, 2000])
def test_cases_can_be_read_in_any_order(count: int):
    """Those in the file as well as those not written yet."""
    cases = some(count)
    checked = put_aside(*cases)
    places = list(range(count))
    Random(3).shuffle(places)
    assert list(checked.in_order(places)) == [cases[place] for place in places]


def test_a_line_number_is_not_taken_for_a_variable():
    """9339 is 0x247B, and these two bytes are `${` in ASCII: every long file has such a line."""
    case = Case(id="T1", origin=Origin("long.jsonl", 0x247B))
    assert not put_aside(case).hold_variables
    assert put_aside(case, case_of(input="${name}")).hold_variables
