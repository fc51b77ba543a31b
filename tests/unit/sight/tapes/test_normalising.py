"""What two requests may differ in, and what never."""

import pytest

from vivavoce.sight.dialects.chat import CHAT
from vivavoce.sight.tapes.fingerprint import digest
from vivavoce.sight.tapes.normalising import Normaliser, clocks_in

PLAIN = Normaliser()


def key_of(body: dict[str, object], normaliser: Normaliser = PLAIN) -> str:
    return digest(normaliser.sections(CHAT.sections(body)))


def chat(*messages: dict[str, object], **more: object) -> dict[str, object]:
    return {"model": "m", "messages": list(messages), **more}


def user(text: str) -> dict[str, object]:
    return {"role": "user", "content": text}


def called(call_id: str, args: str = '{"id": "A-17"}') -> dict[str, object]:
    function = {"name": "refund", "arguments": args}
    return {"role": "assistant", "tool_calls": [{"id": call_id, "type": "function", "function": function}]}


def result(call_id: str, text: str) -> dict[str, object]:
    return {"role": "tool", "tool_call_id": call_id, "content": text}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (chat(user("hi"), user="u1"), chat(user("hi"), user="u2", metadata={"a": 1}, store=True)),
        (chat(called("call_1"), result("call_1", "ok")), chat(called("call_2"), result("call_2", "ok"))),
        (chat(result("c", '{"at": 1794860927.5, "ok": true}')), chat(result("c", '{"ok": true, "at": 1794860999.25}'))),
        (chat(result("c", "at 2026-11-16T20:00:01Z")), chat(result("c", "at 2026-11-17T21:10:02.5Z"))),
        (
            chat(result("c", "9f1c7a52-1111-4222-8333-123456789abc")),
            chat(result("c", "00000000-1111-4222-8333-123456789abc")),
        ),
        (chat(called("c", '{"id": "A-17"}')), chat(called("c", '{ "id":"A-17" }'))),
        (chat({**user("hi"), "id": "msg_1", "status": "completed"}), chat(user("hi"))),
    ],
)
def test_these_differ_in_nothing_that_matters(one: dict[str, object], other: dict[str, object]):
    assert key_of(one) == key_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (chat(user("refund A-17")), chat(user("refund A-18"))),
        (chat(called("c", '{"id": "A-17"}')), chat(called("c", '{"id": "A-18"}'))),
        (chat(result("c", "ok")), chat(result("c", "not ok"))),
        (chat(user("hi"), temperature=0), chat(user("hi"), temperature=1)),
        (chat(user("hi"), tools=[{"name": "a", "id": 1}]), chat(user("hi"), tools=[{"name": "a", "id": 2}])),
        (
            chat(called("a"), called("b"), result("a", "1"), result("b", "2")),
            chat(called("a"), called("b"), result("b", "1"), result("a", "2")),
        ),
    ],
)
def test_these_are_other_requests(one: dict[str, object], other: dict[str, object]):
    assert key_of(one) != key_of(other)


def test_a_time_that_the_case_says_is_meant():
    said = "book 2026-01-02T10:00"
    meant = Normaliser(clocks_in([said]))
    later = Normaliser(clocks_in(["book 2026-01-02T11:00"]))
    assert key_of(chat(user(said)), meant) != key_of(chat(user("book 2026-01-02T11:00")), later)
    assert key_of(chat(user(f"{said}, now 2026-05-05T09:00")), meant) == key_of(
        chat(user(f"{said}, now 2027-05-05T09:00")), meant
    )


def test_patterns_of_the_project_are_ignored():
    ignoring = Normaliser(ignore=[r"ticket \d+"])
    assert key_of(chat(user("ticket 1")), ignoring) == key_of(chat(user("ticket 2")), ignoring)


def test_the_spine_leaves_out_what_results_say():
    def spine(text: str) -> object:
        return PLAIN.spine(CHAT, [user("hi"), called("c"), result("c", text)])

    assert spine("sunny") == spine("rainy")
    assert spine("sunny") == [
        {"role": "user", "text": "hi"},
        {"role": "assistant", "calls": [["refund", {"id": "A-17"}]]},
        {"role": "tool", "results": 1},
    ]
