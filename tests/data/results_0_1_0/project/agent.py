"""The agents of the result files beside this folder; see ../README.md."""

import json
import os
import signal
from pathlib import Path


def agent(messages):
    content = messages[-1]["content"]
    said = content if isinstance(content, str) else content[0].get("text", "")
    if said == "raise":
        raise ValueError("boom")
    if said == "kill" and os.environ.get("KILL"):
        os.kill(os.getpid(), signal.SIGKILL)
    if said == "sometimes":
        asked = Path("asked")
        asked.write_text(text := (asked.read_text() if asked.exists() else "") + "x")
        return "no" if len(text) == 2 else "yes"
    if said == "print":
        print("printed by the agent")
    if said == "refund order 17":
        call = {"id": "c1", "name": "shop__refund", "args": {"order": 17}, "result": {"ok": True}}
        return {"content": "Refunded.", "tool_calls": [call], "usage": {"input_tokens": 12, "output_tokens": 3}}
    if said == "data":
        return {"data": {"status": "submitted", "amount": 3500}}
    if said.startswith("book"):
        return "Where do you want to go?"
    return f"echo: {said} <b>é 🙂</b>"


def user(messages):
    """Plays the user of a simulated conversation."""
    request = json.loads(messages[-1]["content"])
    done = request["turn_number"] > 2
    return {"data": {"input": "To Rome.", "goal_achieved": done, "reasoning": "it asked where to"}}
