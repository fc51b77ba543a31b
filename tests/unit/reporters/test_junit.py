"""JUnit XML that real readers accept."""

import io
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from msgspec import structs
from tests.fakes import results
from tests.fakes.xsd import Schema

from vivavoce.model.result import AgentVersion, CaseResult
from vivavoce.reporters.junit import write_junit

SCHEMA = Schema(Path(__file__).parents[2] / "data" / "junit.xsd")


def written(listed: list[CaseResult]) -> str:
    out = io.StringIO()
    write_junit(results.report_of(listed), out)
    return out.getvalue()


@pytest.mark.parametrize("listed", [[], results.every_kind()], ids=["empty", "every kind"])
def test_it_conforms_to_the_schema(listed: list[CaseResult]):
    assert SCHEMA.problems(written(listed)) == []


@pytest.mark.parametrize(
    "broken",
    [
        '<testsuites><testsuite name="a" tests="1" failures="0" errors="0"/></testsuites>',
        '<testsuites><testcase name="a" classname="b"/></testsuites>',
        '<testsuites tests="many"/>',
        '<testsuites color="red"/>',
    ],
)
def test_the_schema_check_can_fail(broken: str):
    assert SCHEMA.problems(broken)


def test_failures_errors_and_skips_are_told_apart():
    suite = ET.fromstring(written(results.every_kind()).encode())[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors"), suite.get("skipped")) == (
        "13",
        "5",
        "2",
        "2",
    )
    by_name = {case.get("name", "").split(":")[0]: case for case in suite.iter("testcase")}
    failure = by_name["pay-1"].find("failure")
    assert failure is not None
    assert failure.get("type") == "agent"
    assert "output does not contain 'receipt'" in (failure.text or "")
    error = by_name["ping"].find("error")
    assert error is not None
    assert error.get("type") == "target"
    timeout = by_name["slow"].find("error")
    assert timeout is not None
    assert timeout.get("type") == "timeout"
    skipped = by_name["later"].find("skipped")
    assert skipped is not None
    assert skipped.get("message") == "approvals come in May"
    assert len(by_name["expense-turn1"]) == 1, "a case that passed has its transcript only"


def test_a_case_says_where_it_was_written_and_what_was_said():
    case = next(ET.fromstring(written([results.wrong_argument()]).encode()).iter("testcase"))
    assert (case.get("classname"), case.get("file"), case.get("line")) == ("tests.pay", "tests/pay.jsonl", "12")
    assert case.get("time") == "0.800"
    transcript = case.findtext("system-out") or ""
    assert transcript.startswith('user: Pay the invoice\ntool: charge_card({amount: 300, card: "visa"}) → ok\n')


def test_characters_xml_cannot_hold_are_made_visible():
    odd = results.plain("bad\x00id\ud800", name="\x1b]]>&<\uffff")
    odd = structs.replace(odd, attempts=(structs.replace(odd.attempts[0], logs="\x08 log ]]>"),))
    root = ET.fromstring(written([odd]).encode())
    assert next(root.iter("testcase")).get("name") == "bad\\x00id\\ud800: \\x1b]]>&<\N{REPLACEMENT CHARACTER}"
    assert root.findtext(".//system-err") == "\\x08 log ]]>"


def test_a_run_that_was_broken_off_is_an_error():
    report = results.report_of(results.every_kind()[:1])
    summary = structs.replace(report.summary, total=3, not_run=2, interrupted="ctrl-c")
    out = io.StringIO()
    write_junit(structs.replace(report, summary=summary), out)
    suite = ET.fromstring(out.getvalue().encode())[0]
    assert (suite.get("tests"), suite.get("errors")) == ("2", "1")
    errors = [error.get("message") for error in suite.iter("error")]
    assert errors == ["2 cases never ran (ctrl-c)"]
    assert SCHEMA.problems(out.getvalue()) == []


def test_title_commit_and_model_are_properties_of_the_suite():
    report = results.report_of([results.plain("a")])
    agents = {"shop": AgentVersion(model="gpt-5")}
    info = structs.replace(report.info, title="nightly", revision="3f2a", branch="main", dirty=False, agents=agents)
    out = io.StringIO()
    write_junit(structs.replace(report, info=info), out)
    found = {one.get("name"): one.get("value") for one in ET.fromstring(out.getvalue()).iter("property")}
    assert [found[name] for name in ("title", "revision", "branch", "dirty", "model")] == [
        "nightly",
        "3f2a",
        "main",
        "false",
        "gpt-5",
    ]
