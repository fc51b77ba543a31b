"""A stand-in for a model server: `python model.py [PORT]` answers at http://127.0.0.1:PORT/v1/chat/completions.

It needs no key and follows three rules. Point `viva.yaml` at your own endpoint to examine a real model.
"""

import json
import sys

from aiohttp import web


def answer(messages: list[dict]) -> dict:
    last = messages[-1]
    if last["role"] == "tool":
        return {"content": f"That is {last['content']}."}
    item = last["content"].split()[-1].strip("?.!")
    if not last["content"].lower().startswith("what is"):
        return {"content": "Ask me what something is."}
    arguments = json.dumps({"item": item})
    call = {"id": f"call{len(messages)}", "type": "function", "function": {"name": "price_of", "arguments": arguments}}
    return {"content": None, "tool_calls": [call]}


async def complete(request: web.Request) -> web.Response:
    asked = await request.json()
    message = {"role": "assistant", **answer(asked["messages"])}
    reason = "tool_calls" if message.get("tool_calls") else "stop"
    choice = {"index": 0, "message": message, "finish_reason": reason}
    used = {"prompt_tokens": 12, "completion_tokens": 7, "total_tokens": 19}
    return web.json_response(
        {"object": "chat.completion", "model": asked.get("model"), "choices": [choice], "usage": used}
    )


if __name__ == "__main__":
    app = web.Application()
    app.router.add_post("/v1/chat/completions", complete)
    web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]) if len(sys.argv) > 1 else 8766, print=None)
