"""What is special about Anthropic's messages."""

from vivavoce.sight.dialects.anthropic import ANTHROPIC


def test_a_result_may_be_an_error():
    block = {"type": "tool_result", "tool_use_id": "t1", "is_error": True, "content": "no such order"}
    (result,) = ANTHROPIC.results({"messages": [{"role": "user", "content": [block]}]})
    assert (result.call_id, result.error) == ("t1", "no such order")
