"""How results read, in every report alike: a check's title, whom a failure belongs to, why a case did not pass."""

from collections.abc import Iterator, Sequence

from msgspec import UNSET, Struct

from vivavoce.model.case import AssertionSpec, Case, Origin
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, rounded, text_of
from vivavoce.model.message import AgentReply, Content, ToolCall, text_of_content
from vivavoce.model.result import (
    UNSUCCESSFUL,
    Attempt,
    CaseResult,
    CheckpointOutcome,
    Quarantine,
    Stability,
    Status,
    Summary,
)
from vivavoce.model.transcript import EndReason, Turn
from vivavoce.model.verdict import Outcome, Verdict
from vivavoce.wording.plurals import joined_reasons
from vivavoce.wording.script_checks import shown_verdicts
from vivavoce.wording.terminal_text import clip, clip_lines, one_line, quoted

_SUBJECTS = ("value", "name", "names", "calls", "tool", "use", "max")
_ONLY_LIMITS = ("number", "length")
"""Checks whose `max` is one limit among several."""
_TITLE_WIDTH = 200
_LONGEST_REASON = 2_000
_LONGEST_SAYING = 60
_LONGEST_CRITERIA = 120


NOT_TAKEN = frozenset({EndReason.MISSING_INPUT_SKIP, EndReason.SIMULATOR_ERROR, EndReason.SKIPPED_BY_HUMAN})
"""The endings of a conversation in which nobody took the next turn."""


class Failure(Struct, frozen=True):
    """A check that did not pass, and where in the conversation it stood."""

    place: str
    """"turn 2", "final", or nothing for the case's own checks."""
    verdict: Verdict


def failures_of(attempt: Attempt) -> Iterator[Failure]:
    several = len(attempt.transcript.turns) > 1
    for turn in attempt.transcript.turns:
        place = f"turn {turn.number}" if several else ""
        yield from (Failure(place, v) for v in turn.verdicts if v.unsuccessful)
    yield from (Failure("", v) for v in shown_verdicts(attempt) if v.unsuccessful)
    yield from (Failure("final", v) for v in attempt.final_verdicts if v.unsuccessful)


def why_not(attempt: Attempt) -> str:
    """Why it failed, broke, timed out or was skipped. Usually one line; a traceback keeps its lines."""
    first = next(failures_of(attempt), None)
    return clip_lines(attempt.error or (first.verdict.reason if first else ""), _LONGEST_REASON)


def _with_turns(case: Case, attempt: Attempt) -> str:
    """The same with the turn of each reason, where there could be several turns: `turn 2: output does not …`."""
    turns, reason = attempt.transcript.turns, why_not(attempt)
    if max(len(turns), case.script_length) < 2 or attempt.status is Status.SKIPPED:
        return reason
    told = attempt.error or ""
    broke = next((turn for turn in turns if turn.error is not None and told.endswith(turn.error)), None)
    if broke is not None:
        return f"turn {broke.number}: {reason}"
    placed = [
        f"turn {turn.number}: {verdict.reason}"
        for turn in turns
        for verdict in turn.verdicts
        if verdict.unsuccessful and verdict.reason in told
    ]
    others = [v.reason for v in (*attempt.verdicts, *attempt.final_verdicts) if v.unsuccessful and v.reason in told]
    return clip_lines(joined_reasons([*placed, *others]), _LONGEST_REASON) if placed else reason


def _with_criteria(reason: str, attempt: Attempt) -> str:
    """The same with what each judge was asked, which its own words seldom say: `It was rude (asked: is it polite?)`."""
    for failure in failures_of(attempt):
        spec, said = failure.verdict.spec, failure.verdict.reason
        if spec is None or spec.type != "agent" or not said or spec.message == said:
            continue
        if (criteria := _criteria(spec.fields)) is not None:
            asked = clip(one_line(text_of(criteria)), _LONGEST_CRITERIA)
            reason = reason.replace(said, f"{said} (asked: {asked})", 1)
    return clip_lines(reason, _LONGEST_REASON)


def reason_of(result: CaseResult) -> str:
    """The same for all runs of a case together."""
    reason = _with_criteria(_with_turns(result.case, result.decisive), result.decisive)
    if result.stability is None or not result.stability.failed:
        return reason
    return f"{result.stability.failed} of {result.stability.runs} runs did not pass: {reason}"


def failed_at(case: Case, attempt: Attempt) -> Origin:
    """Where the file says what failed: at the line of the check, else of the turn, else of the case."""
    of_case, of_final, *of_turns = case.origin.checks or ((), ())
    for at, (turn, written) in enumerate(zip(attempt.transcript.turns, case.turns, strict=False)):
        if turn.line.source == "static" and (turn.failed or any(v.unsuccessful for v in turn.verdicts)):
            lines = of_turns[at] if of_turns else ()
            if line := _line_of_failure(turn.verdicts, written.assertions, lines) or written.line:
                return Origin(case.origin.path, line)
    line = _line_of_failure(attempt.verdicts, case.assertions, of_case)
    line = line or _line_of_failure(attempt.final_verdicts, case.final_assertions, of_final)
    return Origin(case.origin.path, line) if line else case.origin


