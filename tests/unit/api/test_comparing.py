"""`vivavoce.compare`: several live agents with the same cases."""

import pytest

import vivavoce

CASES = [{"id": f"T{n}", "input": f"q{n}", "assert": {"type": "contains", "value": "yes"}} for n in range(4)]


def always(text: str) -> str:
    return "yes"


def seldom(text: str) -> str:
    return "yes" if text == "q0" else "no"


def test_standings_differences_and_matrix_come_back():
    report = vivavoce.compare(CASES, agents=[always, seldom], runs=3)
    assert [(one.label, one.passed) for one in report.standings] == [("always", 4), ("seldom", 1)]
    assert [one.measure for one in report.differences if one.real] == ["passed"]
    assert [row.id for row in report.matrix if row.differs] == ["T1", "T2", "T3"]
    assert not report.passed
    assert {result.case.agent for result in report.failures} == {"seldom"}


def test_options_for_one_agent_are_refused_as_python_does():
    with pytest.raises(TypeError, match="unexpected keyword argument 'agent'"):
        vivavoce.compare(CASES, agents=[always, seldom], agent="x")


def test_one_agent_is_nothing_to_compare():
    with pytest.raises(vivavoce.UsageError, match="only one agent"):
        vivavoce.compare(CASES, agents=[always])
    with pytest.raises(vivavoce.UsageError, match="no agents were given"):
        vivavoce.compare(CASES, agents=[])
