"""The fake model behind every sample agent: what it does next, by what the user said and how many tools have run."""

PLANS = {
    "weather": [("get_weather", {"city": "Paris"})],
    "both": [("get_weather", {"city": "Paris"}), ("get_weather", {"city": "Rome"})],
    "atlantis": [("get_weather", {"city": "Atlantis"})],
    "tidy up": [("get_weather", {"city": "Paris"}), ("delete_file", {"path": "/tmp/x"})],
    "explode": [("get_weather", {"city": "Paris"})],
    "pay": [("pay", {"amount": 10})],
}
INVOICE = {"number": 7, "total": 12.5}
TOKENS = (11, 5)
"""Tokens read and written by every call of the model."""


def next_move(said: list[str], results: int, plans: dict | None = None) -> str | tuple[str, dict]:
    """A text, or the next call. `said` are all lines of the user, `results` those since the last of them."""
    line = said[-1] if isinstance(said[-1], str) else "a line with a picture"
    plan = {**PLANS, **(plans or {})}.get(line, [])
    if results < len(plan):
        return plan[results]
    if line == "explode":
        raise RuntimeError("the model is gone")
    if line == "who am I?":
        return f"You are {said[0].split()[-1]}"
    return f"done: {results}" if plan else "hello"


def weather_in(city: str) -> str:
    if city == "Atlantis":
        raise ValueError("no such city")
    return f"21 degrees in {city}"
