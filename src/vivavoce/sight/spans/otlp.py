"""The body of an OTLP/HTTP export → spans. JSON as the standard and as JavaScript writes it, and protobuf."""

from collections.abc import Iterator
from importlib import import_module

import msgspec

from vivavoce.errors import UsageError
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, object_in
from vivavoce.sight.spans.span import Span
from vivavoce.sight.spans.unwrapping import objects_in

_ERROR = (2, "2", "STATUS_CODE_ERROR")
_SCOPES = ("scopeSpans", "instrumentationLibrarySpans")
_ID_FIELDS = ("traceId", "spanId", "parentSpanId")


def spans_in(body: bytes, content_type: str) -> list[Span]:
    """Raises ValueError for a body that is not an export, UsageError when reading it needs an extra."""
    is_json = "json" in content_type
    document: JsonValue = msgspec.json.decode(body) if is_json else _protobuf_as_json(body)
    if not is_object(document) or (document and "resourceSpans" not in document):
        raise ValueError("the body is not an OTLP export: it has no resourceSpans")
    return list(_spans(document))


def _protobuf_as_json(body: bytes) -> JsonObject:
    """The document that a JSON exporter would have sent. The library writes ids as base64; they become hex here."""
    try:
        service = import_module("opentelemetry.proto.collector.trace.v1.trace_service_pb2")
        to_dict = import_module("google.protobuf.json_format").MessageToDict
        problem = import_module("google.protobuf.message").DecodeError
    except ImportError:
        raise UsageError(
            "the spans came as protobuf, which needs another package", hint="pip install 'vivavoce[otel]'"
        ) from None
    request = service.ExportTraceServiceRequest()
    try:
        request.ParseFromString(body)
    except problem as error:
        raise ValueError(f"the body is not an OTLP export: {error}") from None
    ids = [
        {"traceId": span.trace_id.hex(), "spanId": span.span_id.hex(), "parentSpanId": span.parent_span_id.hex()}
        for resource in request.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]
    document: JsonObject = to_dict(request)
    for span, named in zip(_raw_spans(document), ids, strict=True):
        span[1].update(named)
    return document


def _raw_spans(document: JsonObject) -> Iterator[tuple[JsonObject, JsonObject]]:
    """Every span with its scope."""
    for resource in _all_objects(document.get("resourceSpans"), "resourceSpans"):
        if not resource.keys() & {*_SCOPES, "resource"}:
            raise ValueError("a resource has no scopeSpans")
        for scope in (scope for name in _SCOPES for scope in _all_objects(resource.get(name), name)):
            if "spans" not in scope and scope.keys() - {"scope", "schemaUrl"}:
                raise ValueError("a scope has no spans")
            for span in _all_objects(scope.get("spans"), "spans"):
                yield object_in(scope, "scope"), span


def _spans(document: JsonObject) -> Iterator[Span]:
    for scope, raw in _raw_spans(document):
        trace, own, parent = (str(raw.get(field) or "").lower() for field in _ID_FIELDS)
        if not trace or not own:
            raise ValueError("a span has no id")
        status = object_in(raw, "status")
        yield Span(
            trace=trace,
            id=own,
            parent="" if not parent.strip("0") else parent,
            name=str(raw.get("name") or ""),
            scope=str(scope.get("name") or ""),
            start_ns=int(raw.get("startTimeUnixNano") or 0),
            end_ns=int(raw.get("endTimeUnixNano") or 0),
            attributes=_table(raw.get("attributes")),
            failed=status.get("code") in _ERROR,
            message=str(status.get("message") or ""),
            events=tuple(
                (str(event.get("name") or ""), _table(event.get("attributes")))
                for event in objects_in(raw.get("events"))
            ),
        )


def _table(attributes: JsonValue) -> JsonObject:
    return {str(entry.get("key")): _plain(entry.get("value")) for entry in objects_in(attributes)}


def _plain(value: JsonValue) -> JsonValue:
    """An AnyValue as a plain value. `intValue` is a text in protobuf's JSON, and a number from JavaScript."""
    if not is_object(value):
        return value
    if "intValue" in value:
        return int(value["intValue"])
    if "arrayValue" in value:
        entries = object_in(value, "arrayValue").get("values")
        return [_plain(inner) for inner in (entries if is_array(entries) else ())]
    if "kvlistValue" in value:
        return _table(object_in(value, "kvlistValue").get("values"))
    return next(
        (value[kind] for kind in ("stringValue", "doubleValue", "boolValue", "bytesValue") if kind in value), None
    )


def _all_objects(value: JsonValue, name: str) -> list[JsonObject]:
    """Raises ValueError for anything but a list of objects: a span in it would be lost."""
    if value is None:
        return []
    if not is_array(value) or not all(map(is_object, value)):
        raise ValueError(f"{name} is not a list of objects")
    return list(value)
