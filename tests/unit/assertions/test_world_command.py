"""What the table of assertions does not show: a command leaves nothing running."""

from pathlib import Path

import pytest
from tests.fakes.evidence import check
from tests.fakes.processes import gone, number_in
from tests.fakes.world import left, workspace_in

from vivavoce.errors import UsageError
from vivavoce.model.case import AssertionSpec
from vivavoce.model.verdict import Outcome
from vivavoce.plugins.assertion_building import build_check


async def test_what_a_command_left_in_the_background_is_ended(tmp_path: Path):
    workspace = workspace_in(tmp_path, {}, {})
    command = ["sh", "-c", "sleep 600 >/dev/null 2>&1 & echo $! > pid.new; mv pid.new pid"]
    assert (await check("command", left(workspace), cmd=command)).passed
    assert await gone(await number_in(Path(workspace.folder, "pid")))


async def test_output_that_stays_open_is_not_judged(tmp_path: Path):
    command = ["sh", "-c", "echo a; sleep 600 & exit 0"]
    verdict = await check("command", left(workspace_in(tmp_path, {}, {})), cmd=command, contains="b")
    assert verdict.outcome is Outcome.BROKEN


@pytest.mark.parametrize("fields", [{"cmd": []}, {"cmd": " "}, {"cmd": "true", "timeout": "soon"}, {"cmd": "'"}])
def test_what_makes_no_sense_is_refused_at_load(fields: dict[str, object]):
    with pytest.raises(UsageError):
        build_check(AssertionSpec(type="command", fields=fields))


@pytest.mark.parametrize(("printed", "is_found"), [("3\n", True), ("3", True), ("3\n\n", False), ("33\n", False)])
async def test_the_end_of_a_pattern_is_before_the_last_line_break(tmp_path: Path, printed: str, is_found: bool):
    command = ["printf", "%s", printed]
    verdict = await check("command", left(workspace_in(tmp_path, {}, {})), cmd=command, matches="^3$")
    assert verdict.passed is is_found
