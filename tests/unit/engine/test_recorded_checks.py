"""Variables that a hook made are those of the recording."""

from pathlib import Path

import pytest
from tests.fakes.agents import FakeTarget
from tests.fakes.examining import FakeResources, case_of
from tests.fakes.recording import held

from vivavoce.engine.recorded_checks import filled_again
from vivavoce.engine.wiring import RunSettings
from vivavoce.errors import UsageError
from vivavoce.project.settings import Config

HOOK = {"hooks": [{"cmd": ["sh", "-c", 'echo \'{"ORDER": "A-17"}\'']}]}


async def test_an_unchanged_check_keeps_the_value_of_then_and_a_changed_one_is_refused(tmp_path: Path):
    case = case_of(input="hi", **HOOK, **{"assert": [{"type": "contains", "value": "${ORDER}"}]})
    live = await held(case, "order A-17", root=tmp_path)
    assert live.status.value == "passed", live.error
    resources = FakeResources({"fake": FakeTarget()}, RunSettings(), tmp_path, Config())
    assert filled_again(case, case, live, resources).assertions[0].fields == {"value": "A-17"}
    changed = case_of(input="hi", **HOOK, **{"assert": [{"type": "contains", "value": "no ${ORDER}"}]})
    with pytest.raises(UsageError, match="hooks are not run for a recorded conversation"):
        filled_again(changed, case, live, resources)
