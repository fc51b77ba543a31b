"""Groups input.*, jsonl.load, input_source, timeout and the seeds' own files: what is read, and how."""

import base64
from pathlib import Path
from typing import Any

import pytest
from tests.conformance.checks import checks

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.model.message import Message
from vivavoce.notation.durations import parse_duration
from vivavoce.project.project import Project
from vivavoce.sources.decoding.attachments import load_attachments
from vivavoce.sources.decoding.case_decoder import decode_case
from vivavoce.sources.discover import sources_for
from vivavoce.sources.input_ref import classify
from vivavoce.sources.reading.jsonl import JsonlSource

Check = dict[str, Any]

SEEDS = Path(__file__).parents[1] / "data" / "seeds"
HERE = Origin("tests/inputs.jsonl", 1)


def messages_of(case: Case) -> list[Check]:
    """All an agent is given at the first turn."""
    line = case.turns[0]
    said = [*case.history, *([Message(role="user", content=line.content, name=line.name)] if line.content else [])]
    return [{"role": m.role, "content": m.content, **({"name": m.name} if m.name is not None else {})} for m in said]


@pytest.mark.parametrize("check", checks("input.parse", "input.messages_field"))
def test_input_becomes_messages(check: Check):
    fields = check.get("case") or {"id": "T", "input": check["input"]}
    if "error_contains" in check:
        with pytest.raises(UsageError) as caught:
            decode_case(fields, HERE)
        assert check["error_contains"] in str(caught.value)
    else:
        assert messages_of(decode_case(fields, HERE)) == check["messages"]


@pytest.mark.parametrize("check", checks("input.attachment"))
def test_an_attachment_becomes_a_content_part(check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name, data in check["files"].items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(base64.b64decode(data))
    cases = tmp_path / check["base_dir"] / "inputs.jsonl"
    cases.write_text("")
    monkeypatch.chdir(tmp_path)
    fields = {"id": "T", "input": {"role": "user", "content": [check["part"]]}}
    case = decode_case(fields, Origin(f"{check['base_dir']}/inputs.jsonl", 1))
    assert load_attachments(case, Project(root=tmp_path)).first_input == [check["parsed"]]


@pytest.mark.parametrize("check", checks("jsonl.load"))
def test_a_file_is_loaded_or_its_bad_line_named(check: Check, tmp_path: Path):
    file = tmp_path / "inputs.jsonl"
    file.write_text(check["text"], encoding="utf-8")
    found = list(JsonlSource(file, "inputs.jsonl").read())
    if "ids" in check:
        assert [case.id for case in found if isinstance(case, Case)] == check["ids"]
        return
    (problem,) = [item for item in found if isinstance(item, UsageError)]
    assert problem.at == Origin("inputs.jsonl", check["error_line"])
    assert check["error_contains"] in str(problem)


@pytest.mark.parametrize("check", checks("input_source"))
def test_an_input_is_told_apart(check: Check):
    ref = classify(check["input"])
    assert (ref.type, ref.value, ref.params) == (check["type"], check["value"], check["params"])


@pytest.mark.parametrize("check", checks("timeout"))
def test_a_case_has_its_own_timeout_or_the_default(check: Check):
    case = decode_case({"id": "T", "input": "a", "timeout": check["case_timeout"]}, HERE)
    assert (case.rules.timeout_s or parse_duration(check["default"])) == check["seconds"]


@pytest.mark.parametrize("check", [c for c in checks("turns") if "first_input" in c.values[0]])
def test_where_the_first_input_comes_from(check: Check):
    if check["case"].keys() >= {"input", "turns"}:
        # SPEC.md decides differently: `input` beside `turns` would never be sent, so it is refused.
        with pytest.raises(UsageError, match="exclude each other"):
            decode_case(check["case"], HERE)
        return
    assert decode_case(check["case"], HERE).first_input == check["first_input"]


SEED_FILES = {
    "000_assertions.jsonl": ["T001", "T002", "T003", "T004", "T005"],
    "000_environment.jsonl": ["T001", "T002", "T003"],
    "000_input_types.jsonl": ["T001", "T002", "T003", "T004", "T005", "T006"],
    "001_checkout.yaml": ["001_checkout"],
    "003_compatible.jsonl": ["T001", "T001-equivalent"],
    "003_dynamic.jsonl": ["T004"],
    "003_helpers.jsonl": ["validator", "script"],
    "003_history.jsonl": ["T001", "T002", "expense-turn1", "expense-turn2", "expense-turn3", "T003"],
    "004_attachments.jsonl": ["T001"],
    "004_compatible.jsonl": ["T001", "T001-equivalent"],
    "004_helpers.jsonl": ["validator", "script", "combined"],
    "004_hybrid.jsonl": ["hybrid"],
    "004_multi_turn.jsonl": ["T001"],
    "004_options.jsonl": ["T001"],
    "004_single_turn.jsonl": ["T001"],
}


def test_every_case_the_seeds_print_is_loaded_and_their_results_are_not():
    sources = sources_for([str(SEEDS)], Project(root=SEEDS))
    found = {Path(source.label).name: list(source.read()) for source in sources}
    assert {
        name: [item.id if isinstance(item, Case) else str(item) for item in items] for name, items in found.items()
    } == SEED_FILES


def seed_case(file: str, case_id: str) -> Case:
    (source,) = sources_for([f"{SEEDS / file}::{case_id}"], Project(root=SEEDS))
    (case,) = source.read()
    assert isinstance(case, Case)
    return case


def test_both_ways_to_write_a_simple_case_are_the_same():
    short, long = seed_case("003_compatible.jsonl", "T001"), seed_case("003_compatible.jsonl", "T001-equivalent")
    assert (short.turns, short.assertions) == (long.turns, long.assertions)


def test_the_dynamic_case_of_seed_003():
    case = seed_case("003_dynamic.jsonl", "T004")
    assert case.simulator is not None
    assert case.simulator.use == "agents:workers.test.user-simulator"
    assert case.simulator.options.metadata["goal"] == "Submit a $3500 travel expense"
    assert [(c.id, c.after) for c in case.checkpoints] == [
        ("ask_type", ()),
        ("call_create", ("ask_type",)),
        ("confirm", ("call_create",)),
    ]
    assert (case.rules.max_turns, case.rules.timeout_s, case.rules.multi_turn) == (10, 120, True)


def test_the_multi_turn_case_of_seed_004():
    case = seed_case("004_multi_turn.jsonl", "T001")
    assert [turn.content for turn in case.turns][-1] == "Yes, confirm"
    assert [spec.type for turn in case.turns for spec in turn.assertions] == ["contains", "tool_called", "contains"]
    assert [spec.type for spec in case.final_assertions] == ["json_path"]
    assert case.options.connector == "openai-gpt4"
    assert case.options.skip == {"history": True}
    assert case.rules.max_turns == 10
    assert (case.rules.on_missing_input, case.rules.interactive) == ("skip", False)


def test_the_checkout_test_of_seed_001():
    case = seed_case("001_checkout.yaml", "001_checkout")
    assert case.name == "checkout flow with validation"
    assert [turn.content for turn in case.turns] == [
        "I want to checkout",
        "Use the first shipping option",
        "Confirm and pay",
    ]
    assert [[spec.type for spec in turn.assertions] for turn in case.turns] == [
        ["require", "require", "max_duration_ms"],
        ["require"],
        ["require", "forbid_calls"],
    ]
    assert [spec.type for spec in case.assertions] == ["forbid", "max_duration_ms", "max_gap_ms"]
    assert case.hooks[0].cmd == ("bash", "scripts/seed-cart.sh")
    assert case.hooks[0].timeout_s == 10
