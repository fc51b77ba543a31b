"""Exports of spans: read whole, or refused whole."""

import json
from typing import Any

import pytest

from vivavoce.sight.spans.otlp import spans_in

SPAN = {"traceId": "AB" * 16, "spanId": "CD" * 8, "parentSpanId": "0" * 16, "name": "x"}


def read(document: Any) -> list[Any]:
    return spans_in(json.dumps(document).encode(), "application/json; charset=utf-8")


def exported(*spans: Any) -> dict[str, Any]:
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {"name": "lib"}, "spans": list(spans)}]}]}


def test_ids_scope_and_values_are_read():
    attributes = [
        {"key": "n", "value": {"intValue": "3"}},
        {"key": "list", "value": {"arrayValue": {"values": [{"stringValue": "a"}, {"doubleValue": 1.5}]}}},
        {"key": "table", "value": {"kvlistValue": {"values": [{"key": "k", "value": {"boolValue": True}}]}}},
    ]
    status = {"code": "STATUS_CODE_ERROR", "message": "no"}
    (span,) = read(exported({**SPAN, "attributes": attributes, "status": status, "startTimeUnixNano": "5"}))
    assert (span.trace, span.id, span.parent, span.scope) == ("ab" * 16, "cd" * 8, "", "lib")
    assert span.attributes == {"n": 3, "list": ["a", 1.5], "table": {"k": True}}
    assert (span.failed, span.message, span.start_ns) == (True, "no", 5)


def test_both_spellings_of_scopes_are_read():
    both = {
        "scopeSpans": [{"spans": [SPAN]}],
        "instrumentationLibrarySpans": [{"spans": [{**SPAN, "spanId": "e" * 16}]}],
    }
    assert len(read({"resourceSpans": [both]})) == 2


def test_an_empty_export_is_none():
    assert read({}) == read({"resourceSpans": []}) == read(exported()) == []


@pytest.mark.parametrize(
    "document",
    [
        [SPAN],
        {"resource_spans": [{"scope_spans": [{"spans": [SPAN]}]}]},
        {"resourceSpans": {"scopeSpans": [{"spans": [SPAN]}]}},
        {"resourceSpans": [{"spans": [SPAN]}]},
        {"resourceSpans": [{"scopeSpans": [{"span": [SPAN]}]}]},
        {"resourceSpans": [{"scopeSpans": [{"spans": SPAN}]}]},
        {"resourceSpans": [{"scopeSpans": [{"spans": ["text"]}]}]},
        exported({**SPAN, "spanId": ""}),
    ],
    ids=lambda document: json.dumps(document)[:60],
)
def test_an_export_that_would_lose_spans_is_refused(document: Any):
    with pytest.raises(ValueError, match=r"not a list|has no"):
        read(document)


def test_bytes_that_are_no_export_are_refused():
    with pytest.raises(ValueError, match="malformed"):
        spans_in(b"{garbage", "application/json")
