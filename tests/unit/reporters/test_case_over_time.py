"""One case over time, wide and narrow."""

from msgspec import structs
from tests.unit.insight.test_flakiness import attempt, result

from vivavoce.model.result import Status
from vivavoce.reporters.case_over_time import case_history_lines
from vivavoce.results.history.facts import AttemptFact, CaseFacts

COSTLY = AttemptFact(Status.PASSED, None, 1_200.0, 800, 76, 0.0031)


def facts() -> list[CaseFacts]:
    first = result(1, 1_000, (attempt(True), attempt(False)), "old")
    second = structs.replace(result(1, 2_000, (COSTLY,), "new"), case_hash="other", dirty=True, title="try  one")
    return [structs.replace(first, revision="c0ffee1234"), structs.replace(second, revision="c0ffee5678")]


def test_the_newest_stands_first_with_what_changed_before_it():
    lines = list(case_history_lines(facts(), 20, 140))
    assert lines[:2] == ["a.jsonl::T001 (shop)", "2 of 3 runs passed (95 % interval 21–94 %)"]
    assert lines[2].split() == ["STARTED", "RESULT", "FAULT", "CHANGED", "TIME", "TOKENS", "COST", "COMMIT", "TITLE"]
    assert lines[3].split()[2:] == [
        "1/1",
        "passed",
        "case,",
        "code",
        "1.2s",
        "876",
        "$0.0031",
        "c0ffee5*",
        "try",
        "one",
    ]
    assert lines[4].split()[2:] == ["1/2", "passed", "agent", "0ms", "c0ffee1"]
    assert lines[3].index("1/1") == lines[4].index("1/2") == lines[2].index("RESULT")


def test_a_narrow_terminal_leaves_out_what_matters_least():
    lines = list(case_history_lines(facts(), 20, 60))
    assert max(map(len, lines)) <= 60
    assert lines[2].split() == ["STARTED", "RESULT", "FAULT", "CHANGED", "COMMIT"]
    tiny = list(case_history_lines(facts(), 20, 33))
    assert max(map(len, tiny)) <= 33
    assert "1/2 passed" in tiny[-1]


def test_only_so_many_are_shown_and_each_agent_has_its_own_list():
    other = [structs.replace(one, agent="other") for one in facts()]
    lines = list(case_history_lines([*facts(), *other], 1, 140))
    assert [line for line in lines if "passed" in line and "/" in line and "1/2" in line] == []
    assert "a.jsonl::T001 (other)" in lines
    assert lines[4] == ""
