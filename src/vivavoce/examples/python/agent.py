"""An agent as a plain function. Put your own in its place: call your model, and return what it said and did."""

PRICES = {"mug": 18.0, "tea": 9.5}


def price_of(item: str) -> float:
    return PRICES[item]


def reply(messages):
    """`messages` is the conversation so far: [{"role": "user", "content": "…"}, …]."""
    item = messages[-1]["content"].split()[-1].strip("?.!")
    if item == "that":  # the conversation tells what is meant
        item = next(message["content"].split()[-1].strip("?.!") for message in messages if message["role"] == "user")
    call = {"name": "price_of", "args": {"item": item}}
    try:
        call["result"] = price_of(item)
    except KeyError:
        return {"content": f"We sell no {item}.", "tool_calls": [{**call, "error": "unknown item"}]}
    # Returning the calls lets tests say which tools must and must not be called.
    return {"content": f"A {item} is {call['result']:.2f}.", "tool_calls": [call]}
