"""Where the tests of a module are: tests/unit/<room>/test_<module>.py, or the file this page names.

A command is tested as the process it is: `cli/commands/NAME.py` in tests/cli/test_NAME.py.
"""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src" / "vivavoce"
MIRRORED = ("assertions", "metering", "model", "net", "speakers", "wording")
"""Rooms in which every module has a test file of its own, but for those below."""
ELSEWHERE = {
    "app/listening.py": "unit/app/test_examine.py",
    "assertions/criteria.py": "unit/assertions/test_agent.py",
    "assertions/off_loop.py": "unit/assertions/test_containing.py",
    "assertions/request_digest.py": "unit/engine/test_rejudge.py",
    "assertions/strict_options.py": "unit/assertions/test_agent.py",
    "assertions/unread_calls.py": "unit/assertions/test_tool_rules.py",
    "model/agent_card.py": "unit/engine/plan/test_prompt_checks.py",
    "model/contender.py": "unit/results/contest/test_contest.py",
    "model/coverage.py": "unit/insight/coverage/test_tally.py",
    "model/events.py": "unit/engine/test_run.py",
    "model/evidence.py": "contract/test_assertion_contract.py",
    "model/interventions.py": "unit/sight/proxy/test_sending.py",
    "model/tapes.py": "unit/sight/tapes/test_tape_writing.py",
    "model/model_exchange.py": "unit/sight/faults/test_failing.py",
    "model/mutant_kinds.py": "unit/insight/mutants/test_survival.py",
    "model/planned_fault.py": "unit/sight/faults/test_schedule.py",
    "model/tool_answer.py": "unit/sight/faults/test_failing.py",
    "model/verdict.py": "unit/engine/attempt/test_outcome.py",
    "model/watch.py": "unit/engine/test_watching.py",
    "net/http_failures.py": "unit/net/test_http_connection.py",
    "project/report_formats.py": "unit/plugins/test_catalog.py",
    "project/output_options.py": "unit/project/test_run_options.py",
    "project/selecting_options.py": "unit/project/test_run_options.py",
    "project/settings.py": "unit/configuration/test_config_check.py",
    "protocols.py": "contract/target_contract.py",
    "results/wire.py": "unit/results/test_rows.py",
}
"""Modules with nothing but data, or that only one other module uses: where they are tested."""
LONG = 60
"""Lines from which a module of any other room must have a test file of its own."""


def has_own_test(module: Path) -> bool:
    place = module.relative_to(SRC)
    name = f"test_{place.stem}.py"
    as_process = place.parts[0] == "cli" and (ROOT / "tests" / "cli" / name).exists()
    return as_process or (ROOT / "tests" / "unit" / place.parent / name).exists()


def without_own_test() -> set[str]:
    modules = [path for path in SRC.rglob("*.py") if path.name != "__init__.py" and "examples" not in path.parts]
    return {str(path.relative_to(SRC)) for path in modules if not has_own_test(path)}


@pytest.mark.parametrize("room", MIRRORED)
def test_every_module_of_a_room_has_tests_where_one_looks_first(room: str):
    missing = {name for name in without_own_test() if name.startswith(f"{room}/")}
    assert missing - ELSEWHERE.keys() == set(), (
        "write tests/unit/<room>/test_<module>.py, or name the file in ELSEWHERE"
    )


def test_a_long_module_has_tests_where_one_looks_first():
    long = {name for name in without_own_test() if len((SRC / name).read_text().splitlines()) >= LONG}
    assert long - ELSEWHERE.keys() == set(), "write tests/unit/<room>/test_<module>.py"


def test_a_module_that_is_said_to_be_tested_elsewhere_has_no_test_file_of_its_own():
    assert ELSEWHERE.keys() - without_own_test() == set(), "take these out of ELSEWHERE"


@pytest.mark.parametrize("test", sorted(set(ELSEWHERE.values())))
def test_the_files_named_here_exist(test: str):
    assert (ROOT / "tests" / test).is_file()
