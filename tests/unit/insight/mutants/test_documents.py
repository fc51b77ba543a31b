"""A mutation score in every format."""

import io
import json

import msgspec
from msgspec import structs

from vivavoce.insight.mutants.documents import write_json, write_markdown, write_page
from vivavoce.insight.mutants.score import CaseScore, Counts, LeftOut, MutationReport, Survivor
from vivavoce.insight.mutants.words import agent_lines, headline, report_lines
from vivavoce.model.mutant_kinds import MutantKind

SURVIVOR = Survivor(
    kind=MutantKind.REPLY_CUT,
    turn=1,
    element="reply",
    change="the reply is cut off",
    before="We pay <b>80</b>",
    after="We pay",
    suggestion={"type": "contains", "value": "<b>80</b>"},
)
KINDS = {MutantKind.REPLY_CUT: Counts(2, 1), MutantKind.TURN_SLOWER: Counts(unlimited=1)}
REPORT = MutationReport(
    cases=(CaseScore(key="a.jsonl::T1", id="T1", file="a.jsonl", run=1, kinds=KINDS, survivors=(SURVIVOR,)),),
    left_out=(LeftOut("a.jsonl::T2", "it does not pass"),),
)


def test_json():
    out = io.StringIO()
    write_json(REPORT, out)
    found = json.loads(out.getvalue())
    assert (found["score"], found["noticed"], found["survived"]) == (66.67, 2, 1)
    assert found["kinds"]["turn-slower"]["score"] is None
    assert found["cases"][0]["survivors"][0]["suggestion"] == SURVIVOR.suggestion


def test_json_is_written_case_by_case_as_it_would_be_at_once():
    two = (*REPORT.cases, structs.replace(REPORT.cases[0], id="T9", survivors=()))
    for cases in ((), REPORT.cases, two):
        out = io.StringIO()
        write_json(structs.replace(REPORT, cases=cases), out)
        found = json.loads(out.getvalue())
        assert [case["id"] for case in found["cases"]] == [case.id for case in cases]
        assert list(found)[-4:] == ["cases", "left_out", "not_reached", "unreadable"]
        assert out.getvalue() == msgspec.json.format(msgspec.json.encode(found), indent=2).decode() + "\n"


def test_markdown_and_page_show_survivors_and_escape_what_the_agent_said():
    for write in (write_markdown, write_page):
        out = io.StringIO()
        write(REPORT, out)
        assert "reply-cut" in out.getvalue()
        assert "it does not pass" in out.getvalue()
    assert "<b>80</b>" not in out.getvalue()


def test_words():
    told = "\n".join(report_lines(REPORT))
    assert "    - We pay <b>80</b>\n    + We pay\n" in told
    assert 'add: {"type":"contains","value":"<b>80</b>"}' in told
    assert headline(REPORT) == "mutation score: 66.7 % (2 of 3 noticed)"
    assert list(agent_lines(REPORT))[-1] == headline(REPORT)


def test_a_score_is_never_rounded_up_to_all():
    almost = CaseScore(key="k", id="k", file="", run=1, kinds={MutantKind.REPLY_CUT: Counts(9999, 1)})
    assert headline(MutationReport(cases=(almost,))).startswith("mutation score: 99.9 %")
