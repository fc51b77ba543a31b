"""Exports of real instrumentations (tests/data/spans): what came in, and the calls that are in it."""

import json
from pathlib import Path
from typing import Any

from vivavoce.sight.spans.otlp import spans_in
from vivavoce.sight.spans.reading import Reading
from vivavoce.sight.spans.span import Span

FOLDER = Path(__file__).parents[1] / "data" / "spans"
NAMES = sorted(folder.name for folder in FOLDER.iterdir())
AS_PROTOBUF = [name for name in NAMES if list((FOLDER / name).glob("*.pb"))]


def exports(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name / "exports.jsonl").read_text().splitlines()]


def expected(name: str) -> dict[str, Any]:
    return json.loads((FOLDER / name / "expected.json").read_text())


def bodies(name: str, *, protobuf: bool = False) -> list[bytes]:
    """What was posted, in the order it came."""
    if protobuf:
        return [(FOLDER / name / export["protobuf"]).read_bytes() for export in exports(name)]
    return [json.dumps(export["json"]).encode() for export in exports(name)]


def spans(name: str) -> list[Span]:
    return [span for body in bodies(name) for span in spans_in(body, "application/json")]


def told(reading: Reading) -> dict[str, Any]:
    """A reading in the words of expected.json."""
    names = {call.name for call in reading.calls}
    return {
        "calls": [
            {
                "name": call.name,
                "id": call.id,
                "args": call.args,
                "result": call.result,
                "error": call.error,
                "ms": round((call.span.end_ns - call.span.start_ns) / 1e6, 1),
            }
            for call in reading.calls
        ],
        "models": {
            "count": len(reading.models),
            "input_tokens": sum(model.input_tokens for model in reading.models),
            "output_tokens": sum(model.output_tokens for model in reading.models),
            "names": sorted({model.model for model in reading.models if model.model}),
        },
        "hand_offs": [{"from": hand.by, "to": hand.to} for hand in reading.hand_offs],
        "conversation_ids": sorted(reading.conversations),
        "asked_but_never_run": [asked.name for asked in reading.never_run if asked.name not in names],
    }
