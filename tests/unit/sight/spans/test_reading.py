"""Thirty recordings of real instrumentations are read to the calls that were made."""

from typing import Any

import pytest
from tests.fakes.span_recordings import AS_PROTOBUF, NAMES, bodies, expected, spans, told

from vivavoce.metering.prices import PriceList
from vivavoce.model.message import Usage
from vivavoce.project.settings import Price
from vivavoce.sight.spans.otlp import spans_in
from vivavoce.sight.spans.reading import read_spans
from vivavoce.sight.spans.span import Span


def wanted(name: str) -> dict[str, Any]:
    """The reference leaves calls that began in the same millisecond in the order they came in; we ask the model."""
    found = expected(name)
    if name == "vercel-ai6-proto-stream":
        first, notify, refund = found["calls"]
        found["calls"] = [first, refund, notify]
    return found


def test_there_are_thirty():
    assert len(NAMES) == 30


@pytest.mark.parametrize("name", NAMES)
def test_every_recording_is_read_as_expected(name: str):
    assert told(read_spans(spans(name))) == wanted(name)


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_arrival_and_a_second_export_change_nothing(name: str):
    found = spans(name)
    assert told(read_spans([*reversed(found), *found])) == wanted(name)


@pytest.mark.parametrize("name", AS_PROTOBUF)
def test_protobuf_is_read_to_the_same_spans(name: str):
    pytest.importorskip("opentelemetry.proto", reason="the extra `otel` is not installed")
    read = [span for body in bodies(name, protobuf=True) for span in spans_in(body, "application/x-protobuf")]
    assert read == spans(name)


def test_tokens_are_counted_by_model_and_priced():
    reading = read_spans(spans("pydantic-ai-v5"))
    names = {call.model for call in reading.models}
    assert reading.usage(PriceList({})) == Usage(300, 60)
    priced = reading.usage(PriceList({str(names.pop()): Price(1.0, 2.0)}))
    assert priced is not None
    assert priced.cost == pytest.approx(0.00042)
    assert read_spans([]).usage(PriceList({})) is None


def test_a_tool_that_calls_itself_with_other_arguments_is_called_twice():
    def tool(span_id: str, parent: str, args: str | None) -> Span:
        given = {} if args is None else {"gen_ai.tool.call.arguments": args}
        return Span(trace="t", id=span_id, parent=parent, attributes={"gen_ai.tool.name": "look", **given})

    outer = tool("a", "", '{"n": 1}')
    assert len(read_spans([outer, tool("b", "a", '{"n": 2}')]).calls) == 2
    assert len(read_spans([outer, tool("b", "a", '{"n": 1}')]).calls) == 1
    assert len(read_spans([outer, tool("b", "a", None)]).calls) == 1
