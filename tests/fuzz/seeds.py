"""Sound files for every decoder: what a fuzzer begins with."""

import io
from pathlib import Path

from tests.fakes import results

from vivavoce.results.journal import JsonlReporter

_DATA = Path(__file__).parent.parent / "data"
_CONVERSATION = b"""\
# a comment
{"id": "a", "input": "hi", "assert": [{"type": "contains", "value": "x", "negate": true}], "tags": ["t"]}
{"id": "b", "turns": [{"user": "one", "assertions": ["contains x"]}, {"user": "two"}], "runs": 3, "min_pass": 2,
 "options": {"metadata": {"k": 1e3}}, "timeout": "2m30s"}

{"id": "c", "input": [{"type": "text", "text": "\\u00e9"}, {"type": "image", "source": "file://a.png"}],
 "checkpoints": [{"id": "p", "assert": {"type": "regex", "value": "a+"}, "after": []}], "skip": true}
"""
_YAML = b"""\
name: refund
agent: shop
turns:
  - user: &line I want my money back
    tools: {require: [refund], forbid: [delete]}
  - {user: *line, assert: [{type: contains, value: "done"}]}
---
<<: {name: other, locale: de-de}
turns: [{user: "12:30"}, {user: yes}, {user: 010}]
"""
_CONFIG = b"""\
agent: shop
agents:
  shop: {agui: "http://127.0.0.1:1/x", headers: {A: "${ENV.B:-c}"}, rate: 10/s}
run: {timeout: 30s, parallel: 4}
awaiting: {patterns: ["[?]$"]}
"""
_PACKAGE = b"""\
{
  // a package
  "name": "Shop, with // no comment",
  "connector": "gpt", /* and
  more */ "options": {"temperature": 0.5,},
  "mcp": {"servers": [{"server_id": "s", "tools": ["a", "b",]},],},
}
"""
_MODEL_TEXT = (
    b'<think>hm {"a": 1}</think> Sure:\n```json\n{"passed": true, "why": "\\u00e9", "n": [1, 2.5e3, null]}\n``` ok',
    b"{'single': 'quotes', trailing: [1, 2,], // no\n unquoted: yes",
    b'prose [1] then {"deep": {"er": [{"a": "b"}]}} and more {',
)
_STREAM = b'\xef\xbb\xbfdata: {"type":"A"}\r\n\r\n: note\n\nevent: x\rdata:two\rdata: lines\r\rdata: rest'


def result_bytes() -> bytes:
    """A whole result file."""
    out = io.BytesIO()
    reporter = JsonlReporter(out)
    for event in results.events_of(results.every_kind()):
        reporter.handle(event)
    return out.getvalue()


SEEDS: dict[str, tuple[bytes, ...]] = {
    "jsonl": (_CONVERSATION, (_DATA / "seeds/003_dynamic.jsonl").read_bytes()),
    "json_cases": (b'[{"id": "a", "input": "x"}, /* c */ {"id": "b", "input": "y",},]', b'{"cases": [{"input": "x"}]}'),
    "yaml": (_YAML, (_DATA / "seeds/001_checkout.yaml").read_bytes()),
    "configuration": (_CONFIG,),
    "package": (_PACKAGE,),
    "result_file": (result_bytes(),),
    "model_text": _MODEL_TEXT,
    "stream": (_STREAM,),
    "reference": (b"agents:workers.x?count=3&deep=true&r=.5e3", b"scripts:m.f", b"../cases.jsonl"),
    "duration": (b"2m30s", b"1.5h", b".5ms"),
    "pattern": (b"/a+(b|c)*$/i", rb"\p{L}{2,3}[^x]"),
}
