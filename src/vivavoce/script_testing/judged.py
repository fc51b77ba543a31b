"""An ordinary assertion, asked about any value: tests and case files get the same answer."""

from msgspec import UNSET

from vivavoce.errors import VivaError
from vivavoce.model.case import AssertionSpec, Case
from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line, Turn
from vivavoce.model.verdict import Verdict, broken
from vivavoce.plugins.assertion_building import build_check
from vivavoce.protocols import Evidence
from vivavoce.script_testing.engine import CallTerms
from vivavoce.scripts.plain_json import NotJson, as_json


async def judged(kind: str, fields: JsonObject, value: JsonValue, terms: CallTerms) -> Verdict:
    """The verdict of one assertion on one value; what cannot be asked is broken."""
    try:
        plain: JsonValue = as_json(value)
        check = build_check(AssertionSpec(type=kind, fields=as_json(fields)))
        text = plain if isinstance(plain, str) else ""
        reply = AgentReply(text=text, data=UNSET if isinstance(plain, str) else plain)
        turn = Turn(number=1, line=Line(content=""), reply=reply)
        evidence = Evidence(turns=(turn,), output=plain, case=Case(id=terms.case_id))
        return await check.check(evidence, terms.helpers)
    except (VivaError, NotJson) as problem:
        return broken(str(problem))
