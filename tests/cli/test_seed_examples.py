"""The requirement documents' own examples, run end to end on the embedded connector."""

import shutil
from pathlib import Path

import pytest
from tests.cli.conftest import VivaProject

pytestmark = pytest.mark.process

SEEDS = Path(__file__).parents[1] / "data" / "seeds"

EXPENSE_RULES = """
rules:
  - after_tool: create_expense
    when: "(?i)confirm|^yes"
    say: "Expense submitted. Reference: EXP-2025-001"
  - after_tool: create_expense
    say: "Created. The amount is filed; please confirm that it may be submitted."
    awaiting_input: true
  - {when: "(?i)receipt", say: "The amount on the receipt is $150."}
  - {when: "(?i)\\\\$100,000", say: "This requires manager approval. Please provide PO number."}
  - {when: "(?i)^yes|confirm", call: {name: create_expense, args: {amount: 3500, type: travel}}}
  - {when: "(?i)travel|dinner", call: {name: create_expense, args: {amount: 3500, type: travel}}}
  - {when: "(?i)expense", say: "What type of expense would you like to submit?", awaiting_input: true}
  - {when: "(?i)hello", say: "Hi! How can I help you today?"}
otherwise: "Noted."
"""

USER_RULES = r"""
rules:
  - {when: '"turn_number":\s*1\b', data: {input: "Help me file an expense", goal_achieved: false}}
  - {when: '"last_response":\s*"[^"]*type of expense', data: {input: "Travel expense, $3500", goal_achieved: false}}
  - {when: '"last_response":\s*"[^"]*please confirm', data: {input: "Yes, confirm", goal_achieved: false}}
otherwise: {data: {input: "", goal_achieved: true, reasoning: "Expense submitted"}}
"""

JUDGE_RULES = """
rules:
  - {when: "helpful", data: {passed: true, score: 0.95, reason: "Response is helpful", suggestions: []}}
otherwise: {data: {passed: true, reason: "polite, and the amount is there"}}
"""

CREATE_EXPENSE = '''
def create_expense(amount: float, type: str) -> dict:
    """Create an expense."""
    return {"expense": {"amount": amount, "type": type, "status": "submitted"}, "message": "filed"}
'''


@pytest.fixture
def seeds(project: VivaProject) -> VivaProject:
    """A project in which every agent, script and file that the documents name exists."""
    for name, rules in (("openai-gpt4", EXPENSE_RULES), ("user", USER_RULES), ("judge", JUDGE_RULES)):
        project.write(f"connectors/{name}.conn.yao", f'{{"type": "scripted", "options": {{"rules": "{name}.yaml"}}}}')
        project.write(f"connectors/{name}.yaml", rules)
    for name, connector in (
        ("expense", "openai-gpt4"),
        ("workers/test/user-simulator", "user"),
        ("workers/test/user-sim", "user"),
        ("workers/test/validator", "judge"),
    ):
        project.write(f"assistants/{name}/package.yao", f'{{"name": "{name}", "connector": "{connector}"}}')
        project.write(f"assistants/{name}/prompts.yml", "- {role: system, content: You are in a test.}\n")
    project.write("assistants/expense/src/tools.py", CREATE_EXPENSE)
    project.write(
        "scripts/tests/validate_expense.py",
        "def validate_expense(output, input, expected, ctx):\n"
        "    assert ctx['metadata']['min_amount'] == 100\n"
        "    return {'pass': 'Hi' in output, 'message': 'greeted'}\n",
    )
    for folder in ("tests/fixtures", "fixtures"):
        project.write(f"{folder}/receipt.jpg", b"\xff\xd8\xff\xe0JPEG")
    project.write("viva.yaml", "agent: expense\n")
    for path in SEEDS.iterdir():
        shutil.copy(path, project.root / path.name)
    return project


