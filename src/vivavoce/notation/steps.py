"""The path from a document to one of its values: keys and positions."""

Step = str | int
Steps = tuple[Step, ...]


def written_path(steps: Steps) -> str:
    """Returns `turns[0].input` for `("turns", 0, "input")`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")
