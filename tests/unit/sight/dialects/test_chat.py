"""What is special about chat completions."""

from vivavoce.sight.dialects.chat import CHAT


def test_the_call_of_a_message_may_be_told_in_the_old_way():
    said = CHAT.said({"role": "assistant", "function_call": {"name": "pay", "arguments": "{}"}})
    assert said.calls == (("pay", {}),)


def test_developer_messages_belong_to_the_system_prompt():
    sections = CHAT.sections({"messages": [{"role": "developer", "content": "Be kind."}]})
    assert (len(sections.system), sections.talk) == (1, [])


def test_a_body_without_messages_says_nothing():
    assert CHAT.sections({"messages": "what"}).talk == []
    assert CHAT.results({}) == []
