"""Spans by the turn they belong to."""

from vivavoce.sight.spans.arrivals import Arrivals, Trace
from vivavoce.sight.spans.span import Span


def span(span_id: str = "a", trace: str = "t", **more: object) -> Span:
    return Span(trace=trace, id=span_id, start_ns=int(str(more.pop("start_ns", 0))), attributes=more)


async def test_the_address_wins_over_the_trace_and_the_rest_waits():
    arrivals = Arrivals()
    one, two = arrivals.open("one", "A"), arrivals.open("two", "A")
    arrivals.add([span("x", trace="foreign")], "one")
    arrivals.add([span("y", trace="two"), span("z", trace="nobody", start_ns=5)], None)
    assert [[each.id for each in trace.spans.values()] for trace in (one, two)] == [["x"], ["y"]]
    (other,) = arrivals.others(since_ns=5)
    assert [each.id for each in other.spans.values()] == ["z"]
    assert arrivals.others(since_ns=6) == []
    arrivals.take([other])
    assert arrivals.others(since_ns=0) == []


async def test_traces_are_found_by_the_conversation_they_name():
    arrivals = Arrivals()
    arrivals.add([span("x", **{"session.id": "s-1"})], None)
    assert len(arrivals.others(conversation=["s-1"])) == 1
    assert arrivals.others(conversation=["s-2"]) == []


async def test_turns_of_two_conversations_at_once_are_not_alone():
    arrivals = Arrivals()
    first = arrivals.open("one", "A")
    assert first.alone
    second = arrivals.open("two", "B")
    assert (first.alone, second.alone) == (False, False)
    arrivals.close("one")
    arrivals.close("two")
    assert arrivals.open("three", "A").alone


async def test_a_span_that_comes_twice_is_one_and_two_under_one_id_clash():
    trace = Trace()
    for each in (span("a", n=1), span("a", n=1)):
        trace.add(each)
    assert (len(trace.spans), trace.clashes) == (1, 0)
    trace.add(span("a", n=2))
    assert (len(trace.spans), trace.clashes) == (1, 1)


async def test_a_trace_has_an_end():
    trace = Trace()
    for number in range(20_002):
        trace.add(span(str(number)))
    assert (len(trace.spans), trace.dropped) == (20_000, 2)
