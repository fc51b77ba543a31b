"""A file of script tests as what is examined."""

from pathlib import Path

import pytest
from msgspec import structs
from tests.fakes.script_tests import terms
from tests.fakes.surroundings import surroundings_at, write_files

from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line, Transcript
from vivavoce.protocols import CallContext, TargetSpec
from vivavoce.targets.script_tests import SCRIPT_TESTS, ScriptTestsTarget

TESTS = """
def test_good(t, ctx):
    t.log("looked")
    t.assert_.Equal(1, 1)

def test_bad(t, ctx):
    t.assert_.Equal(1, 2)

answer = 5
"""
CONTEXT = CallContext(session_id="s", case_id="shop.setup::test_good")


async def ran(root: Path, name: str, *, with_a_run: bool = True) -> AgentReply:
    write_files(root, {"assistants/shop/src/setup_test.py": TESTS, "assistants/shop/package.yao": "{}"})
    async with surroundings_at(root) as lent:
        around = structs.replace(lent, helpers=terms().helpers if with_a_run else None)
        spec = TargetSpec(id="x", kind="script_tests", config={"script_tests": "shop.setup"})
        target = ScriptTestsTarget(spec, around)
        assert target.card.id == "scripts.shop.setup"
        session = await target.open(CONTEXT)
        reply = await session.send(Line(content=name), Transcript())
        await session.close()
        await target.close()
    return reply


async def test_a_line_names_a_test_and_the_reply_tells_what_it_did(tmp_path: Path):
    reply = await ran(tmp_path, "test_good")
    assert reply.text == "passed: Equal\nlog: looked"
    assert isinstance(reply.data, dict)
    assert list(reply.data["logs"]) == ["looked"]


async def test_a_check_that_failed_is_told(tmp_path: Path):
    assert (await ran(tmp_path, "test_bad")).text == "failed: Equal: wanted 2, got 1 (line 7)"


@pytest.mark.parametrize("name", ["test_none", "answer"])
async def test_a_name_that_is_no_test_is_refused_with_its_file(tmp_path: Path, name: str):
    with pytest.raises(UsageError, match=f"setup_test.py has no test '{name}'"):
        await ran(tmp_path, name)


async def test_without_a_run_around_it_no_test_runs(tmp_path: Path):
    with pytest.raises(CallFailed, match="run only in viva test"):
        await ran(tmp_path, "test_good", with_a_run=False)


def test_it_cannot_be_an_agent_of_viva_yaml():
    assert SCRIPT_TESTS.fields is None
