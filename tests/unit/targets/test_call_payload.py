import pytest
from tests.fakes.evidence import turn

from vivavoce.model.case import CallOptions, Identity, ResumeAnswer
from vivavoce.model.message import Message
from vivavoce.model.transcript import Line, Transcript
from vivavoce.model.watch import Provisions
from vivavoce.protocols import CallContext
from vivavoce.targets.call_payload import CallPayload, Context, plain_message

CALL = CallContext(session_id="s1", case_id="c1", identity=Identity(user_id="ann"), variables={"WHO": "world"})
NOTHING_YET = Transcript()


def test_a_context_reads_like_an_object_and_like_a_dict():
    context = CallPayload(CALL).opening()
    assert (context.session_id, context["case_id"], context.identity.user_id) == ("s1", "c1", "ann")
    assert context.variables == {"WHO": "world"}
    assert "workspace" not in context


def test_a_name_that_the_context_lacks_is_an_attribute_error_with_those_it_has():
    with pytest.raises(AttributeError, match="the context has no 'sesion_id'; it has session_id, turn"):
        _ = Context(session_id="s1", turn=1).sesion_id


def test_each_line_has_its_turn_options_and_metadata():
    payload = CallPayload(CALL)
    line = Line(content="hi", options=CallOptions(connector="m", metadata={"tier": "gold"}))
    first = payload.context(line, NOTHING_YET)
    assert (first.turn, first.options["connector"], first.metadata) == (1, "m", {"tier": "gold"})
    said = Transcript(turns=(turn("hello"),))
    assert payload.context(line, said).turn == 2


def test_what_one_call_does_to_its_context_is_not_seen_by_the_next():
    payload = CallPayload(CALL)
    payload.opening()["session_id"] = "changed"
    assert payload.opening().session_id == "s1"


def test_a_workspace_headers_and_resumed_answers_are_there_when_there_are_some():
    watched = CallContext(
        session_id="s1", workspace="/w", provisions=Provisions(headers={"traceparent": "t"}, base_urls={"openai": "u"})
    )
    answer = ResumeAnswer(payload="yes")
    context = CallPayload(watched).context(Line(content="", resume=(answer,)), NOTHING_YET)
    assert (context.workspace, context.headers, context.base_urls) == ("/w", {"traceparent": "t"}, {"openai": "u"})
    assert list(context.resume) == [{"payload": "yes"}]
    assert not {"headers", "base_urls", "resume"} & CallPayload(CALL).context(Line(content="x"), NOTHING_YET).keys()


def test_headers_are_read_anew_for_every_line():
    provisions = Provisions(headers={"traceparent": "one"})
    payload = CallPayload(CallContext(session_id="s", provisions=provisions))
    payload.context(Line(content="x"), NOTHING_YET)
    provisions.headers = {"traceparent": "two"}
    assert payload.context(Line(content="y"), NOTHING_YET).headers == {"traceparent": "two"}


def test_messages_are_those_of_the_chat_api():
    history = (
        Message(role="assistant", content="", tool_calls=[{"id": "1"}]),
        Message(role="tool", content="42", tool_call_id="1"),
    )
    messages = CallPayload(CALL).messages(Line(content="and now?", name="ann"), Transcript(history=history))
    assert messages == [
        {"role": "assistant", "content": "", "tool_calls": [{"id": "1"}]},
        {"role": "tool", "content": "42", "tool_call_id": "1"},
        {"role": "user", "content": "and now?", "name": "ann"},
    ]
    assert plain_message(Message(role="user", content="hi")) == {"role": "user", "content": "hi"}
