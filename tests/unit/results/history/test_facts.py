"""The facts of a case: what is remembered of a result, live or read back."""

from random import Random

import msgspec
import pytest
from msgspec import structs
from tests.fakes import results
from tests.fakes.any_struct import any_struct
from tests.fakes.random_values import at_most
from tests.fakes.results import plain, run_info, with_history

from vivavoce.model.result import AgentVersion, Attempt, CaseResult, Status
from vivavoce.results.history.facts import case_hash, facts_in, facts_of, packed_attempts, unpacked_attempts
from vivavoce.results.result_file import result_in
from vivavoce.results.rows import result_row, row_line
from vivavoce.results.wire import ResultRow

INFO = structs.replace(
    run_info(1),
    agent_id="shop",
    revision="c0ffee",
    agents={"shop": AgentVersion(configuration="c1", source="s1"), "other": AgentVersion(configuration="c2")},
)


@pytest.mark.parametrize("make", [plain, with_history, results.wrong_argument])
def test_a_result_read_back_has_the_same_facts(make):
    result: CaseResult = make()
    facts = facts_of(INFO, result)
    assert facts is not None
    assert facts == facts_of(INFO, result_in(row_line(result).rstrip(b"\n"))) == facts_in(INFO, result_row(result))
    assert unpacked_attempts(packed_attempts(facts.attempts)) == facts.attempts


@pytest.mark.parametrize("seed", range(at_most(200)))
def test_any_line_at_all_gives_the_facts_of_its_result(seed: int):
    rng = Random(seed)
    attempts = tuple(any_struct(Attempt, rng) for _ in range(rng.randrange(1, 4)))
    line = row_line(any_struct(CaseResult, rng, attempts=attempts)).rstrip(b"\n")
    assert facts_in(INFO, msgspec.json.decode(line, type=ResultRow)) == facts_of(INFO, result_in(line))


def test_facts_hold_counts_tokens_and_what_was_examined():
    facts = facts_of(INFO, with_history())
    assert facts is not None
    assert (facts.passed, facts.runs, facts.revision) == (1, 1, "c0ffee")
    assert (facts.attempts[0].tokens, facts.attempts[0].cost) == (876, 0.0031)
    assert facts.content == (facts.case_hash, "c1", "s1")


def test_a_case_of_another_agent_has_that_agents_hashes_which_may_be_unknown():
    info = structs.replace(INFO, agent_of={"tests/expense.jsonl": "other"})
    facts = facts_of(info, plain())
    assert facts is not None
    assert (facts.agent, facts.configuration_hash, facts.source_hash) == ("other", "c2", None)


def test_what_was_never_judged_has_no_facts():
    result = plain()
    skipped = structs.replace(result.attempts[0], status=Status.SKIPPED)
    assert facts_of(INFO, structs.replace(result, status=Status.SKIPPED, attempts=(skipped,))) is None


def test_a_new_name_or_more_runs_are_the_same_case_and_another_check_is_not():
    case = plain().case
    assert case_hash(structs.replace(case, name="new", tags=("x",), runs=5, min_pass=3)) == case_hash(case)
    assert case_hash(structs.replace(case, assertions=())) != case_hash(case)
