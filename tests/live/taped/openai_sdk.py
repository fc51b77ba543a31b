"""The official OpenAI SDK, chat completions in one piece."""

import json

from openai import OpenAI
from shop import MODEL, SYSTEM, find_order, refund, run

TOOLS = {"find_order": find_order, "refund": refund}
SCHEMAS = [{"type": "function", "function": {"name": name, "parameters": {"type": "object"}}} for name in TOOLS]


def answer(messages):
    talk = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": messages[-1]["content"]}]
    client = OpenAI()
    while True:
        said = client.chat.completions.create(model=MODEL, messages=talk, tools=SCHEMAS).choices[0].message
        if not said.tool_calls:
            return said.content
        talk.append(said.model_dump(exclude_none=True))
        for call in said.tool_calls:
            result = TOOLS[call.function.name](**json.loads(call.function.arguments))
            talk.append({"role": "tool", "tool_call_id": call.id, "content": result})


if __name__ == "__main__":
    run(answer)
