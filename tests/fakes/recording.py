"""Conversations held with fake agents, recorded as a result file has them, and judged again."""

from typing import Any

from tests.fakes.agents import FakeTarget
from tests.fakes.evidence import helpers as fake_helpers
from tests.fakes.examining import attempt_once

from vivavoce.engine.attempt.closing import Closing
from vivavoce.engine.rejudge import judged_again
from vivavoce.model.case import Case
from vivavoce.model.result import Attempt, CaseResult
from vivavoce.protocols import Helpers
from vivavoce.results.restore import result_of
from vivavoce.results.rows import row_of


async def held(case: Case, *says: Any, **more: Any) -> Attempt:
    """One conversation, live."""
    return await attempt_once(case, FakeTarget(says or ("ok",)), **more)


def read_back(case: Case, attempt: Attempt) -> Attempt:
    """The attempt as a result file gives it back."""
    result = CaseResult(case=case, status=attempt.status, attempts=(attempt,), index=1)
    return result_of(row_of(result)).attempts[0]


async def again(case: Case, attempt: Attempt, helpers: Helpers | None = None) -> Attempt:
    """The recorded conversation judged by a case."""
    closing = Closing(helpers=helpers or fake_helpers(), timeout_s=300.0)
    return await judged_again(case, read_back(case, attempt).transcript, closing)
