"""The fake model behind every live A2A server, and the port it is served on."""

import json
import socket
from collections.abc import Callable
from typing import Any

import uvicorn

Call = tuple[str, dict[str, Any]]


def think(said: list[str], results: list[Any]) -> str | Call:
    """What comes next, by all that the user said and what tools answered since: words, or one call."""
    word = said[-1].split(" ")[0].strip("?!.,").lower()
    if word == "weather":
        cities = ("Paris", "Atlantis")
        if len(results) < len(cities):
            return "get_weather", {"city": cities[len(results)]}
        return f"Paris: {_plain(results[0])}. Atlantis: unknown."
    if word == "pay":
        return f"Paid: {_plain(results[-1])}." if results else ("pay", {"amount": 10})
    if word == "crash":
        raise RuntimeError("the model broke")
    if said[-1] == "What is my name?":
        names = [one.removeprefix("My name is ") for one in said if one.startswith("My name is ")]
        return f"Your name is {names[-1]}." if names else "I do not know your name."
    return f"You said {len(said)} things, the first was {said[0]!r}."


def weather(city: str) -> dict[str, Any]:
    if city == "Atlantis":
        raise ValueError("no such city")
    return {"celsius": 21, "city": city}


def serve(make_app: Callable[[int], Any]) -> None:
    """Serves on a free port, which is printed; an app is made for it because cards name it."""
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    app = make_app(port)
    print(port, flush=True)
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
    uvicorn.Server(config).run(sockets=[listening])


def _plain(result: Any) -> str:
    return result if isinstance(result, str) else json.dumps(result)
