"""What a judge is shown."""

from msgspec import structs
from tests.fakes.evidence import answered, call, evidence, turn
from tests.fakes.world import after_the_agent

from vivavoce.assertions.judge_request import attachments_of, judge_request, shown_workspace
from vivavoce.model.message import AgentReply, ContentPart, Message


def test_one_question_and_its_answer_are_told_once():
    assert judge_request(answered("fine"), "is polite", {}, []) == {
        "output": "fine",
        "input": "hello",
        "criteria": "is polite",
    }


def test_without_criteria_there_is_no_such_key():
    assert "criteria" not in judge_request(answered("fine"), None, {}, [])


def test_more_than_that_is_told_as_a_conversation_with_its_calls():
    request = judge_request(evidence(turn("paid", call("pay", {"a": 1}, "ok"))), None, {}, [])
    assert [message["role"] for message in request["conversation"]] == ["user", "assistant", "tool", "assistant"]
    assert request["conversation"][2]["content"] == "ok"


def test_what_was_said_before_the_case_is_told_too():
    request = judge_request(answered("fine", history=[Message(role="system", content="be kind")]), None, {}, [])
    assert request["conversation"][0] == {"role": "system", "content": "be kind"}


def test_the_metadata_of_the_assertion_lies_on_top():
    assert judge_request(answered("fine"), None, {"input": "other", "x": 1}, [])["input"] == "other"


IMAGE: ContentPart = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
FILE: ContentPart = {"type": "file", "file": {"filename": "bill.pdf", "file_data": "data:application/pdf;base64,BBBB"}}


def test_attachments_are_listed_and_their_bytes_left_out():
    seen = evidence(turn("a cat", says=[{"type": "text", "text": "what is it?"}, IMAGE, FILE]))
    request = judge_request(seen, None, {}, attachments_of(seen))
    assert request["input"] == "what is it?\n[image_url]\n[file]"
    assert [(entry["type"], entry.get("name")) for entry in request["attachments"]] == [
        ("image_url", None),
        ("file", "bill.pdf"),
    ]
    assert "AAAA" not in str(request)


def test_another_file_makes_another_request():
    def listed(part: ContentPart):
        return judge_request(answered("fine"), None, {}, [part])["attachments"]

    assert listed(IMAGE) == listed(dict(IMAGE))
    assert listed(IMAGE) != listed({"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAB"}})


def test_attachments_of_the_whole_conversation_are_found_in_order():
    earlier = [Message(role="user", content=[FILE])]
    drawn = AgentReply(messages=(Message(role="assistant", content=[{"type": "text", "text": "here"}, IMAGE]),))
    seen = evidence(structs.replace(turn("x"), reply=drawn), history=earlier)
    assert attachments_of(seen) == [FILE, IMAGE]


async def test_a_judge_sees_what_the_agent_left_and_changed():
    shown = (await shown_workspace(after_the_agent()))["workspace"]
    assert shown["files"] == ["app.py", "data/order.json", "keep.txt", "new.txt", "raw.bin"]
    told = {change["change"].split()[1]: change.get("diff", "") for change in shown["changes"]}
    assert told["app.py"].endswith("-print(1)\n+print(2)")
    assert told["raw.bin"] == ""
    assert await shown_workspace(answered("x")) == {}