@pytest.mark.parametrize(
    ("name", "statuses"),
    [
        ("003_compatible", {"T001": "passed", "T001-equivalent": "passed"}),
        ("004_compatible", {"T001": "passed", "T001-equivalent": "passed"}),
        ("004_single_turn", {"T001": "passed"}),
        ("004_options", {"T001": "passed"}),
        ("003_dynamic", {"T004": "passed"}),
        ("004_multi_turn", {"T001": "passed"}),
        ("004_hybrid", {"hybrid": "passed"}),
        ("004_attachments", {"T001": "passed"}),
    ],
)
def test_documented_outcomes(seeds: VivaProject, name: str, statuses: dict[str, str]):
    done = seeds.viva("test", "-i", f"{name}.jsonl", "-o", "out.jsonl")
    assert seeds.statuses() == statuses, done.out


def test_the_history_cases_pass(seeds: VivaProject):
    done = seeds.viva("test", "-i", "003_history.jsonl", "-o", "out.jsonl")
    assert done.code == 0, done.out
    assert {"T001", "T002", "expense-turn1", "expense-turn2", "expense-turn3"} <= set(seeds.statuses())


def test_validators_and_scripts_judge(seeds: VivaProject):
    done = seeds.viva("test", "-i", "003_helpers.jsonl", "-o", "out.jsonl")
    assert done.code == 0, done.out
    row = next(row for row in seeds.rows() if row.get("id") == "validator")
    assert row["assertions"][0]["score"] == 0.95


def test_the_simulated_turns_of_the_hybrid_come_after_the_static_ones(seeds: VivaProject):
    seeds.viva("test", "-i", "004_hybrid.jsonl", "-o", "out.jsonl")
    [row] = [row for row in seeds.rows() if row["type"] == "result"]
    sources = [turn["input_source"] for turn in row["turns"]]
    assert sources[:2] == ["static", "static"]
    assert set(sources[2:]) == {"simulator"}


def test_the_large_expense_is_skipped_with_the_documents_words(seeds: VivaProject):
    seeds.cases(
        {"id": "T002", "name": "Large Expense Approval", "turns": [{"input": "Submit $100,000 equipment purchase"}]}
    )
    done = seeds.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    assert done.code == 0
    for words in (
        "Turn 2: SKIPPED",
        "Reason: Agent awaiting input, no next turn defined",
        "Agent asked:",
        "Hint: Add more turns, use --interactive, or configure simulator",
        "Result: SKIPPED",
    ):
        assert words in done.out
    assert seeds.statuses() == {"T002": "skipped"}


def test_rows_have_the_documents_fields(seeds: VivaProject):
    seeds.viva("test", "-i", "003_dynamic.jsonl", "-i", "004_multi_turn.jsonl", "-o", "out.jsonl")
    rows = {row["id"]: row for row in seeds.rows() if row["type"] == "result"}
    dynamic, static = rows["T004"], rows["T001"]
    assert [c["id"] for c in dynamic["checkpoints"]] == ["ask_type", "call_create", "confirm"]
    assert all(c["passed"] and c["reached_at_turn"] for c in dynamic["checkpoints"])
    assert dynamic["total_turns"] == len(dynamic["turns"])
    assert static["final_assertions"][0]["passed"] is True
    assert {"turn", "input", "input_source", "output", "awaiting_input", "assertions", "duration_ms"} <= set(
        static["turns"][0]
    )
    assert static["turns"][2]["tool_calls"][0]["name"] == "create_expense"


def test_the_case_can_ask_for_less_than_a_broken_agent_gives(seeds: VivaProject):
    """Seed 003: max turns, and a simulator that is satisfied too early."""
    base = {
        "simulator": {"use": "workers.test.user-simulator"},
        "checkpoints": [{"id": "never", "assertion": {"type": "contains", "value": "∅"}}],
    }
    seeds.cases({"id": "short", **base, "max_turns": 2}, {"id": "goal", **base})
    seeds.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    errors = {row["id"]: row["error"] for row in seeds.rows() if row["type"] == "result"}
    assert errors == {"short": "max turns (2) exceeded", "goal": "missing checkpoints: never (goal achieved)"}
