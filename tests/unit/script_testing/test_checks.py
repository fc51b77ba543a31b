"""`t.assert_`: when each check holds, and what it says when it does not."""

from typing import Any

import pytest
from tests.fakes.script_tests import FakeAgents, run_alone

from vivavoce.errors import CallFailed
from vivavoce.model.verdict import Outcome
from vivavoce.script_testing.checks import SPELLINGS, Checks
from vivavoce.script_testing.record import CheckRecord


async def made(name: str, *args: Any, agents: FakeAgents | None = None) -> CheckRecord:
    """What one check noted."""

    def test_it(t: Any) -> None:
        held = getattr(t.assert_, name)(*args)
        t.log(held)

    record = await run_alone(test_it, agents)
    assert record.error is None
    (noted,) = record.checks
    assert record.logs == (str(noted.outcome is Outcome.PASSED),)
    return noted


HOLD: list[tuple[Any, ...]] = [
    ("true", True),
    ("false", False),
    ("equal", {"a": [1, 2]}, {"a": [1.0, 2]}),
    ("equal", {1, 2}, {2, 1}),
    ("not_equal", 1, True),
    ("nil", None),
    ("not_nil", 0),
    ("contains", "hello", "ell"),
    ("contains", [1, {"a": 1}], {"a": 1.0}),
    ("contains", {"key": 1}, "key"),
    ("not_contains", "hello", "x"),
    ("not_contains", [1], True),
    ("len", "abc", 3),
    ("len", {"a": 1}, 1),
    ("greater", 2, 1.5),
    ("less", "a", "b"),
    ("matches", "order 42", r"\d+$"),
    ("matches", {"b": 1, "a": 2}, '^{"a":2'),
    ("json_path", {"a": {"b": 3}}, "$.a.b", 3),
    ("json_path", 'Sure: {"a": [1, 2]}', "a[1]", [2, 5]),
    ("json_path", {"a": None}, "a"),
    ("type", 1, "number"),
    ("type", None, "null"),
    ("throws", lambda: 1 / 0),
    ("throws", lambda: [][1], "out of range"),
]
FAIL: list[tuple[Any, ...]] = [
    ("wanted true, got 1", "true", 1),
    ("wanted false, got null", "false", None),
    ("wanted 2, got 1", "equal", 1, 2),
    ('wanted "1", got 1', "equal", 1, "1"),
    ("both are [1]", "not_equal", [1], [1]),
    ("wanted null, got 0", "nil", 0),
    ("got null", "not_nil", None),
    ('"x" is not in "hello"', "contains", "hello", "x"),
    ('"a" is not in null', "contains", None, "a"),
    ('"ell" is in "hello"', "not_contains", "hello", "ell"),
    ('"a" cannot be in null', "not_contains", None, "a"),
    ("wanted length 2, got 3", "len", [1, 2, 3], 2),
    ("5 has no length", "len", 5, 1),
    ("wanted more than 2, got 2", "greater", 2, 2),
    ('wanted more than 1, got "2"', "greater", "2", 1),
    ("wanted less than 1, got 1", "less", 1, 1),
    ('/^b/ is not in "abc"', "matches", "abc", "^b"),
    ("$.a is 1, wanted 2", "json_path", {"a": 1}, "$.a", 2),
    ("$.b is missing", "json_path", {"a": 1}, "$.b"),
    ("no JSON", "json_path", "prose", "$.b"),
    ('wanted type number, got string: "1"', "type", "1", "number"),
    ("nothing was raised, it returned 5", "throws", lambda: 5),
    ("wanted an error with 'full', got IndexError", "throws", lambda: [][1], "full"),
]


@pytest.mark.parametrize("args", HOLD, ids=lambda args: str(args[0]))
async def test_a_check_holds(args: tuple[Any, ...]):
    assert (await made(*args)).outcome is Outcome.PASSED


@pytest.mark.parametrize("args", FAIL, ids=lambda args: str(args[0]))
async def test_a_check_fails_and_says_what_it_saw(args: tuple[Any, ...]):
    reason, *called = args
    noted = await made(*called)
    assert noted.outcome is Outcome.FAILED
    assert reason in noted.reason


