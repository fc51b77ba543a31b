"""JUnit XML as GitHub, GitLab and Jenkins read it: one suite, one testcase per case."""

import re
from collections import Counter
from typing import TextIO
from xml.etree import ElementTree as ET

from vivavoce.model.result import CaseResult, RunReport, Status, Summary
from vivavoce.reporters.transcript_text import LONGEST_TEXT, transcript_text
from vivavoce.wording.plurals import counted
from vivavoce.wording.results import (
    failed_at,
    failures_of,
    name_beside_id,
    place_of,
    quarantine_words,
    reason_of,
    unsaid_turns,
)
from vivavoce.wording.terminal_text import neutral, one_line

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_KINDS = {
    Status.FAILED: "failure",
    Status.ERROR: "error",
    Status.TIMEOUT: "error",
    Status.SKIPPED: "skipped",
    Status.NOT_RUN: "skipped",
}
_LONGEST_MESSAGE = 1_000


def write_junit(report: RunReport, out: TextIO) -> None:
    """Reads the results twice: the counts stand before the cases."""
    counts = Counter(_kind_of(result, report.summary) for result in report.results())
    incomplete = _incomplete(report.summary)
    totals = {
        "tests": str(counts.total() + (incomplete is not None)),
        "failures": str(counts["failure"]),
        "errors": str(counts["error"] + (incomplete is not None)),
        "skipped": str(counts["skipped"]),
        "time": _seconds(report.summary.duration_ms),
    }
    suites = ET.Element("testsuites", {"name": "viva", **totals})
    started = report.info.started_at.removesuffix("Z")
    suite = ET.SubElement(suites, "testsuite", {"name": clean(report.info.agent_id), **totals, "timestamp": started})
    suite.append(_properties(report))
    opening, closing = _split(suites, suite)
    out.write('<?xml version="1.0" encoding="UTF-8"?>\n' + opening + "\n")
    for result in report.results():
        out.write(ET.tostring(testcase(result, report), encoding="unicode") + "\n")
    if incomplete is not None:
        out.write(ET.tostring(incomplete, encoding="unicode") + "\n")
    out.write(closing + "\n")


def _incomplete(summary: Summary) -> ET.Element | None:
    """An error in place of the cases that never ran: without it, the file of an interrupted run looks green."""
    if not summary.not_run and not summary.interrupted:
        return None
    element = ET.Element("testcase", {"name": "the run is incomplete", "classname": "viva", "time": "0"})
    why = f"{counted(summary.not_run, 'case')} never ran ({summary.interrupted or 'not run'})"
    ET.SubElement(element, "error", {"message": clean(why), "type": "not_run"})
    return element


def _kind_of(result: CaseResult, summary: Summary) -> str | None:
    """Returns the element that says how the case came out.

    One that fails in quarantine is skipped, unless nothing passes: then the run is red, and the file must be too.
    """
    kind = _KINDS.get(result.status)
    return "skipped" if kind is not None and result.quarantine is not None and summary.passed else kind


def testcase(result: CaseResult, report: RunReport) -> ET.Element:
    case = result.case
    classname = _class_of(case.origin.path)
    if report.info.contenders:
        classname = f"{classname}[{case.agent}]"
    attributes = {
        "name": clean(one_line(f"{case.id}: {name}" if (name := name_beside_id(case.id, case.name)) else case.id)),
        "classname": clean(classname),
        "time": _seconds(sum(attempt.duration_ms for attempt in result.attempts)),
    }
    if case.origin.path:
        attributes["file"] = clean(case.origin.path)
    if case.origin.line:
        attributes["line"] = str(case.origin.line)
    element = ET.Element("testcase", attributes)
    attempt = result.decisive
    if (kind := _kind_of(result, report.summary)) is not None:
        apart = "" if result.quarantine is None else f"{quarantine_words(result.quarantine)}: {result.status.value}: "
        reason = clean(apart + reason_of(result))
        outcome = ET.SubElement(element, kind, {"message": one_line(reason)[:_LONGEST_MESSAGE]})
        if kind != "skipped":
            outcome.set("type", result.status.value if result.status is Status.TIMEOUT else attempt.fault or "agent")
            found = [f"{f.place}: {f.verdict.reason}" if f.place else f.verdict.reason for f in failures_of(attempt)]
            told = [place_of(failed_at(case, attempt)), *(found or [reason]), unsaid_turns(case, attempt)]
            outcome.text = clean(neutral("\n".join(filter(None, told))))
    ET.SubElement(element, "system-out").text = clean(transcript_text(attempt))
    if attempt.logs:
        ET.SubElement(element, "system-err").text = clean(neutral(attempt.logs[:LONGEST_TEXT]))
    return element


def clean(text: str) -> str:
    """Without the characters that XML cannot hold in any form."""
    return _NOT_IN_XML.sub("\ufffd", text)


def _properties(report: RunReport) -> ET.Element:
    info = report.info
    known = [
        ("agent", info.agent_id),
        ("connector", info.connector),
        ("run_id", info.run_id),
        ("title", info.title),
        ("revision", info.revision),
        ("branch", info.branch),
        ("dirty", None if info.dirty is None else str(info.dirty).lower()),
        ("model", ", ".join(info.models)),
        ("cost", None if (usage := report.summary.usage) is None or usage.cost is None else f"{usage.cost:.6f}"),
        ("viva", info.version),
        ("interrupted", report.summary.interrupted),
        *(("warning", warning) for warning in report.summary.warnings),
    ]
    properties = ET.Element("properties")
    for name, value in known:
        if value:
            ET.SubElement(properties, "property", {"name": name, "value": clean(value)})
    return properties


def _split(suites: ET.Element, suite: ET.Element) -> tuple[str, str]:
    """What stands before the first testcase and after the last."""
    whole = ET.tostring(suites, encoding="unicode")
    closing = f"</{suite.tag}></{suites.tag}>"
    return whole.removesuffix(closing), closing


def _class_of(path: str) -> str:
    """`tests/pay.jsonl` as tools group it: `tests.pay`."""
    return re.sub(r"\.[^./]*$", "", path.strip("./")).replace("/", ".") or "viva"


def _seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.3f}"