def _line_of_failure(verdicts: Sequence[Verdict], specs: Sequence[AssertionSpec], lines: Sequence[int]) -> int:
    """The line of the first check that failed, or else broke; 0 if it is unknown."""
    found = sorted((v for v in verdicts if v.unsuccessful), key=lambda v: v.outcome is not Outcome.FAILED)
    if not found:
        return 0
    # A check with variables was judged with their values: then its position tells which it is.
    same = [line for spec, line in zip(specs, lines, strict=False) if spec == found[0].spec]
    at = verdicts.index(found[0])
    return same[0] if same else lines[at] if len(verdicts) == len(specs) == len(lines) else 0


def unsaid_turns(case: Case, attempt: Attempt) -> str:
    """`turns 3–5 were not reached`, after a conversation that ended early; nothing where all turns were said."""
    said, all_turns = len(attempt.transcript.turns), case.script_length
    if not said or said >= all_turns or attempt.status not in UNSUCCESSFUL:
        return ""
    return (
        f"turn {all_turns} was not reached"
        if said + 1 == all_turns
        else f"turns {said + 1}–{all_turns} were not reached"
    )


def turn_status(turn: Turn) -> Status:
    """As seed 004 marks turns: one that the agent broke off has failed, whatever becomes of its case."""
    if turn.failed:
        return Status.FAILED
    return Status.ERROR if any(v.outcome is Outcome.BROKEN for v in turn.verdicts) else Status.PASSED


def check_title(spec: AssertionSpec | None) -> str:
    """A check as a person would say it: `contains "type of expense"`, `$.status = "paid"`."""
    if spec is None:
        return "check"
    said = _json_path(spec) if spec.type == "json_path" else f"{spec.type} {_subject(spec)}".rstrip()
    negation = "not " if spec.negate else ""
    place = f" at {spec.path}" if spec.path else ""
    return clip(f"{negation}{said}{place}", _TITLE_WIDTH)


def score_text(verdict: Verdict) -> str:
    """`score 0.33`, with the threshold where the check has one; nothing without a score."""
    if verdict.score is None:
        return ""
    threshold = None if verdict.spec is None else verdict.spec.fields.get("threshold")
    needed = "" if threshold is None else f", {threshold:g} needed" if isinstance(threshold, float | int) else ""
    return f"score {round(verdict.score, 2):g}{needed}"


def checkpoint_title(checkpoint: CheckpointOutcome) -> str:
    """`pay: The agent takes the payment`"""
    name = one_line(checkpoint.id)
    return f"{name}: {one_line(checkpoint.description)}" if checkpoint.description else name


def call_text(call: ToolCall) -> str:
    """`create_expense({amount: 3500, type: "travel"})`"""
    return call_words(call.name, call.args)


def call_words(name: str, args: JsonValue) -> str:
    return f"{one_line(name)}({'' if args in ({}, None) else quoted(args)})"


def call_shown(details: JsonObject) -> tuple[str, str]:
    """The call that a failed check is about, with what it is called: `nearest call` where another one was wanted,
    `the call` where this one should not have been made. Nothing where no call is shown."""
    is_wrong = "wrong_call" in details
    if not is_object(call := details.get("wrong_call" if is_wrong else "nearest")):
        return "", ""
    result = f" → {quoted(call['result'])}" if "result" in call else ""
    words = call_words(str(call.get("name", "?")), call.get("args"))
    return "the call" if is_wrong else "nearest call", words + result


def outcome_text(call: ToolCall) -> str:
    """What came of a call."""
    if call.error is not None:
        return f"error: {call.error}"
    return "no result seen" if call.result is UNSET else text_of(rounded(call.result))


def said_text(reply: AgentReply) -> str:
    """What the agent said, as people read it; structured data as JSON, its numbers rounded."""
    is_data = reply.data is not UNSET and reply.text in ("", text_of(reply.data))
    return text_of(rounded(reply.data)) if is_data else reply.text


def case_label(case: Case) -> str:
    """`[T001] First turn`; a case without a name is known by what it says. One neutral line."""
    if case.name:
        name = name_beside_id(case.id, case.name)
        return f"[{one_line(case.id)}]" if name is None else f"[{one_line(case.id)}] {one_line(name)}"
    if case.is_script_test:
        return f"[{one_line(case.id)}]"
    said = case.turns[0].content if case.turns else ""
    if words := text_of_content(said):
        in_short = clip(words, _LONGEST_SAYING).replace('"', '\\"')
        return f'[{one_line(case.id)}] "{in_short}"'
    return f"[{one_line(case.id)}] {parts_text(said)}".rstrip()


def name_beside_id(case_id: str, name: str | None) -> str | None:
    """The name, unless the id says it: several tests in one YAML file have ids such as `orders[sold out]`."""
    return None if name is None or name == case_id or case_id.endswith(f"[{name}]") else name


def parts_text(content: Content) -> str:
    """What a message without words consists of: `[image] [audio]`."""
    if isinstance(content, str):
        return ""
    kinds = [str(part.get("type", "part")).removeprefix("input_").removesuffix("_url") for part in content]
    return " ".join(f"[{one_line(kind)}]" for kind in kinds)


