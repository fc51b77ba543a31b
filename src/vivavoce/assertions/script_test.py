"""The verdict of a script test is what its own checks found."""

from typing import ClassVar

import msgspec
from msgspec import UNSET, Struct

from vivavoce.model.json_value import JsonObject
from vivavoce.model.verdict import Outcome, Verdict, broken, failed, passed, skipped
from vivavoce.protocols import Evidence, Helpers, Sight
from vivavoce.script_testing.record import ScriptTestRecord
from vivavoce.wording.plurals import counted


class ScriptTest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every check of a script test held; the one assertion of every script test."""

    judges: ClassVar[Sight] = "nothing"
    doubted_by: ClassVar[Sight] = "nothing"
    judges_output: ClassVar[bool] = True

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        data = evidence.turns[-1].reply.data
        try:
            return _verdict(msgspec.convert(None if data is UNSET else data, ScriptTestRecord))
        except msgspec.ValidationError:
            return broken("the reply is no record of a script test", hint="use -i scripts.AGENT.MODULE")


def _verdict(test: ScriptTestRecord) -> Verdict:
    found: JsonObject = {"checks": [f"{c.outcome.value}: {c.check}" for c in test.checks]}
    if test.logs:
        found["logs"] = list(test.logs)
    by_outcome = {outcome: [c for c in test.checks if c.outcome is outcome] for outcome in Outcome}
    failures, breaks = by_outcome[Outcome.FAILED], by_outcome[Outcome.BROKEN]
    problems = [str(check) for check in (*failures, *breaks)] + ([test.error] if test.error else [])
    if failures:
        return failed("; ".join(problems), **found)
    if problems:
        fault = breaks[0].fault if breaks else test.fault
        return broken("; ".join(problems), fault=fault or "test", **found)
    if test.skipped is not None:
        return skipped(test.skipped, **found)
    return passed(f"{counted(len(test.checks), 'check')} held" if test.checks else "it ran to its end", **found)
