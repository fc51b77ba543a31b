"""Whether all spans of a turn are there: only then can nobody have been called unseen."""

import pytest
from tests.fakes.span_recordings import NAMES, spans

from vivavoce.sight.spans.completeness import missing_in
from vivavoce.sight.spans.reading import read_spans
from vivavoce.sight.spans.span import Span


def below(found: list[Span], top: Span) -> set[tuple[str, str]]:
    """A span and everything under it: with its children missing too, no orphan tells."""
    inside = {top.id}
    while more := {span.id for span in found if span.parent in inside} - inside:
        inside |= more
    return {span.key for span in found if span.id in inside}


@pytest.mark.parametrize("name", NAMES)
def test_every_recording_is_complete_and_no_longer_when_its_last_span_is_missing(name: str):
    found = spans(name)
    assert not missing_in(found, read_spans(found), "0" * 16)
    parents = {span.parent for span in found}
    root = next(span for span in found if not span.parent and span.id in parents)
    rest = [span for span in found if span.key != root.key]
    assert missing_in(rest, read_spans(rest), "0" * 16)


@pytest.mark.parametrize("name", [name for name in NAMES if "nocontent" not in name and name != "google-adk"])
def test_a_tool_span_that_did_not_come_is_noticed_by_what_the_model_asked_for(name: str):
    found = spans(name)
    reading = read_spans(found)
    if name in _SILENT_MODELS:
        pytest.skip("its model spans do not say what was asked for")
    last = reading.calls[-1]
    rest = [span for span in found if span.key not in below(found, last.span)]
    assert missing_in(rest, read_spans(rest), "0" * 16)


_SILENT_MODELS = {
    "langgraph-langsmith",
    "langgraph-traceloop",
    "openai-agents-logfire",
    "openai-agents-logfire-duplicated",
    "openai-agents-traceloop",
    "pydantic-ai-v1-logs",
    "google-adk-schema1",
    "pydantic-ai-v1-attributes",
    "strands",
}


def test_spans_without_any_of_an_agent_prove_nothing():
    request = Span(trace="t", id="a", name="POST /chat", end_ns=1)
    assert "nothing of an agent" in missing_in([request], read_spans([request]), "s").what
    model = Span(trace="t", id="b", parent="a", attributes={"gen_ai.operation.name": "chat"})
    found = [request, model]
    assert "only model calls" in missing_in(found, read_spans(found), "s").what


def test_what_a_model_asked_for_and_nobody_ran_is_missing_unless_it_was_a_hand_off():
    asked = {
        "gen_ai.operation.name": "chat",
        "gen_ai.output.messages": '[{"parts":[{"type":"tool_call","name":"transfer_to_billing"}]}]',
    }
    found = [
        Span(trace="t", id="a", attributes={"gen_ai.operation.name": "invoke_agent"}),
        Span(trace="t", id="b", parent="a", attributes=asked),
    ]
    assert "asked for transfer_to_billing" in missing_in(found, read_spans(found), "s").what
    found.append(Span(trace="t", id="c", parent="a", attributes={"gen_ai.operation.name": "handoff"}))
    assert not missing_in(found, read_spans(found), "s")


def test_a_hand_off_does_not_excuse_a_tool_that_never_ran():
    asked = {
        "gen_ai.operation.name": "chat",
        "gen_ai.output.messages": '[{"parts":[{"type":"tool_call","name":"delete_order"}]}]',
    }
    found = [
        Span(trace="t", id="a", attributes={"gen_ai.operation.name": "invoke_agent"}),
        Span(trace="t", id="b", parent="a", attributes=asked),
        Span(trace="t", id="c", parent="a", attributes={"gen_ai.operation.name": "handoff"}),
    ]
    assert "asked for delete_order" in missing_in(found, read_spans(found), "s").what
