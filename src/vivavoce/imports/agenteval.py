"""AWS Agent Evaluation: `agenteval.yml` with steps that a user takes and results that are expected."""

from collections.abc import Iterator
from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.imports.foreign_files import read_yaml_1_1
from vivavoce.imports.found import Checks, FoundCase, ImportOptions, Refused
from vivavoce.imports.shapes import judged, simulated, texts
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonObject, is_object, object_in, text_of


def read(path: Path, options: ImportOptions) -> Iterator[FoundCase | Refused]:
    """A case for each test."""
    plan = read_yaml_1_1(path)
    tests = object_in(plan, "tests") if is_object(plan) else {}
    if not tests:
        raise UsageError("no `tests` in it: this is no agenteval.yml", at=str(path))
    for name, test in tests.items():
        at = Origin(str(path), 0)
        if not is_object(test) or not texts(test.get("steps")):
            yield Refused(what=f"{name}: no steps", at=at)
            continue
        checks = Checks()
        for words in texts(test.get("expected_results")):
            checks.take(judged(words))
        goal = " ".join(f"{number}. {step}" for number, step in enumerate(texts(test.get("steps")), 1))
        case: JsonObject = {"id": name}
        if test.get("initial_prompt"):
            case["input"] = text_of(test["initial_prompt"])
        case |= {"type": "multi_turn", "simulator": simulated(goal)}
        if isinstance(test.get("max_turns"), int):
            case["max_turns"] = test["max_turns"]
        if test.get("hook"):
            checks.leave_out(f"the hook {text_of(test['hook'])} is Python of your own: write it as `before` or `after`")
        case["final_assertions"] = checks.assertions
        yield FoundCase(case=case, at=at, remarks=tuple(checks.remarks))
