"""The official OpenAI SDK, responses as a stream."""

import json

from openai import OpenAI
from shop import MODEL, SYSTEM, find_order, refund, run

TOOLS = {"find_order": find_order, "refund": refund}
SCHEMAS = [
    {"type": "function", "name": name, "parameters": {"type": "object"}, "strict": False, "description": ""}
    for name in TOOLS
]


def answer(messages):
    talk = [{"role": "user", "content": messages[-1]["content"]}]
    client = OpenAI()
    while True:
        with client.responses.stream(model=MODEL, instructions=SYSTEM, input=talk, tools=SCHEMAS) as stream:
            said = stream.get_final_response()
        calls = [item for item in said.output if item.type == "function_call"]
        if not calls:
            return said.output_text
        for call in calls:
            result = TOOLS[call.name](**json.loads(call.arguments))
            kept = {"type": "function_call", "call_id": call.call_id, "name": call.name, "arguments": call.arguments}
            talk += [kept, {"type": "function_call_output", "call_id": call.call_id, "output": result}]


if __name__ == "__main__":
    run(answer)