def clipped_label(case: Case, width: int) -> str:
    """The same in at most `width` columns."""
    label = _label_as_written(case)
    # Most labels need no cleaning and are not too wide: one look at the whole text shows that.
    if label and len(label) <= width and label.isascii() and label.isprintable() and "  " not in label:
        return label
    return clip(case_label(case), width)


def _label_as_written(case: Case) -> str:
    """The label before anything in it is cleaned; nothing where it would have to be trimmed, quoted or cut."""
    if case.id.strip() != case.id or case.is_script_test:
        return ""
    if name := case.name:
        return f"[{case.id}] {name}" if name.strip() == name and name_beside_id(case.id, name) else ""
    said = case.turns[0].content if case.turns else ""
    if isinstance(said, str) and said and len(said) <= _LONGEST_SAYING and '"' not in said and said.strip() == said:
        return f'[{case.id}] "{said}"'
    return ""


def place_of(origin: Origin) -> str:
    return one_line(str(origin))


def replayed_mark(attempt: Attempt) -> str:
    """Stands behind a duration to which recorded answers contributed."""
    return ", replayed" if attempt.replayed else ""


def assertion_counts(attempt: Attempt) -> tuple[int, int]:
    """(passed, all) over every check of the attempt; a snapshot that was only written does not count."""
    outcomes = [verdict.outcome for verdict in all_shown(attempt) if not verdict.only_written]
    return outcomes.count(Outcome.PASSED), len(outcomes)


def missed_score(attempt: Attempt) -> str:
    """Returns `score 0.50, min_score 0.9` for an attempt that failed by its score; nothing for others."""
    said = (attempt.error or "").partition(": ")[0]
    return said if attempt.status is Status.FAILED and said.startswith("score ") and ", min_score " in said else ""


def all_shown(attempt: Attempt) -> Iterator[Verdict]:
    """Every verdict of the attempt as reports list them: turns, the case's own, final ones."""
    for turn in attempt.transcript.turns:
        yield from turn.verdicts
    yield from shown_verdicts(attempt)
    yield from attempt.final_verdicts


def typical_duration_ms(result: CaseResult) -> float:
    return result.stability.avg_duration_ms if result.stability else result.attempts[0].duration_ms


def stability_words(stability: Stability) -> str:
    """`mostly stable (95 % CI 49–94 %)`; a case that never passed "always fails"."""
    never = stability.runs and not stability.passed
    named = "always fails" if never else stability.stability_class.replace("_", " ")
    return f"{named} (95 % CI {stability.ci_low:.0f}–{stability.ci_high:.0f} %)"


def stable_words(summary: Summary) -> str:
    """`3 of 8`: the others are not called unstable, since a case that always fails is not."""
    return f"{summary.stable_cases:,} of {summary.stable_cases + summary.unstable_cases:,}"


def agreement_words(stability: Stability) -> str:
    """`outputs: 67 % the same, 100 % the same or nearly so`; nothing where all are the same, or no run had one."""
    if stability.runs < 2 or stability.consistency in (0, 1):
        return ""
    same, nearly = 100 * stability.consistency, 100 * stability.similar_consistency
    return f"outputs: {same:.0f} % the same, {nearly:.0f} % the same or nearly so"


def _json_path(spec: AssertionSpec) -> str:
    path, wanted = spec.fields.get("path", "$"), spec.fields.get("value", UNSET)
    if wanted is UNSET:
        return f"{path} exists"
    return f"{path} is one of {quoted(wanted)}" if is_array(wanted) else f"{path} = {quoted(wanted)}"


def _subject(spec: AssertionSpec) -> str:
    fields = spec.fields
    named = [fields[name] for name in _SUBJECTS if name in fields]
    if spec.type == "agent":
        named = [one_line(text_of(fields[name])) for name in ("use", "criteria") if fields.get(name) is not None]
        criteria = _criteria(fields)
        return ": ".join([*named, quoted(criteria)] if criteria is not None else named)
    if spec.type == "snapshot":
        part = f" at {one_line(str(fields['path']))}" if fields.get("path") else ""
        return f"of {fields.get('of', 'output')}{part}"
    if spec.type == "script":
        return ": ".join(one_line(str(value)) for value in named)
    if not named or spec.type in _ONLY_LIMITS:
        return quoted(fields) if fields else ""
    rest = {name: value for name, value in fields.items() if name not in _SUBJECTS}
    return quoted(named[0]) + (f" {quoted(rest)}" if rest else "")


def _criteria(fields: JsonObject) -> JsonValue:
    """What a judge goes by, wherever the case has it."""
    for place in (fields.get("options"), fields):
        metadata = place.get("metadata") if is_object(place) else None
        if is_object(metadata) and metadata.get("criteria") is not None:
            return metadata["criteria"]
    return fields.get("value")


def quarantine_words(quarantine: Quarantine) -> str:
    """`in quarantine until 2026-12-31, does not decide: flaky since Monday`"""
    return f"in quarantine until {quarantine.until}, does not decide: {one_line(quarantine.why)}"
