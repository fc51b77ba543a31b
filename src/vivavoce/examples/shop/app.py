"""A small shop that speaks AG-UI: run `python app.py [PORT]` and post to http://127.0.0.1:PORT/agui.

It needs no model: what a customer may say is few enough for rules. It has a checkout with back-end tools, asks the
front end for the delivery address, stops for approval before it charges a card, and has one bug.
"""

import asyncio
import json
import sys
import uuid

from aiohttp import web

SHIPPING = [{"id": "standard", "price": 4.9}, {"id": "express", "price": 12.5}]
CART = [{"sku": "mug", "price": 18.0}, {"sku": "tea", "price": 9.5}]
TOTALS: dict[str, float] = {}
"""What each conversation's customer was told, by thread."""


class Run:
    """One AG-UI run: writes events, and keeps the order the protocol asks for."""

    def __init__(self, request: dict, response: web.StreamResponse) -> None:
        self.request = request
        self._response = response
        self._ids = {"threadId": request["threadId"], "runId": request["runId"]}

    async def send(self, kind: str, **fields: object) -> None:
        await self._response.write(f"data: {json.dumps({'type': kind, **fields})}\n\n".encode())

    async def start(self) -> None:
        await self.send("RUN_STARTED", **self._ids)

    async def finish(self, outcome: dict | None = None) -> None:
        await self.send("RUN_FINISHED", **self._ids, **({"outcome": outcome} if outcome else {}))

    async def say(self, text: str) -> None:
        message = str(uuid.uuid4())
        await self.send("TEXT_MESSAGE_START", messageId=message, role="assistant")
        for word in text.split(" "):
            await self.send("TEXT_MESSAGE_CONTENT", messageId=message, delta=word + " ")
        await self.send("TEXT_MESSAGE_END", messageId=message)

    async def call(self, name: str, args: dict, result: object = None) -> str:
        """A tool call; without a result it is one the front end must answer."""
        call = f"call_{uuid.uuid4().hex[:8]}"
        await self.send("TOOL_CALL_START", toolCallId=call, toolCallName=name)
        await self.send("TOOL_CALL_ARGS", toolCallId=call, delta=json.dumps(args))
        await self.send("TOOL_CALL_END", toolCallId=call)
        if result is not None:
            content = json.dumps(result)
            await self.send(
                "TOOL_CALL_RESULT", messageId=str(uuid.uuid4()), toolCallId=call, content=content, role="tool"
            )
        return call


async def reply(run: Run) -> None:
    """What the shop does next."""
    if run.request.get("resume"):
        return await after_approval(run, run.request["resume"][0])
    last = run.request["messages"][-1]
    if last["role"] == "tool":
        return await after_address(run, last)
    text = last["content"].lower()
    if "checkout" in text:
        await run.call("validate_cart", {"items": len(CART)}, {"ok": True})
        await run.call("get_shipping_options", {}, SHIPPING)
        await run.say("Your cart is fine. Standard or express shipping?")
    elif "standard" in text or "express" in text:
        await run.call("ask_address", {"reason": "delivery"})
    elif "pay" in text:
        approval = {"id": f"int_{uuid.uuid4().hex[:8]}", "reason": "approve_payment", "message": "Charge the card?"}
        return await run.finish({"type": "interrupt", "interrupts": [approval]})
    else:
        await run.say("I can check out your cart.")
    return await run.finish()


def total_with(shipping: dict) -> float:
    return sum(item["price"] for item in CART) + shipping["price"]


async def after_address(run: Run, answer: dict) -> None:
    wish = [message["content"].lower() for message in run.request["messages"] if message["role"] == "user"][-1]
    # The bug: whoever mentions express gets it, even "standard, not express".
    option = SHIPPING[1] if "express" in wish else SHIPPING[0]
    total = TOTALS[run.request["threadId"]] = total_with(option)
    await run.call("calculate_total", {"shipping": option["id"]}, {"total": total, "to": answer["content"]})
    await run.say(f"That makes {total:.2f} with {option['id']} shipping. Shall I go on to payment?")
    await run.finish()


async def after_approval(run: Run, answer: dict) -> None:
    if answer["status"] == "resolved" and (answer.get("payload") or {}).get("approved"):
        charge = {"amount": TOTALS.pop(run.request["threadId"], total_with(SHIPPING[0]))}
        await run.call("charge_card", charge, {"status": "paid", "order": "ORD-1001"})
        await run.say("Paid. Your order is ORD-1001.")
    else:
        await run.say("Nothing was charged.")
    await run.finish()


async def agui(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache"})
    run = Run(await request.json(), response)
    await response.prepare(request)
    await run.start()
    await reply(run)
    return response


async def serve(port: int) -> None:
    app = web.Application()
    app.router.add_post("/agui", agui)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    print(f"The shop speaks AG-UI at http://127.0.0.1:{runner.addresses[0][1]}/agui (Ctrl-C ends it)", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    try:
        asyncio.run(serve(int(sys.argv[1]) if len(sys.argv) > 1 else 8765))
    except KeyboardInterrupt:
        pass
