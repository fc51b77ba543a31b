"""AWS Agent Evaluation: `agenteval.yml` with the steps of a user and the expected results."""

from collections.abc import Iterator
from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.imports.case_pieces import judge_check, simulator, texts
from vivavoce.imports.foreign_files import read_yaml_1_1
from vivavoce.imports.found import Checks, FoundCase, ImportOptions, Refused
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonObject, is_object, object_in, text_of

_OF_A_TEST = frozenset({"steps", "expected_results", "initial_prompt", "max_turns", "hook", "target", "evaluator"})


def read(path: Path, options: ImportOptions) -> Iterator[FoundCase | Refused]:
    """A case for each test."""
    plan = read_yaml_1_1(path)
    tests = object_in(plan, "tests") if is_object(plan) else {}
    if not tests:
        raise UsageError("no `tests` in it: this is not an agenteval.yml", at=str(path))
    for name, test in tests.items():
        at = Origin(str(path), 0)
        if not is_object(test) or not texts(test.get("steps")):
            yield Refused(what=f"{name}: no steps", at=at)
            continue
        checks = Checks()
        checks.leave_out_unknown(test, _OF_A_TEST)
        for words in texts(test.get("expected_results")):
            checks.take(judge_check(words))
        goal = " ".join(f"{number}. {step}" for number, step in enumerate(texts(test.get("steps")), 1))
        case: JsonObject = {"id": name}
        if test.get("initial_prompt"):
            case["input"] = text_of(test["initial_prompt"])
        case |= {"type": "multi_turn", "simulator": simulator(goal)}
        if isinstance(test.get("max_turns"), int):
            case["max_turns"] = test["max_turns"]
        if test.get("hook"):
            checks.leave_out(f"the hook {text_of(test['hook'])} is Python of your own: write it as `before` or `after`")
        case["final_assertions"] = checks.assertions
        yield FoundCase(case=case, at=at, remarks=tuple(checks.remarks))
