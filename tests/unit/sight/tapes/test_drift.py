"""What the end of a replayed attempt says, and the run as a whole."""

from pathlib import Path

import pytest
from tests.unit.sight.tapes.test_attempt_tape import asked, recorded

from vivavoce.sight.tapes.attempt_tape import AttemptTape
from vivavoce.sight.tapes.drift import Drift
from vivavoce.sight.tapes.normalising import Normaliser
from vivavoce.sight.tapes.tape_settings import DriftRule


def replayed(folder: Path, *said: tuple[str, str]) -> AttemptTape:
    attempt_tape = AttemptTape("case", 1, normaliser=Normaliser(), tape=recorded(folder, "hi"), key="a.jsonl::case")
    for one, system in said:
        attempt_tape.answer_to(asked(one, system))
    return attempt_tape


def test_what_fits_says_nothing(tmp_path: Path):
    drift = Drift("fail", 30)
    end = drift.ended(replayed(tmp_path, ("hi", "Be a shop.")))
    assert (end.problem, end.warnings, drift.report(), drift.stale) == (None, (), [], set())


@pytest.mark.parametrize(
    ("rule", "fails", "warns"), [("warn", False, True), ("fail", True, False), ("ignore", False, False)]
)
def test_a_changed_system_prompt_does_what_the_rule_says(tmp_path: Path, rule: DriftRule, fails: bool, warns: bool):
    drift = Drift(rule, 30)
    end = drift.ended(replayed(tmp_path, ("hi", "Be a bank.")))
    assert (end.problem is not None, bool(end.warnings)) == (fails, warns)
    assert bool(drift.report()) == (rule != "ignore")
    assert drift.stale == {"a.jsonl::case"}


def test_a_miss_is_a_problem_under_every_rule(tmp_path: Path):
    drift = Drift("ignore", 30)
    end = drift.ended(replayed(tmp_path, ("bye", "Be a shop.")))
    assert end.problem is not None
    assert "no recording fits" in end.problem
    assert drift.stale == {"a.jsonl::case"}


def test_an_agent_of_which_no_call_was_seen_is_a_problem(tmp_path: Path):
    end = Drift("warn", 30).ended(replayed(tmp_path))
    assert end.problem is not None
    assert "viva saw none" in end.problem


def test_the_report_counts_attempts_and_shows_the_first_difference(tmp_path: Path):
    drift = Drift("warn", 30)
    drift.ended(replayed(tmp_path, ("hi", "Be a bank.")))
    (line,) = drift.report()
    assert line.startswith("tapes: the system prompt changed in 1 of 1 attempt: ")
    assert "bank" in line
