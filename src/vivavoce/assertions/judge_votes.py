"""What judges answered, and what follows from it."""

from msgspec import UNSET, Struct, structs

from vivavoce.model.json_value import JsonObject, JsonValue, is_number, is_object, text_of
from vivavoce.model.message import AgentReply
from vivavoce.model.verdict import Verdict, broken, failed, passed
from vivavoce.notation.json_text import find_json, whole_object
from vivavoce.wording.quoting import kept, quote


class Vote(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One answer of the judge; `passed` is None when there is no usable answer."""

    passed: bool | None = None
    score: float | None = None
    reason: str = ""
    suggestions: JsonValue = None
    fault: str | None = None
    unreadable: bool = False
    """Whether the judge answered, but not in the form it was asked for: worth asking once more."""
    reply: str = ""
    """What the judge said, word for word."""


def read_vote(reply: AgentReply, threshold: float | None) -> Vote:
    """The judge's `{passed, score?, reason, suggestions?}`; any other shape is a fault that quotes it."""
    raw = reply.text or text_of(reply.output)
    if reply.error is not None:
        return Vote(fault=f"judge failed: {reply.error}", reply=raw)
    if (piece := next((one for one in reply.unread if one.may("words")), None)) is not None:
        return _unreadable(f"judge's reply has a part that could not be read ({piece}), beside", raw)
    answer = _answer(reply)
    if not is_object(answer):
        return _unreadable("judge's reply is not one JSON object with `passed` and nothing else", raw)
    if answer.get("error"):
        return Vote(fault=f"judge failed: {quote(text_of(answer['error']))}", reply=raw)
    verdict, score = answer.get("passed"), answer.get("score")
    if not isinstance(verdict, bool) or answer.get("pass", verdict) is not verdict:
        return _unreadable("judge's `passed` must be true or false", raw)
    if score is not None and not (is_number(score) and 0 <= score <= 1):
        return _unreadable("judge's `score` must be a number from 0 to 1", raw)
    score = None if score is None else float(score)
    reason = text_of(answer.get("reason"))
    if threshold is not None and score is None:
        return Vote(fault=f"judge gave no score to hold against the threshold {threshold:g}: {quote(raw)}", reply=raw)
    if threshold is not None and score is not None and score < threshold:
        below = f"score {score:g} is below the threshold {threshold:g}"
        verdict, reason = False, f"{below}: {reason}" if reason else below
    return Vote(passed=verdict, score=score, reason=reason, suggestions=answer.get("suggestions"), reply=raw)


def _unreadable(what: str, raw: str) -> Vote:
    return Vote(fault=f"{what}: {quote(raw)}", unreadable=True, reply=raw)


def _answer(reply: AgentReply) -> JsonValue:
    """The whole reply as one object. An object quoted inside prose may be the agent's own words: it does not count."""
    if reply.data is UNSET:
        return whole_object(reply.text)
    found = find_json(reply.text)
    if found is None or not is_object(found.value) or "passed" not in found.value:
        # The data was not made from an object in the text, so there is nothing to compare it with.
        return reply.data
    # A connector makes data of the text's first object, wherever that stands.
    said = whole_object(reply.text)
    return None if said is None or _disagree(reply.data, said) else said


def _disagree(data: JsonValue, said: JsonObject) -> bool:
    """Whether the text holds another verdict than the data."""
    return is_object(data) and said.get("passed") is not data.get("passed")


def counted(votes: list[Vote], request: str) -> Verdict:
    """The majority's verdict. Missing votes count for neither side."""
    yes = [vote for vote in votes if vote.passed is True]
    no = [vote for vote in votes if vote.passed is False]
    verdict = _decided(votes, yes, no)
    scores = [vote.score for vote in votes if vote.score is not None]
    details: JsonObject = {"request": kept(request), "reply": kept(votes[0].reply)}
    suggestions = [vote.suggestions for vote in votes if vote.suggestions]
    if suggestions:
        details["suggestions"] = suggestions[0]
    if len(votes) > 1:
        details["votes"] = [_recounted(vote) for vote in votes]
        details["passed_votes"] = len(yes)
        if scores:
            details["spread"] = {"min": min(scores), "max": max(scores)}
    mean = sum(scores) / len(scores) if scores else None
    return structs.replace(verdict, score=mean, details={**verdict.details, **details})


def _decided(votes: list[Vote], yes: list[Vote], no: list[Vote]) -> Verdict:
    tally = f"{len(yes)} of {len(votes)} votes passed: " if len(votes) > 1 else ""
    if 2 * len(yes) > len(votes):
        return passed(f"{tally}{yes[0].reason or 'judge said passed'}")
    if 2 * len(no) >= len(votes):
        # A tie is no majority for "wrong" either, so it also fails a negated check.
        said_no = no[0].reason or "judge said failed"
        return failed(f"{tally}{said_no}", negatable=2 * len(no) > len(votes))
    fault = next(vote.fault for vote in votes if vote.fault is not None)
    return broken(f"{tally}{fault}", fault="judge")


def _recounted(vote: Vote) -> JsonObject:
    return {name: kept(value) for name, value in structs.asdict(vote).items() if value not in (None, "")}
