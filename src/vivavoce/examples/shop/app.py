"""A small shop that speaks AG-UI: run `python app.py [PORT]` and post to http://127.0.0.1:PORT/agui.

It needs no model, and nothing but Python: what a customer may say is few enough for rules. It has a checkout with
back-end tools, asks the front end for the delivery address, stops for approval before it charges a card, and has one bug.
"""

import json
import sys
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import BinaryIO

SHIPPING = [{"id": "standard", "price": 4.9}, {"id": "express", "price": 12.5}]
CART = [{"sku": "mug", "price": 18.0}, {"sku": "tea", "price": 9.5}]
TOTALS: dict[str, float] = {}
"""What each conversation's customer was told, by thread."""


class Run:
    """One AG-UI run: writes events, and keeps the order the protocol asks for."""

    def __init__(self, request: dict, response: BinaryIO) -> None:
        self.request = request
        self._response = response
        self._ids = {"threadId": request["threadId"], "runId": request["runId"]}

    def send(self, kind: str, **fields: object) -> None:
        self._response.write(f"data: {json.dumps({'type': kind, **fields})}\n\n".encode())

    def start(self) -> None:
        self.send("RUN_STARTED", **self._ids)

    def finish(self, outcome: dict | None = None) -> None:
        self.send("RUN_FINISHED", **self._ids, **({"outcome": outcome} if outcome else {}))

    def say(self, text: str) -> None:
        message = str(uuid.uuid4())
        self.send("TEXT_MESSAGE_START", messageId=message, role="assistant")
        for word in text.split(" "):
            self.send("TEXT_MESSAGE_CONTENT", messageId=message, delta=word + " ")
        self.send("TEXT_MESSAGE_END", messageId=message)

    def call(self, name: str, args: dict, result: object = None) -> str:
        """A tool call; without a result it is one the front end must answer."""
        call = f"call_{uuid.uuid4().hex[:8]}"
        self.send("TOOL_CALL_START", toolCallId=call, toolCallName=name)
        self.send("TOOL_CALL_ARGS", toolCallId=call, delta=json.dumps(args))
        self.send("TOOL_CALL_END", toolCallId=call)
        if result is not None:
            content = json.dumps(result)
            self.send("TOOL_CALL_RESULT", messageId=str(uuid.uuid4()), toolCallId=call, content=content, role="tool")
        return call


def reply(run: Run) -> None:
    """What the shop does next."""
    if run.request.get("resume"):
        return after_approval(run, run.request["resume"][0])
    last = run.request["messages"][-1]
    if last["role"] == "tool":
        return after_address(run, last)
    text = last["content"].lower()
    if "checkout" in text:
        run.call("validate_cart", {"items": len(CART)}, {"ok": True})
        run.call("get_shipping_options", {}, SHIPPING)
        run.say("Your cart is fine. Standard or express shipping?")
    elif "standard" in text or "express" in text:
        run.call("ask_address", {"reason": "delivery"})
    elif "pay" in text:
        approval = {"id": f"int_{uuid.uuid4().hex[:8]}", "reason": "approve_payment", "message": "Charge the card?"}
        return run.finish({"type": "interrupt", "interrupts": [approval]})
    else:
        run.say("I can check out your cart.")
    return run.finish()


def total_with(shipping: dict) -> float:
    return sum(item["price"] for item in CART) + shipping["price"]


def after_address(run: Run, answer: dict) -> None:
    wish = [message["content"].lower() for message in run.request["messages"] if message["role"] == "user"][-1]
    # The bug: whoever mentions express gets it, even "standard, not express".
    option = SHIPPING[1] if "express" in wish else SHIPPING[0]
    total = TOTALS[run.request["threadId"]] = total_with(option)
    run.call("calculate_total", {"shipping": option["id"]}, {"total": total, "to": answer["content"]})
    run.say(f"That makes {total:.2f} with {option['id']} shipping. Shall I go on to payment?")
    run.finish()


def after_approval(run: Run, answer: dict) -> None:
    if answer["status"] == "resolved" and (answer.get("payload") or {}).get("approved"):
        charge = {"amount": TOTALS.pop(run.request["threadId"], total_with(SHIPPING[0]))}
        run.call("charge_card", charge, {"status": "paid", "order": "ORD-1001"})
        run.say("Paid. Your order is ORD-1001.")
    else:
        run.say("Nothing was charged.")
    run.finish()


class Shop(BaseHTTPRequestHandler):
    disable_nagle_algorithm = True  # each event is sent at once

    def do_POST(self) -> None:
        if self.path != "/agui":
            return self.send_error(404)
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-cache")
        self.end_headers()
        run = Run(asked, self.wfile)
        run.start()
        return reply(run)

    def log_message(self, *_: object) -> None:
        """Says nothing of each request."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8765), Shop)
    print(f"The shop speaks AG-UI at http://127.0.0.1:{server.server_port}/agui (Ctrl-C ends it)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
