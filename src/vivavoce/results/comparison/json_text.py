"""A comparison as JSON, a changed case at a time: what `viva diff --json` prints and the page reads."""

from collections.abc import Iterator

import msgspec

from vivavoce.results.comparison.run_comparison import RunComparison
from vivavoce.results.encoding import encoded


def comparison_json(compared: RunComparison) -> Iterator[bytes]:
    """One JSON object in pieces; each changed case is a line of its own."""
    head = msgspec.json.format(encoded(compared.as_data()), indent=2)
    yield head.removesuffix(b"\n}") + b',\n  "changes": ['
    comma = b""
    for told in compared.changes_as_json():
        yield comma + b"\n    " + encoded(told)
        comma = b","
    yield b"\n  ]\n}\n"
