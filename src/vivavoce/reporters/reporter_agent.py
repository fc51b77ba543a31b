"""An agent as the reporter: it gets the whole report as JSON and writes what it likes."""

import re

import msgspec
from msgspec import UNSET

from vivavoce.errors import CallFailed
from vivavoce.model.case import CallOptions
from vivavoce.model.json_value import JsonObject
from vivavoce.model.message import AgentReply, Message
from vivavoce.model.result import RunReport
from vivavoce.notation.json_text import without_thinking
from vivavoce.plugins.catalog import JOURNAL, REPORTS
from vivavoce.protocols import AgentCaller
from vivavoce.reporters.json_report import metadata_part, result_part, summary_part
from vivavoce.results.encoding import encoded

_ONE_FENCE = re.compile(r"```[ \t]*+(\w*+)[ \t]*+\n(.*)\n```", re.DOTALL)
_FENCE_LABELS: dict[str, tuple[str, ...]] = {JOURNAL: ("jsonl", "json"), "text": ("text", "txt", "")}
"""The labels that a code fence around the whole reply may have; other formats have their name or suffix as label."""


async def ask_reporter(ref: str, report: RunReport, fmt: str, *, verbose: bool, agents: AgentCaller) -> str:
    """The report as the agent writes it. Raises CallFailed when it gives none."""
    options = {"verbose": verbose, "include_outputs": True}
    request = encoded({"report": whole_report(report), "format": fmt, "options": options}).decode()
    called_with = CallOptions(
        skip={"history": True}, metadata={"test_mode": "reporter", "format": fmt, "options": options}
    )
    reply = await agents.ask(ref, [Message(role="user", content=request)], called_with)
    if reply.error is not None:
        raise CallFailed(reply.error, fault="agent")
    text = written_by(reply, fmt)
    if not text.strip():
        raise CallFailed("its reply is empty", fault="agent")
    return text


def whole_report(report: RunReport) -> JsonObject:
    """Seed 000's report as one value, the same that `-o x.json` writes piece by piece."""
    return {
        "summary": summary_part(report.info, report.summary),
        "environment": msgspec.to_builtins(report.info.identity),
        "results": [result_part(row) for row in report.rows()],
        "metadata": metadata_part(report.info, report.summary),
    }


def written_by(reply: AgentReply, fmt: str) -> str:
    """What is to be written: the text without thoughts and the fence around it, or the data as JSON."""
    if reply.data is not UNSET and not isinstance(reply.data, str):
        return msgspec.json.format(encoded(reply.data), indent=2).decode()
    text = without_thinking(reply.text if reply.data is UNSET else reply.data)
    fence = _ONE_FENCE.fullmatch(text)
    inside = fence is not None and fence[1].lower() in _labels(fmt) and "\n```" not in fence[2]
    return fence[2] if fence is not None and inside else text


def _labels(fmt: str) -> tuple[str, ...]:
    if fmt in _FENCE_LABELS:
        return _FENCE_LABELS[fmt]
    return (fmt, *(suffix.removeprefix(".") for suffix in REPORTS.load(fmt).suffixes))
