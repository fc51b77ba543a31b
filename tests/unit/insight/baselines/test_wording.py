"""A comparison with a baseline, in words."""

from vivavoce.insight.baselines.baseline import Baseline, BaselineCase
from vivavoce.insight.baselines.comparing import compare
from vivavoce.insight.baselines.wording import comparison_lines


def case(passed: int, runs: int, number: int = 0, *, content: str = "h", broken: int = 0) -> BaselineCase:
    return BaselineCase(
        key=f"a::T{number}", id=f"T{number}", agent="", case_hash=content, runs=runs, passed=passed, broken=broken
    )


def lines(before: list[BaselineCase], after: list[BaselineCase]) -> list[str]:
    return comparison_lines(compare(Baseline(name="main", cases=tuple(before)), after))


def test_a_case_that_got_worse_comes_first_with_the_reason():
    first, verdict, unseen = lines([case(3, 3)], [case(0, 3)])
    assert first == "✗ worse: T0: 3 of 3 passed before, 0 of 3 now (all passed before and none now)"
    assert verdict == "worse than the baseline: 1 case compared"
    assert unseen.startswith("with 3 runs each, a drop of one case from 100 % to 60 % goes unnoticed in ")


def test_a_single_failure_is_named_and_does_not_count():
    found = lines([case(1, 1)], [case(0, 1)])
    assert found[0] == "! not confirmed: T0: 1 of 1 passed before, 0 of 1 now; one failure does not count"
    assert found[1] == "no regression: 1 case compared"


def test_new_and_changed_cases_are_named_only_when_they_do_not_pass():
    found = lines([case(3, 3, 1)], [case(0, 3), case(3, 3, 2), case(1, 3, 1, content="other")])
    assert [line for line in found if line.startswith("✗")] == [
        "✗ new, not compared, does not pass: T0: 0 of 3 now",
        "✗ changed since the baseline, not compared, does not pass: T1: 3 of 3 passed before, 1 of 3 now",
    ]


def test_what_could_not_be_judged_and_what_did_not_run():
    found = lines([case(3, 3), case(3, 3, 1)], [case(0, 0, broken=2)])
    assert "✗ could not be judged: T0 (2 broken attempts)" in found
    assert any("1 case of the baseline did not run" in line for line in found)


def test_a_repaired_case_is_told():
    assert lines([case(0, 30)], [case(30, 30)])[0] == "✓ fixed: T0: 0 of 30 passed before, 30 of 30 now"
