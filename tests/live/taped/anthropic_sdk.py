"""The official Anthropic SDK: messages in one piece, or with SHOP_STREAM as a stream."""

import os

from anthropic import Anthropic
from shop import MODEL, SYSTEM, find_order, refund, run

TOOLS = {"find_order": find_order, "refund": refund}
SCHEMAS = [{"name": name, "input_schema": {"type": "object"}} for name in TOOLS]


def next_message(client, talk):
    asked = {"model": MODEL, "max_tokens": 100, "system": SYSTEM, "tools": SCHEMAS, "messages": talk}
    if not os.environ.get("SHOP_STREAM"):
        return client.messages.create(**asked)
    with client.messages.stream(**asked) as stream:
        return stream.get_final_message()


def answer(messages):
    talk = [{"role": "user", "content": messages[-1]["content"]}]
    client = Anthropic()
    while True:
        said = next_message(client, talk)
        calls = [block for block in said.content if block.type == "tool_use"]
        if not calls:
            return "".join(block.text for block in said.content)
        talk.append({"role": "assistant", "content": [block.model_dump(exclude_none=True) for block in said.content]})
        done = [{"type": "tool_result", "tool_use_id": c.id, "content": TOOLS[c.name](**c.input)} for c in calls]
        talk.append({"role": "user", "content": done})


if __name__ == "__main__":
    run(answer)
