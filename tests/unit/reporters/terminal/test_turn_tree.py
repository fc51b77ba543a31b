"""A conversation as a tree: turns, what was not taken, checkpoints, the end."""

from typing import Any

import pytest
from msgspec import structs
from tests.fakes.result_builders import attempt, call, case, failed, passed, result, spec, turn

from vivavoce.model.case import SimulatorSpec
from vivavoce.model.result import Attempt, CheckpointOutcome, Status
from vivavoce.model.transcript import Ending, EndReason
from vivavoce.reporters.terminal.style import Look
from vivavoce.reporters.terminal.turn_tree import tree_lines, tree_title

GREETS = spec("contains", value="hello")


def tree(of: Attempt, *, width: int = 80, verbose: bool = False, **fields: Any) -> list[str]:
    return tree_lines(case("T1", "hi", "ho", **fields), of, Look(width=width, verbose=verbose))


def title(width: int = 80, **fields: Any) -> str:
    two = attempt(turn(1, "hi", "x"), turn(2, "ho", "y"))
    return tree_title(result(case("T1", "hi", "ho", **fields), two), Look(width=width))


def test_the_title_counts_turns_or_names_the_simulator():
    assert title() == '► [T1] "hi" (2 turns)'
    assert title(simulator=SimulatorSpec(use="agents:tester")) == '► [T1] "hi" (simulator: tester)'
    assert title(width=18) == '► [T1] "hi"', "what does not fit is left out"


def test_a_turn_has_its_line_its_state_and_what_the_agent_did():
    shown = tree(attempt(turn(1, "hi", "Paid.", calls=(call("pay", {"n": 1}),), verdicts=(passed(GREETS),))))
    assert shown[0] == '  ├─ Turn 1: "hi" → PASSED (2s)'
    assert shown[1].startswith("  │          Agent: [tool: pay(")
    assert '"Paid."' in shown[2]
    assert shown[-1] == "  └─ Result: PASSED (1s)"


@pytest.mark.parametrize(
    ("source", "simulated", "said"),
    [
        ("static", False, 'Turn 1: "hi"'),
        ("static", True, 'Turn 1: [Initial] "hi"'),
        ("simulator", True, "[Simulated] "),
        ("interactive", False, "[Human] "),
    ],
)
def test_who_spoke_is_said_when_it_was_not_the_script(source: str, simulated: bool, said: str):
    fields = {"simulator": SimulatorSpec(use="agents:tester")} if simulated else {}
    assert said in tree(attempt(turn(1, "hi", "x", source=source)), **fields)[0]


def test_a_turn_nobody_took_says_why_what_was_asked_and_what_helps():
    skipped = attempt(
        turn(1, "hi", "Fine. Which product? I wait.", awaiting=True),
        status=Status.SKIPPED,
        error="no next turn",
        ending=Ending(EndReason.MISSING_INPUT_SKIP, "no terminal"),
    )
    text = "\n".join(tree(skipped))
    for piece in (
        "Turn 2: SKIPPED",
        "Reason: no next turn",
        'Agent asked: "Which product?"',
        "Hint: Add more turns, run it in a terminal",
    ):
        assert piece in text


def test_checkpoints_are_counted_with_where_and_how_near():
    outcomes = (
        CheckpointOutcome(id="asks", reached_at_turn=1),
        CheckpointOutcome(id="pays", required=True, nearest_miss="turn 2 said no"),
        CheckpointOutcome(id="thanks", required=False),
    )
    text = "\n".join(tree(attempt(turn(1, "hi", "x"), checkpoints=outcomes)))
    assert "├─ Checkpoints: 1/3 reached" in text
    for piece in (
        "✓ asks (turn 1)",
        "✗ pays: not reached",
        "nearest: turn 2 said no",
        "○ thanks (optional): not reached",
    ):
        assert piece in text


def test_a_checkpoint_that_a_judge_refused_has_its_criteria_and_score():
    rude = failed(spec("agent", use="viva.validator", value="is polite"), "it was rude")
    polite = structs.replace(rude, score=0.3)
    missed = CheckpointOutcome(
        id="polite", description="The agent is polite", nearest_miss="it was rude", verdicts=(polite,)
    )
    shown = [line.strip(" │") for line in tree(attempt(turn(1, "hi", "x"), checkpoints=(missed,)))]
    at = shown.index("✗ polite: The agent is polite: not reached")
    assert shown[at + 1 : at + 3] == ['✗ agent viva.validator: "is polite"', "it was rude (score 0.3)"]
    assert not any("nearest:" in line for line in shown), "the same words once"


def test_the_end_has_the_final_checks_and_after_a_failure_where_it_is_written():
    good = tree(attempt(turn(1, "hi", "x"), final_verdicts=(passed(GREETS),)))
    assert any(line.startswith("  └─ Final Assertions: PASSED") for line in good)
    bad = attempt(turn(1, "hi", "x"), status=Status.FAILED, final_verdicts=(failed(GREETS, "no hello"),))
    text = "\n".join(tree(bad, at="a.jsonl:7"))
    assert "└─ Result: FAILED" in text
    assert "a.jsonl:7" in text


def test_a_fault_that_is_not_the_agents_is_named():
    text = "\n".join(tree(attempt(turn(1, "hi", "x"), status=Status.ERROR, fault="judge", error="no judge")))
    assert "fault: judge" in text
    assert "no judge" in text


@pytest.mark.parametrize("width", [40, 80, 160])
def test_nothing_is_wider_than_the_terminal(width: int):
    long = attempt(turn(1, "x" * 400, "y" * 400, calls=(call("pay", {"what": "z" * 400}),)), turn(2, "a", "b"))
    assert max(map(len, tree(long, width=width))) <= width
