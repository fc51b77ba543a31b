"""A script as the judge."""

import asyncio
from typing import Annotated, ClassVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, structs

from vivavoce.assertions.strict_options import StrictOptions
from vivavoce.errors import VivaError
from vivavoce.model.json_value import JsonObject, JsonValue, is_number, is_object
from vivavoce.model.verdict import Verdict, broken, failed, passed
from vivavoce.notation.durations import format_duration
from vivavoce.protocols import Evidence, Helpers, Sight
from vivavoce.wording.quoting import kept, quote


class JudgedByScript(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A function of (output, input, expected) and a ctx says true, or {pass, message, score}."""

    use: Annotated[str, Meta(min_length=1)]
    value: JsonValue | UnsetType = UNSET
    """Handed over as `expected`; the case's own `expected` when left out."""
    options: StrictOptions = StrictOptions()
    """Its `metadata` is in the script's ctx."""
    judges: ClassVar[Sight] = "both"
    doubted_by: ClassVar[Sight] = "both"
    judges_output: ClassVar[bool] = True

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        expected = evidence.case.expected if self.value is UNSET else self.value
        arguments = (evidence.output, evidence.input, None if expected is UNSET else expected)
        try:
            async with asyncio.timeout(helpers.judge_timeout_s):
                answer = await helpers.scripts.call(self.use, *arguments, ctx=self._context(evidence))
        except AssertionError as error:
            return failed(str(error) or "the script's assertion failed", actual=kept(evidence.output))
        except TimeoutError:
            return broken(f"script timed out after {format_duration(helpers.judge_timeout_s)}")
        except VivaError as error:
            return broken(f"script execution failed: {error}")
        return _read(answer, evidence.output)

    def _context(self, evidence: Evidence) -> JsonObject:
        case = evidence.case
        return {
            "metadata": self.options.metadata,
            "case": {"id": case.id, "name": case.name, "tags": list(case.tags), "metadata": case.metadata},
            "scope": evidence.scope,
            "turns": [
                {
                    "turn": turn.number,
                    "input": turn.line.content,
                    "output": turn.reply.output,
                    "text": turn.reply.text,
                    "tool_calls": [msgspec.to_builtins(call) for call in turn.reply.calls],
                    "duration_ms": turn.duration_ms,
                }
                for turn in evidence.turns
            ],
        }


def _read(answer: JsonValue, output: JsonValue) -> Verdict:
    if isinstance(answer, bool):
        return passed("script returned true") if answer else failed("script returned false", actual=kept(output))
    if is_object(answer):
        verdicts = [answer[key] for key in ("pass", "passed") if key in answer]
        said = verdicts[0] if verdicts else None
        if isinstance(said, bool) and verdicts[-1] is said:
            message = answer.get("message")
            words = message if isinstance(message, str) and message else f"script said {'pass' if said else 'fail'}"
            verdict = passed(words) if said else failed(words, actual=kept(output))
            score: JsonValue = answer.get("score")
            return structs.replace(verdict, score=float(score)) if is_number(score) else verdict
    hint = "return true, false or {pass, message}"
    return broken(f"script returned {quote(answer) if answer is not None else 'nothing'}: {hint}")