@pytest.mark.parametrize(
    ("reason", "args"),
    [
        ("bad regex", ("matches", "x", "(")),
        ("no JSON type 'int'", ("type", 1, "int")),
        ("bad JSON path", ("json_path", {}, "$[")),
        ("$ is of type object, which is not JSON", ("json_path", object(), "$")),
    ],
)
async def test_a_check_that_cannot_be_made_is_broken(reason: str, args: tuple[Any, ...]):
    noted = await made(*args)
    assert (noted.outcome, noted.fault) == (Outcome.BROKEN, "test")
    assert reason in noted.reason


async def test_the_message_of_a_failed_check_comes_first():
    assert (await made("equal", 1, 2, "the amount")).reason == "the amount: wanted 2, got 1"


@pytest.mark.parametrize("name", [*SPELLINGS, "True_", "False_", "jsonpath", "notNil"])
async def test_every_spelling_is_understood(name: str):
    found: list[Any] = []

    def test_it(t: Any) -> None:
        found.extend(getattr(getattr(t, checks), name) for checks in ("assert_", "assert", "check"))

    assert (await run_alone(test_it)).error is None
    assert all(callable(method) for method in found)


def test_the_specification_and_the_methods_name_the_same_checks():
    methods = {name for name in vars(Checks) if not name.startswith("_")} - {"all_made"}
    assert {name.replace("_", "") for name in methods} == {name.lower() for name in SPELLINGS}


async def test_a_check_that_does_not_exist_is_an_error_with_the_nearest_that_does():
    def test_it(t: Any) -> None:
        t.assert_.Equals(1, 1)

    record = await run_alone(test_it)
    assert "there is no check 'Equals' (did you mean 'Equal'?)" in str(record.error)


async def test_checks_know_their_line():
    def test_it(t: Any) -> None:
        t.assert_.equal(1, 1)
        t.assert_.JSONPath({}, "$.a")
        t.fatal("enough")

    first = test_it.__code__.co_firstlineno
    record = await run_alone(test_it)
    assert [check.line - first for check in record.checks] == [1, 2, 3]


# ── the judge ──


async def test_the_judge_is_asked_as_the_agent_assertion_asks():
    judge = FakeAgents('{"passed": true, "score": 0.9, "reason": "polite"}')
    noted = await made("Agent", "Hello!", "workers.validator", {"metadata": {"criteria": "is polite"}}, agents=judge)
    ((ref, messages, options, _),) = judge.asked
    assert ref == "agents:workers.validator"
    assert '"criteria":"is polite"' in messages[0].text
    assert '"output":"Hello!"' in messages[0].text
    assert options.metadata["test_mode"] == "validator"
    assert (noted.check, noted.outcome, noted.reason) == ("Agent", Outcome.PASSED, "polite")


async def test_a_judge_that_says_no_is_a_failure():
    noted = await made("agent", "x", "v", "polite", agents=FakeAgents('{"passed": false, "reason": "rude"}'))
    assert (noted.outcome, noted.reason) == (Outcome.FAILED, "rude")


@pytest.mark.parametrize("reply", ["prose", '{"passed": "true"}', CallFailed("down", fault="target")])
async def test_a_judge_that_fails_is_broken_and_to_blame(reply: str | Exception):
    noted = await made("agent", "x", "v", "polite", agents=FakeAgents(reply))
    assert (noted.outcome, noted.fault) == (Outcome.BROKEN, "judge")


async def test_a_misspelt_option_of_the_judge_is_broken():
    noted = await made("agent", "x", "v", {"metdata": {}})
    assert noted.outcome is Outcome.BROKEN
    assert "metdata" in noted.reason


async def test_an_async_test_awaits_the_judge():
    judge = FakeAgents('{"passed": true, "reason": "fine"}')

    async def test_it(t: Any) -> None:
        t.log(await t.assert_.Agent("x", "v", "polite"))

    record = await run_alone(test_it, judge)
    assert record.logs == ("True",)
    assert [check.outcome for check in record.checks] == [Outcome.PASSED]


async def test_a_judge_nobody_awaited_counts_all_the_same():
    judge = FakeAgents('{"passed": false, "reason": "rude"}')

    async def test_it(t: Any) -> None:
        t.assert_.Agent("x", "v", "polite")

    assert [check.reason for check in (await run_alone(test_it, judge)).checks] == ["rude"]
