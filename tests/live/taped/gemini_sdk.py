"""Google's SDK: generateContent in one piece, or with SHOP_STREAM as a stream."""

import os

from google import genai
from google.genai import types
from shop import MODEL, SYSTEM, find_order, refund, run


def answer(messages):
    client = genai.Client()
    chat = client.chats.create(
        model=MODEL, config=types.GenerateContentConfig(system_instruction=SYSTEM, tools=[find_order, refund])
    )
    line = messages[-1]["content"]
    if os.environ.get("SHOP_STREAM"):
        return "".join(piece.text or "" for piece in chat.send_message_stream(line))
    return chat.send_message(line).text


if __name__ == "__main__":
    run(answer)
