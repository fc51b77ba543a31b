"""A stand-in for a model server: `python model.py [PORT]` answers at http://127.0.0.1:PORT/v1/chat/completions.

It needs no key, nothing but Python, and follows three rules. Point `viva.yaml` at your own endpoint to examine a real
model.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


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


class Model(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        if self.path != "/v1/chat/completions":
            return self.send_error(404)
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message = {"role": "assistant", **answer(asked["messages"])}
        reason = "tool_calls" if message.get("tool_calls") else "stop"
        choice = {"index": 0, "message": message, "finish_reason": reason}
        used = {"prompt_tokens": 12, "completion_tokens": 7, "total_tokens": 19}
        completion = {"object": "chat.completion", "model": asked.get("model"), "choices": [choice], "usage": used}
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(completion).encode())
        return None

    def log_message(self, *_: object) -> None:
        """Says nothing of each request."""


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8766
    try:
        ThreadingHTTPServer(("127.0.0.1", port), Model).serve_forever()
    except KeyboardInterrupt:
        pass
