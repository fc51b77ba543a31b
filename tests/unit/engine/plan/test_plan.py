"""Which cases run."""

import pytest
from tests.fakes.examining import ListSource, case_of

from vivavoce.engine.plan.plan import Plan, Selection, make_plan, parse_shard, shard_of
from vivavoce.errors import UsageError, VivaError
from vivavoce.model.case import Case


def plan_of(*cases: object, **selection: object) -> Plan:
    plan, problems = make_plan([ListSource(*cases)], Selection(**selection), runs=1)  # type: ignore[arg-type]
    assert problems == []
    return plan


def ids(plan: Plan) -> list[str]:
    return [case.id for case in plan.cases()]


def some(count: int) -> list[Case]:
    return [case_of(id=f"T{n}", input="x", tags=["even"] if n % 2 == 0 else []) for n in range(count)]


def test_problems_are_collected_and_the_rest_is_still_counted():
    bad = UsageError("bad line", at="a.jsonl:2")
    plan, problems = make_plan([ListSource(case_of(input="x"), bad)], Selection(), runs=1)
    assert (plan.found, problems) == (1, [bad])


def test_a_regex_selects_by_id_name_or_key():
    assert ids(plan_of(*some(12), pattern="^T1")) == ["T1", "T10", "T11"]
    assert ids(plan_of(case_of(name="pay twice", input="x"), pattern="twice")) == ["T"]
    assert ids(plan_of(*some(3), pattern="cases.jsonl::T2")) == ["T2"]


def test_a_bad_regex_is_the_users():
    with pytest.raises(UsageError, match="bad regex"):
        plan_of(*some(1), pattern="(")


def test_tags_select():
    assert ids(plan_of(*some(4), tags=("even",))) == ["T0", "T2"]


def test_shards_share_all_cases_out_and_are_stable():
    shards = [ids(plan_of(*some(50), shard=(n, 3))) for n in (1, 2, 3)]
    assert sorted(case_id for shard in shards for case_id in shard) == sorted(f"T{n}" for n in range(50))
    assert shard_of("T7", 3) == shard_of("T7", 3)
    assert all(shards)


@pytest.mark.parametrize("text", ["", "3", "0/3", "4/3", "a/b", "1/0", "-1/2", "²/5", "1/²", "1/" + "9" * 5000])
def test_a_bad_shard_says_how_to_write_it(text: str):
    with pytest.raises(UsageError, match="2/5"):
        parse_shard(text)


def test_a_sample_is_of_the_asked_size_and_the_same_for_a_seed():
    one, again, other = (ids(plan_of(*some(100), sample=10, seed=s)) for s in (1, 1, 2))
    assert len(one) == 10
    assert one == again != other
    assert plan_of(*some(100), sample=10).selected == 10
    assert plan_of(*some(3), sample=10).selected == 3


@pytest.mark.parametrize("seed", [-1, 2**63, -(2**63) - 1, 99999999999999999999, 10**600, -(10**600)])
def test_any_whole_number_is_a_seed(seed: int):
    one, again, other = (ids(plan_of(*some(100), sample=10, seed=s)) for s in (seed, seed, seed + 1))
    assert one == again != other


def test_failed_first_runs_all_with_the_failed_ahead():
    assert ids(plan_of(*some(4), first=frozenset({"cases.jsonl::T2"}))) == ["T2", "T0", "T1", "T3"]


def test_a_file_that_breaks_while_running_is_told_not_passed_over():
    class Changing(ListSource):
        reads = 0

        def read(self):  # type: ignore[no-untyped-def]
            self.reads += 1
            return iter([case_of(input="x")] if self.reads == 1 else [UsageError("bad JSON")])

    plan, _ = make_plan([Changing()], Selection(), runs=1)
    with pytest.raises(VivaError, match="changed while"):
        list(plan.jobs())


def test_skip_interactive_skips_only_cases_that_need_a_person():
    person = case_of(id="P", turns=[{"input": "x"}], interactive={"enabled": True})
    plan = plan_of(person, *some(1), skip_interactive=True)
    assert [case.skip is not None for case in plan.cases()] == [True, False]


def test_contenders_take_turns_in_being_first():
    plan = plan_of(*some(3)).compared(("a", "b"))
    assert [(case.id, case.agent) for case in plan.cases()] == [
        *(("T0", "a"), ("T0", "b")),
        *(("T1", "b"), ("T1", "a")),
        *(("T2", "a"), ("T2", "b")),
    ]
    assert (plan.found, plan.selected) == (6, 6)
    assert [job.index for job in plan.jobs()] == [1, 2, 3, 4, 5, 6]


def test_the_plan_knows_the_tags_of_what_is_selected():
    assert plan_of(*some(4)).tags == ("even",)
    assert plan_of(*some(4), pattern="T[13]").tags == ()
