"""What counts as a changed verdict."""

from typing import Any

from tests.fakes.examining import case_of
from tests.fakes.recording import again, held

from vivavoce.engine.verdict_changes import VerdictChanges

CONTAINS = {"type": "contains", "value": "ok"}


async def changes(then: list[dict[str, Any]], now: list[dict[str, Any]]) -> VerdictChanges:
    before, after = case_of(input="hi", **{"assert": then}), case_of(input="hi", **{"assert": now})
    live = await held(before, "ok")
    found = VerdictChanges()
    found.add(after, live, await again(after, live))
    return found


async def test_a_case_that_passes_no_more_has_changed():
    found = await changes([CONTAINS], [{**CONTAINS, "value": "no"}])
    assert (found.count, found.kept[0].was.value, found.kept[0].now.value) == (1, "passed", "failed")
    assert "no" in found.kept[0].why


async def test_one_more_check_that_holds_changes_nothing():
    assert (await changes([CONTAINS], [CONTAINS, {"type": "regex", "value": "o"}])).count == 0
